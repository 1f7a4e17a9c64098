//! `dispatch dispatch --stream` as a process that is talked to.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use crate::run;

const WRITE: &str = r#"{"op":"dispatch","call":{"tool":"write_file","args":{"path":"a","content":"x"}}}"#;
const WRITTEN: &str = "{\"observation\":\"File written: a\",\"status\":\"ok\",\"tool\":\"write_file\"}\n";

/// A reader that waited for more than one line before answering would hang here.
#[test]
fn an_answer_comes_before_the_next_request_is_asked_for() {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("dispatch"))
        .args(["dispatch", "--stream"])
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..3 {
        writeln!(stdin, "{WRITE}").unwrap();
        let mut answer = String::new();
        answers.read_line(&mut answer).unwrap();
        assert_eq!(answer, WRITTEN);
    }
    // Half a line is no request yet, and ends as one when the input ends.
    write!(stdin, "{WRITE}").unwrap();
    drop(stdin);
    let mut last = String::new();
    answers.read_line(&mut last).unwrap();
    assert_eq!(last, WRITTEN);
    assert!(child.wait().unwrap().success());
}

#[test]
fn what_was_answered_before_a_failure_stands_on_stdout() {
    let input = format!("{WRITE}\n{{\"op\":7}}\n{WRITE}\n");
    let failure = "{\"error\":\"invalid_request\",\"message\":\"expected string, found integer\",\"path\":\"$.op\",\"status\":\"protocol_error\"}\n";
    run(&["--stream"], input.clone()).code(1).stdout(WRITTEN).stderr(failure);
    run(&["--stream", "--keep-going"], input).code(1).stdout(format!("{WRITTEN}{failure}{WRITTEN}")).stderr("");
}

#[test]
fn many_requests_in_one_write_are_all_answered() {
    let input = format!("{WRITE}\n").repeat(5000);
    run(&["--stream"], input).code(0).stdout(WRITTEN.repeat(5000)).stderr("");
}

#[test]
fn an_empty_stream_is_no_failure() {
    run(&["--stream"], "").code(0).stdout("").stderr("");
    run(&["--stream"], " \r\n\t\n").code(0).stdout("").stderr("");
}
