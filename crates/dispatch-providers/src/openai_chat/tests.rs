//! What the servers of this shape send, and what goes back to them.

use dispatch_core::Observation;
use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::Provider;
use crate::testing::{Wanted, config, image, wanted, with_ids};

/// Makes a message of one call with these arguments, written as JSON.
fn with_arguments(arguments: &str) -> String {
    let function = format!(r#"{{"name": "read_file", "arguments": {arguments}}}"#);
    format!(r#"{{"role": "assistant", "tool_calls": [{{"id": "c", "type": "function", "function": {function}}}]}}"#)
}

fn with_calls(calls: &str) -> String {
    format!(r#"{{"role": "assistant", "content": null, "tool_calls": [{calls}]}}"#)
}

fn body(messages: &[&str]) -> String {
    let choices: Vec<_> =
        messages.iter().map(|message| format!(r#"{{"finish_reason": "stop", "message": {message}}}"#)).collect();
    format!(r#"{{"id": "chatcmpl-1", "choices": [{}]}}"#, choices.join(", "))
}

const CALL: &str = r#"{"id": "call_1", "type": "function", "function": {"name": "read_file", "arguments": "{\"path\": \"notes.txt\"}"}}"#;
const LEGACY: &str = r#"{"role": "assistant", "content": null, "function_call": {"name": "read_file", "arguments": "{\"path\": \"notes.txt\"}"}}"#;
const TEXT: &str = r#"{"role": "assistant", "content": "Let me look."}"#;

#[test]
fn a_call_is_found_in_a_body_a_message_and_a_conversation() {
    let message = with_calls(CALL);
    let found = r#""call_1" "read_file" {"path": "notes.txt"}"#;
    for text in [
        body(&[&message]),
        message.clone(),
        format!("[{message}]"),
        format!(r#"{{"model": "m", "messages": [{{"role": "user", "content": "go"}}, {message}]}}"#),
    ] {
        assert_eq!(Provider::OpenAiChat.asked(&text), found, "{text}");
    }
}

#[test]
fn what_is_no_call_is_none() {
    for text in [
        TEXT,
        r#"{"role": "assistant", "content": null, "tool_calls": null, "function_call": null}"#,
        r#"{"role": "assistant", "content": "4", "tool_calls": [], "function_call": {"name": "", "arguments": ""}}"#,
        r#"{"role": "assistant", "tool_calls": [{"id": "c", "type": "web_search", "web_search": {}}]}"#,
        r#"{"role": "user", "content": "go", "name": null, "tool_calls": null}"#,
        r#"{"choices": []}"#,
        r#"{"messages": []}"#,
        "[]",
    ] {
        assert_eq!(Provider::OpenAiChat.asked(text), "no calls", "{text}");
    }
    let answered = format!(r#"[{}, {{"role": "tool", "tool_call_id": "call_1", "content": ""}}]"#, with_calls(CALL));
    assert_eq!(Provider::OpenAiChat.asked(&answered), "no calls");
}

#[test]
fn content_may_be_anything_beside_calls() {
    for content in [r#""content": null,"#, "", r#""content": "","#, r#""content": [{"type": "text", "text": "hm"}],"#] {
        let message = format!(r#"{{{content} "role": "assistant", "tool_calls": [{CALL}]}}"#);
        assert_eq!(Provider::OpenAiChat.asked(&message), r#""call_1" "read_file" {"path": "notes.txt"}"#);
    }
}

#[test]
fn arguments_are_read_as_they_were_written() {
    for (arguments, read) in [
        (r#""""#, "{}"),
        (r#"" \n""#, "{}"),
        ("null", "{}"),
        (r#""{}""#, "{}"),
        (r#"{"path": "a", "n": 1.0}"#, r#"{"path": "a", "n": 1.0}"#),
        (r#""null""#, "null"),
        (r#""[1]""#, "[1]"),
        ("[1]", "[1]"),
        ("7", "7"),
        (r#""\"{\\\"path\\\": 1}\"""#, r#""{\"path\": 1}""#),
        (r#""{\"n\": 9007199254740993}""#, r#"{"n": 9007199254740993}"#),
        (r#""{\"a\": 1, \"a\": 2}""#, r#"{"a": 1, "a": 2}"#),
        (r#"{"a": 1, "a": 2}"#, r#"{"a": 1, "a": 2}"#),
        (r#""{\"p\": \"\u00e9\u4e16\"}""#, r#"{"p": "é世"}"#),
    ] {
        assert_eq!(
            Provider::OpenAiChat.asked(&with_arguments(arguments)),
            format!(r#""c" "read_file" {read}"#),
            "{arguments}"
        );
    }
    let missing = with_calls(r#"{"id": "c", "function": {"name": "read_file"}}"#);
    assert_eq!(Provider::OpenAiChat.asked(&missing), r#""c" "read_file" {}"#);
}

#[test]
fn arguments_that_are_no_json_say_where() {
    assert_snapshot!(Provider::OpenAiChat.asked(&with_arguments(r#""{\"path\": \"no""#)), @r#""c" "read_file" no JSON: the input ends in the middle of a string: "{\"path\": \"no""#);
    assert_snapshot!(Provider::OpenAiChat.asked(&with_arguments(r#""```json\n{}\n```""#)), @r#""c" "read_file" no JSON: expected a JSON value: "```json\n{}\n```""#);
    assert_snapshot!(Provider::OpenAiChat.asked(&with_arguments(r#""{} and more""#)), @r#""c" "read_file" no JSON: more text after the end of the JSON value: "{} and more""#);
}

#[test]
fn names_and_ids_are_any_text() {
    for (id, name) in [("", ""), ("call.1:2", "no_such_tool"), ("\u{e9}\\n", &*"n".repeat(300))] {
        let call = json!({"id": id, "type": "function", "function": {"name": name, "arguments": "{}"}});
        assert_eq!(Provider::OpenAiChat.asked(&with_calls(&call.to_string())), format!("{id:?} {name:?} {{}}"));
    }
}

#[test]
fn a_call_is_of_the_type_that_it_says_or_else_of_what_it_holds() {
    for (call, read) in [
        (r#"{"id": "1", "index": 0, "function": {"name": "f", "arguments": "{}"}}"#, r#""1" "f" {}"#),
        (r#"{"id": "1", "type": null, "function": {"name": "f", "arguments": "{}"}}"#, r#""1" "f" {}"#),
        (r#"{"id": "1", "type": "builtin_function", "function": {"name": "f", "arguments": "{}"}}"#, r#""1" "f" {}"#),
        (
            r#"{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}, "custom": {"name": "", "input": ""}}"#,
            r#""1" "f" {}"#,
        ),
        (
            r#"{"id": "1", "type": "custom", "function": {"name": "", "arguments": ""}, "custom": {"name": "f", "input": "{}"}}"#,
            r#""1" "f" "{}""#,
        ),
        (r#"{"id": "1", "custom": {"name": "f", "input": "ls -l"}}"#, r#""1" "f" "ls -l""#),
    ] {
        assert_eq!(Provider::OpenAiChat.asked(&with_calls(call)), read, "{call}");
    }
}

#[test]
fn what_is_of_another_shape_says_what_was_expected_where() {
    for (text, fault) in [
        (
            "7".to_owned(),
            "$: expected a message with `role`, a response with `choices`, or a conversation with `messages`",
        ),
        (r#"{"error": {"message": "no"}}"#.into(), "$.error: the body reports an error: no"),
        (r#"{"choices": null}"#.into(), "$.choices: expected array, found null"),
        (r#"{"choices": [{"delta": {}}]}"#.into(), "$.choices[0]: missing member `message`"),
        (r#"{"choices": [{"message": []}]}"#.into(), "$.choices[0].message: expected object, found array"),
        (r#"{"messages": "go"}"#.into(), "$.messages: expected array, found string"),
        ("[{}]".into(), "$[0]: missing member `role`"),
        (r#"{"role": "assistant", "tool_calls": {}}"#.into(), "$.tool_calls: expected array, found object"),
        (with_calls("7"), "$.tool_calls[0]: expected object, found integer"),
        (with_calls(r#"{"id": "1"}"#), "$.tool_calls[0]: missing member `function`"),
        (with_calls(r#"{"id": "1", "type": "custom"}"#), "$.tool_calls[0]: missing member `custom`"),
        (with_calls(r#"{"function": {"name": "f"}}"#), "$.tool_calls[0]: missing member `id`"),
        (with_calls(r#"{"id": 1, "function": {"name": "f"}}"#), "$.tool_calls[0].id: expected string, found integer"),
        (with_calls(r#"{"id": "1", "function": {}}"#), "$.tool_calls[0].function: missing member `name`"),
        (with_calls(r#"{"id": "1", "function": {"name": null}}"#), "$.tool_calls[0].function: missing member `name`"),
        (
            r#"{"role": "assistant", "function_call": {"arguments": ""}}"#.into(),
            "$.function_call: missing member `name`",
        ),
        (r#"[{"role": "tool", "content": ""}]"#.into(), "$[0]: missing member `tool_call_id`"),
        (r#"[{"role": "function", "content": ""}]"#.into(), "$[0]: missing member `name`"),
        (
            with_calls(&format!("{CALL}, {CALL}")),
            "$.tool_calls[1]: the id `call_1` is that of the call at $.tool_calls[0] too",
        ),
        (
            with_calls(CALL).replace("assistant", "model"),
            "$.role: expected the role `assistant` of a message with calls, found `model`",
        ),
        (
            LEGACY.replace("null", &format!(r#"null, "tool_calls": [{CALL}]"#)),
            "$.function_call: expected either `function_call` or `tool_calls`, found calls in both",
        ),
    ] {
        assert_eq!(Provider::OpenAiChat.asked(&text), fault, "{text}");
    }
}

#[test]
fn empty_arguments_of_an_answer_that_was_cut_off_are_none() {
    let body = |reason: &str| body(&[&with_arguments(r#""""#)]).replace("stop", reason);
    assert_snapshot!(Provider::OpenAiChat.asked(&body("stop")), @r#""c" "read_file" {}"#);
    assert_snapshot!(Provider::OpenAiChat.asked(&body("length")), @r#""c" "read_file" no JSON: expected a JSON value, found the end of the input: """#);
}

#[test]
fn of_several_choices_the_one_with_calls_is_gone_on_with() {
    let (calling, other) = (with_calls(CALL), LEGACY);
    assert_eq!(Provider::OpenAiChat.asked(&body(&[TEXT, &calling])), r#""call_1" "read_file" {"path": "notes.txt"}"#);
    assert_eq!(Provider::OpenAiChat.asked(&body(&[TEXT, TEXT])), "no calls");
    assert_snapshot!(Provider::OpenAiChat.asked(&body(&[TEXT, &calling, other])), @"$.choices[2].message: there are calls at $.choices[1].message too: one choice can be gone on with");
    assert_snapshot!(Provider::OpenAiChat.continued(&body(&[TEXT, LEGACY])), @r#"[{"role": "assistant", "content": null, "function_call": {"name": "read_file", "arguments": "{\"path\": \"notes.txt\"}"}},{"content":"1: milk\n","name":"read_file","role":"function"}]"#);
}

#[test]
fn each_call_is_answered_by_a_message() {
    let calls = with_calls(&[
        CALL,
        r#"{"id": "call_2", "type": "function", "function": {"name": "show", "arguments": ""}}"#,
        r#"{"id": "call_3", "type": "function", "function": {"name": "rest", "arguments": "{}"}}"#,
        r#"{"id": "call_4", "type": "function", "function": {"name": "", "arguments": "{}"}}"#,
        r#"{"id": "call_5", "type": "function", "function": {"name": "read_file", "arguments": "{\"path\""}}"#,
        r#"{"id": "call_6", "type": "custom", "custom": {"name": "read_file", "input": "{\"path\": \"notes.txt\"}"}}"#,
        r#"{"id": "call_7", "type": "function", "function": {"name": "read_file", "arguments": "{\"path\": \"gone\"}"}}"#,
    ].join(", "));
    let shown = Observation::text("a pixel").with(image("image/png"));
    assert_snapshot!(Provider::OpenAiChat.answered(&calls, &shown), @r#"
    {"content":"1: milk\n","role":"tool","tool_call_id":"call_1"}
    {"content":"a pixel\n[image/png]","role":"tool","tool_call_id":"call_2"}
    {"content":"","role":"tool","tool_call_id":"call_3"}
    {"content":"unknown_tool: there is no tool ``","role":"tool","tool_call_id":"call_4"}
    {"content":"invalid_arguments: The arguments do not fit the tool's schema.\n$: not JSON, at line 1, column 8: the input ends in the middle of an object","role":"tool","tool_call_id":"call_5"}
    {"content":"invalid_arguments: The arguments do not fit the tool's schema.\n$: expected object, found string","role":"tool","tool_call_id":"call_6"}
    {"content":"file_not_found: There is no file at the path.\n$.path: no path of the workspace is like it","role":"tool","tool_call_id":"call_7"}
    "#);
}

#[test]
fn a_call_of_the_older_form_is_answered_in_it() {
    assert_eq!(Provider::OpenAiChat.asked(LEGACY), r#"without an id "read_file" {"path": "notes.txt"}"#);
    assert_snapshot!(Provider::OpenAiChat.answered(LEGACY, &Observation::default()), @r#"{"content":"1: milk\n","name":"read_file","role":"function"}"#);
}

fn encoded(call: &Wanted) -> Value {
    json!({"id": call.id, "type": "function", "function": {"name": call.tool, "arguments": call.args}})
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn what_was_written_is_read_and_paired(calls in wanted().prop_map(with_ids)) {
        let message = json!({"role": "assistant", "tool_calls": calls.iter().map(encoded).collect::<Vec<_>>()});
        Provider::OpenAiChat.check_round_trip(&body(&[&message.to_string()]), &calls);
        Provider::OpenAiChat.check_round_trip(&json!({"messages": [message]}).to_string(), &calls);
    }
}
