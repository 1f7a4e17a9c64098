//! Names of tools.

use std::fmt;

/// A tool's name: 1 to 128 of the letters `A-Z`, `a-z`, `0-9`, `_`, `-` and `.`.
///
/// The alphabet and length are those of the [Model Context Protocol](https://modelcontextprotocol.io/specification/2025-11-25/server/tools);
/// providers take less.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ToolName(Box<str>);

/// A text that can't be a tool's name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no tool name: it must be 1 to 128 of the letters A-Z, a-z, 0-9, `_`, `-` and `.`")]
pub struct InvalidToolName(String);

impl ToolName {
    /// Checks a name.
    ///
    /// # Errors
    ///
    /// [`InvalidToolName`] when it has other letters or another length.
    ///
    /// ```
    /// use dispatch_core::ToolName;
    ///
    /// assert_eq!(ToolName::new("read_file")?.as_str(), "read_file");
    /// assert!(ToolName::new("read file").is_err());
    /// # Ok::<(), dispatch_core::InvalidToolName>(())
    /// ```
    pub fn new(name: &str) -> Result<Self, InvalidToolName> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        if (1..=128).contains(&name.len()) && name.bytes().all(allowed) {
            Ok(Self(name.into()))
        } else {
            Err(InvalidToolName(name.to_owned()))
        }
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::borrow::Borrow<str> for ToolName {
    fn borrow(&self) -> &str {
        &self.0
    }
}
