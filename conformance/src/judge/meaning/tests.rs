use super::*;
use crate::testing::case_of;

/// Judges stdout, stderr and an exit code by a case of these members; returns what differs, a word each.
fn check(members: &str, stdout: &str, stderr: &str, exit: i32) -> Vec<String> {
    judged(members, &Output { stdout: stdout.into(), stderr: stderr.into(), exit, ..Output::default() })
}

fn judged(members: &str, output: &Output) -> Vec<String> {
    let case = case_of(&format!("{{name: a, rule: rule, why: Because., {members}}}")).expect(members);
    differing(&case, output)
}

fn differing(case: &Case, output: &Output) -> Vec<String> {
    let found = judge_meaning(case, output);
    found.iter().map(|found| found.to_string().split(':').next().unwrap_or_default().to_owned()).collect()
}

const READ: &str = r#"exit: 0, response: {status: ok, a: {c: 1, b: 2}}, effects: none,
        text: '{"workspace": {"z":"\u00e9", "a":"x"}}'"#;

const REFUSED: &str = r#"exit: 0, response: {status: error, error: e, message: Any., details: [{path: $.a, message: Any.}]}, effects: none,
        text: '{"workspace": {}}'"#;

#[test]
fn order_spacing_and_spelling_are_free() {
    for stdout in [
        "{\"a\":{\"b\":2,\"c\":1},\"status\":\"ok\",\"workspace\":{\"a\":\"x\",\"z\":\"\\u00e9\"}}\n",
        "{ \"workspace\": {\"z\": \"é\", \"a\": \"\\u0078\"},\n  \"status\": \"ok\", \"a\": {\"c\": 1.0, \"b\": 2e0} }",
    ] {
        assert_eq!(check(READ, stdout, "", 0), [""; 0], "{stdout}");
    }
}

#[test]
fn what_is_said_is_judged() {
    let response = r#"{"a":{"b":2,"c":1},"status":"ok","workspace":{"a":"x","z":"é"}}"#;
    for (from, to) in [
        ("\"b\":2,", ""),
        ("\"b\":2,", "\"b\":2,\"d\":3,"),
        ("\"b\":2", "\"b\":\"2\""),
        ("\"b\":2", "\"b\":2,\"b\":2"),
        ("é", "e\u{301}"),
        ("}}", "}} {}"),
        ("}}", "}}}"),
        ("}}", "}"),
    ] {
        assert_eq!(check(READ, &response.replace(from, to), "", 0), ["stdout"], "{from} {to}");
    }
    assert_eq!(check(READ, "", "", 0), ["stdout"]);
    assert_eq!(check(READ, response, "", 1), ["exit"]);
}

#[test]
fn bytes_that_are_no_text_stand_for_no_character() {
    let (read, left) = (
        r#"exit: 0, response: {status: "\uFFFD"}, effects: none, text: '{"workspace": {}}'"#,
        r#"exit: 0, text: x, options: {provider: p}, workspace: {a: "\uFFFD"}, messages: [], effects: none"#,
    );
    let with =
        |before: &str, character: &[u8], behind: &str| [before.as_bytes(), character, behind.as_bytes()].concat();
    let replaced = "\u{fffd}".as_bytes();
    for (character, differs) in [(replaced, [].as_slice()), (b"\xff", &["stdout"])] {
        let stdout = with("{\"status\":\"", character, "\",\"workspace\":{}}\n");
        assert_eq!(judged(read, &Output { stdout, ..Output::default() }), differs);
    }
    for (character, differs) in [(replaced, [].as_slice()), (b"\xff", &["workspace"])] {
        let workspace = Some(with("{\"a\":\"", character, "\"}\n"));
        assert_eq!(judged(left, &Output { workspace, ..Output::default() }), differs);
    }
}

#[test]
fn stderr_is_for_people_unless_a_failure_is_due() {
    let response = r#"{"a":{"b":2,"c":1},"status":"ok","workspace":{"a":"x","z":"é"}}"#;
    assert_eq!(check(READ, response, "a warning\n", 0), [""; 0]);
}

#[test]
fn who_refuses_says_something() {
    let log = "text: a, options: {replay: true}, report: []";
    let refused = format!("exit: 2, {log}, notes: [line 2]");
    for members in [refused.as_str(), "exit: 2, text: x, stdout: ''"] {
        assert_eq!(check(members, "", "anything", 2), [""; 0], "{members}");
        assert_eq!(check(members, "", " \n", 2), ["stderr"], "{members}");
    }
    assert_eq!(check(&format!("exit: 0, {log}, notes: [line 2]"), "", "", 0), [""; 0]);
    assert_eq!(check(&format!("exit: 1, {log}"), "", "", 1), [""; 0]);
    let silent = |members: &str| {
        expects_silence(&case_of(&format!("{{name: a, rule: rule, why: W., {members}}}")).expect(members))
    };
    assert!(silent(&refused) && silent("exit: 0, lines: [], answers: []"));
    assert!(!silent(READ) && !silent("exit: 1, text: x, failure: {error: e, path: $}"));
}

