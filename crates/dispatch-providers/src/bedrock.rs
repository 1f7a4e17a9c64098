//! Amazon Bedrock's [Converse API](https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html).
//!
//! A call is a content block [`toolUse`](https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html) of an assistant's
//! message; all results go into one user message, as blocks `toolResult`. A `toolUse` of type `server_tool_use` is a call that the provider has run
//! itself, and a `toolResult` in the assistant's own message is its result.

use std::borrow::Cow;

use dispatch_core::json::{JsonPath, Kind, Node};
use dispatch_core::{Image, ShownPart, ToolCall, ToolResult};
use serde_json::{Value, json};

use crate::fault::{Judged, Within, each, expect, given, has, member, says, text_member};
use crate::shape::{
    Answered, Asked, Layout, Message, Shape, Told, args_in_place, format_of, object, placeholder, unlike,
};
use crate::wire_result::{WireResult, content_of};

/// The formats that an [image block](https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ImageBlock.html) may have.
const FORMATS: &[&str] = &["png", "jpeg", "gif", "webp"];

#[derive(Debug)]
pub(crate) struct Bedrock;

impl Shape for Bedrock {
    fn layout<'d>(&self, root: Node<'d>) -> Judged<Layout<'d>> {
        if root.kind() == Kind::Array {
            return Layout::conversation(&JsonPath::root(), root);
        }
        if let Some(messages) = root.get("messages") {
            return Layout::conversation(&JsonPath::root().member("messages"), messages).within_member("messages");
        }
        if let Some(output) = root.get("output") {
            let message = member(output, "message").within_member("output")?;
            return Ok(Layout::single(JsonPath::root().member("output").member("message"), message));
        }
        if has(root, "role") && has(root, "content") {
            return Ok(Layout::single(JsonPath::root(), root));
        }
        Err(unlike("a response with `output`, a message with `role` and `content`, or a conversation with `messages`"))
    }

    fn is_marked(&self, root: Node<'_>) -> bool {
        let is_request = ["modelId", "inferenceConfig", "toolConfig"].iter().any(|member| has(root, member));
        is_request || root.get("output").is_some_and(|output| has(output, "message"))
    }

    fn message(&self, message: Node<'_>) -> Judged<Message> {
        expect(Kind::Object, message)?;
        let role = text_member(message, "role")?;
        let mut read = Message { by_model: role == "assistant", ..Message::default() };
        let content = member(message, "content")?;
        each(content, |index, block| read.content_block(index, block)).within_member("content")?;
        read.in_role(&role, "assistant")
    }

    fn answer(&self, results: &[ToolResult]) -> Vec<Value> {
        let blocks: Vec<Value> = results.iter().map(tool_result).collect();
        vec![json!({"role": "user", "content": blocks})]
    }

    fn told(&self, result: Node<'_>) -> WireResult {
        WireResult::of(content_of(result.get("content"), text_of)).with_status(says(result, "status", "error"))
    }
}

impl Message {
    fn content_block(&mut self, index: usize, block: Node<'_>) -> Judged<()> {
        expect(Kind::Object, block)?;
        let path = || JsonPath::root().member("content").index(index);
        if let Some(tool_use) = given(block, "toolUse").filter(|tool_use| !says(*tool_use, "type", "server_tool_use")) {
            self.calls.push(Asked { path: path(), call: call(tool_use).within_member("toolUse")? });
        } else if let Some(result) = given(block, "toolResult").filter(|_| !self.by_model) {
            let id = Some(text_member(result, "toolUseId").within_member("toolResult")?);
            self.results.push(Answered { path: path(), id, tool: None, raw: result.to_fragment() });
        }
        Ok(())
    }
}

fn call(tool_use: Node<'_>) -> Judged<ToolCall> {
    let (id, tool) = (text_member(tool_use, "toolUseId")?, text_member(tool_use, "name")?);
    Ok(ToolCall::from_parts(Some(id), tool, args_in_place(tool_use.get("input")), tool_use.to_fragment()))
}

/// Only some models take a status, so one is given where it says something: that the call failed.
fn tool_result(result: &ToolResult) -> Value {
    let told = Told::of(result);
    let content: Vec<Value> = match told.as_text() {
        Some(text) => vec![text_block(text)],
        None => told.parts.iter().map(content_block).collect(),
    };
    let block = object([
        ("toolUseId", result.call().id().map(Value::from)),
        ("content", Some(content.into())),
        ("status", told.is_error.then(|| "error".into())),
    ]);
    json!({"toolResult": block})
}

fn content_block(part: &ShownPart<'_>) -> Value {
    match part {
        ShownPart::Text(text) => text_block(text),
        ShownPart::Image(image) => image_block(image),
    }
}

/// [A blank text is refused](https://github.com/langchain-ai/langchain-aws/issues/403), and so is
/// [no content at all](https://github.com/strands-agents/harness-sdk/issues/2122), by some models. As JSON it is told to the letter.
fn text_block(text: &str) -> Value {
    if text.trim().is_empty() { json!({"json": {"output": text}}) } else { json!({"text": text}) }
}

/// Reads a block that tells a text, in whichever of the two ways.
fn text_of(block: Node<'_>) -> Option<String> {
    let told_as_json = || block.get("json").filter(|json| json.members().count() == 1)?.get("output")?.as_str();
    let text = block.get("text").and_then(Node::as_str);
    let text = text.or_else(|| told_as_json().filter(|text| text.trim().is_empty()));
    text.map(Cow::into_owned)
}

/// Any other format is told by its media type.
fn image_block(image: &Image) -> Value {
    match format_of(image, FORMATS) {
        Some(format) => json!({"image": {"format": format, "source": {"bytes": image.base64}}}),
        None => text_block(&placeholder(image)),
    }
}

#[cfg(test)]
mod tests;
