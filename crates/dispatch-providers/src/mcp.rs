//! The [Model Context Protocol](https://modelcontextprotocol.io/specification/2025-11-25/server/tools): `tools/call`.
//!
//! A call is a JSON-RPC request of the client's, and each result a response of its own, with the request's id: the same type, the same digits. A
//! tool that does not exist is a protocol error of JSON-RPC there; whatever else goes wrong is a result that the model reads, with `isError`.
//!
//! A recorded session is an array of messages, and whatever is not about `tools/call` is left alone. A `tools/call` without an id could not be
//! answered, and is refused rather than run in silence. The ids `7` and `"7"` in one turn count as the
//! same: there are gateways that [answer one with the other](https://github.com/modelcontextprotocol/rust-sdk/issues/1017).

use std::collections::{HashMap, VecDeque};

use dispatch_core::json::{JsonPath, Kind, Node, Number};
use dispatch_core::{ErrorCode, Observation, Part, ShownPart, ToolCall, ToolResult};
use serde_json::{Value, json};

use crate::fault::{Fault, Judged, Within, expect, given, has, member, says, text_given, text_member};
use crate::shape::{Answered, Asked, Layout, Message, Shape, Told, args_in_place, object, unlike};
use crate::wire_result::{WireResult, content_of, in_place, typed_text};

const CALL: &str = "tools/call";

/// JSON-RPC's code for parameters that are not valid, among them the name of a tool.
const INVALID_PARAMS: i32 = -32602;

/// Requests say which version they speak since the version that wants every result to say what type it has.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

#[derive(Debug)]
pub(crate) struct Mcp;

impl Shape for Mcp {
    fn layout<'d>(&self, root: Node<'d>) -> Judged<Layout<'d>> {
        if root.kind() == Kind::Array {
            let mut layout = Layout::conversation(&JsonPath::root(), root)?;
            leave_other_methods(&mut layout)?;
            return Ok(layout);
        }
        if has(root, "jsonrpc") {
            return Ok(Layout::single(JsonPath::root(), root));
        }
        Err(unlike("a JSON-RPC message with `jsonrpc`, or an array of such messages"))
    }

    fn is_marked(&self, root: Node<'_>) -> bool {
        has(root, "jsonrpc") || root.elements().any(|message| has(message, "jsonrpc"))
    }

    /// Whatever is no response is the model's side of the session, so that a notification of progress does not come between a call and its result.
    fn message(&self, message: Node<'_>) -> Judged<Message> {
        expect(Kind::Object, message)?;
        if text_member(message, "jsonrpc")? != "2.0" {
            return Err(Fault::new("expected `2.0`")).within_member("jsonrpc");
        }
        let Some(method) = text_given(message, "method")? else { return response(message) };
        let mut read = Message { by_model: true, ..Message::default() };
        if method == CALL {
            read.calls.push(Asked { path: JsonPath::root(), call: call(message)? });
        }
        Ok(read)
    }

    fn answer(&self, results: &[ToolResult]) -> Vec<Value> {
        results.iter().map(answer_one).collect()
    }

    fn told(&self, response: Node<'_>) -> WireResult {
        if let Some(error) = given(response, "error") {
            let told = WireResult::of(in_place(given(error, "message")).chain(in_place(given(error, "data"))));
            return told.with_status(true).with_code(error.get("code"));
        }
        let result = response.get("result");
        let member = |name| result.and_then(|result| given(result, name));
        let is_error = member("isError").is_some_and(|is_error| is_error.kind() == Kind::True);
        let told = WireResult::of(content_of(member("content"), typed_text)).with_status(is_error);
        told.with_structured(member("structuredContent"))
    }
}

