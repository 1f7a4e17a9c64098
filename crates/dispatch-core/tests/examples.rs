//! The examples, run: what each prints is pinned whole.

use std::error::Error;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

#[expect(dead_code, reason = "`main` is for the example's own process")]
#[path = "../examples/async_deadline.rs"]
mod async_deadline;
#[expect(dead_code, reason = "`main` is for the example's own process")]
#[path = "../examples/async_parallel.rs"]
mod async_parallel;
#[expect(dead_code, reason = "`main` is for the example's own process")]
#[path = "../examples/notes_assistant.rs"]
mod notes_assistant;
#[expect(dead_code, reason = "`main` is for the example's own process")]
#[path = "../examples/tool_runner.rs"]
mod tool_runner;

type Run = fn(&mut Vec<u8>) -> Result<(), Box<dyn Error>>;

#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
fn output(run: Run) -> String {
    let mut out = Vec::new();
    run(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn async_deadline() {
    insta::assert_snapshot!(output(async_deadline::run));
}

#[test]
fn async_parallel() {
    insta::assert_snapshot!(output(async_parallel::run));
}

#[test]
fn notes_assistant() {
    insta::assert_snapshot!(output(notes_assistant::run));
}

#[test]
fn retried() {
    insta::assert_snapshot!(output(tool_runner::retried::run));
}

#[test]
fn tool_runner() {
    insta::assert_snapshot!(output(tool_runner::run));
}

#[test]
fn the_seven_calls_of_the_tool_runner_are_answered_to_the_letter() {
    let output = output(tool_runner::run);
    let after_schemas = output.split_inclusive('\n').skip_while(|line| line.starts_with("tool "));
    let answers: String = after_schemas.take(10).collect();
    assert_eq!(
        answers,
        "\
call double
result {\"tool\":\"double\",\"value\":42}
call increment
result {\"tool\":\"increment\",\"value\":43}
call increment
result {\"tool\":\"increment\",\"value\":50}
rejected args $.value: expected integer, found string
rejected args $: unknown field `extra`
unknown tool missing
rejected $: missing field `tool`
"
    );
}

#[test]
fn the_handler_counter_of_the_notes_assistant_moves_for_the_accepted_call_alone() {
    let output = output(notes_assistant::run);
    let counts: Vec<_> = output.lines().filter_map(|line| line.trim().strip_prefix("handler runs: ")).collect();
    assert_eq!(counts, ["1"; 5]);
    assert_eq!(output.matches("  ok: ").count(), 1, "{output}");
}

/// Fails, or panics, when something is written.
struct Breaks {
    written: Vec<u8>,
    at: &'static [u8],
    panics: bool,
}

impl Write for Breaks {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let breaks = bytes == self.at;
        assert!(!(breaks && self.panics), "somebody panics");
        self.written.extend_from_slice(if breaks { b"" } else { bytes });
        if breaks { Err(io::ErrorKind::BrokenPipe.into()) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn the_tool_runner_closes_its_session_however_it_ends() {
    for panics in [false, true] {
        let mut out = Breaks { written: Vec::new(), at: b"2 of 3", panics };
        let ended = catch_unwind(AssertUnwindSafe(|| tool_runner::run(&mut out).map_err(|error| error.to_string())));
        assert_eq!(ended.is_err(), panics);
        assert!(!matches!(ended, Ok(Ok(()))));
        let written = String::from_utf8(out.written).unwrap();
        assert!(written.ends_with("event 1 of 3\nevent session closed\n"), "{written}");
    }
}
