use super::*;
use crate::testing::case_of;

/// Judges stdout, stderr and an exit code by a case of these members; returns all that differs.
fn check(members: &str, stdout: &str, stderr: &str, exit: i32) -> Vec<String> {
    judged(members, &Output { stdout: stdout.into(), stderr: stderr.into(), exit, ..Output::default() })
}

/// Judges an output by a case of these members; returns all that differs.
fn judged(members: &str, output: &Output) -> Vec<String> {
    let case = case_of(&format!("{{name: a, rule: rule, why: Because., {members}}}"));
    judge(&case.expect(members), output).iter().map(ToString::to_string).collect()
}

fn holds(members: &str, stdout: &str, stderr: &str, exit: i32) {
    assert_eq!(check(members, stdout, stderr, exit), [""; 0], "{members}");
}

fn breaks(members: &str, stdout: &str, stderr: &str, exit: i32, what: &str) {
    let found = check(members, stdout, stderr, exit);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found.concat().starts_with(what), "{found:?}");
}

const READ: &str = r#"exit: 0, response: {status: ok, a: {c: 1, b: 2}}, effects: none,
        text: '{"workspace": {"z":"\u00e9", "a":"x"}}'"#;

#[test]
fn a_response_is_sorted_and_compact_and_ends_in_a_newline() {
    let response = r#"{"a":{"b":2,"c":1},"status":"ok","workspace":{"a":"x","z":"\u00e9"}}"#;
    holds(READ, &format!("{response}\n"), "", 0);
    breaks(READ, response, "", 0, "stdout");
    breaks(READ, &format!("{response}\n\n"), "", 0, "stdout");
    breaks(READ, &format!("{response}\n").replace("\\u00e9", "é"), "", 0, "stdout");
    breaks(READ, &format!("{response}\n"), "x", 0, "stderr");
    breaks(READ, &format!("{response}\n"), "", 1, "exit");
}

#[test]
fn files_that_were_written_are_written_anew() {
    let members = READ.replace("none", "{z: é, b: \"\\n\"}");
    let workspace = r#"{"a":"x","b":"\n","z":"é"}"#;
    let stdout = format!("{{\"a\":{{\"b\":2,\"c\":1}},\"status\":\"ok\",\"workspace\":{workspace}}}\n");
    holds(&members, &stdout, "", 0);
}

#[test]
fn a_response_needs_a_workspace_to_start_from() {
    for text in ["{}", "x", "[]", "{\"workspace\":1}"] {
        let members = format!("exit: 0, response: {{}}, effects: none, text: '{text}'");
        breaks(&members, "{}\n", "", 0, "the request has no workspace");
    }
}

#[test]
fn a_byte_order_mark_is_not_the_workspaces_affair() {
    let members = "exit: 0, response: {}, effects: none, text: \"\\uFEFF{\\\"workspace\\\":{}}\"";
    holds(members, "{\"workspace\":{}}\n", "", 0);
}

#[test]
fn a_failure_is_one_line_with_some_message() {
    let members = "exit: 1, text: x, failure: {error: malformed_json, line: 1, column: 2}";
    let line = |message: &str| {
        format!(
            "{{\"column\":2,\"error\":\"malformed_json\",\"line\":1,{message}\
                 \"status\":\"protocol_error\"}}\n"
        )
    };
    let good = line("\"message\":\"Any.\",");
    holds(members, "", &good, 1);
    breaks(members, "x", &good, 1, "stdout");
    for bad in [
        "",
        "\"message\":\"\",",
        "\"message\":\" \",",
        "\"message\":1,",
        "\"message\": \"Any.\",",
        "\"message\":\"A\\u006ey.\",",
        "\"message\":\"Any.\",\"path\":\"$\",",
    ] {
        breaks(members, "", &line(bad), 1, "stderr");
    }
    breaks(members, "", &good.repeat(2), 1, "stderr");
    breaks(members, "", good.trim_end(), 1, "stderr");
    breaks(members, "", "", 1, "stderr");
}

