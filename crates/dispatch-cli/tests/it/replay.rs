//! `dispatch replay`: recorded requests, run again.

use insta::assert_snapshot;

use crate::{dispatch, stderr, stdout};

const READ: &str = r#"{"op":"dispatch","workspace":{"a":"x\n"},"call":{"tool":"read_file","args":{"path":"a"}}}"#;
const READ_AGAIN: &str = r#"{"op":"dispatch","call":{"tool":"read_file","args":{"path":"a","path":"a"}}}"#;

fn replay(recording: &str) -> assert_cmd::assert::Assert {
    dispatch(&["replay", "-"]).write_stdin(recording.to_owned()).assert()
}

fn record(request: &str, response: &str) -> String {
    format!("{{\"request\":{request},\"response\":{response}}}\n")
}

#[test]
fn what_agrees_agrees_whatever_its_spacing_and_order() {
    let recording = [
        record(
            READ,
            r#"{"workspace": {"a": "\u0078\n"}, "tool": "read_file", "status": "ok", "observation": "1: x\n"}"#,
        ),
        "\n".to_owned(),
        record(
            READ_AGAIN,
            r#"{"details":[{"message":"duplicate field `path`","path":"$"}],"error":"invalid_arguments","status":"error","tool":"read_file"}"#,
        ),
        record(r#"{"op":"workspace"}"#, r#"{"status":"ok","workspace":{"a":"x\n"}}"#),
        record(
            r#"{"op":"?"}"#,
            r#"{"error":"unsupported_op","message":"worded otherwise","path":"$.op","status":"protocol_error"}"#,
        ),
    ];
    let report = replay(&recording.concat()).code(0).stderr("");
    assert_snapshot!(stdout(&report), @"4 requests: 4 agree, 0 differ");
}

#[test]
fn what_differs_is_shown_and_the_rest_goes_on() {
    let recording = [
        record(READ, r#"{"observation":"1: y\n","status":"ok","tool":"read_file","workspace":{"a":"x\n"}}"#),
        record(r#"{"op":"workspace"}"#, r#"{"status":"ok","workspace":{"a":"x\n"}}"#),
    ];
    let report = replay(&recording.concat()).code(1).stderr("");
    assert_snapshot!(stdout(&report), @r#"
    --- line 1, recorded
    +++ line 1, today
    @@ -1,5 +1,5 @@
     {
    -  "observation": "1: y\n",
    +  "observation": "1: x\n",
       "status": "ok",
       "tool": "read_file",
       "workspace": {

    2 requests: 1 agree, 1 differ
    "#);
}

#[test]
fn options_narrow_the_gates_as_they_do_for_dispatch() {
    let recording =
        record(READ, r#"{"error":"tool_not_permitted","status":"error","tool":"read_file","workspace":{"a":"x\n"}}"#);
    dispatch(&["replay", "--allow", "write_file", "-"]).write_stdin(recording).assert().code(0);
}

#[test]
fn a_line_that_is_no_record_is_named() {
    for (line, reason) in [
        ("{\"request\":1,}", "column 14: expected a key after the comma"),
        ("[]", "expected an object with the members `request` and `response`, and no others"),
        (
            "{\"request\":{},\"response\":{},\"note\":1}",
            "expected an object with the members `request` and `response`, and no others",
        ),
    ] {
        let report = replay(&format!("\n{line}\n")).code(2);
        assert_eq!(stderr(&report), format!("dispatch: standard input, line 2: {reason}\n"));
    }
}

#[test]
fn a_recording_of_nothing_is_told() {
    for recording in ["\n \n", " "] {
        replay(recording).code(2).stdout("").stderr("dispatch: standard input holds no recorded request\n");
    }
}

#[test]
fn failures_are_explained_again_where_they_were() {
    let request =
        r#"{"op":"dispatch","workspace":{"a":"x\n"},"call":{"tool":"read_file","args":{"path":"a","offset":2}}}"#;
    let response = r#"{"details":[{"message":"the file has 1 line","path":"$.offset"}],"error":"line_out_of_range","message":"The first line asked for lies behind the last line of the file.","status":"error","tool":"read_file","workspace":{"a":"x\n"}}"#;
    let recording = record(request, response);
    dispatch(&["replay", "--explain", "-"]).write_stdin(recording.clone()).assert().code(0);
    replay(&recording).code(1);
}
