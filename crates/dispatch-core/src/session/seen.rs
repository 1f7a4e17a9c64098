//! What a call saw of a workspace that the log does not hold as a whole.

use std::collections::BTreeMap;
use std::io;

use super::digest::{Digest, WorkspaceDigest};
use crate::code::ErrorCode;
use crate::json::{Kind, Node, Object, write_string};
use crate::protocol::request::{Fault, Judged, Within as _, expect, text};
use crate::workspace::{Contents, Entry, OutsideWorkspace, Reading, WorkspaceError, WorkspacePath};

/// What a call saw: so much of the workspace as the same call needs to come to the same end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Seen {
    /// The places that paths led to, where that is not what their letters say; none where they led outside.
    paths: BTreeMap<String, Option<String>>,
    places: BTreeMap<String, Sight>,
    /// What the workspace had against the changes, where it had something.
    refused: Option<ErrorCode>,
    /// Whether the call looked through directories. What it found there is in its result alone.
    pub(super) has_searched: bool,
}

/// What stood at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Sight {
    /// A file with this text.
    Text(String),
    /// What can't be read.
    Error(ErrorCode),
    /// This, of which more was not asked.
    Entry(Entry),
}

const ENTRIES: [(&str, Entry); 4] = [
    ("file", Entry::File),
    ("directory", Entry::Directory),
    ("absent", Entry::Absent),
    ("below_file", Entry::BelowFile),
];

/// Recording: what is known already is not seen again.
impl Seen {
    pub(super) fn note_path(&mut self, path: &str, resolved: &Result<WorkspacePath, OutsideWorkspace>) {
        if *resolved != WorkspacePath::resolve(path) {
            let place = resolved.as_ref().ok().map(|place| place.as_str().to_owned());
            self.paths.insert(path.to_owned(), place);
        }
    }

    pub(super) fn note_entry(
        &mut self,
        path: &WorkspacePath,
        entry: &Result<Entry, WorkspaceError>,
        known: &WorkspaceDigest,
    ) {
        if *entry != Ok(known.entry(path)) {
            let sight = entry.as_ref().map_or_else(|error| Sight::Error(error.code()), |entry| Sight::Entry(*entry));
            self.places.entry(path.as_str().to_owned()).or_insert(sight);
        }
    }

    pub(super) fn note_reading(
        &mut self,
        path: &WorkspacePath,
        reading: &Result<Reading<'_>, WorkspaceError>,
        known: &WorkspaceDigest,
    ) {
        let sight = match reading.as_ref().map(|reading| &reading.contents) {
            Ok(Contents::Text(text)) if known.holds_text(path.as_str(), Digest::of(text)) => return,
            Ok(Contents::Text(text)) => Sight::Text(text.clone().into_owned()),
            Ok(Contents::Bytes(_)) => Sight::Error(ErrorCode::NotText),
            Err(error) => Sight::Error(error.code()),
        };
        if !self.holds_text(path) {
            self.places.insert(path.as_str().to_owned(), sight);
        }
    }

    pub(super) fn note_refusal(&mut self, error: &WorkspaceError) {
        self.refused = Some(error.code());
    }

    pub(super) fn holds_text(&self, path: &WorkspacePath) -> bool {
        matches!(self.places.get(path.as_str()), Some(Sight::Text(_)))
    }

    /// The files that were seen with their texts; none for one that is gone.
    pub(super) fn files(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        self.places.iter().filter_map(|(path, sight)| match sight {
            Sight::Text(text) => Some((path.as_str(), Some(text.as_str()))),
            Sight::Entry(Entry::Absent) => Some((path.as_str(), None)),
            Sight::Error(_) | Sight::Entry(_) => None,
        })
    }
}

/// Replay: what was seen is so again.
impl Seen {
    pub(super) fn resolve(&self, path: &str) -> Result<WorkspacePath, OutsideWorkspace> {
        let place = self.paths.get(path).map_or(Some(path), Option::as_deref);
        WorkspacePath::resolve(place.ok_or(OutsideWorkspace)?)
    }

    pub(super) fn entry(&self, path: &WorkspacePath) -> Option<Result<Entry, WorkspaceError>> {
        Some(match self.places.get(path.as_str())? {
            // What could not be read for such a reason was found to be a file before.
            Sight::Text(_) | Sight::Error(ErrorCode::NotText | ErrorCode::FileTooLarge) => Ok(Entry::File),
            Sight::Error(code) => Err(could_not_be_read(path, *code)),
            Sight::Entry(entry) => Ok(*entry),
        })
    }

    pub(super) fn error(&self, path: &WorkspacePath) -> Option<WorkspaceError> {
        match self.places.get(path.as_str())? {
            Sight::Error(code) => Some(could_not_be_read(path, *code)),
            Sight::Text(_) | Sight::Entry(_) => None,
        }
    }

