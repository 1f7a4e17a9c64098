//! Conversations in short, for tests.
//!
//! Each word is a message, each part of it between `+` a block. `?a` is a call with the id `a`, `!a` its result; `?` and `!` are those of a call without an
//! id. The tool is `ls`, else it stands after a dot: `?a.cat`. `!.` names none. A message with a call is the model's, and so is `said`.

use serde_json::{Value, json};

use crate::Provider;

/// Writes a conversation in a provider's shape, or nothing where it has no such thing.
pub(crate) fn written(provider: Provider, words: &str) -> String {
    let messages: Vec<Value> = words.split_whitespace().flat_map(|word| message(provider, word)).collect();
    serde_json::to_string(&messages).unwrap()
}

fn message(provider: Provider, word: &str) -> Vec<Value> {
    let parts: Vec<&str> = word.split('+').collect();
    let by_model = word.contains('?') || word == "said";
    let blocks = || -> Value { parts.iter().map(|part| block(provider, part)).collect() };
    match provider {
        Provider::Anthropic | Provider::Bedrock => {
            vec![json!({"role": if by_model { "assistant" } else { "user" }, "content": blocks()})]
        }
        Provider::Gemini => vec![json!({"role": if by_model { "model" } else { "user" }, "parts": blocks()})],
        Provider::OpenAiChat if word.contains('?') => {
            let calls = parts.iter().filter(|part| part.starts_with('?'));
            let calls: Value = calls.map(|part| block(provider, part)).collect();
            vec![json!({"role": "assistant", "content": null, "tool_calls": calls})]
        }
        Provider::OpenAiChat | Provider::OpenAiResponses | Provider::Mcp => {
            parts.iter().map(|part| block(provider, part)).collect()
        }
    }
}

fn block(provider: Provider, part: &str) -> Value {
    let (kind, id) = part.split_at(1);
    let (id, tool) = id.split_once('.').unwrap_or((id, "ls"));
    match (provider, kind) {
        (Provider::Anthropic, "?") => json!({"type": "tool_use", "id": id, "name": tool, "input": {}}),
        (Provider::Anthropic, "!") => json!({"type": "tool_result", "tool_use_id": id, "content": "x"}),
        (Provider::Anthropic, _) => json!({"type": "text", "text": part}),
        (Provider::Bedrock, "?") => json!({"toolUse": {"toolUseId": id, "name": tool, "input": {}}}),
        (Provider::Bedrock, "!") => json!({"toolResult": {"toolUseId": id, "content": [{"text": "x"}]}}),
        (Provider::Gemini, "?") => json!({"functionCall": {"id": given(id), "name": tool, "args": {}}}),
        (Provider::Gemini, "!") => json!({"functionResponse": {"id": given(id), "name": given(tool), "response": {}}}),
        (Provider::Bedrock | Provider::Gemini, _) => json!({"text": part}),
        (Provider::OpenAiChat, "?") => {
            json!({"id": id, "type": "function", "function": {"name": tool, "arguments": "{}"}})
        }
        (Provider::OpenAiChat, "!") => json!({"role": "tool", "tool_call_id": id, "content": "x"}),
        (Provider::OpenAiResponses, "?") => {
            json!({"type": "function_call", "call_id": id, "name": tool, "arguments": "{}"})
        }
        (Provider::OpenAiResponses, "!") => json!({"type": "function_call_output", "call_id": id, "output": "x"}),
        (Provider::OpenAiChat | Provider::OpenAiResponses, _) => {
            json!({"role": if part == "said" { "assistant" } else { "user" }, "content": part})
        }
        (Provider::Mcp, "?") => {
            json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": {}}})
        }
        (Provider::Mcp, "!") => json!({"jsonrpc": "2.0", "id": id, "result": {"content": []}}),
        (Provider::Mcp, _) => json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": part}}),
    }
}

/// A member that is null is not given.
fn given(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// Reads a conversation back into words. A result that says that its call was interrupted is `~a`.
pub(crate) fn shortened(provider: Provider, text: &str) -> String {
    let conversation = provider.read(text.into()).unwrap();
    let messages: Vec<Value> = serde_json::from_str(text).unwrap();
    let read = messages.iter().map(|message| {
        let blocks = ["content", "parts", "tool_calls"].iter().find_map(|list| message[*list].as_array());
        let blocks = blocks.cloned().unwrap_or_else(|| vec![message.clone()]);
        blocks.iter().map(word_of).collect::<Vec<_>>().join("+")
    });
    assert_eq!(conversation.provider(), provider);
    read.collect::<Vec<_>>().join(" ")
}

const IDS: &[&str] = &[
    "/tool_use_id",
    "/toolResult/toolUseId",
    "/toolUse/toolUseId",
    "/tool_call_id",
    "/call_id",
    "/functionResponse/id",
    "/functionCall/id",
    "/id",
];

const TOOLS: &[&str] =
    &["/name", "/toolUse/name", "/functionCall/name", "/functionResponse/name", "/function/name", "/params/name"];

fn word_of(block: &Value) -> String {
    let text = block.to_string();
    let first = |places: &[&str]| places.iter().find_map(|place| block.pointer(place)?.as_str());
    let (id, tool) = (first(IDS).unwrap_or_default(), first(TOOLS));
    let is_call =
        ["tool_use\"", "toolUse\"", "\"functionCall\"", "\"arguments\""].iter().any(|mark| text.contains(mark));
    let is_result = ["tool_result\"", "\"toolResult\"", "\"functionResponse\"", "\"tool\"", "_output\"", "\"result\""];
    let of_tool = match tool {
        Some("ls") => String::new(),
        Some(tool) => format!(".{tool}"),
        None if text.contains("functionResponse") => ".".to_owned(),
        None => String::new(),
    };
    if is_call {
        return format!("?{id}{of_tool}");
    }
    if is_result.iter().any(|mark| text.contains(mark)) {
        let kind = if text.contains("outcome_unknown") { '~' } else { '!' };
        return format!("{kind}{id}{of_tool}");
    }
    first(&["/text", "/content", "/params/data"]).unwrap_or_default().to_owned()
}
