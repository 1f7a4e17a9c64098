//! Texts of others', such as paths, as they stand in a line.

use std::borrow::Cow;

/// Returns a path as it is told: quoted, with escapes, where a character of it would end the line or steer a terminal. So no file's name passes for lines.
pub(crate) fn named(path: &str) -> Cow<'_, str> {
    if path.chars().any(char::is_control) { Cow::Owned(format!("{path:?}")) } else { Cow::Borrowed(path) }
}

/// Returns a sentence as it is told: with escapes for the characters that would end the line or steer a terminal.
pub(crate) fn unsteering(sentence: &str) -> String {
    let shown = |letter: char| if letter.is_control() { letter.escape_debug().to_string() } else { letter.to_string() };
    sentence.chars().map(shown).collect()
}
