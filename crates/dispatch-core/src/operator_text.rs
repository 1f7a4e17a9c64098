//! Texts that must not reach the model.

use std::fmt;
use std::ops::Deref;

/// A text for the operator alone: what a panic, a policy or the operating system said.
///
/// It may hold paths, passwords and worse, so it shows itself only to whoever asks for it as a text. Debugging what holds it tells that it is there,
/// and there is no `Display`.
///
/// ```
/// use dispatch_core::OperatorText;
///
/// let text = OperatorText::from("connect postgres://root:hunter2@db: refused");
/// assert!(text.contains("refused"));
/// assert_eq!(format!("{text:?}"), "OperatorText(..)");
/// ```
#[derive(Clone, PartialEq, Eq, Default)]
pub struct OperatorText(String);

impl OperatorText {
    /// Returns the text, for a log that no model reads.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for OperatorText {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl From<String> for OperatorText {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for OperatorText {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl fmt::Debug for OperatorText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OperatorText(..)")
    }
}
