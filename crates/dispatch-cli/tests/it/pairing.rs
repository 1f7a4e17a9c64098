//! `dispatch replay --check` and `--repair`: a provider's conversation, checked and mended.

use assert_cmd::assert::Assert;

use crate::{dispatch, stderr, stdout};

const ASKED: &str =
    r#"{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"bash","input":{"command":"sleep 9"}}]}"#;
const MENDED: &str = r#"{"content":"outcome_unknown: The call was interrupted. Nobody knows how far it came: its effects may have happened.","is_error":true,"tool_use_id":"t1","type":"tool_result"}"#;

fn replay(args: &[&str], conversation: &str) -> Assert {
    dispatch(&["replay"]).args(args).arg("-").write_stdin(conversation.to_owned()).assert()
}

fn check(conversation: &str) -> Assert {
    replay(&["--check", "--provider", "anthropic"], conversation)
}

fn repair(conversation: &str) -> Assert {
    replay(&["--repair", "--provider", "anthropic"], conversation)
}

#[test]
fn faults_go_to_stdout_a_line_each() {
    let report = check(&format!(
        r#"{{"messages": [{ASKED}, {{"role": "user", "content": [{{"type": "tool_result", "tool_use_id": "t2"}}]}}]}}"#
    ));
    let faults = "\
$.messages[0].content[0]: call without a result: id \"t1\"
$.messages[1].content[0]: result for no call: id \"t2\"
";
    report.code(1).stdout(faults).stderr("");
}

#[test]
fn that_there_is_no_fault_is_told_to_people() {
    check("[]").code(0).stdout("").stderr("dispatch: no fault in this anthropic conversation\n");
}

#[test]
fn what_is_no_conversation_is_a_protocol_failure() {
    for args in [["--check", "--provider", "anthropic"], ["--repair", "--provider", "anthropic"]] {
        let report = replay(&args, r#"{"messages": 7}"#).code(1).stdout("");
        assert_eq!(
            stderr(&report),
            "{\"error\":\"invalid_request\",\"message\":\"expected array, found integer\",\"path\":\"$.messages\",\"status\":\"protocol_error\"}\n"
        );
        replay(&args, "[").code(1).stdout("");
    }
}

#[test]
fn a_repair_prints_the_conversation_and_tells_what_it_mended() {
    let report = repair(&format!("[{ASKED},\n {{\"role\":\"user\", \"content\":\"stop\"}} ]")).code(0);
    assert_eq!(
        stdout(&report),
        format!(
            "[{ASKED},\n {{\"role\":\"user\", \"content\":[{MENDED},{{\"type\":\"text\",\"text\":\"stop\"}}]}} ]\n"
        )
    );
    assert_eq!(stderr(&report), "dispatch: mended: $[0].content[0]: call without a result: id \"t1\"\n");
    repair(&stdout(&report))
        .code(0)
        .stdout(stdout(&report))
        .stderr("dispatch: no call without a result in this anthropic conversation\n");
}

#[test]
fn what_a_repair_leaves_is_told_with_its_place_in_what_was_printed() {
    let orphan = r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2"}]}"#;
    let report = repair(&format!("[{ASKED},{orphan}]")).code(1);
    assert_eq!(
        stderr(&report),
        "dispatch: mended: $[0].content[0]: call without a result: id \"t1\"\n\
         dispatch: left, in what was printed: $[1].content[1]: result for no call: id \"t2\"\n"
    );
    assert!(stdout(&report).contains(MENDED));
}

#[test]
fn options_that_make_no_sense_together_are_refused() {
    for args in [
        &["--check"][..],
        &["--repair"],
        &["--check", "--provider", "anthropic", "--strict"],
        &["--repair", "--provider", "anthropic", "--workspace", "w.json"],
        &["--check", "--repair", "--provider", "anthropic"],
        &["--check", "--provider", "anthropic", "--explain"],
        &["--repair", "--provider", "anthropic", "--allow", "read_file"],
        &["--check", "--provider", "anthropic", "--read-only"],
        &["--repair", "--provider", "anthropic", "--read-only"],
        &["--check", "--provider", "nobody"],
    ] {
        replay(args, "[]").code(2).stdout("");
    }
}

/// A conversation with an earlier call that is not answered would be refused, whatever the answer to its last turn: nothing runs.
#[test]
fn a_conversation_that_needs_a_repair_is_not_gone_on_with() {
    let conversation = format!(r#"[{ASKED},{{"role":"user","content":"stop"}},{}]"#, ASKED.replace("t1", "t2"));
    let report = dispatch(&["dispatch", "--provider", "anthropic"]).write_stdin(conversation.clone()).assert().code(1);
    assert_eq!(
        stderr(&report),
        "{\"error\":\"invalid_request\",\"message\":\"expected a result of this call before the conversation goes on\",\"path\":\"$[0].content[0]\",\"status\":\"protocol_error\"}\n"
    );
    let repaired = stdout(&repair(&conversation));
    check(&repaired).code(0);
}
