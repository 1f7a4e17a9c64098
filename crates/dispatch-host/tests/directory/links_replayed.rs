//! Sessions over directories that hold links, recorded and replayed: on what was seen alone, and on a directory that is as the first one was.

use std::convert::Infallible;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::LazyLock;

use dispatch_core::json::Document;
use dispatch_core::session::{Comparison, Header, How, Item, Reader, Recorder, Replayer};
use dispatch_core::workspace::{MemoryWorkspace, Overlay, View};
use dispatch_core::{Annotations, Gates, GivenTool, Observation, Registry, ToolCall, ToolFailure, tools};
use dispatch_host::directory::DirectoryOptions;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::support::Place;

/// The native tools, and one that reads and writes as often as it is told to, and may look through directories.
static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
    let schema = json!({"type": "object", "properties": {"steps": {"type": "array", "items": {
        "type": "array", "items": {"type": "string"}}}}, "required": ["steps"]});
    let tool = GivenTool::new("steps", "", &schema).unwrap();
    let tool = tool.annotated(Annotations { open_world: false, ..Annotations::default() });
    let registry = Registry::builder().tool(tools::ReadFile).tool(tools::WriteFile).tool(tools::PatchFile);
    registry.given(tool.run_by(|args: Value, view: &mut View<'_>| steps(&args, view))).build().unwrap()
});

fn steps(args: &Value, view: &mut View<'_>) -> Result<Observation, ToolFailure> {
    let mut told = String::new();
    for step in args["steps"].as_array().unwrap() {
        let word = |index: usize| step[index].as_str().unwrap_or_default();
        let (path, text) = (word(1), word(2).to_owned());
        told += &match word(0) {
            "write" => view.write(path, text).map_or_else(|failure| failure.code().to_string(), |()| "written".into()),
            "walk" => walked(path, view)?,
            _ => view.read_text(path).map_or_else(|failure| failure.code().to_string(), Into::into),
        };
        told.push('\n');
    }
    Ok(Observation::text(told))
}

fn walked(path: &str, view: &View<'_>) -> Result<String, ToolFailure> {
    let mut files = Vec::new();
    view.walk(&view.resolve(path)?, &mut |file| {
        files.push(file.to_string());
        ControlFlow::Continue(())
    })?;
    Ok(files.join(" "))
}

