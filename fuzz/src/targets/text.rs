//! What must hold of every line that goes out.

use dispatch_core::json::{Document, Kind, Node};
use dispatch_core::protocol::Failure;
use dispatch_core::{ErrorCode, FailureClass};

use super::{Check, hold};

/// The members that a response can have, in their order.
const OF_RESPONSE: &[&str] =
    &["details", "error", "id", "message", "observation", "status", "tool", "truncated", "workspace"];

/// The members of a failure, in their order.
const OF_FAILURE: [&[&str]; 2] =
    [&["error", "message", "path", "status"], &["column", "error", "line", "message", "status"]];

/// Reads a line of a response: strict JSON, its keys sorted, and no other members than it can have.
pub(super) fn response(line: &[u8]) -> Result<Document, String> {
    let document = line_of_json(line)?;
    let root = document.root();
    let known = root.members().all(|member| OF_RESPONSE.contains(&member.name.as_ref()));
    hold(known && root.kind() == Kind::Object, || format!("a member that is none: {}", document.text()))?;
    hold(is_sorted(root), || format!("not sorted: {}", document.text()))?;
    let status = member(&document, "status");
    let expected = if root.get("error").is_some() { "error" } else { "ok" };
    hold(status.as_deref() == Some(expected), || format!("status: {}", document.text()))?;
    Ok(document)
}

/// Whether a failure is one line of JSON with the members of its kind, and lies in its text.
pub(super) fn failure(failure: &Failure) -> Check {
    let document = line_of_json(format!("{failure}\n").as_bytes())?;
    let members: Vec<_> = document.root().members().map(|member| member.name.into_owned()).collect();
    let [of_path, of_place] = OF_FAILURE;
    let expected = if failure.code() == ErrorCode::MalformedJson { of_place } else { of_path };
    hold(members == expected, || format!("the members of {failure}"))?;
    let is_protocol = matches!(failure.code().class(), FailureClass::ProtocolFailure | FailureClass::UnknownTool);
    hold(is_protocol, || format!("the class of {failure}"))?;
    let span = failure.span();
    hold(failure.source().get(span.clone()).is_some(), || format!("{span:?} of {failure}"))?;
    let is_there = failure.position().is_none_or(|place| place.line >= failure.first_line() && place.column >= 1);
    hold(is_there, || format!("the place of {failure}"))
}

fn line_of_json(line: &[u8]) -> Result<Document, String> {
    let text = line.strip_suffix(b"\n").filter(|text| !text.contains(&b'\n'));
    let text = text.ok_or_else(|| format!("no single line: {}", line.escape_ascii()))?;
    Document::parse(text.to_vec()).map_err(|malformed| format!("{malformed} in {}", line.escape_ascii()))
}

/// Whether the keys of every object stand in the order of their code points.
fn is_sorted(node: Node<'_>) -> bool {
    let names: Vec<_> = node.members().map(|member| member.name).collect();
    names.is_sorted() && node.members().all(|member| is_sorted(member.value)) && node.elements().all(is_sorted)
}

/// Returns the text of a member.
pub(super) fn member(document: &Document, name: &str) -> Option<String> {
    document.root().get(name)?.as_str().map(std::borrow::Cow::into_owned)
}

/// Whether a key stands twice in an object.
pub(super) fn repeats(node: Node<'_>) -> bool {
    node.elements().any(repeats) || node.members().any(|member| member.repeated || repeats(member.value))
}
