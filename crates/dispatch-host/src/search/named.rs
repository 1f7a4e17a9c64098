//! Texts of others', such as paths, as they stand in a line.

use std::borrow::Cow;

/// Returns a path as it is told: quoted, with escapes, where a character of it would end the line or steer a terminal. So no file's name passes for lines.
pub(crate) fn named(path: &str) -> Cow<'_, str> {
    if path.chars().any(char::is_control) { Cow::Owned(format!("{path:?}")) } else { Cow::Borrowed(path) }
}

/// No file system has a path that comes near, but a workspace in memory may.
const LONGEST_IN_LINES: usize = 1 << 20;

/// Returns a path as it is told before each of many lines: of one that is very long the beginning, and how much of it is missing.
pub(crate) fn named_in_lines(path: &str) -> Cow<'_, str> {
    let name = named(path);
    if name.len() <= LONGEST_IN_LINES {
        return name;
    }
    let (shown, omitted) = name.split_at(name.floor_char_boundary(LONGEST_IN_LINES));
    Cow::Owned(format!("{shown}[... {} bytes of {} omitted ...]", omitted.len(), name.len()))
}

/// Returns a sentence as it is told: with escapes for the characters that would end the line or steer a terminal.
pub(crate) fn unsteering(sentence: &str) -> String {
    let shown = |letter: char| if letter.is_control() { letter.escape_debug().to_string() } else { letter.to_string() };
    sentence.chars().map(shown).collect()
}