#[test]
fn literal_bytes_leave_the_text_of_a_usage_error_open() {
    holds("exit: 2, text: x, stdout: ''", "", "usage", 2);
    breaks("exit: 0, text: x, stdout: ''", "", "usage", 0, "stderr");
    breaks("exit: 0, text: x, stdout: a", "a\n", "", 0, "stdout");
}

#[test]
fn a_stream_is_an_answer_a_line() {
    let failure = "{error: e, path: $}";
    let line = "{\"error\":\"e\",\"message\":\"m\",\"path\":\"$\",\"status\":\"protocol_error\"}\n";
    let kept = format!("exit: 1, lines: [x, y], answers: [{{failure: {failure}}}, {{response: {{b: 1, a: 2}}}}]");
    holds(&kept, &format!("{line}{{\"a\":2,\"b\":1}}\n"), "", 1);
    breaks(&kept, line, "", 1, "stdout");
    let ended = format!("exit: 1, lines: [x], answers: [], failure: {failure}");
    holds(&ended, "", line, 1);
    breaks(&ended, line, line, 1, "stdout");
    breaks(&ended, "", "", 1, "stderr");
}

const PROVIDER: &str = r#"exit: 0, text: x, options: {provider: p}, workspace: {z: "\u00e9", a: x}"#;

/// Judges what a provider's message was answered with, and the workspace that it left.
fn answered(members: &str, stdout: &str, workspace: Option<&str>) -> Vec<String> {
    let output = Output { stdout: stdout.into(), workspace: workspace.map(Into::into), ..Output::default() };
    judged(&format!("{PROVIDER}, {members}"), &output)
}

#[test]
fn messages_are_a_line_each_in_their_order() {
    let members = "messages: [{b: 1, a: 2}, {c: 3}], effects: none";
    let left = Some("{\"a\":\"x\",\"z\":\"é\"}\n");
    assert_eq!(answered(members, "{\"a\":2,\"b\":1}\n{\"c\":3}\n", left), [""; 0]);
    for stdout in ["{\"c\":3}\n{\"a\":2,\"b\":1}\n", "{\"a\":2,\"b\":1}\n", "{\"b\":1,\"a\":2}\n{\"c\":3}\n", ""] {
        let found = answered(members, stdout, left);
        assert!(found.len() == 1 && found.concat().starts_with("stdout"), "{stdout}: {found:?}");
    }
}

#[test]
fn the_workspace_after_messages_is_judged() {
    let (none, written) = ("messages: [{}], effects: none", "messages: [{}], effects: {b: y}");
    let (before, after) = ("{\"a\":\"x\",\"z\":\"é\"}\n", "{\"a\":\"x\",\"b\":\"y\",\"z\":\"é\"}\n");
    assert_eq!(answered(none, "{}\n", Some(before)), [""; 0]);
    assert_eq!(answered(written, "{}\n", Some(after)), [""; 0]);
    for (members, left) in [(none, Some(after)), (written, Some(before)), (none, Some("{}\n")), (none, None)] {
        let found = answered(members, "{}\n", left);
        assert!(found.len() == 1 && found.concat().starts_with("workspace"), "{members}, {left:?}: {found:?}");
    }
}

#[test]
fn what_is_left_in_a_directory_is_judged_where_no_answer_carries_it() {
    let members = "exit: 0, lines: [{call: {tool: write_file, args: {path: a, content: é}}}], answers: [{response: {status: ok}}]";
    let left = |left: Option<&str>| {
        let output =
            Output { left: left.map(Into::into), stdout: b"{\"status\":\"ok\"}\n".to_vec(), ..Output::default() };
        judged(members, &output)
    };
    for right in [None, Some("{\"a\":\"é\"}\n")] {
        assert_eq!(left(right), [""; 0]);
    }
    for other in ["{}\n", "{\"a\":\"e\"}\n", "{\"a\":\"é\",\"b\":\"\"}\n"] {
        let found = left(Some(other));
        assert!(found.len() == 1 && found.concat().starts_with("workspace"), "{other}: {found:?}");
    }
}

