//! Input that can't be read or answered: exit code 2 or 1, and nothing on stdout.

use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};

use predicates::prelude::*;

use crate::{dispatch, read_request, run, stdout};

#[test]
fn a_protocol_failure_leaves_stdout_empty_and_is_one_line_on_stderr() {
    for (input, code) in [
        ("", "malformed_json"),
        ("{\"op\":\"dispatch\",}", "malformed_json"),
        ("{} {}", "malformed_json"),
        ("[]", "invalid_request"),
        (r#"{"op":"dispatch"}"#, "invalid_request"),
        (r#"{"op":"dispatch","workspace":null,"call":{"tool":"read_file","args":{}}}"#, "invalid_request"),
        (r#"{"op":"dispatch","workspace":{},"call":"read_file"}"#, "invalid_request"),
        (r#"{"op":"dispach"}"#, "unsupported_op"),
        (r#"{"op":"dispatch","workspace":{},"call":{"tool":"__proto__","args":{}}}"#, "unknown_tool"),
    ] {
        let one_line = predicate::str::is_match("\\A[^\\n]*\\n\\z").unwrap();
        let tells = predicate::str::starts_with("{").and(predicate::str::contains(format!(r#""error":"{code}""#)));
        run(&[], input).code(1).stdout("").stderr(one_line.and(tells));
    }
}

#[test]
fn a_file_that_is_missing_or_a_directory_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let missing = directory.path().join("missing.json");
    for file in [missing.as_path(), directory.path()] {
        let name = file.to_str().unwrap();
        dispatch(&["dispatch", name]).assert().code(2).stdout("").stderr(predicate::str::contains(name));
        dispatch(&["dispatch", "--stream", name]).assert().code(2).stdout("").stderr(predicate::str::contains(name));
        dispatch(&["replay", name]).assert().code(2).stdout("").stderr(predicate::str::contains(name));
    }
}

#[test]
fn a_file_and_a_dash_are_read() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("request.json");
    std::fs::write(&file, read_request(r#""x""#)).unwrap();
    let from_file = dispatch(&["dispatch", file.to_str().unwrap()]).assert().code(0);
    let from_stdin = run(&["-"], read_request(r#""x""#)).code(0);
    assert_eq!(stdout(&from_file), stdout(&from_stdin));
    assert_eq!(
        stdout(&from_file),
        "{\"observation\":\"1: x\",\"status\":\"ok\",\"tool\":\"read_file\",\"workspace\":{\"a\":\"x\"}}\n"
    );
}

#[test]
fn a_string_of_100_megabytes_passes_through() {
    let request = read_request(&format!("\"{}\"", "x".repeat(100_000_000)));
    let assert = run(&[], request).code(0).stderr("");
    let answered = stdout(&assert);
    assert!(answered.len() > 100_000_000);
    assert!(answered.contains(r#""truncated":{"original_bytes":100000003}"#));
}

#[test]
fn two_hundred_levels_are_told_at_the_level_that_is_too_deep() {
    let failure = r#"{"column":128,"error":"malformed_json","line":1,"message":"objects and arrays are nested 128 deep or more","status":"protocol_error"}"#;
    run(&[], "[".repeat(200)).code(1).stdout("").stderr(format!("{failure}\n"));
}

#[test]
fn a_reader_that_goes_away_ends_the_command() {
    for mode in [[].as_slice(), &["--stream"]] {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("dispatch"))
            .arg("dispatch")
            .args(mode)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let request = read_request(&format!("\"{}\"", "x".repeat(10_000_000)));
        let mut first_byte = [0];
        let mut stdin = child.stdin.take().unwrap();
        let feeder = std::thread::spawn(move || stdin.write_all(request.as_bytes()));
        child.stdout.take().unwrap().read_exact(&mut first_byte).unwrap();
        feeder.join().unwrap().unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8(output.stderr).unwrap().starts_with("dispatch: can't write the output: "));
    }
}
