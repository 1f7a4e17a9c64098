//! Conversations in short, for tests.
//!
//! Each word is a message, each part of it between `+` a block. `?a` is a call with the id `a`, `!a` its result; `?` and `!` are those of a call without an
//! id. A message with a call is the model's, and so is `said`.

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
    match (provider, kind) {
        (Provider::Anthropic, "?") => json!({"type": "tool_use", "id": id, "name": "ls", "input": {}}),
        (Provider::Anthropic, "!") => json!({"type": "tool_result", "tool_use_id": id, "content": "x"}),
        (Provider::Anthropic, _) => json!({"type": "text", "text": part}),
        (Provider::Bedrock, "?") => json!({"toolUse": {"toolUseId": id, "name": "ls", "input": {}}}),
        (Provider::Bedrock, "!") => json!({"toolResult": {"toolUseId": id, "content": [{"text": "x"}]}}),
        (Provider::Gemini, "?") if id.is_empty() => json!({"functionCall": {"name": "ls", "args": {}}}),
        (Provider::Gemini, "!") if id.is_empty() => json!({"functionResponse": {"name": "ls", "response": {}}}),
        (Provider::Gemini, "?") => json!({"functionCall": {"id": id, "name": "ls", "args": {}}}),
        (Provider::Gemini, "!") => json!({"functionResponse": {"id": id, "name": "ls", "response": {}}}),
        (Provider::Bedrock | Provider::Gemini, _) => json!({"text": part}),
        (Provider::OpenAiChat, "?") => {
            json!({"id": id, "type": "function", "function": {"name": "ls", "arguments": "{}"}})
        }
        (Provider::OpenAiChat, "!") => json!({"role": "tool", "tool_call_id": id, "content": "x"}),
        (Provider::OpenAiResponses, "?") => {
            json!({"type": "function_call", "call_id": id, "name": "ls", "arguments": "{}"})
        }
        (Provider::OpenAiResponses, "!") => json!({"type": "function_call_output", "call_id": id, "output": "x"}),
        (Provider::OpenAiChat | Provider::OpenAiResponses, _) => {
            json!({"role": if part == "said" { "assistant" } else { "user" }, "content": part})
        }
        (Provider::Mcp, "?") => {
            json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "ls", "arguments": {}}})
        }
        (Provider::Mcp, "!") => json!({"jsonrpc": "2.0", "id": id, "result": {"content": []}}),
        (Provider::Mcp, _) => json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": part}}),
    }
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

fn word_of(block: &Value) -> String {
    let text = block.to_string();
    let id = IDS.iter().find_map(|id| block.pointer(id)?.as_str()).unwrap_or_default();
    let is_call =
        ["tool_use\"", "toolUse\"", "\"functionCall\"", "\"arguments\""].iter().any(|mark| text.contains(mark));
    let is_result = ["tool_result\"", "\"toolResult\"", "\"functionResponse\"", "\"tool\"", "_output\"", "\"result\""];
    if is_call {
        return format!("?{id}");
    }
    if is_result.iter().any(|mark| text.contains(mark)) {
        return if text.contains("outcome_unknown") { format!("~{id}") } else { format!("!{id}") };
    }
    let said = ["/text", "/content", "/params/data"].iter().find_map(|said| block.pointer(said)?.as_str());
    said.unwrap_or_default().to_owned()
}
