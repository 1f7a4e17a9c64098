//! Which members a line may have, at any depth: one table for what is an error in a log that is known, and passed over in a later one.

use std::io::{self, Write as _};

use super::line::read_line;
use crate::json::{Document, Kind, Member, Node, Object, Segment};
use crate::protocol::request::{Fault, Judged, Within as _};

/// What a value may hold.
pub(super) enum Shape {
    /// What it will: it is the model's, the host's or a tool's, or is judged where it is read.
    Any,
    /// Such members, each with what it may hold.
    Members(&'static [(&'static str, Shape)]),
    /// Elements or members of any name, each of which may hold this.
    Each(&'static Shape),
}

use Shape::{Any, Each, Members};

pub(super) const HEADER: &Shape = &Members(&[
    ("directory", Any),
    ("explains", Any),
    ("facts", Any),
    ("format", Any),
    ("host", Any),
    ("limits", LIMITS),
    ("permissions", Any),
    ("provider", Any),
    ("strict", Any),
    ("tools", Each(&Members(&[("annotations", Any), ("description", Any), ("input_schema", Any), ("name", Any)]))),
    ("version", Any),
    ("workspace", Any),
]);

pub(super) const INTENT: &Shape = &Members(&[
    ("call", Members(&[("args", Any), ("args_text", Any), ("id", Any), ("tool", Any)])),
    ("host", Any),
    ("intent", Any),
    ("limits", LIMITS),
    ("permissions", Any),
    ("raw", Any),
    ("raw_text", Any),
    ("workspace", Any),
]);

pub(super) const OUTCOME: &Shape = &Members(&[
    ("files", Any),
    ("host", Any),
    ("outcome", Any),
    ("result", RESULT),
    ("seen", SEEN),
    ("shown", Members(&[("max_output_bytes", Any), ("text_bytes", Any)])),
    ("stage", Any),
    ("workspace", Any),
]);

const LIMITS: Shape = Members(&[("max_output_bytes", Any)]);

const RESULT: Shape = Members(&[
    ("details", Each(&Members(&[("message", Any), ("path", Any)]))),
    ("error", Any),
    ("id", Any),
    ("message", Any),
    ("observation", Each(&Members(&[("base64", Any), ("media_type", Any), ("text", Any)]))),
    ("status", Any),
    ("tool", Any),
]);

const SEEN: Shape = Members(&[
    ("paths", Any),
    ("places", Each(&Members(&[("entry", Any), ("error", Any), ("text", Any)]))),
    ("refused", Any),
    ("searched", Any),
    ("unsteady", Any),
]);

impl Shape {
    fn of(&self, name: &str) -> Option<&Self> {
        match self {
            Any => Some(&Any),
            Each(shape) => Some(shape),
            Members(members) => members.iter().find(|(known, _)| *known == name).map(|(_, shape)| shape),
        }
    }

    /// Returns the line as far as it is known here. What is unknown is passed over where the log is of a later version.
    pub(super) fn known(&self, line: &Document, is_lenient: bool) -> Judged<Document> {
        match self.expect_known(line.root()) {
            Err(_) if is_lenient => Ok(self.without_unknown(line)),
            judged => judged.map(|()| line.clone()),
        }
    }

    fn expect_known(&self, node: Node<'_>) -> Judged<()> {
        match (self, node.kind()) {
            (Any, _) => Ok(()),
            (Each(shape), Kind::Array) => (0..)
                .zip(node.elements())
                .try_for_each(|(index, element)| shape.expect_known(element).within(|| Segment::Index(index))),
            _ => node.members().try_for_each(|Member { name, value, .. }| match self.of(&name) {
                Some(shape) => shape.expect_known(value).within_member(&name),
                None => Err(Fault::unknown(&name)),
            }),
        }
    }

    fn without_unknown(&self, line: &Document) -> Document {
        let mut text = Vec::new();
        // Writing to memory does not fail, and what is left of JSON is JSON.
        let _ = self.write_known(&mut text, line.root()).and_then(|()| text.write_all(b"\n"));
        read_line(&text).ok().flatten().unwrap_or_else(|| line.clone())
    }

    fn write_known(&self, out: &mut Vec<u8>, node: Node<'_>) -> io::Result<()> {
        match (self, node.kind()) {
            (Each(shape), Kind::Array) => {
                out.write_all(b"[")?;
                for (index, element) in node.elements().enumerate() {
                    out.write_all(if index == 0 { b"" } else { b"," })?;
                    shape.write_known(out, element)?;
                }
                out.write_all(b"]")
            }
            (Each(_) | Members(_), Kind::Object) => {
                let mut object = Object::open(out)?;
                for Member { name, value, .. } in node.members() {
                    self.of(&name)
                        .map_or(Ok(()), |shape| object.value_at(&name, |out| shape.write_known(out, value)))?;
                }
                object.close()
            }
            _ => out.write_all(node.raw().as_bytes()),
        }
    }
}
