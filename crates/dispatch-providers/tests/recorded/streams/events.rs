//! A plain walk over the events of a stream, without any of its special cases.

use std::collections::BTreeMap;

use dispatch_providers::Provider;
use serde_json::{Value, json};

use crate::support::items;
use crate::walk::{Call, plain};

/// Collects the calls of a stream.
pub(crate) fn calls(provider: Provider, stream: &str) -> Vec<Call> {
    let data = stream.lines().filter_map(|line| line.strip_prefix("data:"));
    let events: Vec<Value> = data.filter_map(|data| serde_json::from_str(data).ok()).collect();
    match provider {
        Provider::Anthropic => anthropic(&events),
        Provider::OpenAiChat => openai_chat(&events),
        Provider::OpenAiResponses => {
            let done = events.iter().filter(|event| event["type"] == "response.output_item.done");
            done.flat_map(|event| (plain(provider).calls)(&event["item"])).collect()
        }
        Provider::Gemini => gemini(&events),
        provider @ (Provider::Bedrock | Provider::Mcp | _) => unreachable!("there are no streams of {provider}"),
    }
}

fn anthropic(events: &[Value]) -> Vec<Call> {
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
    let input = |text: &str| if text.is_empty() { json!({}) } else { serde_json::from_str(text).unwrap() };
    calls.into_values().map(|(id, name, text)| Call::new(&id, &name, &input(&text))).collect()
}

/// One server gives every call the same index: the id tells them apart.
fn openai_chat(events: &[Value]) -> Vec<Call> {
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
    let calls =
        calls.into_iter().map(|(_, id, name, text)| json!({"id": id, "function": {"name": name, "arguments": text}}));
    let reasons = events.iter().flat_map(|event| items(&event["choices"])).map(|choice| &choice["finish_reason"]);
    let choice = json!({"message": {"tool_calls": calls.collect::<Value>()}, "finish_reason": reasons.filter(|reason| reason.is_string()).last()});
    (plain(Provider::OpenAiChat).calls_of_response)(&json!({"choices": [choice]}))
}

fn gemini(events: &[Value]) -> Vec<Call> {
    let mut calls: Vec<(Value, Value, Value)> = Vec::new();
    let mut is_open = false;
    for made in events
        .iter()
        .flat_map(|event| items(&event["candidates"]))
        .flat_map(|candidate| items(&candidate["content"]["parts"]).filter_map(|part| part.get("functionCall")))
    {
        if !is_open {
            calls.push((made["id"].clone(), made["name"].clone(), made["args"].clone()));
        }
        is_open = made["willContinue"] == true;
        for partial in items(&made["partialArgs"]) {
            let pointer = partial["jsonPath"].as_str().unwrap().replace(['.', '['], "/").replace(['$', ']'], "");
            let args = &mut calls.last_mut().unwrap().2;
            grow(args, pointer.trim_start_matches('/').split('/'), partial["stringValue"].as_str().unwrap());
        }
    }
    calls.iter().map(|(id, name, args)| Call::new(id, name, args)).collect()
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
