//! Streams: they assemble, and their calls are those that a plain walk over the events finds.

mod events;

use std::path::Path;

use dispatch_core::json::Document;
use dispatch_providers::Provider;

use crate::check::{Known, unexpected};
use crate::support::{FOLDERS, data, exchanges, files, json, name, package, text};
use crate::walk::{Call, Read, plain, read};

/// The recordings that do not assemble, each looked at.
const REFUSED: &[Known] = &[
    (
        "vercel--spliced-message-start.chunks.json#0",
        "the stream is cut off in the middle of the call `test-tool`, id `toolu_first`",
        "made by hand: a gateway tries again in the middle of a call, and its second message goes on in the same stream",
    ),
    (
        "oi--test-instrumentor-test-llm-with-tools-1529--01.json#0",
        "expected a JSON value, found the end of the input",
        "an empty body with status 200",
    ),
    (
        "pai--test-groq-test-tool-use-failed-error-streaming-958b--00.json#0",
        "the stream reports an error: Tool call validation failed: tool call validation failed: parameters for tool \
         get_something_by_name did not match schema: errors: [missing properties: 'name', additionalProperties \
         'invalid_param' not allowed]",
        "the API's error",
    ),
    (
        "vercel--parallel-tool-call-wrapper.1.chunks.json#0",
        "the input ends in the middle of an object",
        "made by hand, and a brace is missing in it",
    ),
];

struct Recording {
    name: String,
    provider: Provider,
    stream: String,
}

fn recordings() -> Vec<Recording> {
    let streaming = FOLDERS.iter().filter(|(provider, _)| *provider != Provider::Bedrock);
    let data = data();
    let mut found = Vec::new();
    for (provider, folder) in streaming {
        let beside = data.iter().flat_map(|data| exchanges(data, folder));
        found.extend(beside.flat_map(|file| recorded(*provider, &file)));
        let own = files(&package().join("tests/data").join(folder)).into_iter();
        found.extend(own.map(|file| Recording { name: name(&file), provider: *provider, stream: text(&file) }));
    }
    found
}

/// Reads a recording of streams. Some are kept as the data alone, one event a line, and several streams in a row.
fn recorded(provider: Provider, file: &Path) -> Vec<Recording> {
    let recording = json(file);
    let Some(text) = recording["response_stream"]["text"].as_str() else { return Vec::new() };
    let streams = if text.starts_with('{') { streams_of_lines(text) } else { vec![text.to_owned()] };
    let name = |place| format!("{}#{place}", name(file));
    streams.into_iter().enumerate().map(|(place, stream)| Recording { name: name(place), provider, stream }).collect()
}

fn streams_of_lines(text: &str) -> Vec<String> {
    let starts = ["message_start", "response.created"].map(|start| format!(r#""type":"{start}""#));
    let mut streams: Vec<String> = Vec::new();
    for line in text.lines() {
        if streams.is_empty() || starts.iter().any(|start| line.contains(start)) {
            streams.push(String::new());
        }
        streams.last_mut().unwrap().extend(["data: ", line, "\n\n"]);
    }
    streams
}

/// Returns the calls of an assembled body.
fn calls_of(provider: Provider, body: &Document) -> Vec<Call> {
    (plain(provider).calls_of_response)(&body.root().to_json())
}

#[test]
fn recorded_streams_assemble_to_the_calls_of_a_plain_walk() {
    let outcome = |recording: &Recording| {
        let Recording { provider, stream, .. } = recording;
        let body = provider.assemble(stream.clone().into_bytes()).map_err(|failure| failure.message().to_owned())?;
        let (ours, plain) = (calls_of(*provider, &body), events::calls(*provider, stream));
        if ours == plain { Ok(()) } else { Err(format!("{ours:?} is not {plain:?}")) }
    };
    let recordings = recordings();
    let wrong = recordings.iter().filter_map(|recording| unexpected(REFUSED, &recording.name, outcome(recording)));
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_recorded_stream_that_is_cut_off_anywhere_gives_no_half_call() {
    for Recording { name, provider, stream } in recordings() {
        let Ok(whole) = provider.assemble(stream.clone().into_bytes()) else { continue };
        let whole = calls_of(provider, &whole);
        for end in (0..stream.len()).step_by(step(&name, stream.len())) {
            let Ok(body) = provider.assemble(stream.as_bytes()[..end].to_vec()) else { continue };
            let calls = calls_of(provider, &body);
            assert!(calls.iter().all(|call| whole.contains(call)), "{name} up to byte {end}: {calls:?}");
        }
    }
}

/// Every byte of a stream in the repository; of the others, so many that the test stays short.
fn step(name: &str, bytes: usize) -> usize {
    let is_own = Path::new(name).extension().is_some_and(|kind| kind == "sse");
    if is_own { 1 } else { (bytes * bytes / 500_000).max(1) }
}

#[test]
fn a_stream_is_read_as_the_turn_that_it_ends_in() {
    let call = |id: &str, tool: &str, args: &str| (Some(id.to_owned()), tool.to_owned(), args.to_owned());
    let echo = r#"{"message":"Grüße aus 東京, from the \"naïve café\"!"}"#;
    let expected: [(Provider, Read); 4] = [
        (Provider::Anthropic, call("toolu_REDACTED_1", "subtract", r#"{"x": 2, "y": 5}"#)),
        (Provider::OpenAiChat, call("g6fVbXS8K", "weather", r#"{"latitude": "52.5200", "longitude": "13.4050"}"#)),
        (Provider::OpenAiResponses, call("call_REDACTED_1", "ping", "{}")),
        (Provider::Gemini, (None, "echo".to_owned(), echo.to_owned())),
    ];
    for (provider, expected) in expected {
        let (_, folder) = FOLDERS.iter().find(|(other, _)| *other == provider).unwrap();
        let stream = text(&package().join("tests/data").join(folder).join("call.sse"));
        let turn = provider.read(stream.into_bytes()).unwrap().turn().unwrap();
        assert_eq!(read(turn.as_ref()), [expected]);
    }
}
