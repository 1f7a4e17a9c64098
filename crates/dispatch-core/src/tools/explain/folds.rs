//! Ways to read a text with less in it than there is: lines whose ends, white space or quotes don't count.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use memchr::memmem;
use unicode_normalization::UnicodeNormalization as _;

use super::quote::is_invisible;

/// Reads one line, given with its end. What it leaves out is left out wherever the line stands.
pub(super) type Fold = fn(&str) -> Cow<'_, str>;

/// A text as it is read under a fold, with the places at which its lines begin.
#[derive(Debug)]
pub(super) struct Folded {
    text: String,
    starts: Vec<usize>,
}

impl Folded {
    pub(super) fn new(text: &str, fold: Fold) -> Self {
        let mut folded = Self { text: String::with_capacity(text.len()), starts: Vec::new() };
        for line in text.split_inclusive('\n') {
            folded.starts.push(folded.text.len());
            folded.text.push_str(&fold(line));
        }
        folded
    }

    /// Returns the lines, from 0, on which a text first stands that was folded too.
    pub(super) fn find(&self, wanted: &Self) -> Option<RangeInclusive<usize>> {
        let last = wanted.text.len().checked_sub(1)?;
        let start = memmem::find(self.text.as_bytes(), wanted.text.as_bytes())?;
        Some(self.line_at(start)..=self.line_at(start + last))
    }

    /// The last line that begins no later: those before it which begin there too have nothing in them.
    fn line_at(&self, place: usize) -> usize {
        self.starts.partition_point(|start| *start <= place).saturating_sub(1)
    }
}

/// A carriage return at a line's end doesn't count.
pub(super) fn line_ends(line: &str) -> Cow<'_, str> {
    match line.strip_suffix("\r\n") {
        Some(body) => Cow::Owned(format!("{body}\n")),
        None => Cow::Borrowed(line.strip_suffix('\r').unwrap_or(line)),
    }
}

/// White space before a line's text doesn't count.
pub(super) fn indentation(line: &str) -> Cow<'_, str> {
    Cow::Borrowed(line.trim_start_matches(|c: char| c.is_whitespace() && c != '\n'))
}

/// White space doesn't count, line ends included.
pub(super) fn white_space(line: &str) -> Cow<'_, str> {
    without(line, char::is_whitespace)
}

/// Characters that show nothing don't count.
pub(super) fn invisible(line: &str) -> Cow<'_, str> {
    without(line, is_invisible)
}

/// Canonically equal characters are the same. No form of one line depends on another: nothing composes with a line feed.
pub(super) fn unicode_form(line: &str) -> Cow<'_, str> {
    if line.is_ascii() { Cow::Borrowed(line) } else { Cow::Owned(line.nfc().collect()) }
}

/// Quotes and dashes of print are the same as those of a typewriter.
pub(super) fn typography(line: &str) -> Cow<'_, str> {
    if line.is_ascii() { Cow::Borrowed(line) } else { Cow::Owned(line.chars().map(typed).collect()) }
}

/// Nothing of all this counts.
pub(super) fn everything(line: &str) -> Cow<'_, str> {
    let line = line.nfc().map(typed).filter(|c| !c.is_whitespace() && !is_invisible(*c));
    Cow::Owned(line.collect())
}

fn without(line: &str, unwanted: fn(char) -> bool) -> Cow<'_, str> {
    if line.contains(unwanted) { Cow::Owned(line.replace(unwanted, "")) } else { Cow::Borrowed(line) }
}

/// The character of a typewriter that stands for one of print.
fn typed(c: char) -> char {
    match c {
        '\u{2018}'..='\u{201b}' | '\u{2032}' | '\u{b4}' | '`' => '\'',
        '\u{201c}'..='\u{201f}' | '\u{2033}' | '\u{ab}' | '\u{bb}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(fold: Fold, text: &str, wanted: &str, expected: impl Into<Option<RangeInclusive<usize>>>) {
        assert_eq!(Folded::new(text, fold).find(&Folded::new(wanted, fold)), expected.into(), "{text:?} {wanted:?}");
    }

    #[test]
    fn each_leaves_out_what_it_says_and_no_more() {
        for (fold, line, expected) in [
            (line_ends as Fold, "\ta\rb \r\n", "\ta\rb \n"),
            (line_ends, "a\r", "a"),
            (indentation, "\t \u{a0}a b \n", "a b \n"),
            (indentation, " \t\n", "\n"),
            (white_space, "\ta b\u{3000}c\r\n", "abc"),
            (invisible, "\u{feff}a\u{200b}b \n", "ab \n"),
            (unicode_form, "e\u{301}\u{212b}\n", "\u{e9}\u{c5}\n"),
            (typography, "“a” ‘b’ «c» – −1\n", "\"a\" 'b' \"c\" - -1\n"),
            (everything, "\u{feff}\t“e\u{301}” \r\n", "\"\u{e9}\""),
        ] {
            assert_eq!(fold(line), expected, "{line:?}");
        }
    }

    #[test]
    fn the_lines_are_those_of_the_text_as_it_stands() {
        check(invisible, "a\nb\nc", "b\nc", Some(1..=2));
        check(invisible, "a\nb\nc", "d", None);
        check(invisible, "", "", None);
        check(white_space, "\n \na b\n\n c\n", "ab\nc", Some(2..=4));
        check(white_space, "a", " ", None);
        check(line_ends, "a\r\nb\r\n", "a\nb", Some(0..=1));
        check(unicode_form, "e\u{301}\n\u{e9}x", "\u{e9}x", Some(1..=1));
    }
}
