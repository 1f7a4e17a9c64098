//! What is wrong with a text that is JSON, but not of the shape that is read.

use dispatch_core::json::{Document, JsonPath, Kind, Node, Segment};
use dispatch_core::protocol::Failure;

/// What was expected where. The place is found on the way out, member by member: a text that is right needs no paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) message: String,
    /// The steps to the place, innermost first.
    steps: Vec<Segment>,
}

pub(crate) type Judged<T> = Result<T, Fault>;

impl Fault {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), steps: Vec::new() }
    }

    pub(crate) fn missing(member: &str) -> Self {
        Self::new(format!("missing member `{member}`"))
    }

    pub(crate) fn in_document(self, document: &Document) -> Failure {
        let (message, path) = self.into_parts();
        Failure::invalid_request(message, path, document)
    }

    /// Returns the message and the place.
    pub(crate) fn into_parts(self) -> (String, JsonPath) {
        (self.message, self.steps.into_iter().rev().collect())
    }
}

/// Places a fault within the member, or the element, that was being read.
pub(crate) trait Within: Sized {
    fn within(self, step: impl FnOnce() -> Segment) -> Self;

    fn within_member(self, name: &str) -> Self {
        self.within(|| Segment::Member(name.to_owned()))
    }

    fn within_element(self, index: usize) -> Self {
        self.within(|| Segment::Index(index))
    }

    /// Places a fault within a value further in.
    fn within_path(self, path: &JsonPath) -> Self {
        path.segments().iter().rev().fold(self, |fault, step| fault.within(|| step.clone()))
    }
}

impl<T> Within for Judged<T> {
    fn within(self, step: impl FnOnce() -> Segment) -> Self {
        self.map_err(|mut fault| {
            fault.steps.push(step());
            fault
        })
    }
}

/// Checks that a value is of a kind.
pub(crate) fn expect(kind: Kind, node: Node<'_>) -> Judged<()> {
    if node.kind() == kind {
        return Ok(());
    }
    Err(Fault::new(format!("expected {}, found {}", kind.name(), node.type_name())))
}

/// Reads a string.
pub(crate) fn text(node: Node<'_>) -> Judged<String> {
    expect(Kind::String, node)?;
    Ok(node.as_str().unwrap_or_default().into_owned())
}

/// Reads a member that must be there.
pub(crate) fn member<'d>(node: Node<'d>, name: &str) -> Judged<Node<'d>> {
    given(node, name).ok_or_else(|| Fault::missing(name))
}

/// Reads a member that must be there and a string.
pub(crate) fn text_member(node: Node<'_>, name: &str) -> Judged<String> {
    text(member(node, name)?).within_member(name)
}

/// Reads a member that may be absent. Null says that it is, as everywhere in these APIs.
pub(crate) fn given<'d>(node: Node<'d>, name: &str) -> Option<Node<'d>> {
    node.get(name).filter(|value| value.kind() != Kind::Null)
}

/// Reads a member that may be absent, and is a string where it isn't.
pub(crate) fn text_given(node: Node<'_>, name: &str) -> Judged<Option<String>> {
    given(node, name).map(text).transpose().within_member(name)
}

/// Returns whether a member is this text.
pub(crate) fn says(node: Node<'_>, name: &str, text: &str) -> bool {
    node.get(name).and_then(Node::as_str).is_some_and(|value| value == text)
}

/// Returns whether a value is an object that has a member.
pub(crate) fn has(node: Node<'_>, name: &str) -> bool {
    node.get(name).is_some()
}

/// Reads each element of an array, with its place.
pub(crate) fn each<'d, T>(node: Node<'d>, mut read: impl FnMut(usize, Node<'d>) -> Judged<T>) -> Judged<Vec<T>> {
    expect(Kind::Array, node)?;
    node.elements().enumerate().map(|(index, element)| read(index, element).within_element(index)).collect()
}
