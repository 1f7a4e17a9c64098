//! A plain walk over each provider's JSON, written without the crate.

use dispatch_providers::Provider;
use serde_json::{Value, json};

pub(crate) struct Call {
    pub(crate) id: Value,
    pub(crate) tool: String,
    pub(crate) args: String,
}

/// How a provider's JSON is walked.
pub(crate) struct Plain {
    pub(crate) provider: Provider,
    pub(crate) is_by_model: fn(&Value) -> bool,
    pub(crate) calls: fn(&Value) -> Vec<Call>,
    pub(crate) calls_of_response: fn(&Value) -> Vec<Call>,
    /// The ids of the results in a message.
    pub(crate) results: fn(&Value) -> Vec<Value>,
}

pub(crate) const ANTHROPIC: Plain = Plain {
    provider: Provider::Anthropic,
    is_by_model: |message| message["role"] == "assistant",
    calls: |message| {
        let blocks = items(&message["content"]).filter(|block| block["type"] == "tool_use");
        blocks.map(|block| call(&block["id"], &block["name"], &block["input"])).collect()
    },
    calls_of_response: |response| (ANTHROPIC.calls)(response),
    results: |message| {
        let blocks = items(&message["content"]).filter(|block| block["type"] == "tool_result");
        blocks.map(|block| block["tool_use_id"].clone()).collect()
    },
};

pub(crate) const BEDROCK: Plain = Plain {
    provider: Provider::Bedrock,
    is_by_model: |message| message["role"] == "assistant",
    calls: |message| {
        let uses = items(&message["content"]).map(|block| &block["toolUse"]);
        let ours = uses.filter(|tool_use| tool_use.is_object() && tool_use["type"] != "server_tool_use");
        ours.map(|tool_use| call(&tool_use["toolUseId"], &tool_use["name"], &tool_use["input"])).collect()
    },
    calls_of_response: |response| (BEDROCK.calls)(&response["output"]["message"]),
    results: |message| items(&message["content"]).map(|block| block["toolResult"]["toolUseId"].clone()).collect(),
};

pub(crate) const GEMINI: Plain = Plain {
    provider: Provider::Gemini,
    is_by_model: |content| content["role"] == "model",
    calls: |content| {
        let spellings = ["functionCall", "function_call"];
        let parts = items(&content["parts"]);
        let written = parts.filter_map(|part| spellings.iter().find_map(|spelling| part.get(spelling)));
        written.map(|written| call(&written["id"], &written["name"], &written["args"])).collect()
    },
    calls_of_response: |response| {
        let bodies = response.as_array().map_or(std::slice::from_ref(response), Vec::as_slice);
        let candidates = bodies.iter().flat_map(|body| items(&body["candidates"]));
        candidates.flat_map(|candidate| (GEMINI.calls)(&candidate["content"])).collect()
    },
    results: |content| items(&content["parts"]).map(|part| part["functionResponse"]["id"].clone()).collect(),
};

pub(crate) const MCP: Plain = Plain {
    provider: Provider::Mcp,
    is_by_model: |message| !message["method"].is_null(),
    calls: |message| {
        let params = &message["params"];
        let is_call = message["method"] == "tools/call";
        is_call.then(|| call(&message["id"], &params["name"], &params["arguments"])).into_iter().collect()
    },
    calls_of_response: |request| (MCP.calls)(request),
    results: |response| vec![response["id"].clone()],
};

pub(crate) fn id_text(id: &Value) -> Option<String> {
    match id {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => Some(id.to_string()),
    }
}

fn call(id: &Value, tool: &Value, args: &Value) -> Call {
    let args = if args.is_null() { &json!({}) } else { args };
    Call { id: id.clone(), tool: tool.as_str().unwrap_or_default().to_owned(), args: args.to_string() }
}

fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}
