//! What nearly is a text: the same but for white space, quotes, a form of Unicode, or what else people and models don't see.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use unicode_normalization::{is_nfc, is_nfd};

use super::folds::{self, Fold, Folded};
use super::named;
use super::quote::quoted;

/// One way in which a text can nearly be another.
struct Nearly {
    /// What is wanted: the text itself, or what it would be without a slip. Nothing where there is no such slip.
    wanted: Wanted,
    /// What doesn't count.
    fold: Fold,
    /// Says what differs between the file's lines and the text.
    how: fn(&str, &str) -> String,
}

type Wanted = fn(&str) -> Option<Cow<'_, str>>;

const AS_IT_IS: Wanted = |old| Some(Cow::Borrowed(old));

/// All ways. The first that fits is told: the smallest differences come first.
const WAYS: &[Nearly] = &[
    Nearly { wanted: AS_IT_IS, fold: folds::line_ends, how: line_ends },
    Nearly {
        wanted: without_line_numbers,
        fold: folds::line_ends,
        how: |_, _| "without the line numbers in front of its lines".to_owned(),
    },
    Nearly {
        wanted: unescaped,
        fold: folds::line_ends,
        how: |_, _| "once its backslash escapes are decoded".to_owned(),
    },
    Nearly {
        wanted: AS_IT_IS,
        fold: folds::invisible,
        how: |_, _| "with other invisible characters, such as a byte order mark".to_owned(),
    },
    Nearly { wanted: AS_IT_IS, fold: folds::indentation, how: |_, _| "with other indentation".to_owned() },
    Nearly { wanted: AS_IT_IS, fold: folds::white_space, how: |_, _| "with other white space".to_owned() },
    Nearly { wanted: AS_IT_IS, fold: folds::unicode_form, how: unicode_form },
    Nearly { wanted: AS_IT_IS, fold: folds::typography, how: |_, _| "with other quotes or dashes".to_owned() },
    Nearly {
        wanted: without_all,
        fold: folds::everything,
        how: |_, _| "with several of these differences: white space, quotes, line numbers, forms of Unicode".to_owned(),
    },
];

/// Says where a text nearly stands in another, how it differs there, and what stands there.
pub(super) fn hint(text: &str, old: &str) -> Option<String> {
    WAYS.iter().find_map(|way| way.hint(text, old))
}

impl Nearly {
    fn hint(&self, text: &str, old: &str) -> Option<String> {
        let wanted = (self.wanted)(old)?;
        let lines = Folded::new(text, self.fold).find(&Folded::new(&wanted, self.fold))?;
        let there = lines_of(text, &lines);
        Some(told(&lines, &(self.how)(there, old), there))
    }
}

fn told(lines: &RangeInclusive<usize>, how: &str, there: &str) -> String {
    format!("it stands at {} {how}: {}", named(*lines.start(), *lines.end()), quoted(there))
}

/// Says where a text stands that goes on with a line end where the file, given whole, has ended.
pub(super) fn missing_final_newline(text: &str, old: &str) -> Option<String> {
    let body = old.trim_end_matches('\n');
    let before = text.trim_end_matches('\n').strip_suffix(body).filter(|_| !body.is_empty())?;
    let count = |text: &str| memchr::memchr_iter(b'\n', text.as_bytes()).count();
    let first = count(before);
    let lines = first..=first + count(body);
    Some(told(&lines, "without its final newline, where the file ends", lines_of(text, &lines)))
}

/// A text copied together with the numbers in front of its lines.
fn without_line_numbers(old: &str) -> Option<Cow<'_, str>> {
    old.split_inclusive('\n').map(without_line_number).collect::<Option<String>>().map(Cow::Owned)
}

fn without_line_number(line: &str) -> Option<&str> {
    let (number, text) = line.trim_start_matches(' ').split_once(':')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.strip_prefix(' ').unwrap_or(text))
}

/// A text that was escaped once too often: it holds `\n` as two characters.
fn unescaped(old: &str) -> Option<Cow<'_, str>> {
    if !old.contains('\\') {
        return None;
    }
    let mut text = String::with_capacity(old.len());
    let mut chars = old.chars();
    while let Some(c) = chars.next() {
        let decoded = if c == '\\' { decoded(chars.next()?)? } else { c };
        text.push(decoded);
    }
    Some(Cow::Owned(text))
}

fn decoded(escape: char) -> Option<char> {
    match escape {
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        '\\' | '"' | '\'' | '/' => Some(escape),
        _ => None,
    }
}

fn without_all(old: &str) -> Option<Cow<'_, str>> {
    without_line_numbers(old).or_else(|| AS_IT_IS(old))
}

fn line_ends(there: &str, here: &str) -> String {
    let name = |text: &str| {
        let returns = text.matches("\r\n").count();
        match (returns > 0, text.matches('\n').count() > returns) {
            (true, true) => "CRLF and LF",
            (true, false) => "CRLF",
            (false, true) => "LF",
            (false, false) => "none",
        }
    };
    format!("with other line endings ({} in the file, {} here)", name(there), name(here))
}

fn unicode_form(there: &str, here: &str) -> String {
    let name = |text: &str| match (is_nfc(text), is_nfd(text)) {
        (true, _) => "NFC",
        (false, true) => "NFD",
        (false, false) => "neither NFC nor NFD",
    };
    format!("in another Unicode normal form ({} in the file, {} here)", name(there), name(here))
}

/// The text of some lines, counted from 0.
fn lines_of<'t>(text: &'t str, lines: &RangeInclusive<usize>) -> &'t str {
    let starts = memchr::memchr_iter(b'\n', text.as_bytes()).map(|end| end + 1);
    let start_of = |line: usize| match line.checked_sub(1) {
        Some(ends_before) => starts.clone().nth(ends_before).unwrap_or(text.len()),
        None => 0,
    };
    text.get(start_of(*lines.start())..start_of(lines.end() + 1)).unwrap_or_default()
}

#[cfg(test)]
mod tests;
