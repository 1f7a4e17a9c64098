//! What every provider shape can do, and what is read of a message.

use dispatch_core::json::{Document, Fragment, JsonPath, Kind, Node};
use dispatch_core::{Args, Image, ShownPart, ToolCall, ToolResult};
use serde_json::Value;

use crate::fault::{Fault, Judged, Within};
use crate::wire_result::WireResult;

/// How one API writes calls and results.
///
/// Only what pairing needs is read: everything else passes by untouched.
pub(crate) trait Shape: Sync {
    /// Finds the messages in a text: a whole response body, one message, or a conversation.
    ///
    /// # Errors
    ///
    /// What was expected, when the text is none of these.
    fn layout<'d>(&self, root: Node<'d>) -> Judged<Layout<'d>>;

    /// Returns whether a text bears a mark that no other provider's has, calls or not.
    fn is_marked(&self, root: Node<'_>) -> bool;

    /// Reads one message: what it asks, and what it answers.
    ///
    /// # Errors
    ///
    /// What was expected where within the message.
    fn message(&self, message: Node<'_>) -> Judged<Message>;

    /// Returns a message of a response body as a conversation holds it.
    fn as_history(&self, message: Node<'_>) -> String {
        message.raw().to_owned()
    }

    /// Makes the messages that answer a turn, each call by its result.
    fn answer(&self, results: &[ToolResult]) -> Vec<Value>;

    /// Reads what a result tells the model, whoever wrote it. What is not known here is a block as it stands.
    fn told(&self, result: Node<'_>) -> WireResult;
}

/// Where the messages of a text stand.
#[derive(Debug)]
pub(crate) struct Layout<'d> {
    /// The messages with their paths, oldest first.
    pub(crate) messages: Vec<(JsonPath, Node<'d>)>,
    /// The list that holds them, where more can be appended. A response body, or a message alone, has none.
    pub(crate) list: Option<Node<'d>>,
}

impl<'d> Layout<'d> {
    /// One message, at a path.
    pub(crate) fn single(path: JsonPath, message: Node<'d>) -> Self {
        Self { messages: vec![(path, message)], list: None }
    }

    /// A conversation: each element of an array is a message.
    ///
    /// # Errors
    ///
    /// When it is no array.
    pub(crate) fn conversation(path: &JsonPath, list: Node<'d>) -> Judged<Self> {
        crate::fault::expect(Kind::Array, list)?;
        Ok(Self { messages: elements(path, list), list: Some(list) })
    }

    /// What a response body holds: each element of an array is a message, and the array is no conversation.
    ///
    /// # Errors
    ///
    /// When it is no array.
    pub(crate) fn response(path: &JsonPath, list: Node<'d>) -> Judged<Self> {
        Ok(Self { list: None, ..Self::conversation(path, list)? })
    }
}

fn elements<'d>(path: &JsonPath, list: Node<'d>) -> Vec<(JsonPath, Node<'d>)> {
    list.elements().enumerate().map(|(index, element)| (path.clone().index(index), element)).collect()
}

/// What pairing needs to know of a message.
#[derive(Debug, Default)]
pub(crate) struct Message {
    /// Whether the model wrote it.
    pub(crate) by_model: bool,
    /// The calls in it that wait for an answer of ours, in their order. Those that the provider runs itself are not among them.
    pub(crate) calls: Vec<Asked>,
    /// The results in it, in their order.
    pub(crate) results: Vec<Answered>,
}

impl Message {
    /// Says in what role a message was written, which is to be the model's where it has calls.
    pub(crate) fn in_role(self, role: &str, model: &str) -> Judged<Self> {
        let by_model = role == model;
        if by_model || self.calls.is_empty() {
            return Ok(Self { by_model, ..self });
        }
        let message = format!("expected the role `{model}` of a message with calls, found `{role}`");
        Err(Fault::new(message)).within_member("role")
    }

    /// Returns the message as seen from one member further out.
    pub(crate) fn under(mut self, member: &str) -> Self {
        let outer = JsonPath::root().member(member);
        let calls = self.calls.iter_mut().map(|asked| &mut asked.path);
        let results = self.results.iter_mut().map(|answered| &mut answered.path);
        calls.chain(results).for_each(|path| *path = join(&outer, path));
        self
    }
}

/// Returns the path of what stands further in.
pub(crate) fn join(outer: &JsonPath, inner: &JsonPath) -> JsonPath {
    outer.segments().iter().chain(inner.segments()).cloned().collect()
}

/// A call in a message.
#[derive(Debug)]
pub(crate) struct Asked {
    /// Where it stands within its message.
    pub(crate) path: JsonPath,
    pub(crate) call: ToolCall,
}

/// A result in a message.
#[derive(Debug)]
pub(crate) struct Answered {
    /// Where it stands within its message.
    pub(crate) path: JsonPath,
    /// The id of the call that it answers. Without one that is a call's it is paired by position.
    pub(crate) id: Option<String>,
    /// The name of the tool, where the shape says it.
    pub(crate) tool: Option<String>,
    /// The result as it is written, for [`Shape::told`].
    pub(crate) raw: Fragment,
}

/// Makes an object of those members that have a value.
pub(crate) fn object<const N: usize>(members: [(&str, Option<Value>); N]) -> Value {
    members.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

/// Returns whether a request body offers a tool of this kind.
pub(crate) fn offers(root: Node<'_>, is_of_kind: fn(Node<'_>) -> bool) -> bool {
    root.get("tools").is_some_and(|tools| tools.elements().any(is_of_kind))
}

/// Returns the fault of a text that is of another shape.
pub(crate) fn unlike(expected: &str) -> Fault {
    Fault::new(format!("expected {expected}"))
}

/// Reads arguments that are written as JSON in place. A member that is missing or null says that there are none.
pub(crate) fn args_in_place(node: Option<Node<'_>>) -> Args {
    match node {
        Some(node) if node.kind() != Kind::Null => Args::Json(node.to_fragment()),
        _ => Args::from_text(""),
    }
}

/// Reads arguments that are written as text. Some servers send the object itself, which then stands for its text.
pub(crate) fn args_as_text(node: Option<Node<'_>>) -> Args {
    match node.and_then(Node::as_str) {
        Some(text) => Args::from_text(text),
        None => args_in_place(node),
    }
}

/// Reads arguments that are written as text in a call that may have been cut off. A blank text is then the first half of one, and not `{}`.
pub(crate) fn args_as_text_cut_off(node: Option<Node<'_>>) -> Args {
    let text = node.filter(|node| node.kind() != Kind::Null).map_or(Some("".into()), Node::as_str);
    let blank = text.filter(|text| text.trim_ascii().is_empty()).map(|text| Document::parse(text.into_owned().into()));
    match blank {
        Some(Err(malformed)) => Args::Malformed(Box::new(malformed)),
        Some(Ok(_)) | None => args_as_text(node),
    }
}

/// What a model is told of a result: text, and images where the shape takes them.
#[derive(Debug)]
pub(crate) struct Told<'r> {
    pub(crate) is_error: bool,
    pub(crate) parts: Vec<ShownPart<'r>>,
}