#[test]
fn a_failed_message_leaves_no_workspace() {
    let members = "exit: 1, text: x, options: {provider: p}, workspace: {a: x}, failure: {error: e, path: $}";
    let stderr = "{\"error\":\"e\",\"message\":\"m\",\"path\":\"$\",\"status\":\"protocol_error\"}\n";
    let output = Output { stderr: stderr.into(), exit: 1, ..Output::default() };
    assert_eq!(judged(members, &output), [""; 0]);
    let found = judged(members, &Output { workspace: Some(b"{\"a\":\"x\"}\n".to_vec()), ..output });
    assert!(found.len() == 1 && found.concat().starts_with("workspace"), "{found:?}");
}

#[test]
fn a_note_that_no_call_waits_is_for_people() {
    let output = |stdout: &str, workspace: Option<&[u8]>| Output {
        stdout: stdout.into(),
        stderr: b"no call".to_vec(),
        workspace: workspace.map(Into::into),
        ..Output::default()
    };
    let quiet = "exit: 0, text: x, options: {provider: p}, messages: [], effects: none";
    assert_eq!(judged(quiet, &output("", Some(b"{}\n"))), [""; 0]);
    let whole = "exit: 0, text: x, options: {provider: p, conversation: true}, stdout: ";
    assert_eq!(judged(&format!("{whole}''"), &output("", Some(b"{}\n"))), [""; 0]);
    let found = judged(&format!("{whole}''"), &output("", Some(b"{\"a\":\"\"}\n")));
    assert!(found.len() == 1 && found.concat().starts_with("workspace"), "{found:?}");
    let found = judged(&format!("{whole}a"), &output("a", None));
    assert!(found.len() == 1 && found.concat().starts_with("stderr"), "{found:?}");
}

const LOG: &str = "exit: 2, text: a, options: {replay: true}, report: [{b: 1, a: x}], notes: [line 3, torn]";

#[test]
fn a_report_is_a_line_an_object() {
    let stdout = "{\"a\":\"x\",\"b\":1}\n";
    holds(LOG, stdout, "log, line 3: bad\nit is torn\n", 2);
    breaks(LOG, "", "log, line 3: bad\nit is torn\n", 2, "stdout");
    breaks(LOG, stdout, "log, line 3: bad\nit is torn\n", 1, "exit");
}

#[test]
fn a_conversation_that_is_replayed_leaves_a_workspace() {
    let ran = "exit: 0, text: x, options: {replay: true, provider: p}, workspace: {a: x}, report: [], effects: {a: y}";
    let found = |members: &str, workspace: Option<&str>| {
        judged(members, &Output { workspace: workspace.map(Into::into), ..Output::default() }).concat()
    };
    assert_eq!(found(ran, Some("{\"a\":\"y\"}\n")), "");
    assert!(found(ran, Some("{\"a\":\"x\"}\n")).starts_with("workspace"));
    assert!(found(ran, None).starts_with("workspace"));
    let refused = ran.replace(", effects: {a: y}", "");
    assert_eq!(found(&refused, None), "");
    assert!(found(&refused, Some("{}\n")).starts_with("workspace"));
}

#[test]
fn a_note_holds_its_text_and_stands_on_a_line_of_its_own() {
    let stdout = "{\"a\":\"x\",\"b\":1}\n";
    for stderr in ["", "line 3\n", "line 4\ntorn\n", "torn\nline 3\n", "line 3\ntorn\nmore\n", "line 3\ntorn"] {
        breaks(LOG, stdout, stderr, 2, "stderr");
    }
    holds(&LOG.replace(", notes: [line 3, torn]", ""), stdout, "", 2);
    breaks(&LOG.replace(", notes: [line 3, torn]", ""), stdout, "x\n", 2, "stderr");
}
