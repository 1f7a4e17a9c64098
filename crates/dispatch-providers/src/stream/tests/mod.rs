//! Small streams, one oddity each.

mod anthropic;
mod gemini;
mod openai_chat;
mod openai_responses;

use dispatch_core::protocol::Failure;
use proptest::prelude::*;

use super::body;
use crate::Provider;

/// Makes a stream of events that are JSON texts.
fn sse(events: &[&str]) -> String {
    events.iter().flat_map(|event| ["data: ", *event, "\n\n"]).collect()
}

fn assemble(provider: Provider, stream: &str) -> Result<String, Failure> {
    Ok(body(provider, stream.as_bytes().to_vec())?.text().to_owned())
}

#[track_caller]
fn check(provider: Provider, events: &[&str], expected: &str) {
    assert_eq!(assemble(provider, &sse(events)).map_err(|failure| failure.to_string()), Ok(expected.to_owned()));
}

/// Checks a failure: where it is, and what it says.
#[track_caller]
fn refuse(provider: Provider, stream: &str, (line, column): (usize, usize), message: &str) {
    let failure = assemble(provider, stream).unwrap_err();
    let position = failure.position().map(|position| (position.line, position.column));
    assert_eq!((position, failure.message()), (Some((line, column)), message));
    assert_eq!(failure.source(), stream.as_bytes());
}

const START: &str = r#"{"type":"message_start","message":{"id":"m1","role":"assistant","content":[],"stop_reason":null,"usage":{"input_tokens":3,"output_tokens":1}}}"#;
const CALL: &str =
    r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t1","name":"ls","input":{}}}"#;
const CALL_ENDS: &str = r#"{"type":"content_block_stop","index":0}"#;
const STOP: &str = r#"{"type":"message_stop"}"#;

