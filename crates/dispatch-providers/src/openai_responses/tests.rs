//! What the servers of this shape send, and what goes back to them.

use dispatch_core::Observation;
use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::Provider;
use crate::testing::{Wanted, config, image, wanted, with_ids};

/// Makes a call with these members beside its type, its id and its tool.
fn call_with(members: &str) -> String {
    format!(r#"{{"type": "function_call", "call_id": "c", "name": "read_file"{members}}}"#)
}

const CALL: &str = r#"{"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "read_file", "arguments": "{\"path\": \"notes.txt\"}"}"#;
const OUTPUT: &str = r#"{"type": "function_call_output", "call_id": "call_1", "output": ""}"#;
const FOUND: &str = r#""call_1" "read_file" {"path": "notes.txt"}"#;

#[test]
fn a_call_is_found_in_a_body_an_item_and_a_conversation() {
    for text in [
        format!(r#"{{"object": "response", "output": [{{"type": "reasoning", "summary": []}}, {CALL}]}}"#),
        CALL.to_owned(),
        format!("[{CALL}]"),
        format!(r#"{{"input": [{{"role": "user", "content": "go"}}, {CALL}]}}"#),
        format!(r#"{{"input": [{CALL}, {OUTPUT}, {CALL}]}}"#),
        format!(r#"{{"input": [{CALL}], "model": "m"}}"#),
    ] {
        assert_eq!(Provider::OpenAiResponses.asked(&text), FOUND, "{text}");
    }
}

#[test]
fn what_is_no_call_is_none() {
    for text in [
        r#"{"input": "Hello"}"#,
        r#"{"output": []}"#,
        r#"{"role": "assistant", "content": "Hello"}"#,
        r#"{"type": "message", "role": "assistant", "content": []}"#,
        r#"[{"type": "web_search_call", "call_id": "1", "name": "web_search", "arguments": "{}", "status": "completed"}]"#,
        r#"[{"type": "mcp_call", "id": "1", "name": "ask", "arguments": "{}", "output": null}]"#,
        r#"[{"type": "tool_search_call", "call_id": null, "execution": "server", "arguments": {"paths": ["a"]}}]"#,
        r#"[{"type": "apply_patch_call", "call_id": "1", "operation": {}}]"#,
        r#"[{"type": "custom_tool_call", "call_id": "1", "name": "x_keyword_search", "input": "{}", "status": "completed"}]"#,
        r#"[{"id": "msg_1"}]"#,
    ] {
        assert_eq!(Provider::OpenAiResponses.asked(text), "no calls", "{text}");
    }
}

#[test]
fn a_result_ends_a_turn() {
    for item in [OUTPUT, r#"{"type": "custom_tool_call_output", "call_id": "call_1", "output": ""}"#] {
        assert_eq!(Provider::OpenAiResponses.asked(&format!("[{CALL}, {item}]")), "no calls", "{item}");
    }
}

#[test]
fn what_others_say_ends_a_turn() {
    for item in [
        r#"{"role": "user", "content": "go"}"#,
        r#"{"type": "message", "role": "developer", "content": "go"}"#,
        r#"{"type": "additional_tools", "role": "developer", "tools": []}"#,
    ] {
        let fault = "$[0]: expected a result of this call before the conversation goes on";
        assert_eq!(Provider::OpenAiResponses.asked(&format!("[{CALL}, {item}]")), fault, "{item}");
    }
}

#[test]
fn what_the_provider_lists_beside_a_call_ends_no_turn() {
    for item in [
        r#"{"type": "reasoning", "summary": []}"#,
        r#"{"type": "message", "role": "assistant", "content": []}"#,
        r#"{"type": "shell_call_output", "call_id": "s", "output": []}"#,
        r#"{"type": "tool_search_output", "call_id": null, "tools": []}"#,
    ] {
        assert_eq!(Provider::OpenAiResponses.asked(&format!("[{CALL}, {item}]")), FOUND, "{item}");
    }
}

#[test]
fn arguments_are_read_as_they_were_written() {
    for (members, read) in [
        ("", "{}"),
        (r#", "arguments": null"#, "{}"),
        (r#", "arguments": """#, "{}"),
        (r#", "arguments": "", "status": "completed""#, "{}"),
        (r#", "arguments": "null""#, "null"),
        (r#", "arguments": {"path": "a"}"#, r#"{"path": "a"}"#),
        (r#", "arguments": "{\"n\": 9007199254740993}""#, r#"{"n": 9007199254740993}"#),
        (r#", "arguments": "{\"a\": 1, \"a\": 2}""#, r#"{"a": 1, "a": 2}"#),
        (r#", "arguments": "{\"p\": 1}", "status": "incomplete""#, r#"{"p": 1}"#),
        (r#", "arguments": "{}", "namespace": "files""#, "{}"),
    ] {
        assert_eq!(
            Provider::OpenAiResponses.asked(&call_with(members)),
            format!(r#""c" "read_file" {read}"#),
            "{members}"
        );
    }
}

#[test]
fn arguments_that_were_cut_off_say_where() {
    assert_snapshot!(Provider::OpenAiResponses.asked(&call_with(r#", "arguments": "{\"path", "status": "incomplete""#)), @r#""c" "read_file" no JSON: the input ends in the middle of a string: "{\"path""#);
    assert_snapshot!(Provider::OpenAiResponses.asked(&call_with(r#", "arguments": "", "status": "incomplete""#)), @r#""c" "read_file" no JSON: expected a JSON value, found the end of the input: """#);
    assert_snapshot!(Provider::OpenAiResponses.asked(&call_with(r#", "status": "in_progress""#)), @r#""c" "read_file" no JSON: expected a JSON value, found the end of the input: """#);
}

#[test]
fn the_input_of_a_custom_call_is_text_whatever_it_holds() {
    let call = r#"{"type": "custom_tool_call", "call_id": "c", "name": "code", "input": "{\"a\": 1}"}"#;
    assert_eq!(Provider::OpenAiResponses.asked(call), r#""c" "code" "{\"a\": 1}""#);
}

#[test]
fn what_is_of_another_shape_says_what_was_expected_where() {
    let unlike = "$: expected an item with `type`, a response with `output`, or a conversation with `input`";
    for (text, fault) in [
        ("7", unlike),
        (r#"{"error": {"message": "no"}}"#, "$.error: the body reports an error: no"),
        (r#"{"type": "error", "error": {}}"#, "$.error: the body reports an error: {}"),
        (
            r#"[{"type": "function_call", "call_id": "1", "name": "f", "role": "user"}]"#,
            "$[0].role: expected the role `assistant` of a message with calls, found `user`",
        ),
        (r#"{"type": "response.completed", "response": {"output": []}}"#, unlike),
        (r#"{"output": {"message": {}}}"#, "$.output: expected array, found object"),
        (r#"{"input": null}"#, "$.input: expected array, found null"),
        (r#"{"input": ["Hello"]}"#, "$.input[0]: expected object, found string"),
        (r#"[{"type": "function_call", "name": "f"}]"#, "$[0]: missing member `call_id`"),
        (r#"[{"type": "function_call", "call_id": null, "name": "f"}]"#, "$[0]: missing member `call_id`"),
        (r#"[{"type": "function_call", "call_id": "1"}]"#, "$[0]: missing member `name`"),
        (r#"[{"type": "custom_tool_call", "call_id": "1"}]"#, "$[0]: missing member `name`"),
        (r#"[{"type": "function_call_output", "output": ""}]"#, "$[0]: missing member `call_id`"),
        (r#"{"input": [{"role": "user", "content": 1, "content": 2}]}"#, "duplicate key `content`"),
    ] {
        assert_eq!(Provider::OpenAiResponses.asked(text), fault, "{text}");
    }
    assert_snapshot!(Provider::OpenAiResponses.asked(&format!(r#"{{"input": [{CALL}, {CALL}]}}"#)), @"$.input[1]: the id `call_1` is that of the call at $.input[0] too");
}

#[test]
fn a_response_that_did_not_come_to_its_end_is_not_gone_on_with() {
    for (members, fault) in [
        (r#""status": "completed", "error": null"#, FOUND),
        (r#""status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}"#, FOUND),
        (
            r#""status": "failed", "error": {"code": "server_error", "message": "sorry"}"#,
            "$.error: the body reports an error: sorry",
        ),
        (
            r#""status": "cancelled", "error": null"#,
            "$.status: expected a response to go on with, found one that is `cancelled`",
        ),
        (
            r#""status": "in_progress", "error": null"#,
            "$.status: expected a response to go on with, found one that is `in_progress`",
        ),
        (r#""status": "queued""#, "$.status: expected a response to go on with, found one that is `queued`"),
    ] {
        assert_eq!(
            Provider::OpenAiResponses.asked(&format!(r#"{{"output": [{CALL}], {members}}}"#)),
            fault,
            "{members}"
        );
    }
}

#[test]
fn each_call_is_answered_by_an_item() {
    let items = [
        CALL,
        r#"{"type": "function_call", "call_id": "call_2", "name": "show", "arguments": ""}"#,
        r#"{"type": "function_call", "call_id": "call_3", "name": "rest", "arguments": "{}"}"#,
        r#"{"type": "function_call", "call_id": "", "name": "", "arguments": "{}"}"#,
        r#"{"type": "custom_tool_call", "call_id": "call_5", "name": "read_file", "input": "{\"path\": \"notes.txt\"}"}"#,
        r#"{"type": "function_call", "call_id": "call_6", "name": "rest", "arguments": "", "status": "incomplete"}"#,
    ];
    let text = format!(r#"{{"output": [{}]}}"#, items.join(", "));
    let shown = ["image/PNG", "image/jpg", "image/bmp"].map(image);
    let shown = shown.into_iter().fold(Observation::text("a pixel"), Observation::with);
    assert_snapshot!(Provider::OpenAiResponses.answered(&text, &shown), @r#"
    {"call_id":"call_1","output":"1: milk\n","type":"function_call_output"}
    {"call_id":"call_2","output":[{"text":"a pixel","type":"input_text"},{"image_url":"data:image/png;base64,QUJD","type":"input_image"},{"image_url":"data:image/jpeg;base64,QUJD","type":"input_image"},{"text":"[image/bmp]","type":"input_text"}],"type":"function_call_output"}
    {"call_id":"call_3","output":"","type":"function_call_output"}
    {"call_id":"","output":"unknown_tool: there is no tool ``","type":"function_call_output"}
    {"call_id":"call_5","output":"invalid_arguments: The arguments do not fit the tool's schema.\n$: expected object, found string","type":"custom_tool_call_output"}
    {"call_id":"call_6","output":"invalid_arguments: The arguments do not fit the tool's schema.\n$: not JSON, at line 1, column 1: expected a JSON value, found the end of the input","type":"function_call_output"}
    "#);
}

#[test]
fn a_response_is_gone_on_with_item_by_item() {
    let reasoning = r#"{"type": "reasoning", "id": "rs_1",  "encrypted_content": "gAAA\u002b"}"#;
    let text = format!(r#"{{"id": "resp_1", "output": [{reasoning}, {CALL}]}}"#);
    assert_snapshot!(Provider::OpenAiResponses.continued(&text), @r#"[{"type": "reasoning", "id": "rs_1",  "encrypted_content": "gAAA\u002b"},{"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "read_file", "arguments": "{\"path\": \"notes.txt\"}"},{"call_id":"call_1","output":"1: milk\n","type":"function_call_output"}]"#);
}

fn encoded(call: &Wanted) -> Value {
    json!({"type": "function_call", "call_id": call.id, "name": call.tool, "arguments": call.args})
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn what_was_written_is_read_and_paired(calls in wanted().prop_map(with_ids)) {
        let items: Vec<_> = calls.iter().map(encoded).collect();
        Provider::OpenAiResponses.check_round_trip(&json!({"output": items}).to_string(), &calls);
        Provider::OpenAiResponses.check_round_trip(&json!({"input": items}).to_string(), &calls);
    }
}
