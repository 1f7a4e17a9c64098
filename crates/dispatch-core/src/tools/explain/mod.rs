//! What helps a model to its next try when a call failed: found out only then, and only when asked for.
//!
//! **Nothing here makes a call succeed, or changes its code.** A hint says what nearly fitted; the model decides, and asks again. **A hint is
//! bounded**, whatever the file: in length, by what [`quote`] shows and how many things are named; in work, by how much is looked at
//! ([`EXAMINED_BYTES`], [`EXAMINED_PATHS`], and the comparisons of [`Nearest`](crate::nearest::Nearest)).

mod ambiguous;
mod folds;
mod nearly;
mod not_found;
pub(super) mod path;
mod quote;

use crate::code::ErrorCode;
use crate::failure::ToolFailure;
use crate::json::JsonPath;
use crate::workspace::View;

/// So much of a file is looked at for what is nearly the text: more than people write into one. Whatever stands in it, that takes some tenths
/// of a second at the most.
const EXAMINED_BYTES: usize = 1 << 20;

/// So many paths are looked at for those that are near, and for what lies in a directory: more than most repositories hold.
const EXAMINED_PATHS: usize = 10_000;

/// The largest number of lines or names that are listed.
const MOST_LISTED: usize = 10;

/// Says of a path that was not found, or is no file, what is there.
pub(super) fn path(failure: ToolFailure, view: &View<'_>, path: &str) -> ToolFailure {
    explained(failure, view, "path", |code| path::hint(code, view, path))
}

/// Says of a text that does not stand in a file what nearly is it, or of one that stands there more than once, where.
#[expect(clippy::wildcard_enum_match_arm, reason = "two codes are about a text to replace")]
pub(super) fn old(failure: ToolFailure, view: &View<'_>, text: &str, old: &str, argument: &str) -> ToolFailure {
    explained(failure, view, argument, |code| match code {
        ErrorCode::OldStrNotFound => Some(not_found::hint(text, old)),
        ErrorCode::AmbiguousMatch => Some(ambiguous::hint(text, old)),
        _ => None,
    })
}

/// Says of a line behind the last one how many there are.
pub(super) fn offset(failure: ToolFailure, view: &View<'_>, text: &str) -> ToolFailure {
    explained(failure, view, "offset", |_| {
        Some(match text.split_inclusive('\n').count() {
            0 => "the file is empty".to_owned(),
            1 => "the file has 1 line".to_owned(),
            lines => format!("the file has {lines} lines"),
        })
    })
}

/// Adds a hint about an argument, if failures are explained and there is one.
fn explained(
    failure: ToolFailure,
    view: &View<'_>,
    argument: &str,
    hint: impl FnOnce(ErrorCode) -> Option<String>,
) -> ToolFailure {
    let code = failure.code().built_in().filter(|_| view.explains());
    match code.and_then(hint) {
        Some(hint) => failure.with_detail(JsonPath::root().member(argument), hint),
        None => failure,
    }
}

/// Names lines, counted from 0, as people do: `line 3`, `lines 3 to 5`.
fn named(first: usize, last: usize) -> String {
    if first == last { format!("line {}", first + 1) } else { format!("lines {} to {}", first + 1, last + 1) }
}

/// Joins a few things with commas, and a word before the last.
fn listed(things: &[String], word: &str) -> String {
    match things {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests;
