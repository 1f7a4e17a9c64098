//! Google's [Gemini API](https://ai.google.dev/api/generate-content), `generateContent`.
//!
//! A call is a part `functionCall` of a content of the model's; all results go into one content of the user's, as parts `functionResponse`, their text
//! under [`output` or `error`](https://ai.google.dev/api/caching#FunctionResponse). Most calls have no id, and are paired by tool and position. Google's own
//! clients write members in snake case too. Parts `executableCode` and `toolCall` are what the provider runs itself.

use dispatch_core::json::{JsonPath, Kind, Node};
use dispatch_core::{ShownPart, ToolCall, ToolResult};
use serde_json::{Value, json};

use crate::fault::{Fault, Judged, Within, each, expect, given, has, member, text_given, text_member};
use crate::shape::{
    Answered, Asked, Layout, Message, Shape, Told, args_in_place, format_of, object, told_as_text, unlike,
};
use crate::wire_result::{WireResult, in_place};

/// The role of what the model says.
const MODEL: &str = "model";

/// The images that [a function's response](https://ai.google.dev/gemini-api/docs/function-calling#multimodal) may bring, from Gemini 3 on.
const FORMATS: &[&str] = &["png", "jpeg", "webp"];

#[derive(Debug)]
pub(crate) struct Gemini;

impl Shape for Gemini {
    fn layout<'d>(&self, root: Node<'d>) -> Judged<Layout<'d>> {
        if root.kind() == Kind::Array {
            return conversation(&JsonPath::root(), root);
        }
        if let Some(contents) = root.get("contents") {
            return conversation(&JsonPath::root().member("contents"), contents).within_member("contents");
        }
        if is_response(root) {
            let messages = content_of_response(root)?;
            return Ok(Layout { messages: messages.into_iter().collect(), list: None });
        }
        if has(root, "parts") {
            return Ok(Layout::single(JsonPath::root(), root));
        }
        Err(unlike("a response with `candidates`, a content with `parts`, or a conversation with `contents`"))
    }

    fn is_marked(&self, root: Node<'_>) -> bool {
        has(root, "candidates") || has(root, "contents")
    }

    /// Of a content without a role, only what it holds says whose it is.
    fn message(&self, content: Node<'_>) -> Judged<Message> {
        expect(Kind::Object, content)?;
        let role = text_given(content, "role")?;
        let parts = member(content, "parts")?;
        let mut read = Message::default();
        each_part(parts, |place, part| read.part(place, part)).within_member("parts")?;
        match role {
            Some(role) => read.in_role(&role, MODEL),
            None => Ok(Message { by_model: !read.calls.is_empty(), ..read }),
        }
    }

    /// A response may leave out the role, a conversation may not.
    fn as_history(&self, content: Node<'_>) -> String {
        if given(content, "role").is_some() {
            return content.raw().to_owned();
        }
        let parts = content.get("parts").map_or("[]", Node::raw);
        format!(r#"{{"parts":{parts},"role":"{MODEL}"}}"#)
    }

    fn answer(&self, results: &[ToolResult]) -> Vec<Value> {
        let parts: Vec<Value> = results.iter().map(function_response).collect();
        vec![json!({"parts": parts, "role": "user"})]
    }

    /// A response that is more than `output` or `error`, or something else, is as a whole what the function gave.
    fn told(&self, result: Node<'_>) -> WireResult {
        let response = given(result, "response");
        let member = |name| response.and_then(|response| given(response, name));
        let only = response.filter(|response| response.members().count() == 1);
        let told = only.and(member("output").or(member("error"))).or(response);
        let media = result.get("parts").into_iter().flat_map(Node::elements).map(media);
        WireResult::of(in_place(told).chain(media)).with_status(member("error").is_some())
    }
}

impl Message {
    fn part(&mut self, place: Option<usize>, part: Node<'_>) -> Judged<()> {
        expect(Kind::Object, part)?;
        if let Some((name, written)) = function_call(part) {
            let call = call(written).within_member(name)?;
            self.calls.push(Asked { path: path_of(place), call });
        } else if let Some((name, written)) = either(part, "functionResponse", "function_response") {
            let read = |member| text_given(written, member).within_member(name);
            let (id, tool) = (read("id")?, read("name")?);
            self.results.push(Answered { path: path_of(place), id, tool, raw: written.to_fragment() });
        }
        Ok(())
    }
}

fn is_response(root: Node<'_>) -> bool {
    ["candidates", "promptFeedback", "usageMetadata"].into_iter().any(|member| has(root, member))
}