    pub(super) fn refusal(&self) -> Option<WorkspaceError> {
        let text = |code| format!("the recorded `{code}` stood in for what the workspace had against the changes");
        self.refused.map(|code| WorkspaceError::new(code, text(code)))
    }
}

fn could_not_be_read(path: &WorkspacePath, code: ErrorCode) -> WorkspaceError {
    let text = format!("the recorded `{code}` stood in for what is at `{path}`, which the log does not hold");
    WorkspaceError::new(code, text)
}

impl Seen {
    pub(super) fn is_empty(&self) -> bool {
        let Self { paths, places, refused, has_searched } = self;
        paths.is_empty() && places.is_empty() && refused.is_none() && !has_searched
    }

    pub(super) fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        let mut object = Object::open(out)?;
        if !self.paths.is_empty() {
            object.value("paths", |out| write_paths(out, &self.paths))?;
        }
        if !self.places.is_empty() {
            object.value("places", |out| write_places(out, &self.places))?;
        }
        object.optional_string("refused", self.refused.map(ErrorCode::as_str))?;
        if self.has_searched {
            object.value("searched", |out| out.write_all(b"true"))?;
        }
        object.close()
    }

    pub(super) fn read(node: Node<'_>) -> Judged<Self> {
        expect(Kind::Object, node)?;
        let mut seen = Self::default();
        for member in node.members() {
            let (name, value) = (member.name.as_ref(), member.value);
            match name {
                "paths" => seen.paths = read_members(value, read_path).within_member(name)?,
                "places" => seen.places = read_members(value, read_sight).within_member(name)?,
                "refused" => seen.refused = Some(read_code(value).within_member(name)?),
                "searched" => seen.has_searched = value.kind() == Kind::True,
                other => return Err(Fault::unknown(other)),
            }
        }
        Ok(seen)
    }
}

fn write_paths(out: &mut impl io::Write, paths: &BTreeMap<String, Option<String>>) -> io::Result<()> {
    let mut object = Object::open(out)?;
    for (path, place) in paths {
        object.value_at(path, |out| match place {
            Some(place) => write_string(out, place),
            None => out.write_all(b"null"),
        })?;
    }
    object.close()
}

fn write_places(out: &mut impl io::Write, places: &BTreeMap<String, Sight>) -> io::Result<()> {
    let mut object = Object::open(out)?;
    for (path, sight) in places {
        object.value_at(path, |out| write_sight(out, sight))?;
    }
    object.close()
}

fn write_sight(out: &mut impl io::Write, sight: &Sight) -> io::Result<()> {
    let mut object = Object::open(out)?;
    match sight {
        Sight::Text(text) => object.string("text", text)?,
        Sight::Error(code) => object.string("error", code.as_str())?,
        Sight::Entry(entry) => {
            let name = ENTRIES.iter().find(|(_, other)| other == entry).map(|(name, _)| *name);
            object.optional_string("entry", name)?;
        }
    }
    object.close()
}

fn read_members<T>(node: Node<'_>, read: fn(Node<'_>) -> Judged<T>) -> Judged<BTreeMap<String, T>> {
    expect(Kind::Object, node)?;
    node.members()
        .map(|member| Ok((member.name.to_string(), read(member.value).within_member(&member.name)?)))
        .collect()
}

fn read_path(node: Node<'_>) -> Judged<Option<String>> {
    if node.kind() == Kind::Null { Ok(None) } else { Ok(Some(text(node)?.into_owned())) }
}

fn read_sight(node: Node<'_>) -> Judged<Sight> {
    expect(Kind::Object, node)?;
    let member = node.members().next().ok_or_else(|| Fault::missing("text"))?;
    let name = member.name.as_ref();
    match name {
        "text" => Ok(Sight::Text(text(member.value).within_member(name)?.into_owned())),
        "error" => Ok(Sight::Error(read_code(member.value).within_member(name)?)),
        "entry" => Ok(Sight::Entry(read_entry(member.value).within_member(name)?)),
        other => Err(Fault::unknown(other)),
    }
}

fn read_entry(node: Node<'_>) -> Judged<Entry> {
    let name = text(node)?;
    let found = ENTRIES.iter().find(|(other, _)| *other == name).map(|(_, entry)| *entry);
    found.ok_or_else(|| Fault::invalid(format!("nothing that stands at a place is called `{name}`")))
}

fn read_code(node: Node<'_>) -> Judged<ErrorCode> {
    let name = text(node)?;
    ErrorCode::named(&name).ok_or_else(|| Fault::invalid(format!("there is no code `{name}`")))
}
