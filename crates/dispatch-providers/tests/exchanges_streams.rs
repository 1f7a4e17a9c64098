//! Recorded streams assemble, and their calls are those that a plain walk over the events finds.
//!
//! The recordings lie beside the repository, in `../shared/data`. A few small ones are in `tests/data`, for where they don't.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]
#![expect(clippy::indexing_slicing, reason = "of a JSON value it gives null for what is not there")]
#![expect(clippy::disallowed_methods, reason = "a test that reads recordings opens files; the crate does not")]

mod skipped;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use dispatch_providers::Provider;
use serde_json::{Value, json};

/// What this provider's recordings are called.
const PROVIDERS: &[(Provider, &str)] = &[
    (Provider::Anthropic, "anthropic-messages"),
    (Provider::OpenAiChat, "openai-chat"),
    (Provider::OpenAiResponses, "openai-responses"),
    (Provider::Gemini, "gemini-generate-content"),
];

/// The recordings that do not assemble, each looked at.
const REFUSED: &[(&str, &str)] = &[
    // Made by hand: a gateway tries again in the middle of a call, and its second message goes on in the same stream.
    (
        "vercel--spliced-message-start.chunks.json#0",
        "the stream is cut off in the middle of the call `test-tool`, id `toolu_first`",
    ),
    // An empty body with status 200.
    ("oi--test-instrumentor-test-llm-with-tools-1529--01.json#0", "expected a JSON value, found the end of the input"),
    (
        "pai--test-groq-test-tool-use-failed-error-streaming-958b--00.json#0",
        "the stream reports an error: Tool call validation failed: tool call validation failed: parameters for tool \
         get_something_by_name did not match schema: errors: [missing properties: 'name', additionalProperties \
         'invalid_param' not allowed]",
    ),
    // Made by hand, and a brace is missing in it.
    ("vercel--parallel-tool-call-wrapper.1.chunks.json#0", "the input ends in the middle of an object"),
];

/// The calls for which a response body waits: id, tool, arguments. Arguments that are text stay text.
type Calls = Vec<(Value, Value, Value)>;

struct Recording {
    name: String,
    provider: Provider,
    stream: String,
}

fn recordings() -> Vec<Recording> {
    let root = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from("."), PathBuf::from);
    let mut found = Vec::new();
    for (provider, folder) in PROVIDERS {
        for kind in ["exchanges", "responses-only"] {
            let folder = root.join("../../../shared/data").join(kind).join(folder);
            found.extend(files(&folder).into_iter().flat_map(|file| recorded(*provider, &file)));
        }
        let own = files(&root.join("tests/data").join(folder)).into_iter().map(|file| Recording {
            name: name_of(&file),
            provider: *provider,
            stream: std::fs::read_to_string(file).unwrap(),
        });
        found.extend(own);
    }
    found
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        skipped::tell(&format!("there is no {}", folder.display()));
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn name_of(file: &Path) -> String {
    file.file_name().unwrap().to_string_lossy().into_owned()
}

