//! Sessions over a workspace in which somebody else changes something between any two looks: what the calls were told suffices, whatever it was.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard};

use dispatch_core::session::{Header, How, Replayer};
use dispatch_core::workspace::{
    ChangeSet, Contents, Entry, Listed, MemoryWorkspace, OutsideWorkspace, Overlay, Reading, Version, View, Workspace,
    WorkspaceError, WorkspacePath,
};
use dispatch_core::{Annotations, ErrorCode, Gates, Registry, ToolFailure, tool_fn, tools};
use proptest::prelude::*;
use proptest::sample::select;

use crate::support::{call, entries, header, recorder, replay_with};

/// What stands at a place. A file that may be written and not read keeps that when it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stands {
    Text,
    Bytes,
    Unreadable,
    Closed,
    /// It can't be listed: a link has taken its place.
    Led,
}

/// What somebody else does: puts something at a place, takes it away, or makes the link lead elsewhere.
#[derive(Debug, Clone, Copy)]
enum Deed {
    Put(&'static str, Stands, &'static str),
    Remove(&'static str),
    Link(Option<&'static str>),
}

#[derive(Default)]
struct World {
    files: BTreeMap<String, (Stands, String, u64)>,
    link: Option<&'static str>,
    /// What is done before each of the next looks; the last comes first.
    deeds: Vec<Option<Deed>>,
    age: u64,
}

impl World {
    fn put(&mut self, path: &str, stands: Stands, text: &str) {
        self.age += 1;
        self.files.insert(path.to_owned(), (stands, text.to_owned(), self.age));
    }

    fn suffer(&mut self, deed: Deed) {
        match deed {
            Deed::Put(path, stands, text) => self.put(path, stands, text),
            Deed::Remove(path) => drop(self.files.remove(path)),
            Deed::Link(to) => self.link = to,
        }
    }

    fn entry(&self, path: &WorkspacePath) -> Result<Entry, WorkspaceError> {
        match self.files.get(path.as_str()) {
            Some((Stands::Closed, ..)) => Err(denied()),
            Some((Stands::Led, ..)) => Ok(Entry::Directory),
            _ => self.files.keys().map(|path| (path.as_str(), "")).collect::<MemoryWorkspace>().entry(path),
        }
    }

    fn version(&self, path: &WorkspacePath) -> Version {
        Version::new(&self.files.get(path.as_str()).map(|(.., age)| age.to_le_bytes()).unwrap_or_default())
    }
}

fn denied() -> WorkspaceError {
    WorkspaceError::new(ErrorCode::PermissionDenied, "EACCES")
}

struct Restless(Mutex<World>);

impl Restless {
    fn look(&self) -> MutexGuard<'_, World> {
        let mut world = self.0.lock().unwrap();
        if let Some(deed) = world.deeds.pop().flatten() {
            world.suffer(deed);
        }
        world
    }
}

impl Workspace for Restless {
    fn resolve(&self, path: &str) -> Result<WorkspacePath, OutsideWorkspace> {
        let world = self.look();
        WorkspacePath::resolve(if path == "link" { world.link.ok_or(OutsideWorkspace)? } else { path })
    }

    fn entry(&self, path: &WorkspacePath) -> Result<Entry, WorkspaceError> {
        self.look().entry(path)
    }

    fn read(&self, path: &WorkspacePath) -> Result<Reading<'_>, WorkspaceError> {
        let world = self.look();
        let version = world.version(path);
        match world.files.get(path.as_str()) {
            Some((Stands::Text, text, _)) => Ok(Reading { contents: Contents::Text(text.clone().into()), version }),
            Some((Stands::Bytes, ..)) => Ok(Reading { contents: Contents::from(vec![0xff]), version }),
            Some(_) => Err(denied()),
            None => Err(WorkspaceError::new(ErrorCode::FileNotFound, "ENOENT")),
        }
    }

    fn list(&self, directory: &WorkspacePath) -> Result<Vec<Listed>, WorkspaceError> {
        let world = self.look();
        match world.files.get(directory.as_str()) {
            Some((Stands::Led, ..)) => Err(OutsideWorkspace.into()),
            _ => world.files.keys().map(|path| (path.as_str(), "")).collect::<MemoryWorkspace>().list(directory),
        }
    }