#[test]
fn events_are_read_as_their_standard_says() {
    let whole = r#"{"choices":[{"delta":{"content":"a"},"finish_reason":"stop","index":0}]}"#;
    let body = r#"{"choices":[{"finish_reason":"stop","index":0,"message":{"content":"a","role":"assistant"}}],"object":"chat.completion"}"#;
    let lines = whole.replace(r#","finish"#, "\ndata: ,\"finish");
    for stream in [
        format!("data: {whole}\n\ndata: [DONE]\n\n"),
        format!("data:{whole}\n\n"),
        format!("data: {whole}"),
        format!("\u{feff}data: {whole}\r\n\r\n"),
        format!("data: {whole}\r\rdata: [DONE]\r\r"),
        format!("data: {lines}\n\n"),
        format!("\n\n: OPENROUTER PROCESSING\n\nevent: chunk\nid: 1\nretry: 10\nunknown\ndata: {whole}\n\n"),
        format!("event: ping\n\ndata:\n\ndata: {whole}\n\n"),
        format!("data: {whole}\n\ndata: {{\"cut"),
    ] {
        assert_eq!(assemble(Provider::OpenAiChat, &stream).map_err(|failure| failure.to_string()), Ok(body.to_owned()));
    }
}

#[test]
fn faults_of_an_event_stand_where_they_are_in_the_stream() {
    for (stream, at, message) in [
        ("data: {}\n\ndata: {\"a\": tru}\n\n", (3, 16), "expected `true`, `false` or `null`"),
        ("data: {\ndata: \"a\": 1,\ndata:}\n\n", (3, 6), "expected a key after the comma"),
        ("data: {\"a\":1,\"a\":2}\r\n\r\n", (1, 14), "duplicate key `a`"),
        ("data: 7\n\n", (1, 7), "expected object, found integer"),
        ("data: {\"choices\":[{\"delta\":7}]}\n\n", (1, 28), "expected object, found integer"),
        ("data: {\"choices\":\ndata: 7}\n\n", (2, 7), "expected array, found integer"),
        ("data: {\"choices\":[{\"index\":-1}]}\n\n", (1, 28), "expected an index, found -1"),
        ("event: error\ndata: {\"message\":\"no\"}\n\n", (2, 7), "the stream reports an error: no"),
        ("data: {\"error\":\"busy\"}\n\n", (1, 7), "the stream reports an error: busy"),
        ("data: {\"error\":{\"code\":5}}\n\n", (1, 7), "the stream reports an error: {\"code\":5}"),
    ] {
        refuse(Provider::OpenAiChat, stream, at, message);
    }
    let failure = body(Provider::OpenAiChat, b"data: {\"a\":\"\xff\"}\n\n".to_vec()).unwrap_err();
    assert_eq!((failure.message(), failure.span()), ("not UTF-8", 12..12));
}

#[test]
fn providers_without_such_streams_say_so() {
    for provider in [Provider::Bedrock, Provider::Mcp] {
        refuse(
            provider,
            "data: {}\n\n",
            (1, 1),
            "expected JSON, found a stream of events, which this provider does not send",
        );
    }
}

#[test]
fn streams_tell_whose_they_are() {
    for (stream, provider) in [
        (": comment\n\ndata: {\"choices\":[]}\n\n", Some(Provider::OpenAiChat)),
        ("data: {\"type\":\"ping\"}\n\ndata: {\"type\":\"message_start\"}\n\n", Some(Provider::Anthropic)),
        ("event: x\ndata: {\"type\":\"response.created\"}\n\n", Some(Provider::OpenAiResponses)),
        ("\u{feff}data: {\"candidates\":[]}\n\n", Some(Provider::Gemini)),
        ("data: {\"type\":\"error\"}\n\ndata: 7", None),
        ("{\"choices\":[]}", None),
    ] {
        assert_eq!(super::provider_of(stream.as_bytes()), provider, "{stream}");
    }
    let failure = Provider::recognise(sse(&[START, CALL]).as_bytes()).unwrap_err();
    assert_eq!(failure.message(), "the stream is cut off in the middle of the call `ls`, id `t1`");
}

/// Makes a chunk of a delta.
fn chunk(delta: &str) -> String {
    format!(r#"{{"choices":[{{"index":0,"delta":{delta},"finish_reason":null}}]}}"#)
}

fn finish(reason: &str) -> String {
    format!(r#"{{"choices":[{{"index":0,"delta":{{}},"finish_reason":"{reason}"}}]}}"#)
}

/// Makes a chunk of parts.
fn parts(parts: &str) -> String {
    format!(r#"{{"candidates":[{{"content":{{"parts":[{parts}],"role":"model"}}}}]}}"#)
}

/// Cuts a text at random places.
fn cut(text: &str, at: &[usize]) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for (place, letter) in text.chars().enumerate() {
        if at.contains(&place) {
            pieces.push(String::new());
        }
        pieces.last_mut().unwrap().push(letter);
    }
    pieces
}

fn json(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

fn texts() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[a-zé\"\\\\😀]{0,12}"]
}

proptest! {
    /// The same bytes out whatever the chunking: text, thoughts and arguments.
    #[test]
    fn pieces_make_the_whole(text in texts(), key in texts(), number in any::<i128>(), at in prop::collection::vec(0..40_usize, 0..6)) {
        let args = format!("{{{}: [{number}, {}]}}", json(&key), json(&text));
        let deltas = |make: &dyn Fn(String) -> String, text: &str, at: &[usize]| -> String {
            cut(text, at).into_iter().flat_map(|piece| ["data: ".to_owned(), make(json(&piece)), "

".to_owned()]).collect()
        };
        let anthropic = |at: &[usize]| {
            let input = |piece| format!(r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"input_json_delta","partial_json":{piece}}}}}"#);
            let block = r#"{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}"#;
            let spoken = |piece| format!(r#"{{"type":"content_block_delta","index":1,"delta":{{"type":"text_delta","text":{piece}}}}}"#);
            [sse(&[START, CALL]), deltas(&input, &args, at), sse(&[CALL_ENDS, block]), deltas(&spoken, &text, at),
                sse(&[r#"{"type":"content_block_stop","index":1}"#, STOP])].concat()
        };
        let openai = |at: &[usize]| {
            let call = |piece| chunk(&format!(r#"{{"tool_calls":[{{"index":0,"id":"1","function":{{"name":"f","arguments":{piece}}}}}]}}"#));
            let spoken = |piece| chunk(&format!(r#"{{"content":{piece}}}"#));
            [deltas(&spoken, &text, at), deltas(&call, &args, at), sse(&[&finish("tool_calls")])].concat()
        };
        let gemini = |at: &[usize]| {
            let spoken = |piece| parts(&format!(r#"{{"text":{piece}}}"#));
            let call = |piece| parts(&format!(
                r#"{{"functionCall":{{"partialArgs":[{{"jsonPath":"$.a","stringValue":{piece}}}],"willContinue":true}}}}"#));
            [deltas(&spoken, &text, at), sse(&[&parts(r#"{"functionCall":{"name":"f","willContinue":true}}"#)]), deltas(&call, &text, at),
                sse(&[&parts(r#"{"functionCall":{}}"#), r#"{"candidates":[{"finishReason":"STOP"}]}"#])].concat()
        };
        for (provider, stream) in [
            (Provider::Anthropic, &anthropic as &dyn Fn(&[usize]) -> String),
            (Provider::OpenAiChat, &openai),
            (Provider::Gemini, &gemini),
        ] {
            let whole = assemble(provider, &stream(&[])).unwrap();
            prop_assert_eq!(&assemble(provider, &stream(&at)).unwrap(), &whole);
            let held = if provider == Provider::OpenAiChat { json(&args) } else { args.clone() };
            prop_assert!(provider == Provider::Gemini || whole.contains(&held), "{} has no {}", whole, held);
            prop_assert!(whole.contains(&json(&text)));
        }
    }

    #[test]
    fn no_stream_panics(text in "(data: |event: |\\{|\"|\\}|\n|:|\\[|\\]|,|type|delta|index|choices|candidates|0|1|error){0,40}") {
        for provider in Provider::ALL {
            let _ = body(*provider, text.clone().into_bytes());
        }
    }
}
