//! A plain walk over a message, which knows nothing of shapes.

use dispatch_providers::Provider;
use serde_json::Value;

/// A call as it stands in a message.
#[derive(Debug, PartialEq)]
pub(crate) struct Found {
    pub(crate) id: Option<String>,
    pub(crate) tool: String,
    pub(crate) args: String,
}

/// Returns the calls of a message of a chat, or of an item.
pub(crate) fn calls_of(provider: Provider, message: &Value) -> Vec<Found> {
    if provider == Provider::OpenAiChat { of_chat(message) } else { of_item(message).into_iter().collect() }
}

fn of_chat(message: &Value) -> Vec<Found> {
    let is_cut_off = message["finish_reason"] == "length";
    let args = |arguments: &Value| if is_cut_off && arguments == "" { String::new() } else { args(arguments) };
    let listed = message["tool_calls"].as_array().into_iter().flatten();
    let listed = listed.map(|call| found(&call["id"], &call["function"]["name"], args(&call["function"]["arguments"])));
    let legacy = &message["function_call"];
    let legacy = legacy["name"].as_str().filter(|name| !name.is_empty()).map(|_| legacy);
    listed.chain(legacy.map(|call| found(&Value::Null, &call["name"], args(&call["arguments"])))).collect()
}

fn of_item(item: &Value) -> Option<Found> {
    match item["type"].as_str()? {
        "function_call" => Some(found(&item["call_id"], &item["name"], args(&item["arguments"]))),
        "custom_tool_call" => Some(found(&item["call_id"], &item["name"], item["input"].to_string())),
        _ => None,
    }
}

fn found(id: &Value, tool: &Value, args: String) -> Found {
    Found { id: id.as_str().map(str::to_owned), tool: tool.as_str().unwrap().to_owned(), args }
}

fn args(arguments: &Value) -> String {
    match arguments.as_str() {
        Some(text) if text.trim().is_empty() => "{}".to_owned(),
        Some(text) => text.to_owned(),
        None if arguments.is_null() => "{}".to_owned(),
        None => arguments.to_string(),
    }
}

/// Returns the id that an answering message names.
pub(crate) fn id_answered_by(message: &Value) -> Option<&str> {
    message["tool_call_id"].as_str().or(message["call_id"].as_str())
}