/// What happens in a session.
#[derive(Debug, Clone)]
enum Step {
    Call(&'static str, Value),
    /// Somebody else makes a link, or a file, in the place of what is there.
    Link(String, String),
    File(String, &'static str),
}

/// What lies in the workspace before: links by where they lead, and files by their text.
#[derive(Debug, Clone)]
struct Files {
    links: Vec<(String, String)>,
    files: Vec<(String, &'static str)>,
}

impl Files {
    /// Lays them out, as far as they fit with each other.
    fn place(&self) -> Place {
        let place = Place::new();
        for (path, text) in &self.files {
            put_file(&place, path, text);
        }
        for (link, to) in &self.links {
            put_link(&place, link, to);
        }
        place
    }
}

fn put_file(place: &Place, path: &str, text: &str) {
    let path = place.inside(path);
    let _ = fs::create_dir_all(path.parent().unwrap());
    // Not through a link, which may lead outside.
    if fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_symlink()) {
        fs::remove_file(&path).unwrap();
    }
    let _ = fs::write(&path, text);
}

fn put_link(place: &Place, link: &str, to: &str) {
    let link = place.inside(link);
    let _ = fs::create_dir_all(link.parent().unwrap());
    let _ = fs::remove_file(&link);
    let _ = std::os::unix::fs::symlink(Path::new(to), &link);
}

fn record(place: &mut Place, steps: &[Step]) -> Vec<u8> {
    let gates = Gates::new(REGISTRY.clone());
    let mut log = Vec::new();
    let keep = |line: &[u8]| {
        log.extend_from_slice(line);
        Ok::<_, Infallible>(())
    };
    let mut recorder = Recorder::begin(&Header::new(&gates, MemoryWorkspace::default()).of_directory(), keep).unwrap();
    for step in steps {
        match step {
            Step::Call(tool, args) => {
                let args = Document::parse(args.to_string().into_bytes()).unwrap();
                recorder.intend(ToolCall::new(*tool, args)).unwrap().run(&gates, &mut place.workspace);
            }
            Step::Link(link, to) => put_link(place, link, to),
            Step::File(path, text) => put_file(place, path, text),
        }
    }
    drop(recorder);
    log
}

/// Replays a log, on a directory if one is given.
fn replay(log: &[u8], on: Option<&Place>) -> Vec<Comparison> {
    let (mut reader, mut replayer, mut comparisons) = (Reader::default(), None, Vec::new());
    for line in log.split_inclusive(|byte| *byte == b'\n') {
        for item in reader.push(line).unwrap() {
            match item {
                Item::Header(header) => replayer = Some(begun(&header, on)),
                Item::Entry(entry) => comparisons.push(replayer.as_mut().unwrap().replay(&entry)),
            }
        }
    }
    let last = reader.finish().interrupted;
    assert!(last.is_none());
    comparisons
}

fn begun(header: &Header, on: Option<&Place>) -> Replayer {
    let replayer = Replayer::new(REGISTRY.clone(), header);
    let open = |place: &Place| Box::new(DirectoryOptions::default().open(place.inside("")).unwrap());
    match on {
        Some(place) => replayer.on(Overlay::new(open(place))),
        None => replayer,
    }
}

fn assert_agrees(log: &[u8], on: Option<&Place>) {
    for comparison in replay(log, on) {
        let log = String::from_utf8_lossy(log);
        assert!(comparison.differences.is_empty(), "on files: {}\n{comparison:#?}\n{log}", on.is_some());
        assert!(on.is_none() || comparison.how == How::Ran, "{comparison:?}");
    }
}

fn read(path: &str) -> Step {
    Step::Call("read_file", json!({"path": path}))
}

fn write(path: &str, text: &str) -> Step {
    Step::Call("write_file", json!({"path": path, "content": text}))
}

fn patch(path: &str, old: &str, new: &str) -> Step {
    Step::Call("patch_file", json!({"path": path, "old_str": old, "new_str": new}))
}

fn several(steps: &[[&str; 3]]) -> Step {
    Step::Call("steps", json!({"steps": steps}))
}

/// Every kind of way to a file.
fn ways() -> Files {
    let link = |(link, to): (&str, &str)| (link.to_owned(), to.to_owned());
    let links =
        [("link", "d/e/file"), ("chain", "link"), ("short", "d/e"), ("d/up", "../short/file"), ("later", "new/a")];
    Files { links: links.map(link).into(), files: vec![("d/e/file".to_owned(), "old")] }
}

fn check(steps: &[Step]) {
    let log = record(&mut ways().place(), steps);
    assert_agrees(&log, None);
    assert_agrees(&log, Some(&ways().place()));
}

#[test]
fn what_is_written_through_a_link_is_read_at_its_place_when_it_is_replayed() {
    for way in ["link", "chain", "short/file", "d/up", "./d/../chain"] {
        check(&[write(way, "new"), read("d/e/file"), read(way)]);
        check(&[read(way), write("d/e/file", "new"), read(way)]);
        check(&[patch(way, "old", "new"), patch("d/e/file", "new", "newer"), read("link")]);
        check(&[several(&[
            ["write", way, "new"],
            ["read", "d/e/file", ""],
            ["write", "link", "x"],
            ["read", way, ""],
        ])]);
        check(&[read("d/e/file"), several(&[["write", way, "new"], ["walk", "short", ""]]), read("chain")]);
    }
    check(&[read("later"), write("later", "new"), read("new/a"), write("new/a/b", ""), read("later")]);
}

#[test]
fn a_file_is_in_the_log_once_whatever_its_paths() {
    let log = record(&mut ways().place(), &[read("link"), read("short/file"), write("chain", "new")]);
    let log = String::from_utf8(log).unwrap();
    assert_eq!(log.matches(r#"{"text":"old"}"#).count(), 1, "{log}");
    assert!(log.contains(r#""paths":{"short/file":"d/e/file"}"#), "{log}");
    assert!(log.contains(r#"{"files":{"d/e/file":"sha256:"#), "{log}");
}

#[test]
fn a_link_that_leads_elsewhere_today_is_a_divergence() {
    let log = record(&mut ways().place(), &[write("link", "new")]);
    let other = ways().place();
    put_link(&other, "link", "d/e/other");
    let differences = replay(&log, Some(&other)).remove(0).differences;
    let paths: Vec<_> = differences.iter().map(|difference| difference.path.to_string()).collect();
    assert_eq!(paths, ["$.files['d/e/file']", "$.files['d/e/other']", "$.workspace"]);
}

const PATHS: &[&str] =
    &["a", "b", "d", "d/a", "d/b", "d/e", "d/e/a", "l", "d/l", "m/a", "l/a", "m", "l/../a", "new/l", "new/a/b"];
const TARGETS: &[&str] =
    &["a", "d", "d/a", "..", ".", "../a", "e", "l", "m", "d/l", "new", "new/x", "no/../a", "a/../d", "../../x"];
const TEXTS: &[&str] = &["", "one", "one two"];

fn files() -> impl Strategy<Value = Files> {
    let path = || select(PATHS).prop_map(str::to_owned);
    let links = prop::collection::vec((path(), select(TARGETS).prop_map(str::to_owned)), 0..5);
    let files = prop::collection::vec((path(), select(TEXTS)), 0..4);
    (links, files).prop_map(|(links, files)| Files { links, files })
}

fn called() -> impl Strategy<Value = Step> {
    let word = select(&["write", "read", "walk"][..]);
    let steps = prop::collection::vec((word, select(PATHS), select(TEXTS)), 1..5);
    prop_oneof![
        select(PATHS).prop_map(read),
        (select(PATHS), select(TEXTS)).prop_map(|(path, text)| write(path, text)),
        (select(PATHS), select(TEXTS)).prop_map(|(path, text)| patch(path, "one", text)),
        steps.prop_map(|steps| Step::Call("steps", json!({"steps": steps}))),
    ]
}

fn others() -> impl Strategy<Value = Step> {
    let path = || select(PATHS).prop_map(str::to_owned);
    prop_oneof![
        (path(), select(TARGETS).prop_map(str::to_owned)).prop_map(|(link, to)| Step::Link(link, to)),
        (path(), select(TEXTS)).prop_map(|(path, text)| Step::File(path, text)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_session_agrees_on_what_was_seen_and_on_such_a_directory(
        files in files(),
        steps in prop::collection::vec(called(), 0..8),
    ) {
        let log = record(&mut files.place(), &steps);
        assert_agrees(&log, None);
        assert_agrees(&log, Some(&files.place()));
    }

    #[test]
    fn a_session_in_which_links_change_agrees_on_what_was_seen(
        files in files(),
        steps in prop::collection::vec(prop_oneof![3 => called(), 1 => others()], 0..10),
    ) {
        assert_agrees(&record(&mut files.place(), &steps), None);
    }
}