impl<'r> Told<'r> {
    pub(crate) fn of(result: &'r ToolResult) -> Self {
        let shown = result.shown_parts();
        Self { is_error: shown.is_none(), parts: shown.unwrap_or_else(|| vec![error_text(result)]) }
    }

    /// Returns the only text, if there is nothing else. Of nothing at all that is the empty text.
    pub(crate) fn as_text(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [ShownPart::Text(text)] => Some(text),
            _ => None,
        }
    }
}

fn error_text(result: &ToolResult) -> ShownPart<'_> {
    ShownPart::Text(result.error().map(dispatch_core::CallError::text_for_model).unwrap_or_default().into())
}

/// Returns the format of an image if it is among those that are taken. Media types
/// [are the same in capitals](https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1), and `image/jpg` is what many write for `image/jpeg`.
pub(crate) fn format_of(image: &Image, taken: &[&'static str]) -> Option<&'static str> {
    let media_type = image.media_type.to_ascii_lowercase();
    let format = media_type.strip_prefix("image/").map(|format| if format == "jpg" { "jpeg" } else { format })?;
    taken.iter().copied().find(|taken| *taken == format)
}

/// Returns what is told of an image where it is not shown.
pub(crate) fn placeholder(image: &Image) -> String {
    format!("[{}]", image.media_type)
}

/// Returns a result as one text, an image told by its media type: for a shape that takes no images in results.
pub(crate) fn told_as_text(result: &ToolResult) -> String {
    let shown = result.shown().map(|shown| shown.text.into_owned());
    shown.unwrap_or_else(|| result.error().map(dispatch_core::CallError::text_for_model).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::format_of;
    use dispatch_core::Image;

    #[test]
    fn a_format_is_known_however_its_media_type_is_written() {
        for (media_type, format) in [
            ("image/png", Some("png")),
            ("IMAGE/Png", Some("png")),
            ("image/jpeg", Some("jpeg")),
            ("image/JPG", Some("jpeg")),
            ("image/bmp", None),
            ("text/png", None),
            ("png", None),
            ("", None),
        ] {
            let image = Image { media_type: media_type.to_owned(), base64: String::new() };
            assert_eq!(format_of(&image, &["png", "jpeg"]), format, "{media_type}");
        }
    }
}
