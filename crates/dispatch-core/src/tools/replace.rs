//! Text in a file, replaced.
//!
//! **A file in which one place changes is not held**, where the workspace [opens files](crate::workspace::Workspace::open): it is searched piece by piece, and
//! what changes is a [patch](crate::workspace::Patch). All else, and whatever is to be told of a failure, is done on the whole text. Both come to the same.

mod sought;

use std::borrow::Cow;

use memchr::memmem;

use super::explain;
use super::text::write_text;
use crate::code::ErrorCode;
use crate::failure::ToolFailure;
use crate::workspace::View;
use sought::Sought;

/// What is to be replaced in a text, letter by letter.
#[derive(Debug, Clone, Copy)]
pub struct Replacement<'r> {
    /// The text to replace.
    pub old: &'r str,
    /// The text to put in its place, taken literally.
    pub new: &'r str,
    /// Whether each place is replaced, from the beginning on and none that overlaps one before. Else there must be one place alone.
    pub all: bool,
    /// The argument that brought the text to replace, for what is told of it.
    pub old_argument: &'static str,
    /// How many lines around those that it touches are to be shown of the text before.
    pub context_lines: usize,
}

/// What a text in which something is replaced held before: all of it, or lines of it around the one place.
#[derive(Debug, Clone, Copy)]
pub struct Passage<'p> {
    /// Whole lines.
    pub text: &'p str,
    /// Where in these lines stands what is replaced, in bytes: sorted, and none overlaps another.
    pub places: &'p [usize],
    /// How many lines of the file stand before these lines.
    pub lines_before: usize,
}

/// Replaces text in a file. What stands there before, and where in it `old` was found, is shown to `tell`, whose answer comes back.
///
/// Where one place alone is replaced, in a workspace that [opens files](crate::workspace::Workspace::open), the file is not held, however large it is.
///
/// # Errors
///
/// Those of [`View::read_text`] and [`View::write`]; [`ErrorCode::FileTooLarge`] where the text would be longer than the file and `new` together, and than
/// the workspace [allows](View::check_length), before there is room for it; [`ErrorCode::NoChange`] for equal texts, [`ErrorCode::OldStrNotFound`], and
/// [`ErrorCode::AmbiguousMatch`] where one place alone is to be replaced and there are more, overlapping ones counted. Where
/// [failures are explained](View::explains), a detail says what nearly was the text, or where it stands.
///
/// ```
/// use dispatch_core::{ErrorCode, ToolFailure, tools};
/// use dispatch_core::workspace::{MemoryWorkspace, View};
/// # use dispatch_core::{Gates, Registry, ToolCall, json::Document, tool_fn};
/// # #[derive(serde::Deserialize, schemars::JsonSchema)]
/// # struct NoArgs {}
///
/// fn handler(_: NoArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
///     let one = tools::Replacement { old: "aa", new: "b", all: false, old_argument: "old_str", context_lines: 0 };
///     let ambiguous = tools::replace_text(view, "a.txt", one, |_| ()).unwrap_err();
///     assert_eq!(ambiguous, ErrorCode::AmbiguousMatch.into());
///     let all = tools::Replacement { all: true, ..one };
///     let places = tools::replace_text(view, "a.txt", all, |passage| passage.places.to_vec())?;
///     assert_eq!(places, [0, 2]);
///     Ok(String::new())
/// }
/// # let gates = Gates::new(Registry::builder().tool(tool_fn("example", handler)).build()?);
/// # let admitted = gates.admit(ToolCall::new("example", Document::parse(b"{}".to_vec())?))?;
/// # let mut workspace = MemoryWorkspace::from_iter([("a.txt", "aaaaa")]);
/// # let result = admitted.run(&mut workspace);
/// # assert!(result.error().is_none(), "{:?}", result.error());
/// assert_eq!(workspace.files().next().unwrap(), ("a.txt", "bba".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn replace_text<T>(
    view: &mut View<'_>,
    path: &str,
    replacement: Replacement<'_>,
    tell: impl FnOnce(Passage<'_>) -> T,
) -> Result<T, ToolFailure> {
    match only_place_sought(view, path, replacement) {
        Some(sought) => {
            let told = tell(sought.passage());
            view.patch(path, &sought.version, sought.replaced_by(replacement.new))?;
            Ok(told)
        }
        None => replace_in_whole(view, path, replacement, tell),
    }
}

/// Where the one place stands that is to be replaced. None where there is not one, and where the file is to be held to find it.
fn only_place_sought(view: &View<'_>, path: &str, replacement: Replacement<'_>) -> Option<Sought> {
    let Replacement { old, new, all, context_lines, .. } = replacement;
    if all || old == new { None } else { sought::seek(&mut *view.open(path)?, old, context_lines) }
}

