//! Sessions over a workspace that the log does not hold as a whole: what was seen of it suffices.

use std::ops::ControlFlow;

use dispatch_core::session::{Header, How, Replayer};
use dispatch_core::workspace::{
    ChangeSet, Contents, Entry, Listed, MemoryWorkspace, OutsideWorkspace, Overlay, Reading, Version, View, Workspace,
    WorkspaceError, WorkspacePath,
};
use dispatch_core::{ErrorCode, Gates, Registry, ToolFailure, tool_fn, tools};
use proptest::prelude::*;
use proptest::sample::select;

use crate::support::{NoArgs, call, entries, header, recorder, replay_with};

/// A host's workspace: what is absolute lies in it, one file is no text, one directory is closed, and nothing goes into `full`.
struct Disk(MemoryWorkspace);

impl Workspace for Disk {
    fn resolve(&self, path: &str) -> Result<WorkspacePath, OutsideWorkspace> {
        WorkspacePath::resolve(path.strip_prefix("/disk/").unwrap_or(path))
    }

    fn entry(&self, path: &WorkspacePath) -> Result<Entry, WorkspaceError> {
        match path.as_str() {
            "closed" => Err(WorkspaceError::new(ErrorCode::PermissionDenied, "EACCES")),
            "empty" => Ok(Entry::Directory),
            "image" => Ok(Entry::File),
            _ => self.0.entry(path),
        }
    }

    fn read(&self, path: &WorkspacePath) -> Result<Reading<'_>, WorkspaceError> {
        if path.as_str() == "image" {
            return Ok(Reading { contents: Contents::from(vec![0xff]), version: Version::new(b"1") });
        }
        self.0.read(path)
    }

    fn list(&self, directory: &WorkspacePath) -> Result<Vec<Listed>, WorkspaceError> {
        self.0.list(directory)
    }

    fn commit(&mut self, changes: ChangeSet) -> Result<(), WorkspaceError> {
        if changes.files().any(|(path, _)| path.as_str().starts_with("full")) {
            return Err(WorkspaceError::new(ErrorCode::NoSpace, "ENOSPC"));
        }
        self.0.commit(changes)
    }

    fn check_length(&self, bytes: u64) -> Result<(), WorkspaceError> {
        let too_large = || WorkspaceError::new(ErrorCode::FileTooLarge, "beyond the host's limit");
        if bytes <= 1 << 40 { Ok(()) } else { Err(too_large()) }
    }
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Grown {
    bytes: u64,
}

/// The native tools, two that search, and one that asks how much it may write.
fn registry() -> Registry {
    let count = |_: NoArgs, view: &mut View<'_>| -> Result<String, ToolFailure> {
        let mut files = 0;
        view.walk(&WorkspacePath::root(), &mut |_| {
            files += 1;
            ControlFlow::Continue(())
        })?;
        Ok(files.to_string())
    };
    let index = move |args: NoArgs, view: &mut View<'_>| -> Result<String, ToolFailure> {
        let counted = count(args, view)?;
        view.write("index", counted)?;
        Ok("indexed".to_owned())
    };
    let grow = |args: Grown, view: &mut View<'_>| {
        view.check_length(args.bytes)?;
        view.write("grown", args.bytes.to_string())?;
        Ok::<_, ToolFailure>("grown".to_owned())
    };
    let closed = dispatch_core::Annotations { open_world: false, ..dispatch_core::Annotations::default() };
    Registry::builder()
        .tool(tools::ReadFile)
        .tool(tools::WriteFile)
        .tool(tools::PatchFile)
        .tool(tool_fn("count", count).annotated(dispatch_core::Annotations::read_only()))
        .tool(tool_fn("index", index).annotated(closed))
        .tool(tool_fn("grow", grow).annotated(closed))
        .build()
        .unwrap()
}

