//! OpenAI's [Responses API](https://platform.openai.com/docs/api-reference/responses/create).
//!
//! There are no messages with calls in them: calls, results, messages and reasoning are items of one list. A call is an item `function_call` or
//! `custom_tool_call`, its result an item `function_call_output` or `custom_tool_call_output` with the same `call_id`. The `id` of an item is another
//! one, and pairs nothing. A call of a tool in a namespace, or of one that was found by a search, is a call like others: its `name` is the tool's, and its
//! result says no namespace.
//!
//! Every other item is left alone. Most are calls that the provider runs itself (`web_search_call`, `mcp_call`, `tool_search_call`); those that it
//! leaves to its client under a protocol of their own (`computer_call`, `local_shell_call`, `apply_patch_call`, `mcp_approval_request`) are that
//! client's to answer. There is no field that marks a result as an error.

use dispatch_core::json::{JsonPath, Kind, Node};
use dispatch_core::{Args, Image, ShownPart, ToolCall, ToolResult};
use serde_json::{Value, json};

use crate::fault::{Fault, Judged, Within, expect, has, says, text_given, text_member};
use crate::reported;
use crate::shape::{
    Answered, Asked, Layout, Message, Shape, Told, args_as_text, args_as_text_cut_off, args_in_place, format_of,
    placeholder, unlike,
};
use crate::wire_result::{WireResult, content_of, typed_text};

#[derive(Debug)]
pub(crate) struct OpenAiResponses;

/// The formats that [an input image](https://platform.openai.com/docs/guides/images-vision#image-input-requirements) may have.
const FORMATS: &[&str] = &["png", "jpeg", "gif", "webp"];

/// The names under which xAI lists the [searches of X](https://docs.x.ai/docs/guides/tools/search-tools) that it has run. They are written as
/// custom calls, which it has no others of.
const RUN_BY_XAI: &[&str] = &["x_keyword_search", "x_semantic_search", "x_thread_fetch", "x_user_search"];

impl Shape for OpenAiResponses {
    fn layout<'d>(&self, root: Node<'d>) -> Judged<Layout<'d>> {
        if root.kind() == Kind::Array {
            return Layout::conversation(&JsonPath::root(), root);
        }
        if is_item(root) {
            return Ok(Layout::single(JsonPath::root(), root));
        }
        if let Some(output) = root.get("output") {
            has_ended(root)?;
            return Layout::response(&JsonPath::root().member("output"), output).within_member("output");
        }
        match root.get("input") {
            Some(input) if input.kind() == Kind::String => Ok(Layout { messages: Vec::new(), list: None }),
            Some(input) => Layout::conversation(&JsonPath::root().member("input"), input).within_member("input"),
            None => Err(unlike("an item with `type`, a response with `output`, or a conversation with `input`")),
        }
    }

    fn is_marked(&self, root: Node<'_>) -> bool {
        root.get("output").is_some_and(|output| output.kind() == Kind::Array) || has(root, "input")
    }

    /// Only results of the two kinds, and what people and programs say, end the model's turn. The outputs of the provider's own tools stand among calls
    /// that wait.
    fn message(&self, item: Node<'_>) -> Judged<Message> {
        expect(Kind::Object, item)?;
        let result = result(item)?;
        let by_model = result.is_none();
        let read = Message {
            by_model,
            calls: call(item)?.into_iter().map(|call| Asked { path: JsonPath::root(), call }).collect(),
            results: result.into_iter().collect(),
        };
        match text_given(item, "role")? {
            Some(role) if by_model => read.in_role(&role, "assistant"),
            _ => Ok(read),
        }
    }

    fn answer(&self, results: &[ToolResult]) -> Vec<Value> {
        results.iter().map(output_item).collect()
    }

    fn told(&self, item: Node<'_>) -> WireResult {
        WireResult::of(content_of(item.get("output"), typed_text))
    }
}

/// The [statuses](https://platform.openai.com/docs/api-reference/responses/object) of a response that is not gone on with: it did not come to its
/// end, or has yet to. The calls of one that has yet to stand there again when it is asked for again.
const NOT_ENDED: &[&str] = &["failed", "cancelled", "queued", "in_progress"];

fn has_ended(response: Node<'_>) -> Judged<()> {
    match response.get("status").and_then(Node::as_str) {
        Some(status) if NOT_ENDED.contains(&status.as_ref()) => {
            let unexplained = || Fault::new(format!("expected a response to go on with, found one that is `{status}`"));
            reported::in_body(response).map_or_else(|| Err(unexplained()).within_member("status"), Err)
        }
        _ => Ok(()),
    }
}

/// Returns whether a text is an item by itself. An event of a stream has a `type` too, and so have other APIs' errors.
fn is_item(node: Node<'_>) -> bool {
    let kind = node.get("type").and_then(Node::as_str);
    has(node, "role") || kind.is_some_and(|kind| kind == "message" || kind == "reasoning" || is_paired(&kind))
}

fn is_paired(kind: &str) -> bool {
    matches!(kind, "function_call" | "function_call_output" | "custom_tool_call" | "custom_tool_call_output")
}

fn call(item: Node<'_>) -> Judged<Option<ToolCall>> {
    let is_function = says(item, "type", "function_call");
    if !is_function && !is_custom_call(item) {
        return Ok(None);
    }
    let tool = text_member(item, "name")?;
    if !is_function && RUN_BY_XAI.contains(&tool.as_str()) {
        return Ok(None);
    }
    let args = if is_function { function_args(item) } else { args_in_place(item.get("input")) };
    Ok(Some(ToolCall::from_parts(Some(text_member(item, "call_id")?), tool, args, item.to_fragment())))
}

fn is_custom_call(item: Node<'_>) -> bool {
    says(item, "type", "custom_tool_call")
}

/// No text means no arguments, but not in a call that says of itself that it was cut off.
fn function_args(item: Node<'_>) -> Args {
    let read = if was_cut_off(item) { args_as_text_cut_off } else { args_as_text };
    read(item.get("arguments"))
}

fn was_cut_off(item: Node<'_>) -> bool {
    says(item, "status", "incomplete") || says(item, "status", "in_progress")
}

fn result(item: Node<'_>) -> Judged<Option<Answered>> {
    if !says(item, "type", "function_call_output") && !says(item, "type", "custom_tool_call_output") {
        return Ok(None);
    }
    let id = Some(text_member(item, "call_id")?);
    Ok(Some(Answered { path: JsonPath::root(), id, tool: None, raw: item.to_fragment() }))
}

fn output_item(result: &ToolResult) -> Value {
    let kind = if is_custom_call(result.call().node()) { "custom_tool_call_output" } else { "function_call_output" };
    json!({"type": kind, "call_id": result.call().id(), "output": output(&Told::of(result))})
}

fn output(told: &Told<'_>) -> Value {
    match told.as_text() {
        Some(text) => text.into(),
        None => told.parts.iter().map(content_part).collect(),
    }
}

fn content_part(part: &ShownPart<'_>) -> Value {
    let text_part = |text: &str| json!({"type": "input_text", "text": text});
    match part {
        ShownPart::Text(text) => text_part(text),
        ShownPart::Image(image) => image_part(image).unwrap_or_else(|| text_part(&placeholder(image))),
    }
}

/// Any other format is told by its media type.
fn image_part(image: &Image) -> Option<Value> {
    let format = format_of(image, FORMATS)?;
    Some(json!({"type": "input_image", "image_url": format!("data:image/{format};base64,{}", image.base64)}))
}

#[cfg(test)]
mod tests;