#[test]
fn messages_must_be_there_and_may_say_anything() {
    let response = r#"{"details":[{"message":"other","path":"$.a"}],"error":"e","message":"other","status":"error","workspace":{}}"#;
    assert_eq!(check(REFUSED, response, "", 0), [""; 0]);
    for (from, to) in [
        (",\"message\":\"other\"", ""),
        ("{\"message\":\"other\",", "{"),
        ("{\"message\":\"other\",", "{\"message\":\" \","),
        ("{\"message\":\"other\",", "{\"message\":1,"),
        ("$.a", "$.b"),
        ("}]", "},{\"message\":\"other\",\"path\":\"$.a\"}]"),
        ("\"e\"", "\"f\""),
    ] {
        assert_eq!(check(REFUSED, &response.replacen(from, to, 1), "", 0), ["stdout"], "{from} {to}");
    }
}

#[test]
fn a_file_named_message_is_a_file() {
    let read = r#"exit: 0, response: {status: ok}, effects: none, text: '{"workspace": {"message": "hi"}}'"#;
    assert_eq!(check(read, r#"{"status":"ok","workspace":{"message":"ho"}}"#, "", 0), ["stdout"]);
}

#[test]
fn a_failure_stands_alone_on_stderr() {
    let members = "exit: 1, text: x, failure: {error: malformed_json, line: 1, column: 2}";
    let failure =
        r#"{"status": "protocol_error", "line": 1, "column": 2, "error": "malformed_json", "message": "Oh."}"#;
    assert_eq!(check(members, "", failure, 1), [""; 0]);
    assert_eq!(check(members, "\n", failure, 1), ["stdout"]);
    for stderr in [String::new(), failure.repeat(2), failure.replace("Oh.", ""), failure.replace("2,", "3,")] {
        assert_eq!(check(members, "", &stderr, 1), ["stderr"], "{stderr}");
    }
    assert_eq!(check(members, "", &format!("warning\n{failure}"), 1), ["stderr"]);
    let whole = |stderr: String| {
        let case = case_of(&format!("{{name: a, rule: rule, why: W., {members}}}")).expect(members);
        let output = Output { stderr: stderr.into(), exit: 1, ..Output::default() };
        judge_meaning(&case, &output).iter().map(ToString::to_string).collect::<String>()
    };
    let told = "stderr: 3 lines, where 1 is expected; one of them is right";
    assert_eq!(whole(format!("warning\n{failure}\n\n")), told);
    assert_eq!(whole(format!("{failure}\n{failure}\nover")), told);
    assert!(whole(format!("warning\n{}", failure.replace("2,", "3,"))).starts_with("stderr: says something else\n"));
}

/// Each line that is compared costs what the whole does, and a program may print a million.
#[test]
fn a_failure_is_looked_for_among_the_last_lines_that_may_be_one() {
    let failure = r#"{"error":"e","message":"m","path":"$","status":"protocol_error"}"#;
    let case = case_of("{name: a, rule: rule, why: Because., exit: 1, text: x, failure: {error: e, path: $}}");
    let case = case.expect("a case");
    let is_found = |before: &str, behind: &str| {
        let stderr = format!("{before}\n  {failure}\n{behind}").into_bytes();
        let found = judge_meaning(&case, &Output { stderr, exit: 1, ..Output::default() });
        found.iter().any(|found| matches!(found, Mismatch::Lines { .. }))
    };
    assert!(is_found(&"{}\n".repeat(MOST_LOOKED_AT), &"{}\n".repeat(MOST_LOOKED_AT - 1)));
    assert!(!is_found("", &"{}\n".repeat(MOST_LOOKED_AT)));
    assert!(is_found("warning", &"\n".repeat(MOST_LOOKED_AT)));
}

#[test]
fn a_stream_is_an_answer_a_line() {
    let members = "exit: 1, lines: [x, y], answers: [{response: {b: 1, a: 2}}], failure: {error: e, path: $}";
    let failure = r#"{"error":"e","message":"m","path":"$","status":"protocol_error"}"#;
    assert_eq!(check(members, "{\"b\": 1, \"a\": 2}\n", failure, 1), [""; 0]);
    assert_eq!(check(members, "{\"b\": 1,\n \"a\": 2}\n", failure, 1), ["stdout"]);
    assert_eq!(check(members, "{\"b\": 1, \"a\": 2}\n\n", failure, 1), ["stdout"]);
    let kept = "exit: 1, options: {keep_going: true}, lines: [x], answers: [{failure: {error: e, path: $}}]";
    assert_eq!(check(kept, &format!("{failure}\n"), "", 1), [""; 0]);
    assert_eq!(check(kept, &format!("{}\n", failure.replace("\"m\"", "\"\"")), "", 1), ["stdout"]);
}

#[test]
fn literal_text_is_read_like_any_other_where_the_rule_is_none_of_bytes() {
    let members = r#"exit: 0, text: x, stdout: "{\"a\":1,\"b\":[]}\n""#;
    assert_eq!(check(members, r#"{"b": [], "a": 1}"#, "", 0), [""; 0]);
    assert_eq!(check(members, r#"{"b": [1], "a": 1}"#, "", 0), ["stdout"]);
    assert_eq!(check("exit: 2, text: x, stdout: ''", "", "usage", 2), [""; 0]);
    assert_eq!(check("exit: 2, text: x, stdout: ''", "usage", "oh", 2), ["stdout"]);
}

#[test]
fn where_the_rule_is_about_bytes_they_count_but_for_those_of_messages() {
    let case = Case {
        rule: "response".into(),
        ..case_of(&format!("{{name: a, rule: rule, why: W., {REFUSED}}}")).expect("a case")
    };
    let response = "{\"details\":[{\"message\":\"other\",\"path\":\"$.a\"}],\"error\":\"e\",\"message\":\"o\",\"status\":\"error\",\"workspace\":{}}\n";
    let said = |stdout: &str| differing(&case, &Output { stdout: stdout.into(), ..Output::default() });
    assert_eq!(said(response), [""; 0]);
    for other in
        [response.replace(":{}", ": {}"), response.replace("\"e\"", "\"\\u0065\""), response.trim_end().to_owned()]
    {
        assert_eq!(said(&other), ["stdout"], "{other}");
    }
}

#[test]
fn a_model_is_told_a_code_and_paths_in_any_words() {
    let members = r#"exit: 0, text: x, options: {provider: p}, effects: none,
        messages: [{content: "invalid_arguments: Any.\n$.a: Any.\n$: Any."}, {content: "1: file_not_found: x"}]"#;
    let workspace = Some(b"{ }".to_vec());
    let said = |stdout: &str| {
        judged(members, &Output { stdout: stdout.into(), workspace: workspace.clone(), ..Output::default() })
    };
    let rest = "{\"content\":\"1: file_not_found: x\"}\n";
    assert_eq!(said(&format!("{{\"content\": \"invalid_arguments: o\\n$.a: p\\n$: q\"}}\n{rest}")), [""; 0]);
    for first in
        ["invalid_arguments: o", "invalid_arguments: o\\n$.b: p\\n$: q", "io_error: o\\n$.a: p\\n$: q", "other"]
    {
        assert_eq!(said(&format!("{{\"content\": \"{first}\"}}\n{rest}")), ["stdout"], "{first}");
    }
    let other = "{\"content\":\"1: file_not_found: y\"}\n";
    assert_eq!(said(&format!("{{\"content\": \"invalid_arguments: o\\n$.a: p\\n$: q\"}}\n{other}")), ["stdout"]);
}

#[test]
fn what_is_left_in_a_directory_is_judged_by_its_files() {
    let members = r#"exit: 0, only: {subject: directory, reason: W.}, workspace: {a: é}, stdout: '{"status":"ok"}',
        text: '{"call":{"tool":"read_file","args":{"path":"a"}}}'"#;
    let left = |left: &str| {
        let output = Output { left: Some(left.into()), stdout: b"{\"status\":\"ok\"}".to_vec(), ..Output::default() };
        judged(members, &output)
    };
    assert_eq!(left(r#"{"a": "\u00e9"}"#), [""; 0]);
    assert_eq!(left(r#"{"a":"é","b":""}"#), ["workspace"]);
    assert_eq!(left("{}"), ["workspace"]);
}

#[test]
fn a_workspace_that_was_left_is_judged_by_its_files() {
    let members = "exit: 0, text: x, options: {provider: p}, workspace: {z: é, a: x}, messages: [], effects: {b: y}";
    let left = |workspace: Option<&str>| {
        judged(members, &Output { workspace: workspace.map(Into::into), ..Output::default() })
    };
    assert_eq!(left(Some(r#"{"z": "\u00e9", "b": "y", "a": "x"}"#)), [""; 0]);
    assert_eq!(left(Some(r#"{"z": "é", "b": "x", "a": "x"}"#)), ["workspace"]);
    assert_eq!(left(None), ["workspace"]);
}