/// What happens in a session.
#[derive(Debug, Clone)]
enum Step {
    Call(&'static str, String),
    /// Somebody else writes a file, or takes it away.
    Other(&'static str, Option<&'static str>),
}

const PATHS: &[&str] = &[
    "a",
    "b/c",
    "b",
    "./a",
    "/disk/a",
    "/disk/b/../a",
    "/elsewhere",
    "../x",
    "a/x",
    "image",
    "empty",
    "closed",
    "full",
    "index",
];

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let (path, text) = (select(PATHS), select(vec!["", "one", "one one", "two\\n"]));
    let called = (path, text.clone(), text).prop_flat_map(|(path, one, other)| {
        select(vec![
            Step::Call("read_file", format!(r#"{{"path":"{path}"}}"#)),
            Step::Call("write_file", format!(r#"{{"path":"{path}","content":"{one}"}}"#)),
            Step::Call("patch_file", format!(r#"{{"path":"{path}","old_str":"{one}","new_str":"{other}"}}"#)),
            Step::Call("count", "{}".to_owned()),
            Step::Call("index", "{}".to_owned()),
        ])
    });
    let other = (select(vec!["a", "b/c", "new"]), prop::option::of(select(vec!["one", "theirs"])));
    let other = other.prop_map(|(path, text)| Step::Other(path, text));
    prop::collection::vec(prop_oneof![5 => called, 1 => other], 0..14)
}

fn record(gates: &Gates, steps: Vec<Step>) -> Vec<u8> {
    let mut disk = Disk(MemoryWorkspace::from_iter([("a", "one\n"), ("b/c", "two"), ("untouched", "SECRET")]));
    let mut log = Vec::new();
    let mut recorder = recorder(&Header::new(gates, MemoryWorkspace::default()).of_directory(), &mut log);
    for step in steps {
        match step {
            Step::Call(tool, args) => drop(recorder.intend(call(tool, &args)).unwrap().run(gates, &mut disk)),
            Step::Other(path, text) => {
                let files = disk.0.files().filter(|(other, _)| *other != path);
                disk.0 = files.map(|(path, text)| (path.to_owned(), text.into_owned())).collect();
                disk.0 = disk.0.files().chain(text.map(|text| (path, text.into()))).collect();
            }
        }
    }
    drop(recorder);
    log
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_was_seen_suffices_to_replay(steps in steps(), explains in any::<bool>()) {
        let gates = Gates::new(registry());
        let log = record(&if explains { gates.explaining() } else { gates }, steps);
        let (comparisons, replayer) = replay_with(&registry(), &log);
        for comparison in comparisons {
            prop_assert!(comparison.differences.is_empty(), "{comparison:?}\n{}", String::from_utf8_lossy(&log));
        }
        // What nobody read is in no log.
        prop_assert!(!String::from_utf8_lossy(&log).contains("SECRET"));
        prop_assert!(replayer.workspace().files().all(|(path, _)| path != "untouched"));
    }
}

fn of(steps: &[(&'static str, &str)]) -> Vec<u8> {
    let steps = steps.iter().map(|(tool, args)| Step::Call(tool, (*args).to_owned()));
    record(&Gates::new(registry()), steps.collect())
}

fn how(log: &[u8]) -> Vec<How> {
    replay_with(&registry(), log).0.iter().map(|comparison| comparison.how).collect()
}

#[test]
fn a_text_is_in_the_log_once() {
    let log = of(&[("read_file", r#"{"path":"a"}"#), ("read_file", r#"{"path":"./a"}"#)]);
    assert!(header(&log).is_of_directory());
    let seen: Vec<_> = entries(&log).iter().map(|entry| entry.outcome.as_ref().unwrap().line().to_owned()).collect();
    assert!(seen[0].contains(r#""seen":{"places":{"a":{"text":"one\n"}}},"stage""#), "{}", seen[0]);
    assert!(!seen[1].contains("seen"), "{}", seen[1]);
}

#[test]
fn a_file_that_is_written_unread_is_in_the_log_as_it_was() {
    let log = of(&[("write_file", r#"{"path":"a","content":"new"}"#)]);
    let (comparisons, replayer) = replay_with(&registry(), &log);
    assert_eq!(comparisons[0].before.get("a"), Some(&Some("one\n".to_owned())));
    assert_eq!(replayer.workspace().files().next(), Some(("a", "new".into())));
}

/// Where failures are explained, what is near is searched for. That stands in, and the failure itself is found again.
#[test]
fn a_failure_that_was_explained_is_run_again() {
    let gates = Gates::new(registry()).explaining();
    let steps = [("read_file", r#"{"path":"b/cc"}"#), ("write_file", r#"{"path":"../x","content":""}"#)];
    let log = record(&gates, steps.map(|(tool, args)| Step::Call(tool, args.to_owned())).to_vec());
    assert!(String::from_utf8_lossy(&log).contains("the nearest path"));
    assert_eq!(how(&log), [How::Ran, How::Ran]);
    let log = String::from_utf8(log).unwrap().replace("\"file_not_found\"", "\"not_text\"");
    let (comparisons, _) = replay_with(&registry(), log.as_bytes());
    let paths = comparisons[0].differences.iter().map(|found| found.path.to_string());
    assert_eq!(paths.collect::<Vec<_>>(), ["$.result.error"]);
}

#[test]
fn what_searched_is_not_run_again() {
    let log = of(&[("count", "{}"), ("index", "{}"), ("read_file", r#"{"path":"index"}"#)]);
    assert_eq!(how(&log), [How::StoodIn, How::StoodIn, How::Ran]);
}

#[test]
fn on_the_files_themselves_all_is_run_again_and_nothing_changed() {
    let log = of(&[("write_file", r#"{"path":"/disk/new","content":"x"}"#), ("count", "{}"), ("index", "{}")]);
    let disk = || Disk(MemoryWorkspace::from_iter([("a", "one\n"), ("b/c", "two"), ("untouched", "SECRET")]));
    let on = |disk: Disk| {
        let mut replayer = Replayer::new(registry(), &header(&log)).on(Overlay::new(Box::new(disk)));
        entries(&log).iter().map(|entry| replayer.replay(entry)).collect::<Vec<_>>()
    };
    for comparison in on(disk()) {
        assert_eq!((comparison.how, comparison.differences.len()), (How::Ran, 0), "{comparison:?}");
    }
    let other = on(Disk(MemoryWorkspace::from_iter([("a", "one\n")])));
    let paths = other[1].differences.iter().map(|found| found.path.to_string());
    assert_eq!(paths.collect::<Vec<_>>(), ["$.result.observation"]);
}

#[test]
fn another_outcome_is_found() {
    let log = of(&[("read_file", r#"{"path":"a"}"#), ("write_file", r#"{"path":"full","content":""}"#)]);
    let log = String::from_utf8(log).unwrap().replace("1: one", "1: two").replace("no_space", "io_error");
    let log = log.replace(r#""refused":"io_error""#, r#""refused":"no_space""#);
    let (comparisons, _) = replay_with(&registry(), log.as_bytes());
    let paths = comparisons.iter().flat_map(|comparison| &comparison.differences).map(|found| found.path.to_string());
    assert_eq!(paths.collect::<Vec<_>>(), ["$.result.observation", "$.result.error"]);
}

/// The host's limit is not in the log, nor that of the workspace in memory.
#[test]
fn what_was_too_large_is_so_again_and_nothing_else() {
    let log = of(&[("grow", r#"{"bytes":1000000000}"#), ("grow", r#"{"bytes":1000000000000000}"#)]);
    let text = String::from_utf8_lossy(&log);
    assert_eq!(text.matches(r#""refused":"file_too_large""#).count(), 1, "{text}");
    for comparison in replay_with(&registry(), &log).0 {
        assert_eq!((comparison.how, comparison.differences.len()), (How::Ran, 0), "{comparison:?}");
    }
}
