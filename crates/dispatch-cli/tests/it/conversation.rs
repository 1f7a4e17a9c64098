//! `dispatch replay --provider`: a provider's conversation, run again.

use std::path::Path;

use assert_cmd::assert::Assert;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{dispatch, stderr, stdout};

const FILES: &str = r#"{"notes.txt": "milk\neggs\n"}"#;

/// A conversation of three turns with four calls: one reads, one writes, one fails, one reads what was written.
fn conversation() -> Value {
    let call = |id: &str, tool: &str, input: Value| json!({"type": "tool_use", "id": id, "name": tool, "input": input});
    let result = |id: &str, content: &str| json!({"type": "tool_result", "tool_use_id": id, "content": content});
    let told = "old_str_not_found: The text to replace does not stand in the file.";
    let failed = json!({"type": "tool_result", "tool_use_id": "t3", "content": told, "is_error": true});
    json!({"model": "m", "messages": [
        {"role": "user", "content": "Note that I need bread."},
        {"role": "assistant", "content": [
            {"type": "text", "text": "I look."},
            call("t1", "read_file", json!({"path": "notes.txt"})),
        ]},
        {"role": "user", "content": [result("t1", "1: milk\n2: eggs\n")]},
        {"role": "assistant", "content": [
            call("t2", "patch_file", json!({"path": "notes.txt", "old_str": "milk", "new_str": "bread"})),
            call("t3", "patch_file", json!({"path": "notes.txt", "old_str": "milk", "new_str": "tea"})),
        ]},
        {"role": "user", "content": [result("t2", "File patched: notes.txt"), failed]},
        {"role": "assistant", "content": [call("t4", "read_file", json!({"path": "notes.txt"}))]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t4", "content": [{"type": "text", "text": "1: bread\n2: eggs\n"}]}]},
        {"role": "assistant", "content": "Done."},
    ]})
}

/// As it would have gone with an earlier build, which said less of the failed edit.
fn diverging() -> String {
    conversation().to_string()
}

/// As it went today.
fn agreeing() -> String {
    let mut conversation = conversation();
    let told =
        "old_str_not_found: The text to replace does not stand in the file.\n$.old_str: no line of the file is like it";
    *conversation.pointer_mut("/messages/4/content/1/content").unwrap() = told.into();
    conversation.to_string()
}

fn in_folder(directory: &Path, args: &[&str], conversation: &str) -> Assert {
    std::fs::write(directory.join("files.json"), FILES).unwrap();
    let mut command = dispatch(&["replay", "--provider", "anthropic", "--workspace", "files.json", "-"]);
    command.current_dir(directory).args(args).write_stdin(conversation.to_owned()).assert()
}

fn replay(args: &[&str], conversation: &str) -> Assert {
    in_folder(tempfile::tempdir().unwrap().path(), args, conversation)
}

/// Replays on no files, with whatever is said of the provider.
fn replay_empty(args: &[&str], conversation: &str) -> Assert {
    dispatch(&["replay", "-"]).args(args).write_stdin(conversation.to_owned()).assert()
}

#[test]
fn what_would_be_told_today_agrees() {
    let report = replay(&[], &agreeing());
    assert_eq!((stdout(&report).as_str(), stderr(&report).as_str()), ("4 calls: 4 agree, 0 diverge\n", ""));
    report.code(0);
    replay(&[], "[]").code(0).stderr("").stdout("0 calls: 0 agree, 0 diverge\n");
}

#[test]
fn the_first_divergence_is_shown_and_the_rest_counted() {
    let conversation = diverging().replace("File patched", "Patched");
    assert_snapshot!(stdout(&replay(&[], &conversation).code(1).stderr("")));
    assert_snapshot!(stdout(&replay(&["--all"], &conversation).code(1).stderr("")));
    assert_snapshot!(stdout(&replay(&["--json"], &conversation).code(1).stderr("")));
}

#[test]
fn a_status_and_a_block_can_differ_alone() {
    let flag = agreeing().replace(r#","is_error":true"#, "").replace(r#""is_error":true,"#, "");
    assert_snapshot!(stdout(&replay(&[], &flag).code(1).stderr("")));
    let image = json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QUJD"}});
    let text = r#"[{"text":"1: bread\n2: eggs\n","type":"text"}"#;
    assert!(agreeing().contains(text));
    let shown = agreeing().replace(text, &format!("{text},{image}"));
    assert_snapshot!(stdout(&replay(&[], &shown).code(1).stderr("")));
}

#[test]
fn the_gates_are_those_that_the_options_say() {
    let only = replay(&["--allow", "read_file"], &agreeing()).code(1).stderr("");
    assert_snapshot!(stdout(&only));
    replay(&["--max-output-bytes", "40"], &agreeing()).code(0);
    assert!(stdout(&replay(&["--max-output-bytes", "10"], &agreeing()).code(1)).contains("3 diverge"));
    let unknown = replay(&["--allow", "bash"], &agreeing()).code(2).stdout("");
    assert!(stderr(&unknown).starts_with("dispatch: --allow: there is no tool `bash`"));
}

#[test]
fn calls_before_are_run_and_not_compared_and_those_behind_not_run() {
    replay(&["--from", "4"], &diverging()).code(0).stdout("4 calls: 1 agree, 0 diverge, 3 not compared\n");
    replay(&["--until", "2"], &diverging()).code(0).stdout("2 calls: 2 agree, 0 diverge\n");
    for option in ["--from", "--until"] {
        let report = replay(&[option, "5"], &diverging()).code(2);
        assert_eq!(stderr(&report), format!("dispatch: {option}: standard input has no call 5: the last one is 4\n"));
    }
}

#[test]
fn the_workspace_is_written_as_it_then_is() {
    let directory = tempfile::tempdir().unwrap();
    let written = |until: &str| {
        in_folder(directory.path(), &["--until", until, "--workspace-out", "out.json"], &agreeing()).code(0);
        std::fs::read_to_string(directory.path().join("out.json")).unwrap()
    };
    assert_eq!(written("1"), "{\"notes.txt\":\"milk\\neggs\\n\"}\n");
    assert_eq!(written("4"), "{\"notes.txt\":\"bread\\neggs\\n\"}\n");
    in_folder(directory.path(), &["--workspace-out", "none.json"], "[").code(1);
    assert!(!directory.path().join("none.json").exists());
}

#[test]
fn what_was_recorded_of_other_tools_stands_in_and_is_told() {
    let bash = r#"{"type":"tool_use","id":"t9","name":"bash\u001b[2J","input":{}}"#;
    let foreign = format!(
        r#"[{{"role":"assistant","content":[{bash},{}]}},{{"role":"user","content":[
            {{"type":"tool_result","tool_use_id":"t9","content":"a.txt"}},{{"type":"tool_result","tool_use_id":"t8","content":""}}]}}]"#,
        bash.replace("t9", "t8")
    );
    let report = replay(&[], &foreign).code(0).stdout(
        "2 calls: 0 agree, 0 diverge, 2 of tools that are not here; what was not run has changed nothing here\n",
    );
    assert_eq!(
        stderr(&report),
        "dispatch: there is no tool `bash\\u{1b}[2J` here: what was recorded of its calls stands in\n"
    );
}

