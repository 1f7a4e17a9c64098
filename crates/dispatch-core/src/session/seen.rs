//! What a call saw of a workspace that the log does not hold as a whole.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use super::comparison::is_found_without_search;
use super::digest::{Digest, WorkspaceDigest};
use super::shape::boolean;
use super::sight::{Sight, read_code};
use crate::code::ErrorCode;
use crate::json::{Kind, Node, Object, write_string};
use crate::protocol::request::{Judged, Within as _, expect, text};
use crate::workspace::{Contents, Entry, OutsideWorkspace, Reading, WorkspaceError, WorkspacePath};

/// What a call saw: so much of the workspace as the same call needs to come to the same end.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    /// The places that paths led to, where that is not what their letters say; none where they led outside.
    paths: BTreeMap<String, Option<String>>,
    places: BTreeMap<String, Sight>,
    /// What the workspace had against the changes, where it had something.
    refused: Option<ErrorCode>,
    /// Whether the call looked through directories. What it found there is in its result alone.
    pub(super) has_searched: bool,
    /// Whether it was told of one thing now this and now that, or of a search that failed: no second run can be told so.
    pub(super) is_unsteady: bool,
    /// What was looked at already. What is known and was found to be so is not noted: that it was looked at is.
    looked: BTreeSet<(Look, String)>,
}

/// What can be asked of a path or a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Look {
    Path,
    Entry,
    Reading,
}

/// Recording: what is known already is not seen again, and of looks that don't agree the first is kept.
impl Seen {
    pub(super) fn note_path(&mut self, path: &str, resolved: &Result<WorkspacePath, OutsideWorkspace>) {
        if self.resolve(path) == *resolved {
            self.looked.insert((Look::Path, path.to_owned()));
        } else if self.is_first(Look::Path, path) {
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
        let entry = entry.as_ref().copied().map_err(WorkspaceError::code);
        if self.known_entry(path, known) == entry {
            self.looked.insert((Look::Entry, path.as_str().to_owned()));
        } else if self.is_first(Look::Entry, path.as_str()) {
            let sight = self.places.entry(path.as_str().to_owned()).or_default();
            match entry {
                Ok(entry) => sight.entry = Some(entry),
                Err(code) => sight.error = sight.error.or(Some(code)),
            }
            self.is_unsteady |= sight.entry() != Some(entry);
        }
    }

    pub(super) fn note_reading(
        &mut self,
        path: &WorkspacePath,
        reading: &Result<Reading<'_>, WorkspaceError>,
        known: &WorkspaceDigest,
    ) {
        let text = match reading.as_ref().map(|reading| &reading.contents) {
            Ok(Contents::Text(text)) => Ok(&**text),
            Ok(Contents::Bytes(_)) => Err(ErrorCode::NotText),
            Err(error) => Err(error.code()),
        };
        if self.is_read_as(path, text, known) {
            self.looked.insert((Look::Reading, path.as_str().to_owned()));
        } else if self.is_first(Look::Reading, path.as_str()) {
            let entry = self.known_entry(path, known);
            let is_found = self.looked.contains(&(Look::Entry, path.as_str().to_owned()));
            let sight = self.places.entry(path.as_str().to_owned()).or_default();
            *sight = Sight { entry: None, text: text.ok().map(str::to_owned), error: text.err() };
            if is_found && sight.entry() != Some(entry) {
                sight.entry = entry.ok();
                self.is_unsteady |= entry.is_err();
            }
        }
    }

    /// Whether something is asked for the first time. It is steady no longer where it was asked before and answered otherwise.
    fn is_first(&mut self, look: Look, of: &str) -> bool {
        let is_first = self.looked.insert((look, of.to_owned()));
        self.is_unsteady |= !is_first;
        is_first
    }

    /// What replay would answer.
    fn known_entry(&self, path: &WorkspacePath, known: &WorkspaceDigest) -> Result<Entry, ErrorCode> {
        self.places.get(path.as_str()).and_then(Sight::entry).unwrap_or_else(|| Ok(known.entry(path)))
    }

    /// Whether replay would answer the same.
    fn is_read_as(&self, path: &WorkspacePath, text: Result<&str, ErrorCode>, known: &WorkspaceDigest) -> bool {
        let sight = self.places.get(path.as_str());
        let known_text = sight.and_then(|sight| sight.text.as_deref());
        match (text, sight.and_then(|sight| sight.error)) {
            (Err(code), error) => error == Some(code),
            (Ok(_), Some(_)) => false,
            (Ok(text), None) => known_text
                .map_or_else(|| known.holds_text(path.as_str(), Digest::of(text)), |known_text| known_text == text),
        }
    }

    pub(super) fn note_refusal(&mut self, error: &WorkspaceError) {
        self.refused = Some(error.code());
    }

    /// Of a search that failed nobody can say whether the call failed for that, or would have failed before.
    pub(super) fn note_search<T>(&mut self, found: &Result<T, WorkspaceError>) {
        self.has_searched = true;
        self.is_unsteady |= found.as_ref().is_err_and(|error| is_found_without_search(error.code()));
    }

    pub(super) fn holds_text(&self, path: &WorkspacePath) -> bool {
        self.places.get(path.as_str()).is_some_and(|sight| sight.text.is_some())
    }

    /// The files that were seen with their texts; none for one that is gone.
    pub(super) fn files(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        self.places.iter().filter_map(|(path, sight)| match (&sight.text, sight.entry) {
            (Some(text), _) => Some((path.as_str(), Some(text.as_str()))),
            (None, Some(Entry::Absent)) => Some((path.as_str(), None)),
            (None, _) => None,
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
        let entry = self.places.get(path.as_str())?.entry()?;
        Some(entry.map_err(|code| could_not_be_read(path, code)))
    }

    pub(super) fn reading(&self, path: &WorkspacePath) -> Option<Result<Reading<'_>, WorkspaceError>> {
        let Sight { text, error, .. } = self.places.get(path.as_str())?;
        match (text, error) {
            (_, Some(code)) => Some(Err(could_not_be_read(path, *code))),
            (text, None) => text.as_deref().map(|text| Ok(Reading::of_text(text))),
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
        let Self { paths, places, refused, has_searched, is_unsteady, looked: _ } = self;
        paths.is_empty() && places.is_empty() && refused.is_none() && !has_searched && !is_unsteady
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
        if self.is_unsteady {
            object.value("unsteady", |out| out.write_all(b"true"))?;
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
                "places" => seen.places = read_members(value, Sight::read).within_member(name)?,
                "refused" => seen.refused = Some(read_code(value).within_member(name)?),
                "searched" => seen.has_searched = boolean(value).within_member(name)?,
                "unsteady" => seen.is_unsteady = boolean(value).within_member(name)?,
                _ => {}
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
        object.value_at(path, |out| sight.write(out))?;
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
