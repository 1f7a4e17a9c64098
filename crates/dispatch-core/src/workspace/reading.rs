//! What is read of a file: its contents, and which state of it they are.

use std::borrow::Cow;
use std::sync::Arc;

use super::WorkspaceError;
use crate::code::ErrorCode;

/// The contents of a file, with the state that it was read in.
#[derive(Debug, Clone)]
pub struct Reading<'w> {
    /// The contents.
    pub contents: Contents<'w>,
    /// The state that they are of.
    pub version: Version,
}

/// A file that is open, and is read piece by piece by who need not hold it.
pub trait OpenFile {
    /// Puts the next bytes into a buffer, from its beginning on, and returns how many: none at the end of the file.
    ///
    /// # Errors
    ///
    /// A [`WorkspaceError`].
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, WorkspaceError>;

    /// Returns the state of the file that was read. It is asked at the end.
    fn version(&self) -> Version;
}

/// The contents of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Contents<'w> {
    /// Text: UTF-8.
    Text(Cow<'w, str>),
    /// Anything that is no UTF-8.
    Bytes(Cow<'w, [u8]>),
}

/// A state of a file. To change the file is to change its version.
///
/// What it is made of is known to the workspace that made it. That of a workspace which nobody else can change is empty.
///
/// ```
/// use dispatch_core::workspace::Version;
///
/// assert_eq!(Version::new(b"inode 7, 12 bytes"), Version::new(b"inode 7, 12 bytes"));
/// assert_ne!(Version::new(b"inode 7, 12 bytes"), Version::new(b"inode 7, 13 bytes"));
/// assert_eq!(Version::default().as_bytes(), b"");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Version(Option<Arc<[u8]>>);

impl Version {
    /// Makes a version of what tells one state of a file from another.
    pub fn new(state: &[u8]) -> Self {
        Self((!state.is_empty()).then(|| state.into()))
    }

    /// Returns what the version was made of.
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_deref().unwrap_or_default()
    }
}

impl Contents<'_> {
    /// Returns the bytes, of text too.
    ///
    /// ```
    /// use dispatch_core::workspace::Contents;
    ///
    /// assert_eq!(Contents::Text("a".into()).as_bytes(), Contents::from(b"a".to_vec()).as_bytes());
    /// ```
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }
}

impl From<Vec<u8>> for Contents<'_> {
    /// Takes bytes for text where they are UTF-8.
    fn from(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Self::Text(text.into()),
            Err(error) => Self::Bytes(error.into_bytes().into()),
        }
    }
}

impl<'w> Reading<'w> {
    /// Makes a reading of text that nobody else can change.
    pub fn of_text(text: impl Into<Cow<'w, str>>) -> Self {
        Self { contents: Contents::Text(text.into()), version: Version::default() }
    }

    /// Returns the contents as text.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::NotText`].
    ///
    /// ```
    /// use dispatch_core::ErrorCode;
    /// use dispatch_core::workspace::{Reading, Version};
    ///
    /// assert_eq!(Reading::of_text("caf\u{e9}").into_text()?, "caf\u{e9}");
    /// let latin_1 = Reading { contents: b"caf\xe9".to_vec().into(), version: Version::default() };
    /// assert_eq!(latin_1.into_text().unwrap_err().code(), ErrorCode::NotText);
    /// # Ok::<(), dispatch_core::workspace::WorkspaceError>(())
    /// ```
    pub fn into_text(self) -> Result<Cow<'w, str>, WorkspaceError> {
        match self.contents {
            Contents::Text(text) => Ok(text),
            Contents::Bytes(_) => Err(WorkspaceError::new(ErrorCode::NotText, "the file is not UTF-8")),
        }
    }
}
