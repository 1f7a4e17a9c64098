//! Text that is no JSON, and where it stops being.

use std::fmt;

/// Text that is not the strict JSON read here, with the place at which it stops being.
///
/// ```
/// use dispatch_core::json::Document;
///
/// let error = Document::parse(br#"{"a": 1,}"#.to_vec()).unwrap_err();
/// assert_eq!(error.to_string(), "expected a key after the comma");
/// assert_eq!((error.position().line, error.position().column), (1, 9));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Malformed {
    fault: Fault,
    position: Position,
    source: Vec<u8>,
}

/// A place in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The distance from the start of the text in bytes.
    pub offset: usize,
    /// The line, from 1. Lines end at `\n`.
    pub line: usize,
    /// The byte within the line, from 1. The end of the text has a column too: the one after its last byte.
    pub column: usize,
}

impl Position {
    pub(crate) fn of(offset: usize, text: &[u8]) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
        Self { offset, line: 1 + memchr::memchr_iter(b'\n', before).count(), column: 1 + before.len() - line_start }
    }
}

impl Malformed {
    pub(super) fn new(offset: usize, fault: Fault, source: Vec<u8>) -> Self {
        Self { fault, position: Position::of(offset, &source), source }
    }

    /// Returns where the text stops being JSON.
    pub fn position(&self) -> Position {
        self.position
    }

    /// Returns the text. It need not be UTF-8.
    pub fn source(&self) -> &[u8] {
        &self.source
    }

    pub(crate) fn into_source(self) -> Vec<u8> {
        self.source
    }
}

/// Leaves the text out: it can be of any size.
impl fmt::Debug for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fault, position, source: _ } = self;
        f.debug_struct("Malformed").field("fault", fault).field("position", position).finish_non_exhaustive()
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fault.fmt(f)
    }
}

impl std::error::Error for Malformed {}

/// What is wrong with the text. Private: the wording is for people and may change.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Fault {
    #[error("not UTF-8")]
    NotUtf8,
    #[error("expected a JSON value, found the end of the input")]
    NoValue,
    #[error("the input ends in the middle of {0}")]
    Unfinished(&'static str),
    #[error("expected {0}")]
    Expected(&'static str),
    #[error("more text after the end of the JSON value")]
    TrailingData,
    #[error("control character U+{0:04X} in a string: it must be escaped")]
    ControlCharacter(u8),
    #[error("no such escape in JSON")]
    Escape,
    #[error("lone surrogate: `\\ud800` to `\\udfff` stand for a character only in pairs, high then low")]
    LoneSurrogate,
    #[error("number out of range: it rounds to no finite double")]
    NumberOutOfRange,
    #[error("duplicate key `{0}`")]
    DuplicateKey(String),
    #[error("objects and arrays are nested {} deep or more", super::MAX_DEPTH)]
    TooDeep,
}
