//! Journals that fail, and hosts with facts.

use std::cell::RefCell;

use dispatch_core::protocol::Stream;
use dispatch_core::session::{Header, Journal, LineKind, NotAnswered, Recorder};
use dispatch_core::workspace::MemoryWorkspace;
use serde_json::{Map, Value};

use crate::support::{call, entries, gates, lines, request};

/// Keeps lines until there is no more room.
struct Disk {
    lines: Vec<u8>,
    room: usize,
    moments: u64,
}

impl Disk {
    fn with_room(room: usize) -> Self {
        Self { lines: Vec::new(), room, moments: 0 }
    }
}

impl Journal for Disk {
    type Error = &'static str;

    fn keep(&mut self, line: &[u8]) -> Result<(), Self::Error> {
        self.room = self.room.checked_sub(1).ok_or("no room")?;
        self.lines.extend_from_slice(line);
        Ok(())
    }

    fn facts(&mut self, line: LineKind) -> Map<String, Value> {
        self.moments += 1;
        Map::from_iter([("moment".to_owned(), self.moments.into()), ("of".to_owned(), format!("{line:?}").into())])
    }
}

fn writing() -> dispatch_core::ToolCall {
    call("write_file", r#"{"path":"a","content":"x"}"#)
}

#[test]
fn a_call_whose_intent_was_not_kept_has_no_effect() {
    let mut workspace = MemoryWorkspace::default();
    let mut recorder = Recorder::begin(&Header::new(&gates(), workspace.clone()), Disk::with_room(1)).unwrap();
    let unrecorded = recorder.intend(writing()).unwrap_err();
    assert_eq!(unrecorded.error, Some("no room"));
    assert_eq!(workspace.files().count(), 0);
    // A host that can do without a record has the call back.
    assert_eq!(unrecorded.asked.run(&gates(), &mut workspace).shown().unwrap().text, "File written: a");
    // Nothing is written behind a line that may stand there in part.
    recorder.journal().room = 9;
    assert_eq!(recorder.intend(writing()).unwrap_err().error, None);
    assert_eq!(lines(&recorder.journal().lines).len(), 1);
}

#[test]
fn an_outcome_that_was_not_kept_changes_no_result_and_is_told_once() {
    for asks in [true, false] {
        let mut workspace = MemoryWorkspace::default();
        let mut recorder = Recorder::begin(&Header::new(&gates(), workspace.clone()), Disk::with_room(2)).unwrap();
        let result = recorder.intend(writing()).unwrap().run(&gates(), &mut workspace);
        assert_eq!(result.shown().unwrap().text, "File written: a");
        recorder.journal().room = 9;
        if asks {
            assert_eq!(recorder.take_trouble(), Some("no room"));
        } else {
            assert_eq!(recorder.intend(writing()).unwrap_err().error, Some("no room"));
        }
        assert_eq!(recorder.take_trouble(), None);
        assert_eq!(recorder.intend(writing()).unwrap_err().error, None);
        assert_eq!(lines(&recorder.journal().lines).len(), 2);
    }
}

#[test]
fn a_request_that_was_not_recorded_can_be_asked_again() {
    let mut stream = Stream::new(gates());
    let mut recorder = Recorder::begin(&stream.header(), Disk::with_room(1)).unwrap();
    let write = "\u{feff}".to_owned() + &request("write_file", r#"{"path":"a","content":"x"}"#);
    let answered = stream.answer_recorded(write.as_bytes(), &mut recorder).unwrap();
    assert!(matches!(answered, Err(NotAnswered::Unrecorded(_))));
    assert_eq!(stream.workspace().as_memory().unwrap().files().count(), 0);
    assert!(stream.answer(write.as_bytes()).unwrap().is_ok());
    assert_eq!(stream.answer(b"?").unwrap().unwrap_err().first_line(), 2);
}

#[test]
fn the_host_is_asked_before_each_line_and_never_compared() {
    let mut workspace = MemoryWorkspace::default();
    let mut recorder = Recorder::begin(&Header::new(&gates(), workspace.clone()), Disk::with_room(9)).unwrap();
    recorder.intend(writing()).unwrap().run(&gates(), &mut workspace);
    assert_eq!(recorder.last_number(), 1);
    let log = recorder.journal().lines.clone();
    let moments: Vec<_> =
        lines(&log).iter().map(|line| line.split_once("\"host\":").unwrap().1[..13].to_owned()).collect();
    assert_eq!(moments, [r#"{"moment":1,""#, r#"{"moment":2,""#, r#"{"moment":3,""#]);
    let entry = &entries(&log)[0];
    assert_eq!(entry.intent.host()["of"], "Intent");
    assert_eq!(entry.outcome.as_ref().unwrap().host()["of"], "Outcome");
    assert!(crate::support::differing_paths(&log).is_empty());
}

#[test]
fn a_call_that_was_dropped_is_one_that_nobody_knows() {
    let order = RefCell::new(Vec::new());
    let keep = |line: &[u8]| {
        order.borrow_mut().extend_from_slice(line);
        Ok::<_, std::convert::Infallible>(())
    };
    let header = Header::new(&gates(), MemoryWorkspace::default());
    let mut recorder = Recorder::begin(&header, keep).unwrap();
    drop(recorder.intend(writing()).unwrap());
    // The intent stands there before anything has run.
    assert_eq!(lines(&order.borrow()).len(), 2);
    let end = crate::support::read(&order.borrow()).unwrap().1;
    assert_eq!(end.interrupted.unwrap().code().as_deref(), Some("outcome_unknown"));
}