#[test]
fn calls_whose_outcome_nobody_knows_are_told_and_not_run() {
    let waits = r#"[{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"write_file","input":{"path":"a","content":"x"}}]}]"#;
    assert_snapshot!(stdout(&replay(&[], waits).code(0).stderr("")));
    let repaired = dispatch(&["replay", "--repair", "--provider", "anthropic", "-"]).write_stdin(waits).assert();
    let repaired = stdout(&repaired);
    assert_snapshot!(stdout(&replay(&[], &repaired).code(0).stderr("")));
    replay(&["--json"], &repaired).code(0).stdout(
        "{\"call\":1,\"id\":\"t1\",\"kind\":\"outcome_unknown\",\"path\":\"$[0].content[0]\",\"tool\":\"write_file\"}\n\
         {\"agree\":0,\"calls\":1,\"diverge\":0,\"kind\":\"summary\",\"not_compared\":0,\"outcome_unknown\":1,\"stood_in\":0,\"unknown_tool\":0}\n",
    );
}

#[test]
fn what_does_not_pair_is_not_run() {
    let orphans = agreeing().replace(r#""id":"t4""#, r#""id":"t5""#);
    let report = replay(&[], &orphans).code(1).stdout("");
    assert_eq!(
        stderr(&report),
        "dispatch: standard input: the conversation does not pair, and nothing was run: $.messages[5].content[0]: call without a result: id \"t5\", \
         the first of 2 faults; --check tells each fault, and --repair gives a result to each call without one\n"
    );
    let report = replay(&["--json"], &orphans).code(1).stdout("");
    let told: serde_json::Value = serde_json::from_str(&stderr(&report)).unwrap();
    assert_eq!((&told["error"], &told["path"]), (&"invalid_request".into(), &"$.messages[5].content[0]".into()));
    let report = replay(&[], r#"{"messages": 7}"#).code(1).stdout("");
    assert!(stderr(&report).contains("\"error\":\"invalid_request\""), "{}", stderr(&report));
}

#[test]
fn results_of_calls_that_the_provider_keeps_are_told() {
    let request =
        r#"{"previous_response_id": "r", "input": [{"type": "function_call_output", "call_id": "c1", "output": ""}]}"#;
    replay_empty(&["--provider", "openai-responses"], request).code(0).stdout("0 calls: 0 agree, 0 diverge\n").stderr(
        "dispatch: standard input: results for calls that the provider keeps elsewhere, and that are not compared: 1\n",
    );
}

/// What strict mode makes of a null is in `tests/live.rs`: no native tool has a default.
#[test]
fn there_is_no_strict_mode_where_the_provider_has_none() {
    let report = replay_empty(&["--provider", "gemini", "--strict"], r#"{"contents": []}"#).code(2).stdout("");
    assert!(stderr(&report).contains("strict"), "{}", stderr(&report));
}

/// What `dispatch --conversation` writes is what `replay` reads, whosever it is.
#[test]
fn what_was_answered_here_agrees() {
    let args = r#"{"path":"a.txt","content":"x"}"#;
    for (provider, message) in [
        (
            "anthropic",
            json!({"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "write_file", "input": 0}]}),
        ),
        (
            "openai-chat",
            json!({"role": "assistant", "tool_calls": [{"id": "t", "type": "function", "function": {"name": "write_file", "arguments": args}}]}),
        ),
        ("openai-responses", json!({"type": "function_call", "call_id": "t", "name": "write_file", "arguments": args})),
        ("gemini", json!({"role": "model", "parts": [{"functionCall": {"name": "no_such_tool", "args": {}}}]})),
        (
            "bedrock",
            json!({"role": "assistant", "content": [{"toolUse": {"toolUseId": "t", "name": "read_file", "input": {"path": "a"}}}]}),
        ),
        ("mcp", json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "no_such_tool"}})),
    ] {
        let mut answered = dispatch(&["dispatch", "--conversation", "--provider", provider]);
        let conversation = stdout(&answered.write_stdin(message.to_string()).assert().code(0));
        let report = replay_empty(&["--provider", provider], &conversation);
        assert_eq!(stdout(&report), "1 call: 1 agree, 0 diverge\n", "{provider}: {conversation}");
    }
}

#[test]
fn options_that_make_no_sense_together_are_refused() {
    for args in [
        &["--provider", "anthropic", "--show"][..],
        &["--provider", "anthropic", "--show", "--call", "1"],
        &["--provider", "anthropic", "--stats"],
        &["--provider", "anthropic", "--accept"],
        &["--provider", "anthropic", "--jobs", "2"],
        &["--workspace", "files.json"],
        &["--strict"],
    ] {
        replay_empty(args, "[]").code(2).stdout("");
    }
    let several = dispatch(&["replay", "--provider", "anthropic", "a.json", "b.json"]).assert().code(2);
    assert_eq!(stderr(&several), "dispatch: --provider: the option is for one file, and there are several\n");
}

#[test]
fn a_conversation_of_which_nothing_is_said_is_not_guessed_at() {
    let report = replay_empty(&[], &agreeing()).code(2).stdout("");
    assert!(stderr(&report).ends_with(" (a conversation with a provider is replayed with --provider)\n"));
}

/// A colour is for a terminal, and what a model wrote must not paint one.
#[test]
fn nothing_steers_the_terminal() {
    let conversation = agreeing().replace("File patched", "\\u001b]0;\\u009b");
    let report = stdout(&replay(&[], &conversation).code(1));
    assert!(!report.contains(['\u{1b}', '\u{9b}']), "{report:?}");
}