    fn commit(&mut self, changes: ChangeSet) -> Result<(), WorkspaceError> {
        let mut world = self.look();
        for (path, _) in changes.files() {
            if changes.based_on(path).is_some_and(|base| *base != world.version(path)) {
                return Err(WorkspaceError::new(ErrorCode::Conflict, "changed since it was read"));
            }
            match world.entry(path)? {
                Entry::File | Entry::Absent => {}
                Entry::Directory => return Err(WorkspaceError::new(ErrorCode::IsADirectory, "EISDIR")),
                Entry::BelowFile => return Err(WorkspaceError::new(ErrorCode::NotADirectory, "ENOTDIR")),
            }
        }
        for (path, text) in changes {
            let stands = world.files.get(path.as_str()).map(|(stands, ..)| *stands);
            let stands = stands.filter(|stands| *stands == Stands::Unreadable).unwrap_or(Stands::Text);
            world.put(path.as_str(), stands, &text);
        }
        Ok(())
    }
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Below {
    path: String,
}

/// The native tools, one that searches, and one that searches, writes and reads.
fn registry() -> Registry {
    let list = |Below { path }: Below, view: &mut View<'_>| -> Result<String, ToolFailure> {
        let mut paths = String::new();
        view.walk(&view.resolve(&path)?, &mut |path| {
            paths = format!("{paths}{path}\n");
            ControlFlow::Continue(())
        })?;
        Ok(paths)
    };
    let index = move |below: Below, view: &mut View<'_>| -> Result<String, ToolFailure> {
        let listed = list(below, view)?;
        view.write("a", listed)?;
        Ok(view.read_text("d/f")?.into_owned())
    };
    let closed = Annotations { open_world: false, ..Annotations::default() };
    Registry::builder()
        .tool(tools::ReadFile)
        .tool(tools::WriteFile)
        .tool(tools::PatchFile)
        .tool(tool_fn("list", list).annotated(Annotations::read_only()))
        .tool(tool_fn("index", index).annotated(closed))
        .build()
        .unwrap()
}

const PATHS: &[&str] = &["a", "d", "d/f", "d/e/g", "link", "./a"];