/// Reads a recording of streams. Some are kept as the data alone, one event a line, and several streams in a row.
fn recorded(provider: Provider, file: &Path) -> Vec<Recording> {
    let recording: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let Some(text) = recording["response_stream"]["text"].as_str() else { return Vec::new() };
    let mut streams = Vec::new();
    if text.starts_with('{') {
        for line in text.lines() {
            if streams.is_empty()
                || ["message_start", "response.created"]
                    .iter()
                    .any(|start| line.contains(&format!(r#""type":"{start}""#)))
            {
                streams.push(String::new());
            }
            streams.last_mut().unwrap().extend(["data: ", line, "\n\n"]);
        }
    } else {
        streams.push(text.to_owned());
    }
    let name = |place| format!("{}#{place}", name_of(file));
    streams.into_iter().enumerate().map(|(place, stream)| Recording { name: name(place), provider, stream }).collect()
}

#[test]
fn recorded_streams_assemble_to_the_calls_of_a_plain_walk() {
    let mut wrong = Vec::new();
    let mut refused = Vec::new();
    for Recording { name, provider, stream } in recordings() {
        match provider.assemble(stream.clone().into_bytes()) {
            Ok(body) => {
                let (ours, plain) = (calls_of(provider, &body.root().to_json()), plain_walk(provider, &stream));
                if ours != plain {
                    wrong.push(format!("{name}: {ours:?} is not {plain:?}"));
                }
            }
            Err(failure) => refused.push((name, failure.message().to_owned())),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let unexpected: Vec<_> = refused
        .iter()
        .filter(|(name, message)| !REFUSED.contains(&(name.as_str(), message.as_str())))
        .map(|(name, message)| format!("(\"{name}\", \"{message}\"),"))
        .collect();
    assert!(unexpected.is_empty(), "{}", unexpected.join("\n"));
}

#[test]
fn a_recorded_stream_that_is_cut_off_anywhere_gives_no_half_call() {
    for Recording { name, provider, stream } in recordings() {
        let Ok(whole) = provider.assemble(stream.clone().into_bytes()) else { continue };
        let whole = calls_of(provider, &whole.root().to_json());
        // Every byte of a short stream; of a long one, so many that the test stays short.
        let step = if Path::new(&name).extension().is_some_and(|kind| kind == "sse") {
            1
        } else {
            (stream.len() * stream.len() / 500_000).max(1)
        };
        for end in (0..stream.len()).step_by(step) {
            let Ok(body) = provider.assemble(stream.as_bytes()[..end].to_vec()) else { continue };
            let calls = calls_of(provider, &body.root().to_json());
            assert!(calls.iter().all(|call| whole.contains(call)), "{name} up to byte {end}: {calls:?}");
        }
    }
}

#[test]
fn a_stream_is_read_as_the_turn_that_it_ends_in() {
    for (provider, folder, expected) in [
        (Provider::Anthropic, "anthropic-messages", r#"toolu_REDACTED_1 subtract {"x": 2, "y": 5}"#),
        (Provider::OpenAiChat, "openai-chat", r#"g6fVbXS8K weather {"latitude": "52.5200", "longitude": "13.4050"}"#),
        (Provider::OpenAiResponses, "openai-responses", "call_REDACTED_1 ping {}"),
        (
            Provider::Gemini,
            "gemini-generate-content",
            r#" echo {"message":"Grüße aus 東京, from the \"naïve café\"!"}"#,
        ),
    ] {
        let package = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from("."), PathBuf::from);
        let stream = std::fs::read(package.join("tests/data").join(folder).join("call.sse")).unwrap();
        let turn = provider.read(stream).unwrap().turn().unwrap().unwrap();
        let calls: Vec<String> = turn
            .calls()
            .iter()
            .map(|call| format!("{} {} {}", call.id().unwrap_or_default(), call.tool(), call.args().raw()))
            .collect();
        assert_eq!(calls, [expected]);
    }
}

/// Reads the calls of a body as a plain client would.
fn calls_of(provider: Provider, body: &Value) -> Calls {
    match provider {
        Provider::Anthropic => items(&body["content"])
            .filter(|block| block["type"] == "tool_use")
            .map(|block| call(&block["id"], &block["name"], &block["input"]))
            .collect(),
        Provider::OpenAiChat => items(&body["choices"]).flat_map(|choice| chat_calls(&choice["message"])).collect(),
        Provider::OpenAiResponses => items(&body["output"]).filter_map(item_call).collect(),
        Provider::Gemini => items(&body["candidates"]).flat_map(gemini_calls).collect(),
        provider @ (Provider::Bedrock | Provider::Mcp | _) => unreachable!("there are no streams of {provider}"),
    }
}

fn chat_calls(message: &Value) -> Calls {
    let function = |call: &Value| {
        let function = &call["function"];
        (call["id"].clone(), function["name"].clone(), function["arguments"].clone())
    };
    let legacy =
        message.get("function_call").map(|call| (Value::Null, call["name"].clone(), call["arguments"].clone()));
    items(&message["tool_calls"]).map(function).chain(legacy).collect()
}

fn item_call(item: &Value) -> Option<(Value, Value, Value)> {
    match item["type"].as_str()? {
        "function_call" => Some(call(&item["call_id"], &item["name"], &item["arguments"])),
        "custom_tool_call" => Some(call(&item["call_id"], &item["name"], &item["input"])),
        _ => None,
    }
}

fn gemini_calls(candidate: &Value) -> Calls {
    let calls = items(&candidate["content"]["parts"]).filter_map(|part| part.get("functionCall"));
    calls.map(|made| call(&made["id"], &made["name"], &made["args"])).collect()
}

fn call(id: &Value, name: &Value, args: &Value) -> (Value, Value, Value) {
    (id.clone(), name.clone(), args.clone())
}

fn items(array: &Value) -> impl Iterator<Item = &Value> {
    array.as_array().into_iter().flatten()
}

/// Collects the calls of a stream without any of its special cases.
fn plain_walk(provider: Provider, stream: &str) -> Calls {
    let data = stream.lines().filter_map(|line| line.strip_prefix("data:"));
    let events: Vec<Value> = data.filter_map(|data| serde_json::from_str(data).ok()).collect();
    match provider {
        Provider::Anthropic => plain_anthropic(&events),
        Provider::OpenAiChat => plain_chat(&events),
        Provider::OpenAiResponses => {
            let done = events.iter().filter(|event| event["type"] == "response.output_item.done");
            done.filter_map(|event| item_call(&event["item"])).collect()
        }
        Provider::Gemini => plain_gemini(&events),
        provider @ (Provider::Bedrock | Provider::Mcp | _) => unreachable!("there are no streams of {provider}"),
    }
}

fn plain_anthropic(events: &[Value]) -> Calls {
    let mut calls: BTreeMap<u64, (Value, Value, String)> = BTreeMap::new();
    for event in events {
        let index = event["index"].as_u64().unwrap_or_default();
        for (index, block) in (0..).zip(items(&event["message"]["content"])) {
            calls.insert(index, (block["id"].clone(), block["name"].clone(), block["input"].to_string()));
        }
        let block = &event["content_block"];
        if block["type"] == "tool_use" {
            // Some begin with all that they are.
            let input = if block["input"] == json!({}) { String::new() } else { block["input"].to_string() };
            calls.insert(index, (block["id"].clone(), block["name"].clone(), input));
        }
        if let (Some(call), Some(piece)) = (calls.get_mut(&index), event["delta"]["partial_json"].as_str()) {
            call.2.push_str(piece);
        }
    }
    let input = |text: String| if text.is_empty() { json!({}) } else { serde_json::from_str(&text).unwrap() };
    calls.into_values().map(|(id, name, text)| (id, name, input(text))).collect()
}

/// One server gives every call the same index: the id tells them apart.
fn plain_chat(events: &[Value]) -> Calls {
    let mut calls: Vec<(Value, Value, Value, String)> = Vec::new();
    let choices = events.iter().flat_map(|event| items(&event["choices"]));
    for piece in choices.flat_map(|choice| items(&choice["delta"]["tool_calls"])) {
        let is_same = |call: &&mut (Value, Value, Value, String)| {
            call.0 == piece["index"] && (piece["id"].as_str().is_none_or(str::is_empty) || call.1 == piece["id"])
        };
        match calls.iter_mut().rev().find(is_same) {
            Some(call) => call.3.push_str(piece["function"]["arguments"].as_str().unwrap_or_default()),
            None => calls.push((
                piece["index"].clone(),
                piece["id"].clone(),
                piece["function"]["name"].clone(),
                piece["function"]["arguments"].as_str().unwrap_or_default().to_owned(),
            )),
        }
    }
    calls.into_iter().map(|(_, id, name, text)| (id, name, Value::from(text))).collect()
}

fn plain_gemini(events: &[Value]) -> Calls {
    let mut calls = Calls::new();
    let mut is_open = false;
    for made in events
        .iter()
        .flat_map(|event| items(&event["candidates"]))
        .flat_map(|candidate| items(&candidate["content"]["parts"]).filter_map(|part| part.get("functionCall")))
    {
        if !is_open {
            calls.push(call(&made["id"], &made["name"], &made["args"]));
        }
        is_open = made["willContinue"] == true;
        for partial in items(&made["partialArgs"]) {
            let pointer = partial["jsonPath"].as_str().unwrap().replace(['.', '['], "/").replace(['$', ']'], "");
            let args = &mut calls.last_mut().unwrap().2;
            grow(args, pointer.trim_start_matches('/').split('/'), partial["stringValue"].as_str().unwrap());
        }
    }
    calls
}

fn grow<'p>(mut value: &mut Value, steps: impl Iterator<Item = &'p str>, text: &str) {
    for step in steps {
        if let Ok(index) = step.parse::<usize>() {
            if value.is_null() {
                *value = json!([]);
            }
            let list = value.as_array_mut().unwrap();
            if list.len() == index {
                list.push(Value::Null);
            }
            value = &mut list[index];
        } else {
            value = &mut value[step];
        }
    }
    *value = Value::from(format!("{}{text}", value.as_str().unwrap_or_default()));
}
