//! Streams of chat chunks.

use super::{assemble, check, chunk, finish, refuse, sse};
use crate::Provider;

/// Makes a stream of deltas that finishes for a reason.
fn chat(deltas: &[&str], reason: &str) -> String {
    let events: Vec<String> = deltas.iter().map(|delta| chunk(delta)).chain([finish(reason)]).collect();
    sse(&events.iter().map(String::as_str).collect::<Vec<_>>())
}

#[track_caller]
fn check_message(deltas: &[&str], expected: &str) {
    let body = assemble(Provider::OpenAiChat, &chat(deltas, "tool_calls")).map_err(|failure| failure.to_string());
    let around =
        [r#"{"choices":[{"finish_reason":"tool_calls","index":0,"message":"#, r#"}],"object":"chat.completion"}"#];
    assert_eq!(body, Ok(around.join(expected)));
}

#[test]
fn chat_calls_are_told_apart_in_each_servers_way() {
    let two = concat!(
        r#"{"content":null,"role":"assistant","tool_calls":[{"function":{"arguments":"{\"a\": 1}","name":"f"},"id":"1","type":"function"},"#,
        r#"{"function":{"arguments":"{}","name":"g"},"id":"2","type":"function"}]}"#
    );
    // Interleaved by index, and an empty name and id that overwrite nothing.
    check_message(
        &[
            r#"{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"1","type":"function","function":{"name":"f","arguments":""}}]}"#,
            r#"{"tool_calls":[{"index":1,"id":"2","type":"function","function":{"name":"g","arguments":"{"}}]}"#,
            r#"{"tool_calls":[{"index":0,"id":"","function":{"name":"","arguments":"{\"a\":"}},{"index":1,"function":{"arguments":"}"}}]}"#,
            r#"{"tool_calls":[{"index":0,"id":null,"function":{"name":null,"arguments":" 1}"}}]}"#,
        ],
        two,
    );
    // Without an index: an id begins a call, what has none goes on.
    check_message(
        &[
            r#"{"tool_calls":[{"id":"1","function":{"name":"f","arguments":"{\"a\":"}}]}"#,
            r#"{"tool_calls":[{"function":{"arguments":" 1}"}}]}"#,
            r#"{"tool_calls":[{"id":"2","function":{"name":"g","arguments":"{"}}]}"#,
            r#"{"tool_calls":[{"id":"2","function":{"arguments":"}"}}]}"#,
        ],
        two,
    );
    // The same index for every call.
    check_message(
        &[
            r#"{"tool_calls":[{"index":0,"id":"1","function":{"name":"f","arguments":"{\"a\": 1}"}}]}"#,
            r#"{"tool_calls":[{"index":0,"id":"2","function":{"name":"g","arguments":"{}"}}]}"#,
        ],
        two,
    );
    // The second one first.
    check_message(
        &[
            r#"{"tool_calls":[{"index":1,"id":"2","function":{"name":"g","arguments":"{}"}}]}"#,
            r#"{"tool_calls":[{"index":0,"id":"1","function":{"name":"f","arguments":"{\"a\": 1}"}}]}"#,
        ],
        two,
    );
    // Neither index nor id: a name begins a call.
    check_message(
        &[
            r#"{"tool_calls":[{"function":{"name":"f","arguments":{"a": 1.0}}},{"function":{"name":"g","arguments":null}}]}"#,
        ],
        concat!(
            r#"{"content":null,"role":"assistant","tool_calls":[{"function":{"arguments":{"a": 1.0},"name":"f"},"type":"function"},"#,
            r#"{"function":{"arguments":null,"name":"g"},"type":"function"}]}"#
        ),
    );
}

#[test]
fn chat_messages_keep_what_came_in_pieces() {
    check_message(
        &[
            r#"{"role":"assistant","content":""}"#,
            r#"{"reasoning_content":"a","reasoning_details":[{"n": 1}]}"#,
            r#"{"reasoning_content":"b","reasoning_details":[{"n": 2}],"content":null}"#,
            r#"{"content":"c","refusal":null}"#,
            r#"{"content":"d","role":""}"#,
        ],
        r#"{"content":"cd","reasoning_content":"ab","reasoning_details":[{"n": 1},{"n": 2}],"refusal":null,"role":"assistant"}"#,
    );
    check_message(
        &[r#"{"content":[{"type":"thinking"}]}"#, r#"{"content":"a"}"#, r#"{"content":[{"type":"image"}]}"#],
        r#"{"content":[{"type":"thinking"},{"text":"a","type":"text"},{"type":"image"}],"role":"assistant"}"#,
    );
    check_message(
        &[r#"{"function_call":{"name":"f","arguments":""}}"#, r#"{"function_call":{"arguments":"{}"}}"#],
        r#"{"content":null,"function_call":{"arguments":"{}","name":"f"},"role":"assistant"}"#,
    );
}

#[test]
fn chat_bodies_keep_every_choice_and_what_else_was_said() {
    check(
        Provider::OpenAiChat,
        &[
            r#"{"id":"","choices":[],"prompt_filter_results":[{"n": 1}]}"#,
            r#"{"id":"c","object":"chat.completion.chunk","choices":[{"index":1,"delta":{"content":"b"},"finish_reason":"stop"}],"usage":null}"#,
            r#"{"id":"c","choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop","logprobs":{}}]}"#,
            r#"{"id":"c","choices":[],"usage":{"total_tokens":3}}"#,
        ],
        concat!(
            r#"{"choices":[{"finish_reason":"stop","index":0,"message":{"content":"a","role":"assistant"}},"#,
            r#"{"finish_reason":"stop","index":1,"message":{"content":"b","role":"assistant"}}],"#,
            r#""id":"c","object":"chat.completion","prompt_filter_results":[{"n": 1}],"usage":{"total_tokens":3}}"#
        ),
    );
}

#[test]
fn chat_streams_that_are_not_whole_are_refused() {
    let call = chunk(r#"{"tool_calls":[{"index":0,"id":"1","function":{"name":"f","arguments":"{\"a"}}]}"#);
    let legacy = chunk(r#"{"function_call":{"name":"f","arguments":"{\"a"}}"#);
    let renamed = chunk(r#"{"tool_calls":[{"index":0,"function":{"name":"g"}}]}"#);
    let cut = "the stream is cut off in the middle of the call `f`, id `1`";
    for (events, at, message) in [
        (&["{}"][..], (3, 1), "the stream is cut off: it ends without `finish_reason` and `[DONE]`"),
        (
            &[&chunk(r#"{"content":"a"}"#)],
            (3, 1),
            "the stream is cut off: it ends without `finish_reason` and `[DONE]`",
        ),
        (&[&call], (3, 1), cut),
        (&[&finish("stop"), &call], (5, 1), cut),
        (&[&legacy], (3, 1), "the stream is cut off in the middle of the call `f`"),
        (&[&call, &renamed], (3, 83), "the call of `f` is now one of `g`"),
    ] {
        refuse(Provider::OpenAiChat, &sse(events), at, message);
    }
    let nothing = "the stream is cut off: it ends without `finish_reason` and `[DONE]`";
    refuse(Provider::OpenAiChat, "data: {}\n\ndata: [DONE]\n\n", (5, 1), nothing);
    let whole = format!("{}data: [DONE]\n\n", sse(&[&call]));
    assert!(assemble(Provider::OpenAiChat, &whole).is_ok_and(|body| body.contains(r#""arguments":"{\"a""#)));
}

/// Text shows where it was cut, and the argument gate refuses it. Nothing at all would be a call without arguments.
#[test]
fn chat_calls_that_were_cut_short_are_refused_where_they_could_pass_for_whole() {
    let call = r#"{"tool_calls":[{"index":0,"id":"1","function":{"name":"f","arguments":"{\"a"}}]}"#;
    assert!(assemble(Provider::OpenAiChat, &chat(&[call], "length")).is_ok());
    let empty = r#"{"tool_calls":[{"index":0,"id":"1","function":{"name":"f","arguments":""}}]}"#;
    let read = Provider::OpenAiChat.read(chat(&[empty], "length").into_bytes()).unwrap();
    assert_eq!(read.turn().unwrap().unwrap().calls()[0].args().as_json().map(|json| json.raw().to_owned()), None);
    for (reason, delta) in [
        ("content_filter", empty),
        ("content_filter", r#"{"tool_calls":[{"index":0,"id":"1","function":{"name":"f"}}]}"#),
        (
            "length",
            r#"{"tool_calls":[{"index":0,"id":"1","type":"custom","custom":{"name":"f","input":"half a te"}}]}"#,
        ),
    ] {
        assert!(assemble(Provider::OpenAiChat, &chat(&[delta], "tool_calls")).is_ok());
        let message = format!("the call `f`, id `1` is cut off: the model stopped for `{reason}`");
        refuse(Provider::OpenAiChat, &chat(&[delta], reason), (5, 1), &message);
    }
}