/// A list with one element may be written as the element, as in Google's own examples.
fn conversation<'d>(path: &JsonPath, contents: Node<'d>) -> Judged<Layout<'d>> {
    if contents.kind() == Kind::Object {
        return Ok(Layout::single(path.clone(), contents));
    }
    Layout::conversation(path, contents)
}

/// Finds the content that the conversation goes on with: that of the candidate with calls, else the first. A response that was blocked has none.
fn content_of_response(response: Node<'_>) -> Judged<Option<(JsonPath, Node<'_>)>> {
    let Some(candidates) = given(response, "candidates") else { return Ok(None) };
    expect(Kind::Array, candidates).within_member("candidates")?;
    let written =
        candidates.elements().map(|candidate| given(candidate, "content").filter(|content| has(*content, "parts")));
    let contents: Vec<_> = written.enumerate().filter_map(|(index, content)| Some((index, content?))).collect();
    let calling: Vec<_> = contents.iter().filter(|(_, content)| has_calls(*content)).collect();
    if let [_, _, ..] = calling.as_slice() {
        let message =
            format!("expected one candidate with calls, found {}: a conversation goes on with one", calling.len());
        return Err(Fault::new(message)).within_member("candidates");
    }
    let chosen = calling.first().copied().or(contents.first());
    Ok(chosen.map(|(index, content)| (JsonPath::root().member("candidates").index(*index).member("content"), *content)))
}

fn has_calls(content: Node<'_>) -> bool {
    content.get("parts").is_some_and(|parts| parts.elements().any(|part| function_call(part).is_some()))
}

/// Reads each part. The only one may stand without the list around it.
fn each_part<'d>(parts: Node<'d>, mut read: impl FnMut(Option<usize>, Node<'d>) -> Judged<()>) -> Judged<()> {
    if parts.kind() == Kind::Object {
        return read(None, parts);
    }
    each(parts, |index, part| read(Some(index), part)).map(drop)
}

fn path_of(place: Option<usize>) -> JsonPath {
    let parts = JsonPath::root().member("parts");
    place.into_iter().fold(parts, JsonPath::index)
}

fn function_call(part: Node<'_>) -> Option<(&'static str, Node<'_>)> {
    either(part, "functionCall", "function_call")
}

/// Finds a member in either spelling.
fn either<'d>(node: Node<'d>, camel: &'static str, snake: &'static str) -> Option<(&'static str, Node<'d>)> {
    [camel, snake].into_iter().find_map(|name| Some((name, given(node, name)?)))
}

/// A piece of a call must not pass for a call with few arguments.
fn call(written: Node<'_>) -> Judged<ToolCall> {
    if either(written, "partialArgs", "partial_args").is_some() || continues(written) {
        return Err(Fault::new("expected a whole call, found one whose arguments come in pieces"));
    }
    let (id, tool) = (text_given(written, "id")?, text_member(written, "name")?);
    Ok(ToolCall::from_parts(id, tool, args_in_place(written.get("args")), written.to_fragment()))
}

fn continues(written: Node<'_>) -> bool {
    either(written, "willContinue", "will_continue").is_some_and(|(_, more)| more.kind() == Kind::True)
}

/// The text says between which words an image stood, and the image itself stands beside it.
fn function_response(result: &ToolResult) -> Value {
    let told_under = if result.error().is_some() { "error" } else { "output" };
    let images: Vec<Value> = Told::of(result).parts.iter().filter_map(image_part).collect();
    let response = object([
        ("id", result.call().id().map(Value::from)),
        ("name", Some(result.call().tool().into())),
        ("response", Some(json!({told_under: told_as_text(result)}))),
        ("parts", (!images.is_empty()).then(|| images.into())),
    ]);
    json!({"functionResponse": response})
}

/// Reads what stands beside a result's text, in either spelling.
fn media(part: Node<'_>) -> Value {
    let Some((_, data)) = either(part, "inlineData", "inline_data") else { return part.to_json() };
    let media_type = either(data, "mimeType", "mime_type").map(|(_, media_type)| media_type.to_json());
    object([("inlineData", Some(object([("data", data.get("data").map(Node::to_json)), ("mimeType", media_type)])))])
}

fn image_part(part: &ShownPart<'_>) -> Option<Value> {
    let ShownPart::Image(image) = part else { return None };
    let media_type = format!("image/{}", format_of(image, FORMATS)?);
    Some(json!({"inlineData": {"data": image.base64, "mimeType": media_type}}))
}

#[cfg(test)]
mod tests;
