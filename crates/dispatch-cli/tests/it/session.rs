//! `dispatch replay LOG`: a session's calls, run again. Logs are made by the library's recorder.

mod accepted;
mod compared;
mod looked_at;
mod many;
mod refused;

use std::convert::Infallible;
use std::path::PathBuf;

use assert_cmd::assert::Assert;
use dispatch_core::protocol::Stream;
use dispatch_core::session::{Digest, Journal, LineKind, NotAnswered, Recorder, WorkspaceDigest};
use dispatch_core::workspace::MemoryWorkspace;
use dispatch_core::{Gates, tools};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use crate::dispatch;

/// A session of five calls: two write, one reads, one fails, one is of no tool.
pub(crate) const REQUESTS: &[&str] = &[
    r#"{"op":"dispatch","workspace":{"notes.txt":"milk\neggs\n"},"call":{"id":"c1","tool":"read_file","args":{"path":"notes.txt"}}}"#,
    r#"{"op":"dispatch","call":{"id":"c2","tool":"patch_file","args":{"path":"notes.txt","old_str":"milk","new_str":"bread"}}}"#,
    r#"{"op":"dispatch","call":{"id":"c3","tool":"write_file","args":{"path":"done.txt","content":"yes\n"}}}"#,
    r#"{"op":"dispatch","call":{"id":"c4","tool":"patch_file","args":{"path":"notes.txt","old_str":"milk","new_str":"tea"}}}"#,
    r#"{"op":"dispatch","call":{"tool":"drop_table","args":{}}}"#,
];

/// A log in memory, on a clock that stands still.
#[derive(Default)]
struct Memory(Vec<u8>);

impl Journal for &mut Memory {
    type Error = Infallible;

    fn keep(&mut self, line: &[u8]) -> Result<(), Infallible> {
        self.0.extend_from_slice(line);
        Ok(())
    }

    fn facts(&mut self, line: LineKind) -> Map<String, Value> {
        let facts = match line {
            LineKind::Outcome => json!({"duration_us": 41}),
            LineKind::Header | LineKind::Intent => json!({"time": "2026-01-02T03:04:05.000006Z"}),
        };
        facts.as_object().cloned().unwrap_or_default()
    }
}

/// Records requests, as lines of a stream.
pub(crate) fn record(requests: &[&str]) -> String {
    continued("", 0, requests)
}

/// Records a further session in a log whose last call has this number.
pub(crate) fn continued(log: &str, last: u64, requests: &[&str]) -> String {
    let mut memory = Memory(log.as_bytes().to_vec());
    let mut stream = Stream::new(Gates::new(tools::core_registry()));
    let mut recorder = Recorder::resume(&stream.header(), last, &mut memory).unwrap();
    for request in requests {
        let answered = stream.answer_recorded(request.as_bytes(), &mut recorder);
        assert!(!matches!(answered, Some(Err(NotAnswered::Unrecorded(_)))));
    }
    String::from_utf8(memory.0).unwrap()
}

/// Somebody changes a line of the log, counted from 1.
pub(crate) fn changed(log: &str, line: usize, from: &str, to: &str) -> String {
    let mut lines: Vec<_> = log.lines().map(str::to_owned).collect();
    let changed = lines.get_mut(line - 1).unwrap();
    assert!(changed.contains(from), "{changed}");
    *changed = changed.replacen(from, to, 1);
    lines.join("\n") + "\n"
}

/// The log of [`REQUESTS`] in which the second call is recorded as having written something else.
pub(crate) fn diverging() -> String {
    let wrong = Digest::of("bread\nbread\n").to_string();
    let log = changed(&record(REQUESTS), 5, "File patched: notes.txt", "1 place patched");
    let digest =
        log.lines().nth(4).unwrap().split("notes.txt\":\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    changed(&log, 5, &digest, &wrong)
}

/// A log of an earlier build, which patched the first of several matches.
pub(crate) fn of_an_earlier_build() -> String {
    let read = r#"{"op":"dispatch","workspace":{"notes.txt":"milk\neggs\nmilk\n"},"call":{"id":"c1","tool":"read_file","args":{"path":"notes.txt"}}}"#;
    let requests: Vec<_> = [read].into_iter().chain(REQUESTS.iter().copied().skip(1).take(2)).collect();
    let log = record(&requests);
    let today = r#"{"error":"ambiguous_match","id":"c2","status":"error","tool":"patch_file"}"#;
    let log = changed(
        &changed(
            &log,
            5,
            today,
            r#"{"id":"c2","observation":"File patched: notes.txt","status":"ok","tool":"patch_file"}"#,
        ),
        5,
        "\"files\":{}",
        &format!("\"files\":{{\"notes.txt\":\"{}\"}}", Digest::of("bread\neggs\nmilk\n")),
    );
    let mut files = MemoryWorkspace::from_iter([("notes.txt", "bread\neggs\nmilk\n")]);
    let log = with_workspace(&log, 5, &files);
    files = MemoryWorkspace::from_iter([("notes.txt", "bread\neggs\nmilk\n"), ("done.txt", "yes\n")]);
    with_workspace(&log, 7, &files)
}

fn with_workspace(log: &str, line: usize, files: &MemoryWorkspace) -> String {
    let digest = log.lines().nth(line - 1).unwrap().rsplit('"').nth(1).unwrap().to_owned();
    changed(log, line, &digest, &WorkspaceDigest::of(files).value().to_string())
}

/// Replays a log from standard input.
pub(crate) fn replay(args: &[&str], log: &str) -> Assert {
    dispatch(&["replay", "-"]).args(args).write_stdin(log.to_owned()).assert()
}

/// A folder with a log in it.
pub(crate) fn log_file(log: &str) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("session.jsonl");
    std::fs::write(&file, log).unwrap();
    (directory, file)
}
