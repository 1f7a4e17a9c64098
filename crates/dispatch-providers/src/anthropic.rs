//! Anthropic's [Messages API](https://docs.claude.com/en/api/messages).
//!
//! A call is a content block `tool_use` of an assistant's message; all results go into one user message, as blocks `tool_result`. Blocks
//! `server_tool_use` and `mcp_tool_use` are calls that the provider has run itself.

use dispatch_core::json::{JsonPath, Kind, Node};
use dispatch_core::{Image, ShownPart, ToolCall, ToolResult};
use serde_json::{Value, json};

use crate::fault::{Judged, Within, each, expect, has, member, says, text_member};
use crate::shape::{
    Answered, Asked, Layout, Message, Shape, Told, args_in_place, format_of, object, offers, placeholder, unlike,
};
use crate::wire_result::{WireResult, content_of, typed_text};

/// The formats that [an image block](https://docs.claude.com/en/docs/build-with-claude/vision) may have.
const FORMATS: &[&str] = &["png", "jpeg", "gif", "webp"];

#[derive(Debug)]
pub(crate) struct Anthropic;

impl Shape for Anthropic {
    fn layout<'d>(&self, root: Node<'d>) -> Judged<Layout<'d>> {
        if root.kind() == Kind::Array {
            return Layout::conversation(&JsonPath::root(), root);
        }
        if let Some(messages) = root.get("messages") {
            return Layout::conversation(&JsonPath::root().member("messages"), messages).within_member("messages");
        }
        if has(root, "role") && has(root, "content") {
            return Ok(Layout::single(JsonPath::root(), root));
        }
        Err(unlike("a message with `role` and `content`, or a conversation with `messages`"))
    }

    fn is_marked(&self, root: Node<'_>) -> bool {
        (says(root, "type", "message") && has(root, "stop_reason")) || offers(root, |tool| has(tool, "input_schema"))
    }

    fn message(&self, message: Node<'_>) -> Judged<Message> {
        expect(Kind::Object, message)?;
        let role = text_member(message, "role")?;
        let content = member(message, "content")?;
        let mut read = Message::default();
        if content.kind() != Kind::String {
            each(content, |index, block| read.block(index, block)).within_member("content")?;
        }
        read.in_role(&role, "assistant")
    }

    /// A response body says more than the API takes back.
    fn as_history(&self, message: Node<'_>) -> String {
        let content = message.get("content").map_or("[]", Node::raw);
        let role = message.get("role").map_or("\"assistant\"", Node::raw);
        format!(r#"{{"content":{content},"role":{role}}}"#)
    }

    fn answer(&self, results: &[ToolResult]) -> Vec<Value> {
        let blocks: Vec<Value> = results.iter().map(tool_result).collect();
        vec![json!({"role": "user", "content": blocks})]
    }

    fn told(&self, block: Node<'_>) -> WireResult {
        let is_error = block.get("is_error").is_some_and(|is_error| is_error.kind() == Kind::True);
        WireResult::of(content_of(block.get("content"), typed_text)).with_status(is_error)
    }
}

impl Message {
    fn block(&mut self, index: usize, block: Node<'_>) -> Judged<()> {
        expect(Kind::Object, block)?;
        let path = || JsonPath::root().member("content").index(index);
        if says(block, "type", "tool_use") {
            self.calls.push(Asked { path: path(), call: call(block)? });
        } else if says(block, "type", "tool_result") {
            let id = Some(text_member(block, "tool_use_id")?);
            self.results.push(Answered { path: path(), id, tool: None, raw: block.to_fragment() });
        }
        Ok(())
    }
}

fn call(block: Node<'_>) -> Judged<ToolCall> {
    let (id, tool) = (text_member(block, "id")?, text_member(block, "name")?);
    Ok(ToolCall::from_parts(Some(id), tool, args_in_place(block.get("input")), block.to_fragment()))
}

/// A blank text block [is refused by the API](https://github.com/anthropics/claude-code/issues/23369), a blank text in place of the blocks is not.
fn tool_result(result: &ToolResult) -> Value {
    let told = Told::of(result);
    let content = match told.as_text() {
        Some(text) => Value::from(text),
        None => told.parts.iter().filter_map(content_block).collect(),
    };
    object([
        ("type", Some("tool_result".into())),
        ("tool_use_id", result.call().id().map(Value::from)),
        ("content", Some(content)),
        ("is_error", told.is_error.then_some(Value::Bool(true))),
    ])
}

fn content_block(part: &ShownPart<'_>) -> Option<Value> {
    let text_block = |text: &str| json!({"type": "text", "text": text});
    match part {
        ShownPart::Text(text) => (!text.trim().is_empty()).then(|| text_block(text)),
        ShownPart::Image(image) => Some(image_block(image).unwrap_or_else(|| text_block(&placeholder(image)))),
    }
}

/// Any other format is told by its media type.
fn image_block(image: &Image) -> Option<Value> {
    let media_type = format!("image/{}", format_of(image, FORMATS)?);
    let source = json!({"type": "base64", "media_type": media_type, "data": image.base64});
    Some(json!({"type": "image", "source": source}))
}

#[cfg(test)]
mod tests;
