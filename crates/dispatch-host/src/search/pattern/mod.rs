//! Patterns for paths: `src/**/*.{rs,toml}`.
//!
//! A pattern is matched part by part while the directories are walked: what it can't match is never looked into, and what is hidden is seen only by a
//! part that names it.

mod atoms;
mod name;

use atoms::{Atom, Placed};
use dispatch_core::json::JsonPath;
use dispatch_core::{ErrorCode, ToolFailure};
use name::Name;

/// The most letters that a pattern may have once its braces are written out.
const MOST_ATOMS: usize = 1 << 14;

/// A pattern for paths below a directory.
#[derive(Debug)]
pub(crate) struct Pattern {
    /// What the pattern says with its braces written out. Each ends in a part.
    alternatives: Vec<Vec<Part>>,
}

#[derive(Debug)]
enum Part {
    /// `**`: any number of directories, at the end also the file in the last of them.
    AnyDepth,
    Name(Name),
}

/// Which parts of a pattern come next below a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reached(Vec<(usize, usize)>);

/// Why a text is no pattern.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PatternError {
    code: ErrorCode,
    /// The character at fault, from 1.
    character: usize,
    what: &'static str,
}

impl PatternError {
    /// The failure of a call whose argument the pattern was.
    pub(crate) fn into_failure(self, argument: &str) -> ToolFailure {
        let path = JsonPath::root().member(argument);
        let failure = ToolFailure::from(self.code);
        if self.code == ErrorCode::InvalidPattern {
            failure.always_telling(format!("{path}, character {}: {}", self.character, self.what))
        } else {
            failure.with_detail(path, format!("character {}: {}", self.character, self.what))
        }
    }

    fn new(place: usize, what: &'static str) -> Self {
        Self { code: ErrorCode::InvalidPattern, character: place + 1, what }
    }
}

impl Pattern {
    /// Reads a pattern.
    pub(crate) fn new(text: &str) -> Result<Self, PatternError> {
        let alternatives = atoms::read(text)?;
        Ok(Self { alternatives: alternatives.iter().map(|atoms| parts(atoms)).collect::<Result<_, _>>()? })
    }

    /// The pattern of all files that are not hidden.
    pub(crate) fn everything() -> Self {
        Self { alternatives: vec![vec![Part::AnyDepth]] }
    }

    /// What the pattern begins with.
    pub(super) fn start(&self) -> Reached {
        self.reach((0..self.alternatives.len()).map(|alternative| (alternative, 0)))
    }

    /// Whether a file of this name in a directory is meant.
    pub(super) fn has_file(&self, reached: &Reached, name: &str, is_hidden: bool) -> bool {
        let is_last = |at: &(usize, usize)| self.part((at.0, at.1 + 1)).is_none();
        reached.0.iter().any(|at| is_last(at) && self.part(*at).is_some_and(|part| part.fits(name, is_hidden)))
    }

    /// What comes next in a directory of this name: nothing where no file below it can be meant.
    pub(super) fn enter(&self, reached: &Reached, name: &str, is_hidden: bool) -> Option<Reached> {
        let fits = |at: &&(usize, usize)| self.part(**at).is_some_and(|part| part.fits(name, is_hidden));
        let next = |at: &(usize, usize)| match self.part(*at) {
            Some(Part::AnyDepth) => *at,
            Some(Part::Name(_)) | None => (at.0, at.1 + 1),
        };
        let reached = self.reach(reached.0.iter().filter(fits).map(next));
        (!reached.0.is_empty()).then_some(reached)
    }

    /// These parts and, since `**` may stand for nothing, those behind it.
    fn reach(&self, at: impl Iterator<Item = (usize, usize)>) -> Reached {
        let mut reached = Vec::new();
        for (alternative, mut part) in at.filter(|at| self.part(*at).is_some()) {
            reached.push((alternative, part));
            while matches!(self.part((alternative, part)), Some(Part::AnyDepth)) {
                part += 1;
                reached.extend(self.part((alternative, part)).map(|_| (alternative, part)));
            }
        }
        reached.sort_unstable();
        reached.dedup();
        Reached(reached)
    }

    fn part(&self, (alternative, part): (usize, usize)) -> Option<&Part> {
        self.alternatives.get(alternative)?.get(part)
    }
}

impl Part {
    fn fits(&self, name: &str, is_hidden: bool) -> bool {
        match self {
            Self::AnyDepth => !is_hidden,
            Self::Name(pattern) => (!is_hidden || pattern.names_hidden(name)) && pattern.fits(name),
        }
    }
}

/// The parts of a pattern without braces.
///
/// As in ignore files, a pattern of one part is meant at any depth, and one that ends in `/` means all that lies below.
fn parts(atoms: &[Placed]) -> Result<Vec<Part>, PatternError> {
    let texts: Vec<&[Placed]> = atoms.split(|placed| placed.atom == Atom::Separator).collect();
    if texts.len() > 1 && texts.first().is_some_and(|first| first.is_empty()) {
        return Err(outside(0));
    }
    let ends_open = texts.len() > 1 && texts.last().is_some_and(|last| last.is_empty());
    let mut parts = Vec::new();
    for text in &texts {
        parts.extend(part(text, parts.is_empty())?);
    }
    parts.extend(ends_open.then_some(Part::AnyDepth));
    if parts.is_empty() {
        return Err(PatternError::new(0, "this names no file"));
    }
    if texts.len() == 1 {
        parts.insert(0, Part::AnyDepth);
    }
    parts.dedup_by(|a, b| matches!((a, b), (Part::AnyDepth, Part::AnyDepth)));
    Ok(parts)
}

/// A part of a pattern: none for what says nothing, as in paths.
fn part(text: &[Placed], is_first: bool) -> Result<Option<Part>, PatternError> {
    let atoms: Vec<Atom> = text.iter().map(|placed| placed.atom.clone()).collect();
    match atoms.as_slice() {
        [] | [Atom::Letter('.')] => Ok(None),
        [Atom::Letter('.'), Atom::Letter('.')] => Err(upwards(text, is_first)),
        [Atom::AnyText, Atom::AnyText] => Ok(Some(Part::AnyDepth)),
        _ => Ok(Some(Part::Name(Name::new(atoms)))),
    }
}

fn upwards(text: &[Placed], is_first: bool) -> PatternError {
    let place = text.first().map_or(0, |placed| placed.place);
    if is_first { outside(place) } else { PatternError::new(place, "`..` matches nothing: write the path without it") }
}

fn outside(place: usize) -> PatternError {
    let what = "a pattern is relative to the directory that is looked in, and leads down from there";
    PatternError { code: ErrorCode::PathOutsideWorkspace, ..PatternError::new(place, what) }
}

#[cfg(test)]
mod tests;