fn calls() -> impl Strategy<Value = (&'static str, String)> {
    (select(PATHS), select(vec!["x", "xx", "y"]), select(vec!["x", "y", ""])).prop_flat_map(|(path, one, other)| {
        select(vec![
            ("read_file", format!(r#"{{"path":"{path}"}}"#)),
            ("write_file", format!(r#"{{"path":"{path}","content":"{one}"}}"#)),
            ("patch_file", format!(r#"{{"path":"{path}","old_str":"{one}","new_str":"{other}"}}"#)),
            ("list", format!(r#"{{"path":"{path}"}}"#)),
            ("index", format!(r#"{{"path":"{path}"}}"#)),
        ])
    })
}

fn deeds() -> impl Strategy<Value = Vec<Option<Deed>>> {
    let stands =
        select(vec![Stands::Text, Stands::Text, Stands::Bytes, Stands::Unreadable, Stands::Closed, Stands::Led]);
    let path = || select(vec!["a", "d", "d/f", "d/e/g"]);
    let deed = prop_oneof![
        3 => (path(), stands, select(vec!["x", "xx", "xy"])).prop_map(|(path, stands, text)| Deed::Put(path, stands, text)),
        3 => path().prop_map(Deed::Remove),
        1 => select(vec![None, Some("a"), Some("d"), Some("d/f")]).prop_map(Deed::Link),
    ];
    prop::collection::vec(prop::option::of(deed), 0..60)
}

fn record(gates: &Gates, calls: Vec<(&'static str, String)>, deeds: Vec<Option<Deed>>) -> Vec<u8> {
    let mut world = World { link: Some("d/f"), ..World::default() };
    world.put("a", Stands::Text, "x");
    world.put("d/f", Stands::Text, "xy");
    world.deeds = deeds;
    let mut log = Vec::new();
    let mut recorder = recorder(&Header::new(gates, MemoryWorkspace::default()).of_directory(), &mut log);
    let mut restless = Restless(Mutex::new(world));
    for (tool, args) in calls {
        recorder.intend(call(tool, &args)).unwrap().run(gates, &mut restless);
    }
    drop(recorder);
    log
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_the_calls_were_told_suffices(calls in prop::collection::vec(calls(), 1..10), deeds in deeds(), explains in any::<bool>()) {
        let gates = Gates::new(registry());
        let log = record(&if explains { gates.explaining() } else { gates }, calls, deeds);
        for comparison in replay_with(&registry(), &log).0 {
            prop_assert!(comparison.differences.is_empty(), "{comparison:?}\n{}", String::from_utf8_lossy(&log));
        }
    }
}

/// Calls with what is done before the looks of theirs that are listed, from the first on.
fn check(calls: &[(&'static str, &str)], deeds: &[Option<Deed>], seen: &[&str], expected: &[How]) {
    let calls = calls.iter().map(|(tool, args)| (*tool, (*args).to_owned())).collect();
    let log = record(&Gates::new(registry()), calls, deeds.iter().rev().copied().collect());
    let text = String::from_utf8_lossy(&log);
    for seen in seen {
        assert!(text.contains(seen), "{text}");
    }
    let comparisons = replay_with(&registry(), &log).0;
    assert!(comparisons.iter().all(|comparison| comparison.differences.is_empty()), "{comparisons:?}\n{text}");
    assert_eq!(comparisons.iter().map(|comparison| comparison.how).collect::<Vec<_>>(), expected);
}

const WRITE: (&str, &str) = ("write_file", r#"{"path":"a","content":"y"}"#);
const READ: (&str, &str) = ("read_file", r#"{"path":"a"}"#);
const PATCH: (&str, &str) = ("patch_file", r#"{"path":"a","old_str":"x","new_str":"y"}"#);

#[test]
fn a_file_may_be_written_and_not_read() {
    let unreadable = [Some(Deed::Put("a", Stands::Unreadable, "x"))];
    let seen = [r#""seen":{"places":{"a":{"entry":"file","error":"permission_denied"}}},"stage""#];
    check(&[READ, WRITE, PATCH], &unreadable, &seen, &[How::Ran; 3]);
    check(&[WRITE], &unreadable, &seen, &[How::Ran]);
}

/// What keeps the writing apart does not let more be read than the file does.
#[test]
fn a_file_that_may_not_be_read_is_not_read_once_it_is_written() {
    let put = || Deed::Put("a", Stands::Unreadable, "x");
    let calls = [WRITE, READ, PATCH].map(|(tool, args)| (tool, args.to_owned())).to_vec();
    let log = record(&Gates::new(registry()), calls, vec![Some(put())]);
    let mut world = World::default();
    world.suffer(put());
    let files = Overlay::new(Box::new(Restless(Mutex::new(world))));
    let mut replayer = Replayer::new(registry(), &header(&log)).on(files);
    for comparison in entries(&log).iter().map(|entry| replayer.replay(entry)) {
        assert!(comparison.differences.is_empty(), "{comparison:?}");
    }
}

/// A call looks where the path leads, what is there, what it holds and, before it writes, what is there; then it commits.
#[test]
fn a_file_that_goes_while_a_call_runs_was_there_before() {
    let goes = || Some(Deed::Remove("a"));
    let conflict = [r#""error":"conflict""#, r#""refused":"conflict""#, r#""a":{"text":"x"}"#];
    check(&[PATCH], &[None, None, None, None, goes()], &conflict, &[How::Ran]);
    let unsteady = [r#""refused":"conflict","unsteady":true"#, r#""a":{"text":"x"}"#];
    check(&[PATCH], &[None, None, None, goes()], &unsteady, &[How::StoodIn]);
    let gone = [r#"{"a":{"entry":"file","error":"file_not_found"}}"#];
    check(&[PATCH], &[None, None, goes()], &gone, &[How::Ran]);
}

#[test]
fn a_search_that_failed_stands_in() {
    let led = [None, Some(Deed::Put("d", Stands::Led, ""))];
    let seen = [r#""error":"path_outside_workspace""#, r#""seen":{"searched":true,"unsteady":true}"#];
    check(&[("list", r#"{"path":"d"}"#)], &led, &seen, &[How::StoodIn]);
}
