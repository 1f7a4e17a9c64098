//! OpenAI's [Chat Completions API](https://platform.openai.com/docs/api-reference/chat/create), which many servers speak, each with an accent.
//!
//! A call is an element of `tool_calls` in an assistant's message; each result is a message of its own with the role `tool`, whose content [is
//! text alone](https://platform.openai.com/docs/api-reference/chat/create#chat-create-messages). An older form has one call without an id, in
//! `function_call`, and answers it with the role `function`.
//!
//! The finish reason says little here: servers send `stop` beside calls, and `tool_calls` beside one that was cut off. Only where it says `length`
//! are empty arguments taken for ones that were cut off before their first letter. Nor is there a field that marks
//! a result as an error.

use dispatch_core::json::{JsonPath, Kind, Node};
use dispatch_core::{Args, ToolCall, ToolResult};
use serde_json::{Value, json};

use crate::fault::{Fault, Judged, Within, each, expect, given, has, member, says, text_member};
use crate::shape::{
    Answered, Asked, Layout, Message, Shape, args_as_text, args_as_text_cut_off, args_in_place, offers, told_as_text,
    unlike,
};
use crate::wire_result::{WireResult, content_of, typed_text};

#[derive(Debug)]
pub(crate) struct OpenAiChat;

impl Shape for OpenAiChat {
    fn layout<'d>(&self, root: Node<'d>) -> Judged<Layout<'d>> {
        if root.kind() == Kind::Array {
            return Layout::conversation(&JsonPath::root(), root);
        }
        if let Some(choices) = root.get("choices") {
            return chosen(choices).within_member("choices");
        }
        if let Some(messages) = root.get("messages") {
            return Layout::conversation(&JsonPath::root().member("messages"), messages).within_member("messages");
        }
        if has(root, "role") {
            return Ok(Layout::single(JsonPath::root(), root));
        }
        Err(unlike("a message with `role`, a response with `choices`, or a conversation with `messages`"))
    }

    fn is_marked(&self, root: Node<'_>) -> bool {
        has(root, "choices") || offers(root, |tool| has(tool, "function"))
    }

    fn message(&self, message: Node<'_>) -> Judged<Message> {
        match chosen_message(message) {
            Some(chosen) if says(message, "finish_reason", "length") => read(chosen, args_as_text_cut_off),
            Some(chosen) => read(chosen, args_as_text),
            None => return read(message, args_as_text),
        }
        .within_member("message")
        .map(|read| read.under("message"))
    }

    fn as_history(&self, message: Node<'_>) -> String {
        chosen_message(message).unwrap_or(message).raw().to_owned()
    }

    fn answer(&self, results: &[ToolResult]) -> Vec<Value> {
        results.iter().map(tool_message).collect()
    }

    fn told(&self, message: Node<'_>) -> WireResult {
        WireResult::of(content_of(message.get("content"), typed_text))
    }
}