fn replace_in_whole<T>(
    view: &mut View<'_>,
    path: &str,
    replacement: Replacement<'_>,
    tell: impl FnOnce(Passage<'_>) -> T,
) -> Result<T, ToolFailure> {
    let Replacement { old, new, all, old_argument, .. } = replacement;
    let text = view.read_text(path).map_err(|failure| explain::path(failure, view, path))?;
    if old == new {
        return Err(ErrorCode::NoChange.into());
    }
    let places = if all { places(&text, old) } else { only_place(&text, old).map(|place| vec![place]) };
    let places = places.map_err(|code| explain::old(code.into(), view, &text, old, old_argument))?;
    let length = replaced_length(&text, places.len(), old.len(), new.len());
    if length > text.len() + new.len() {
        view.check_length(u64::try_from(length).unwrap_or(u64::MAX))?;
    }
    let told = tell(Passage { text: &text, places: &places, lines_before: 0 });
    let replaced = replaced(text, &places, old.len(), new)?;
    write_text(view, path, replaced)?;
    Ok(told)
}

/// The only place at which `old` could start, places that overlap counted.
fn only_place(text: &str, old: &str) -> Result<usize, ErrorCode> {
    let finder = memmem::Finder::new(old);
    let start = finder.find(text.as_bytes()).ok_or(ErrorCode::OldStrNotFound)?;
    let rest = text.as_bytes().get(start + 1..).unwrap_or_default();
    if finder.find(rest).is_some() { Err(ErrorCode::AmbiguousMatch) } else { Ok(start) }
}

fn places(text: &str, old: &str) -> Result<Vec<usize>, ErrorCode> {
    let places: Vec<usize> = memmem::find_iter(text.as_bytes(), old).collect();
    if places.is_empty() { Err(ErrorCode::OldStrNotFound) } else { Ok(places) }
}

/// How long a text will be. Lengths beyond the address space are beyond any limit.
fn replaced_length(text: &str, places: usize, old_len: usize, new_len: usize) -> usize {
    let kept = text.len().saturating_sub(places.saturating_mul(old_len));
    kept.saturating_add(places.saturating_mul(new_len))
}

fn replaced(text: Cow<'_, str>, places: &[usize], old_len: usize, new: &str) -> Result<String, ToolFailure> {
    match (text, places) {
        // A second text beside the first costs more than to move its end.
        (Cow::Owned(mut text), [place]) => {
            text.replace_range(*place..place + old_len, new);
            Ok(text)
        }
        (text, places) => joined(&text, places, old_len, new),
    }
}

fn joined(text: &str, places: &[usize], old_len: usize, new: &str) -> Result<String, ToolFailure> {
    let mut joined = String::new();
    let room = joined.try_reserve_exact(replaced_length(text, places.len(), old_len, new.len()));
    room.map_err(|error| ToolFailure::from(ErrorCode::FileTooLarge).with_operator_text(error.to_string()))?;
    let mut end = 0;
    for place in places {
        joined += text.get(end..*place).unwrap_or_default();
        joined += new;
        end = place + old_len;
    }
    joined += text.get(end..).unwrap_or_default();
    Ok(joined)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gates::Gates;
    use crate::tool::tool_fn;
    use crate::workspace::MemoryWorkspace;
    use crate::{Registry, ToolCall, json::Document};

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct NoArgs {}

    /// Replaces each `y` of a file, and checks whether that was too much.
    #[track_caller]
    fn check_multiplied(file: &str, new: String, is_too_large: bool) {
        let handler = move |_: NoArgs, view: &mut View<'_>| {
            let all = Replacement { old: "y", new: &new, all: true, old_argument: "old", context_lines: 0 };
            let tell = |passage: Passage<'_>| assert!(!is_too_large, "{}", passage.places.len());
            replace_text(view, "a", all, tell).map(|()| String::new())
        };
        let gates = Gates::new(Registry::builder().tool(tool_fn("replace", handler)).build().unwrap());
        let call = ToolCall::new("replace", Document::parse(b"{}".to_vec()).unwrap());
        let result = gates.admit(call).unwrap().run(&mut MemoryWorkspace::from_iter([("a", file)]));
        let code = result.error().map(|error| error.code.clone());
        assert_eq!(code, is_too_large.then(|| ErrorCode::FileTooLarge.into()));
    }

    #[test]
    fn what_multiplies_its_input_is_refused_before_there_is_room_for_it() {
        check_multiplied(&"y".repeat(1 << 10), "z".repeat(1 << 16), false);
        check_multiplied(&"y".repeat((1 << 10) + 1), "z".repeat(1 << 16), true);
        check_multiplied(&"y".repeat(1 << 20), "z".repeat(100_000), true);
        check_multiplied("y", "z".repeat(65 << 20), false);
    }

    fn check(text: &str, places: &[usize], new: &str, expected: &str) {
        for text in [Cow::Borrowed(text), Cow::Owned(text.to_owned())] {
            assert_eq!(replaced(text, places, 2, new).unwrap(), expected, "{places:?} {new:?}");
        }
    }

    #[test]
    fn a_text_of_ones_own_is_replaced_as_a_borrowed_one_is() {
        for new in ["", "xy", "longer"] {
            check("abé-ba", &[0], new, &[new, "é-ba"].concat());
            check("abé-ba", &[2], new, &["ab", new, "-ba"].concat());
            check("abé-ba", &[5], new, &["abé-", new].concat());
        }
        check("abé-ba", &[0, 5], "x", "xé-x");
    }
}
