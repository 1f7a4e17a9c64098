//! What a call saw at one place.

use std::io;

use crate::code::ErrorCode;
use crate::json::{Kind, Node, Object};
use crate::protocol::request::{Fault, Judged, Within as _, expect, text};
use crate::workspace::Entry;

/// What stood at a place. To find a file there and to read it are two looks: one may be written and not be read.
#[derive(Debug, Clone, Default)]
pub(super) struct Sight {
    /// None where what was read says it.
    pub(super) entry: Option<Entry>,
    pub(super) text: Option<String>,
    /// Why it can't be read. Where nothing else is known it may be why it can't be found either.
    pub(super) error: Option<ErrorCode>,
}

impl Sight {
    /// What is told to who finds out what stands there.
    pub(super) fn entry(&self) -> Option<Result<Entry, ErrorCode>> {
        match (self.entry, &self.text, self.error) {
            (Some(entry), ..) => Some(Ok(entry)),
            // What could not be read for such a reason was found to be a file before.
            (None, Some(_), _) | (None, None, Some(ErrorCode::NotText | ErrorCode::FileTooLarge)) => {
                Some(Ok(Entry::File))
            }
            (None, None, error) => error.map(Err),
        }
    }

    pub(super) fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        let Self { entry, text, error } = self;
        let name = ENTRIES.iter().find(|(_, other)| Some(*other) == *entry).map(|(name, _)| *name);
        let mut object = Object::open(out)?;
        object.optional_string("entry", name)?;
        object.optional_string("error", error.map(ErrorCode::as_str))?;
        object.optional_string("text", text.as_deref())?;
        object.close()
    }

    pub(super) fn read(node: Node<'_>) -> Judged<Self> {
        expect(Kind::Object, node)?;
        let mut sight = Self::default();
        for member in node.members() {
            let (name, value) = (member.name.as_ref(), member.value);
            match name {
                "text" => sight.text = Some(text(value).within_member(name)?.into_owned()),
                "error" => sight.error = Some(read_code(value).within_member(name)?),
                "entry" => sight.entry = Some(read_entry(value).within_member(name)?),
                _ => {}
            }
        }
        if node.members().next().is_none() { Err(Fault::missing("text")) } else { Ok(sight) }
    }
}

const ENTRIES: [(&str, Entry); 4] = [
    ("file", Entry::File),
    ("directory", Entry::Directory),
    ("absent", Entry::Absent),
    ("below_file", Entry::BelowFile),
];

fn read_entry(node: Node<'_>) -> Judged<Entry> {
    let name = text(node)?;
    let found = ENTRIES.iter().find(|(other, _)| *other == name).map(|(_, entry)| *entry);
    found.ok_or_else(|| Fault::invalid(format!("nothing that stands at a place is called `{name}`")))
}

pub(super) fn read_code(node: Node<'_>) -> Judged<ErrorCode> {
    let name = text(node)?;
    ErrorCode::named(&name).ok_or_else(|| Fault::invalid(format!("there is no code `{name}`")))
}
