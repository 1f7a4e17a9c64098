//! A plain walk over each provider's JSON, written without the crate.

use dispatch_core::ToolCall;
use dispatch_providers::{Provider, Turn};
use serde_json::{Value, json};

use crate::support::items;

/// A call as it stands in a message.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    pub(crate) id: Value,
    pub(crate) tool: String,
    /// The arguments as text, as they are to be judged.
    pub(crate) args: String,
}

/// What is read of a call: the id, the tool, the arguments.
pub(crate) type Read = (Option<String>, String, String);

impl Call {
    /// A call whose arguments are JSON.
    pub(crate) fn new(id: &Value, tool: &Value, args: &Value) -> Self {
        let args = if args.is_null() { &json!({}) } else { args };
        Self { id: id.clone(), tool: tool.as_str().unwrap_or_default().to_owned(), args: args.to_string() }
    }

    /// A call whose arguments are JSON within a text. Some servers leave the text away.
    pub(crate) fn of_text(id: &Value, tool: &Value, args: &Value) -> Self {
        match args.as_str() {
            Some(text) if text.trim().is_empty() => Self::new(id, tool, &Value::Null),
            Some(text) => Self { args: text.to_owned(), ..Self::new(id, tool, &Value::Null) },
            None => Self::new(id, tool, args),
        }
    }

    /// Returns what is to be read of it.
    pub(crate) fn read(&self) -> Read {
        let id = match &self.id {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            id @ (Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => Some(id.to_string()),
        };
        (id, self.tool.clone(), self.args.clone())
    }
}

/// Returns what the crate read of a turn's calls.
pub(crate) fn read(turn: Option<&Turn>) -> Vec<Read> {
    let read = |call: &ToolCall| (call.id().map(str::to_owned), call.tool().to_owned(), call.args().raw().to_owned());
    turn.into_iter().flat_map(Turn::calls).map(read).collect()
}

/// How a provider's JSON is walked.
#[derive(Debug)]
pub(crate) struct Plain {
    pub(crate) provider: Provider,
    pub(crate) is_by_model: fn(&Value) -> bool,
    pub(crate) calls: fn(&Value) -> Vec<Call>,
    pub(crate) calls_of_response: fn(&Value) -> Vec<Call>,
    /// The ids of the results in a message.
    pub(crate) results: fn(&Value) -> Vec<Value>,
}

pub(crate) fn plain(provider: Provider) -> &'static Plain {
    let all = [&ANTHROPIC, &OPENAI_CHAT, &OPENAI_RESPONSES, &GEMINI, &BEDROCK, &MCP];
    all.into_iter().find(|plain| plain.provider == provider).unwrap()
}

impl Plain {
    /// Returns the calls after the last message that is not the model's.
    pub(crate) fn waiting(&self, messages: &[Value]) -> Vec<Call> {
        let start = messages.iter().rposition(|message| !(self.is_by_model)(message)).map_or(0, |last| last + 1);
        messages[start..].iter().flat_map(self.calls).collect()
    }
}

const ANTHROPIC: Plain = Plain {
    provider: Provider::Anthropic,
    is_by_model: |message| message["role"] == "assistant",
    calls: |message| {
        let blocks = items(&message["content"]).filter(|block| block["type"] == "tool_use");
        blocks.map(|block| Call::new(&block["id"], &block["name"], &block["input"])).collect()
    },
    calls_of_response: |response| (ANTHROPIC.calls)(response),
    results: |message| {
        let blocks = items(&message["content"]).filter(|block| block["type"] == "tool_result");
        blocks.map(|block| block["tool_use_id"].clone()).collect()
    },
};

const OPENAI_CHAT: Plain = Plain {
    provider: Provider::OpenAiChat,
    is_by_model: |message| message["role"] == "assistant",
    calls: |message| {
        let listed = items(&message["tool_calls"]).map(|call| (&call["id"], &call["function"]));
        let legacy = &message["function_call"];
        let legacy = legacy["name"].as_str().filter(|name| !name.is_empty()).map(|_| (&Value::Null, legacy));
        let calls = listed.chain(legacy);
        calls.map(|(id, function)| Call::of_text(id, &function["name"], &function["arguments"])).collect()
    },
    calls_of_response: |response| items(&response["choices"]).flat_map(calls_of_choice).collect(),
    results: |message| vec![message["tool_call_id"].clone()],
};

/// An answer that was cut off before the arguments began has none.
fn calls_of_choice(choice: &Value) -> Vec<Call> {
    let mut calls = (OPENAI_CHAT.calls)(&choice["message"]);
    let listed = items(&choice["message"]["tool_calls"]);
    for (call, _) in calls.iter_mut().zip(listed).filter(|(_, listed)| listed["function"]["arguments"] == "") {
        if choice["finish_reason"] == "length" {
            call.args.clear();
        }
    }
    calls
}

const OPENAI_RESPONSES: Plain = Plain {
    provider: Provider::OpenAiResponses,
    is_by_model: |item| {
        let is_output = ["function_call_output", "custom_tool_call_output"].iter().any(|kind| item["type"] == *kind);
        !is_output && item["role"].as_str().is_none_or(|role| role == "assistant")
    },
    calls: |item| match item["type"].as_str() {
        Some("function_call") => vec![Call::of_text(&item["call_id"], &item["name"], &item["arguments"])],
        Some("custom_tool_call") => vec![Call::new(&item["call_id"], &item["name"], &item["input"])],
        _ => Vec::new(),
    },
    calls_of_response: |response| items(&response["output"]).flat_map(OPENAI_RESPONSES.calls).collect(),
    results: |item| vec![item["call_id"].clone()],
};

const BEDROCK: Plain = Plain {
    provider: Provider::Bedrock,
    is_by_model: |message| message["role"] == "assistant",
    calls: |message| {
        let uses = items(&message["content"]).map(|block| &block["toolUse"]);
        let ours = uses.filter(|tool_use| tool_use.is_object() && tool_use["type"] != "server_tool_use");
        ours.map(|tool_use| Call::new(&tool_use["toolUseId"], &tool_use["name"], &tool_use["input"])).collect()
    },
    calls_of_response: |response| (BEDROCK.calls)(&response["output"]["message"]),
    results: |message| items(&message["content"]).map(|block| block["toolResult"]["toolUseId"].clone()).collect(),
};

const GEMINI: Plain = Plain {
    provider: Provider::Gemini,
    is_by_model: |content| content["role"] == "model",
    calls: |content| {
        let spellings = ["functionCall", "function_call"];
        let parts = items(&content["parts"]);
        let written = parts.filter_map(|part| spellings.iter().find_map(|spelling| part.get(spelling)));
        written.map(|written| Call::new(&written["id"], &written["name"], &written["args"])).collect()
    },
    calls_of_response: |response| {
        let bodies = response.as_array().map_or(std::slice::from_ref(response), Vec::as_slice);
        let candidates = bodies.iter().flat_map(|body| items(&body["candidates"]));
        candidates.flat_map(|candidate| (GEMINI.calls)(&candidate["content"])).collect()
    },
    results: |content| items(&content["parts"]).map(|part| part["functionResponse"]["id"].clone()).collect(),
};

const MCP: Plain = Plain {
    provider: Provider::Mcp,
    is_by_model: |message| !message["method"].is_null(),
    calls: |message| {
        let params = &message["params"];
        let is_call = message["method"] == "tools/call";
        is_call.then(|| Call::new(&message["id"], &params["name"], &params["arguments"])).into_iter().collect()
    },
    calls_of_response: |request| (MCP.calls)(request),
    results: |response| vec![response["id"].clone()],
};