/// Reads the arguments of a call.
type ReadArgs = fn(Option<Node<'_>>) -> Args;

/// Returns the message of a choice, which a response has around it. A message by itself has a role.
fn chosen_message(choice: Node<'_>) -> Option<Node<'_>> {
    choice.get("message").filter(|_| !has(choice, "role"))
}

fn read(message: Node<'_>, args: ReadArgs) -> Judged<Message> {
    expect(Kind::Object, message)?;
    let role = text_member(message, "role")?;
    let calls = calls(message, args)?;
    let results = result(&role, message)?.into_iter().collect();
    Message { calls, results, ..Message::default() }.in_role(&role, "assistant")
}

/// Of several choices the conversation goes on with one. Some servers give a message's text in one and its calls in the next.
fn chosen(choices: Node<'_>) -> Judged<Layout<'_>> {
    let messages = each(choices, |_, choice| member(choice, "message"))?;
    let mut asking = messages.iter().enumerate().filter(|(_, message)| asks(**message)).map(|(index, _)| index);
    let chosen = asking.next().unwrap_or_default();
    if let Some(second) = asking.next() {
        let first = format!("$.choices[{chosen}].message");
        return Err(Fault::new(format!("there are calls at {first} too: one choice can be gone on with")))
            .within_member("message")
            .within_element(second);
    }
    let path = JsonPath::root().member("choices").index(chosen);
    let choice = choices.elements().nth(chosen).map(|choice| (path, choice));
    Ok(Layout { messages: choice.into_iter().collect(), list: None })
}

fn asks(message: Node<'_>) -> bool {
    let listed = message.get("tool_calls").is_some_and(|calls| calls.elements().next().is_some());
    listed || legacy(message).is_some()
}

/// Returns the only call of the older form. Some servers send it always, with an empty name where there is no call.
fn legacy(message: Node<'_>) -> Option<Node<'_>> {
    given(message, "function_call").filter(|call| !says(*call, "name", ""))
}

fn calls(message: Node<'_>, args: ReadArgs) -> Judged<Vec<Asked>> {
    let listed = match given(message, "tool_calls") {
        Some(calls) => each(calls, |index, call| listed(index, call, args)).within_member("tool_calls")?,
        None => Vec::new(),
    };
    let mut calls: Vec<Asked> = listed.into_iter().flatten().collect();
    if let Some(call) = legacy(message) {
        calls.push(unlisted(call, args, calls.is_empty()).within_member("function_call")?);
    }
    Ok(calls)
}

/// Reads an element of `tool_calls`. The type says which it is; without one, what it holds does. Of another type it is none of ours.
fn listed(index: usize, element: Node<'_>, args: ReadArgs) -> Judged<Option<Asked>> {
    expect(Kind::Object, element)?;
    let function = given(element, "function");
    let custom = given(element, "custom").filter(|_| says(element, "type", "custom") || function.is_none());
    let id = || text_member(element, "id");
    let call = match (custom, function) {
        (Some(custom), _) => custom_call(id()?, element, custom).within_member("custom")?,
        (None, Some(function)) => function_call(Some(id()?), element, function, args).within_member("function")?,
        (None, None) if says(element, "type", "custom") => return Err(Fault::missing("custom")),
        (None, None) if given(element, "type").is_none() || says(element, "type", "function") => {
            return Err(Fault::missing("function"));
        }
        (None, None) => return Ok(None),
    };
    Ok(Some(Asked { path: JsonPath::root().member("tool_calls").index(index), call }))
}

/// Reads the call of the older form, which a message has instead of a list, never beside it: the same call twice would run twice.
fn unlisted(call: Node<'_>, args: ReadArgs, alone: bool) -> Judged<Asked> {
    expect(Kind::Object, call)?;
    if !alone {
        return Err(Fault::new("expected either `function_call` or `tool_calls`, found calls in both"));
    }
    Ok(Asked { path: JsonPath::root().member("function_call"), call: function_call(None, call, call, args)? })
}

fn function_call(id: Option<String>, raw: Node<'_>, function: Node<'_>, args: ReadArgs) -> Judged<ToolCall> {
    let tool = text_member(function, "name")?;
    Ok(ToolCall::from_parts(id, tool, args(function.get("arguments")), raw.to_fragment()))
}

/// The input is free text: as JSON it is a string, whatever is written in it.
fn custom_call(id: String, raw: Node<'_>, custom: Node<'_>) -> Judged<ToolCall> {
    let tool = text_member(custom, "name")?;
    Ok(ToolCall::from_parts(Some(id), tool, args_in_place(custom.get("input")), raw.to_fragment()))
}

fn result(role: &str, message: Node<'_>) -> Judged<Option<Answered>> {
    let (id, tool) = match role {
        "tool" => (Some(text_member(message, "tool_call_id")?), None),
        "function" => (None, Some(text_member(message, "name")?)),
        _ => return Ok(None),
    };
    Ok(Some(Answered { path: JsonPath::root(), id, tool, raw: message.to_fragment() }))
}

fn tool_message(result: &ToolResult) -> Value {
    let content = told_as_text(result);
    match result.call().id() {
        Some(id) => json!({"role": "tool", "tool_call_id": id, "content": content}),
        None => json!({"role": "function", "name": result.call().tool(), "content": content}),
    }
}

#[cfg(test)]
mod tests;
