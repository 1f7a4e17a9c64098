//! Streams of responses.

use super::{check, refuse, sse};
use crate::Provider;

#[test]
fn responses_come_as_the_last_event_has_them() {
    let item = r#"{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","call_id":"1","name":"f","arguments":"{ }"}}"#;
    for (response, expected) in [
        (
            r#"{"type":"response.completed","response":{ "status":"completed", "output":[{"type":"message"}] }}"#,
            r#"{ "status":"completed", "output":[{"type":"message"}] }"#,
        ),
        (
            r#"{"type":"response.completed","response":{"status":"completed","output":[]}}"#,
            r#"{"output":[{"type":"function_call","call_id":"1","name":"f","arguments":"{ }"}],"status":"completed"}"#,
        ),
        (
            r#"{"type":"response.incomplete","response":{"id":"r"}}"#,
            r#"{"id":"r","output":[{"type":"function_call","call_id":"1","name":"f","arguments":"{ }"}]}"#,
        ),
    ] {
        check(Provider::OpenAiResponses, &[r#"{"type":"response.created"}"#, item, response], expected);
    }
}

const ITEM: &str = r#"{"type":"response.output_item.added","output_index":1,"item":{"type":"function_call","call_id":"1","name":"f","arguments":""}}"#;
const INCOMPLETE: &str = r#"{"type":"response.incomplete","response":{}}"#;

#[test]
fn responses_that_ended_early_tell_a_call_as_far_as_it_came() {
    let delta = r#"{"type":"response.function_call_arguments.delta","output_index":1,"delta":"{\"a"}"#;
    let message = r#"{"type":"response.output_item.added","output_index":0,"item":{"type":"message","content":[]}}"#;
    let half = r#"{"output":[{"arguments":"{\"a","call_id":"1","name":"f","type":"function_call"}]}"#;
    check(Provider::OpenAiResponses, &[message, ITEM, delta, INCOMPLETE], half);
    let all = r#"{"type":"response.function_call_arguments.done","output_index":1,"arguments":""}"#;
    let whole = r#"{"output":[{"arguments":"","call_id":"1","name":"f","type":"function_call"}]}"#;
    check(Provider::OpenAiResponses, &[ITEM, all, INCOMPLETE], whole);
}

#[test]
fn responses_that_are_not_whole_are_refused() {
    let custom = r#"{"type":"response.output_item.added","output_index":1,"item":{"type":"custom_tool_call","call_id":"1","name":"f","input":""}}"#;
    let text = r#"{"type":"response.custom_tool_call_input.delta","output_index":1,"delta":"half a te"}"#;
    let cut = "the stream is cut off in the middle of the call `f`, id `1`";
    for (events, at, message) in [
        (
            &[r#"{"type":"response.created"}"#][..],
            (3, 1),
            "the stream is cut off: it ends without `response.completed` and `response.incomplete`",
        ),
        (&[ITEM], (3, 1), cut),
        (&[ITEM, INCOMPLETE], (3, 7), cut),
        (&[custom, text, INCOMPLETE], (5, 7), cut),
        (
            &[r#"{"type":"response.failed","response":{"error":{"code":"server_error","message":"sorry"}}}"#],
            (1, 7),
            "the stream reports an error: sorry",
        ),
        (&[r#"{"type":"error","message":"sorry"}"#], (1, 7), "the stream reports an error: sorry"),
        (&[INCOMPLETE, r#"{"type":"response.created"}"#], (3, 7), "a second response begins"),
    ] {
        refuse(Provider::OpenAiResponses, &sse(events), at, message);
    }
}
