//! Anthropic's streams.

use super::{CALL, CALL_ENDS, START, STOP, check, refuse, sse};
use crate::Provider;

#[test]
fn anthropic_blocks_keep_what_came_in_pieces() {
    check(
        Provider::Anthropic,
        &[
            START,
            r#"{"type":"ping"}"#,
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm"}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"m."}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"Eq=="}}"#,
            CALL_ENDS,
            r#"{"type":"content_block_start","index":1,"content_block":{"type":"text","text":"","citations":[]}}"#,
            r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"é"}}"#,
            r#"{"type":"content_block_delta","index":1,"delta":{"type":"citations_delta","citation":{"n": 1}}}"#,
            r#"{"type":"content_block_stop","index":1}"#,
            r#"{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"t1","name":"ls","input":{}}}"#,
            r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":""}}"#,
            r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"b\": 1.0, \"a\":"}}"#,
            r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":" 9007199254740993}"}}"#,
            r#"{"type":"content_block_stop","index":2}"#,
            r#"{"type":"content_block_start","index":3,"content_block":{"type":"server_tool_use","id":"s1","name":"web_search","input":{}}}"#,
            r#"{"type":"content_block_stop","index":3}"#,
            r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":7}}"#,
            r#"{"type":"something_new","index":9}"#,
            STOP,
        ],
        concat!(
            r#"{"content":[{"signature":"Eq==","thinking":"Hmm.","type":"thinking"},{"citations":[{"n": 1}],"text":"é","type":"text"},"#,
            r#"{"id":"t1","input":{"b": 1.0, "a": 9007199254740993},"name":"ls","type":"tool_use"},"#,
            r#"{"id":"s1","input":{},"name":"web_search","type":"server_tool_use"}],"id":"m1","role":"assistant","#,
            r#""stop_reason":"tool_use","usage":{"input_tokens":3,"output_tokens":7}}"#
        ),
    );
}

#[test]
fn anthropic_messages_may_begin_with_a_whole_call() {
    let start = r#"{"type":"message_start","message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"ls","input":{"a": 1.0}}]}}"#;
    let body = r#"{"content":[{"id":"t1","input":{"a": 1.0},"name":"ls","type":"tool_use"}],"role":"assistant"}"#;
    check(Provider::Anthropic, &[start, STOP], body);
}

#[test]
fn anthropic_streams_that_are_not_whole_are_refused() {
    let half =
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"a\": \"b"}}"#;
    let short = r#"{"type":"message_delta","delta":{"stop_reason":"max_tokens"}}"#;
    let cut = "the stream is cut off in the middle of the call `ls`, id `t1`";
    let before_the_end = "the stream is cut off: it ends without `message_stop`";
    for (events, at, message) in [
        (&[START][..], (3, 1), before_the_end),
        (&[START, CALL], (5, 1), cut),
        (&[START, CALL, half], (7, 1), cut),
        (&[START, CALL, CALL_ENDS], (7, 1), before_the_end),
        (&[START, CALL, STOP], (7, 1), cut),
        (
            &[START, CALL, half, CALL_ENDS, short, STOP],
            (7, 7),
            "the arguments of the call `ls`, id `t1` are no JSON: the input ends in the middle of a string",
        ),
        (
            &[START, CALL, CALL_ENDS, short, STOP],
            (11, 1),
            "the call `ls`, id `t1` is cut off: the model stopped for `max_tokens`",
        ),
        (&[START, START], (3, 7), "a second message begins"),
        (&[START, CALL, CALL], (5, 7), "block 0 begins for the second time"),
        (&[START, CALL_ENDS], (3, 7), "no block 0 is open"),
        (&[START, CALL, CALL_ENDS, half], (7, 7), "no block 0 is open"),
        (&[r#"{"type":"message_start"}"#], (1, 7), "missing member `message`"),
        (
            &[START, CALL, r#"{"type":"content_block_delta","index":0,"delta":{"type":"new_delta"}}"#],
            (5, 55),
            "there is no delta `new_delta`",
        ),
        (
            &[START, r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#],
            (3, 7),
            "the stream reports an error: Overloaded",
        ),
    ] {
        refuse(Provider::Anthropic, &sse(events), at, message);
    }
}
