//! How much of an observation is shown.

use std::borrow::Cow;

/// The limits of a call's output.
///
/// ```
/// use dispatch_core::{LimitOutOfRange, Limits};
///
/// assert_eq!(Limits::default().max_output_bytes(), 65536);
/// assert_eq!(Limits::output_bytes(100)?.max_output_bytes(), 100);
/// assert_eq!(Limits::output_bytes(0), Err(LimitOutOfRange));
/// # Ok::<(), LimitOutOfRange>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    max_output_bytes: u64,
}

/// A limit that is not from 1 to [`Limits::LARGEST`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a limit must be an integer from 1 to {}", Limits::LARGEST)]
pub struct LimitOutOfRange;

impl Limits {
    /// The largest limit: 2^53 - 1, the largest integer that every JSON reader keeps exact.
    pub const LARGEST: u64 = 9_007_199_254_740_991;

    /// Limits observations to this many bytes of UTF-8.
    ///
    /// # Errors
    ///
    /// [`LimitOutOfRange`] unless it is from 1 to [`LARGEST`](Self::LARGEST).
    ///
    /// ```
    /// use dispatch_core::{LimitOutOfRange, Limits};
    ///
    /// assert!(Limits::output_bytes(1).is_ok());
    /// assert_eq!(Limits::output_bytes(0), Err(LimitOutOfRange));
    /// assert_eq!(Limits::output_bytes(Limits::LARGEST + 1), Err(LimitOutOfRange));
    /// ```
    pub fn output_bytes(max_output_bytes: u64) -> Result<Self, LimitOutOfRange> {
        if (1..=Self::LARGEST).contains(&max_output_bytes) {
            Ok(Self { max_output_bytes })
        } else {
            Err(LimitOutOfRange)
        }
    }

    /// Returns the largest length of an observation in bytes of UTF-8.
    pub fn max_output_bytes(self) -> u64 {
        self.max_output_bytes
    }

    /// A limit beyond the address space limits nothing.
    pub(crate) fn max_output_len(self) -> usize {
        usize::try_from(self.max_output_bytes).unwrap_or(usize::MAX)
    }

    /// Returns the smaller of both limits.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { max_output_bytes: self.max_output_bytes.min(other.max_output_bytes) }
    }

    /// Returns the text that is shown of this one: itself, or what is left when the middle is cut out.
    ///
    /// A cut text keeps the beginning and the last lines, with a line between them that tells how much is missing. It is never longer
    /// than the limit, ends at characters, and cut again at the same limit it stays as it is.
    ///
    /// ```
    /// use dispatch_core::Limits;
    ///
    /// let text = "first\n".to_owned() + &"noise\n".repeat(100) + "error: E42\n";
    /// let shown = Limits::output_bytes(80)?.cut(&text);
    /// assert_eq!(shown, "first\nnoise\nnoise\nnoise\n[... 576 bytes of 617 omitted ...]\nnoise\nerror: E42\n");
    /// # Ok::<(), dispatch_core::LimitOutOfRange>(())
    /// ```
    pub fn cut(self, text: &str) -> Cow<'_, str> {
        let limit = self.max_output_len();
        if text.len() <= limit {
            return Cow::Borrowed(text);
        }
        let reserve = "\n".len() + marker(text.len(), text.len()).len();
        match limit.checked_sub(reserve) {
            None => Cow::Borrowed(longest_prefix(text, limit)),
            Some(room) => Cow::Owned(cut_middle(text, room)),
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_output_bytes: 65536 }
    }
}

/// The number of lines that are kept from the end, where there is room.
const TAIL_LINES: usize = 5;

fn cut_middle(text: &str, room: usize) -> String {
    let tail = tail(text, room / 2);
    let head = head(text, room - tail.len());
    let separator = if head.is_empty() || head.ends_with('\n') { "" } else { "\n" };
    let omitted = text.len() - head.len() - tail.len();
    [head, separator, &marker(omitted, text.len()), tail].concat()
}

fn marker(omitted: usize, whole: usize) -> String {
    format!("[... {omitted} bytes of {whole} omitted ...]\n")
}

/// The last lines, or as much of them as there is room for: then from a line's beginning, if one is near.
fn tail(text: &str, room: usize) -> &str {
    let lines = last_lines(text);
    if lines.len() <= room {
        return lines;
    }
    let tail = longest_suffix(text, room);
    match tail.find('\n') {
        Some(newline) if newline < tail.len() / 2 => tail.get(newline + 1..).unwrap_or_default(),
        _ => tail,
    }
}

/// As much of the beginning as there is room for: to a line's end, if one is near.
fn head(text: &str, room: usize) -> &str {
    let head = longest_prefix(text, room);
    match head.rfind('\n') {
        Some(newline) if newline >= head.len() / 2 => head.get(..=newline).unwrap_or_default(),
        _ => head,
    }
}

fn last_lines(text: &str) -> &str {
    let finished = text.strip_suffix('\n').unwrap_or(text);
    let start = memchr::memrchr_iter(b'\n', finished.as_bytes()).nth(TAIL_LINES - 1);
    start.and_then(|newline| text.get(newline + 1..)).unwrap_or(text)
}

fn longest_prefix(text: &str, room: usize) -> &str {
    text.get(..text.floor_char_boundary(room)).unwrap_or_default()
}

fn longest_suffix(text: &str, room: usize) -> &str {
    let start = text.len().saturating_sub(room);
    text.get(text.ceil_char_boundary(start)..).unwrap_or_default()
}

#[cfg(test)]
mod tests;