/// Takes out the responses to requests of other methods, which have ids as well.
///
/// # Errors
///
/// When a call and a request of another method have the same id while one of them waits: nothing says whose the next response is.
fn leave_other_methods(layout: &mut Layout<'_>) -> Judged<()> {
    // Of requests with the same id, the first to be asked is the first to be answered.
    let mut waiting: HashMap<(bool, String), VecDeque<(bool, &JsonPath)>> = HashMap::new();
    let mut kept = Vec::with_capacity(layout.messages.len());
    for (path, message) in &layout.messages {
        let Some((id, text)) = given(*message, "id").and_then(|id| Some((id, id_of(id).ok()?))) else {
            kept.push(true);
            continue;
        };
        // A number and a text that looks like it are two ids.
        let asked = waiting.entry((id.kind() == Kind::String, text)).or_default();
        if !has(*message, "method") {
            kept.push(asked.pop_front().is_none_or(|(is_call, _)| is_call));
            continue;
        }
        let is_call = says(*message, "method", CALL);
        if let Some((_, first)) = asked.iter().find(|(waiting, _)| *waiting != is_call) {
            let fault = Fault::new(format!("the id is that of the request at {first} too, which has no response yet"));
            return Err(fault).within_path(path);
        }
        asked.push_back((is_call, path));
        kept.push(true);
    }
    let mut kept = kept.into_iter();
    layout.messages.retain(|_| kept.next().unwrap_or(true));
    Ok(())
}

fn response(message: Node<'_>) -> Judged<Message> {
    if !has(message, "result") && !has(message, "error") {
        return Err(unlike("a request with `method`, or a response with `result` or `error`"));
    }
    // What could not be read is answered without an id, and is no call of ours.
    let id = given(message, "id").map(id_of).transpose().within_member("id")?;
    let raw = message.to_fragment();
    let answered = id.map(|id| Answered { path: JsonPath::root(), id: Some(id), tool: None, raw });
    Ok(Message { results: answered.into_iter().collect(), ..Message::default() })
}

fn call(request: Node<'_>) -> Judged<ToolCall> {
    let id = id_of(member(request, "id")?).within_member("id")?;
    let params = member(request, "params")?;
    let tool = text_member(params, "name").within_member("params")?;
    Ok(ToolCall::from_parts(Some(id), tool, args_in_place(params.get("arguments")), request.to_fragment()))
}

/// Reads an id that comes back as it was written.
fn id_of(node: Node<'_>) -> Judged<String> {
    if let Some(text) = node.as_str() {
        return Ok(text.into_owned());
    }
    if comes_back(node) {
        return Ok(node.raw().to_owned());
    }
    let found = if node.kind() == Kind::Number { node.raw() } else { node.type_name() };
    Err(Fault::new(format!("expected a string or an integer of 64 bits, found {found}")))
}

fn comes_back(node: Node<'_>) -> bool {
    match node.as_number() {
        Some(Number::Unsigned(id)) => id.to_string() == node.raw(),
        Some(Number::Negative(id)) => id.to_string() == node.raw(),
        Some(Number::Double(_)) | None => false,
    }
}

fn answer_one(result: &ToolResult) -> Value {
    let request = result.call().node();
    let id = request.get("id").map_or(Value::Null, Node::to_json);
    match result.error().and_then(|error| error.code.built_in()) {
        Some(ErrorCode::UnknownTool) => {
            let message = format!("Unknown tool: {}", result.call().tool());
            json!({"error": {"code": INVALID_PARAMS, "message": message}, "id": id, "jsonrpc": "2.0"})
        }
        _ => json!({"id": id, "jsonrpc": "2.0", "result": call_result(request, result)}),
    }
}

fn call_result(request: Node<'_>, result: &ToolResult) -> Value {
    let told = Told::of(result);
    let content: Vec<Value> = told.parts.iter().map(content_block).collect();
    let says_version =
        request.get("params").and_then(|params| params.get("_meta")).is_some_and(|meta| has(meta, VERSION));
    object([
        ("content", Some(content.into())),
        ("isError", Some(told.is_error.into())),
        ("structuredContent", structured_content(result).cloned()),
        ("resultType", says_version.then(|| "complete".into())),
    ])
}

/// An object that is all there is, and was not cut, is also given as one.
fn structured_content(result: &ToolResult) -> Option<&Value> {
    let [Part::Json(value)] = result.observation().map(Observation::parts)? else { return None };
    let is_whole = result.shown()?.truncated_from.is_none();
    Some(value).filter(|value| value.is_object() && is_whole)
}

fn content_block(part: &ShownPart<'_>) -> Value {
    match part {
        ShownPart::Text(text) => json!({"text": text, "type": "text"}),
        ShownPart::Image(image) => json!({"data": image.base64, "mimeType": image.media_type, "type": "image"}),
    }
}

#[cfg(test)]
mod tests;
