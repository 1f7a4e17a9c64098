//! What a result tells a model, in whatever way a provider's shape writes it.

use dispatch_core::json::{JsonPath, Kind, Node};
use dispatch_core::session::Difference;
use serde_json::Value;

use crate::fault::given;

/// What a result of a conversation tells the model: whoever wrote it, and in whichever of the ways that its shape allows.
///
/// A text is the same whether it stands alone or is the only block of a list. The call's id, and what only the API reads, is no part of it.
///
/// | member | meaning |
/// | --- | --- |
/// | `status` | `ok` or `error`, where the shape says so |
/// | `code` | JSON-RPC's, of a protocol error of MCP's |
/// | `content` | a text; or a list, of texts and of blocks as they stand |
/// | `structured` | MCP's `structuredContent` |
///
/// ```
/// use dispatch_providers::Provider;
///
/// let messages = br#"[
///     {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "ls", "input": {}}]},
///     {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "a.txt"}]}]}
/// ]"#;
/// let exchanges = Provider::Anthropic.read(messages.to_vec())?.exchanges().expect("each call has its result");
/// let recorded = exchanges[0].recorded().expect("there is a result");
/// assert_eq!(recorded.to_json(), serde_json::json!({"content": "a.txt", "status": "ok"}));
/// # Ok::<(), dispatch_core::protocol::Failure>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WireResult {
    is_error: Option<bool>,
    code: Option<Value>,
    content: Vec<Value>,
    structured: Option<Value>,
}

impl WireResult {
    /// Makes a result of its content: texts as strings, and blocks. An empty text tells nothing.
    pub(crate) fn of(content: impl IntoIterator<Item = Value>) -> Self {
        let content = content.into_iter().filter(|part| part.as_str() != Some("")).collect();
        Self { content, ..Self::default() }
    }

    pub(crate) fn with_status(self, is_error: bool) -> Self {
        Self { is_error: Some(is_error), ..self }
    }

    pub(crate) fn with_code(self, code: Option<Node<'_>>) -> Self {
        Self { code: code.map(Node::to_json), ..self }
    }

    pub(crate) fn with_structured(self, structured: Option<Node<'_>>) -> Self {
        Self { structured: structured.map(Node::to_json), ..self }
    }

    /// Returns it as an object of the members above, without those that it does not have.
    pub fn to_json(&self) -> Value {
        let members = self.members().into_iter().filter(|(_, value)| !value.is_null());
        members.map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// Returns where this one, which was recorded, differs from what the call comes to today, in the order of the members' names.
    pub fn differences(&self, today: &Self) -> Vec<Difference> {
        let pairs = self.members().into_iter().zip(today.members());
        let differing = pairs.filter(|((_, recorded), (_, today))| recorded != today);
        let difference = |((name, recorded), (_, today)): ((&str, Value), (&str, Value))| Difference {
            path: JsonPath::root().member(name),
            recorded,
            today,
        };
        differing.map(difference).collect()
    }

    fn members(&self) -> [(&'static str, Value); 4] {
        let status = self.is_error.map(|is_error| if is_error { "error" } else { "ok" });
        let content = match self.content.as_slice() {
            [] => "".into(),
            [Value::String(text)] => text.clone().into(),
            parts => parts.to_vec().into(),
        };
        [
            ("code", self.code.clone().unwrap_or_default()),
            ("content", content),
            ("status", status.into()),
            ("structured", self.structured.clone().unwrap_or_default()),
        ]
    }
}

/// Reads a content that is a text, or a list in which some blocks are texts.
pub(crate) fn content_of(content: Option<Node<'_>>, text_of: fn(Node<'_>) -> Option<String>) -> Vec<Value> {
    let part = |block: Node<'_>| text_of(block).map_or_else(|| block.to_json(), Value::from);
    match content {
        Some(list) if list.kind() == Kind::Array => list.elements().map(part).collect(),
        content => in_place(content).collect(),
    }
}

/// Reads a content that is one value. Null says that there is none.
pub(crate) fn in_place(content: Option<Node<'_>>) -> impl Iterator<Item = Value> {
    content.filter(|content| content.kind() != Kind::Null).map(Node::to_json).into_iter()
}

/// Reads a block whose type says that it tells a text.
pub(crate) fn typed_text(block: Node<'_>) -> Option<String> {
    let kind = given(block, "type")?.as_str()?;
    matches!(kind.as_ref(), "text" | "input_text" | "output_text").then(|| block.get("text")?.as_str())?.map(Into::into)
}

#[cfg(test)]
mod tests;
