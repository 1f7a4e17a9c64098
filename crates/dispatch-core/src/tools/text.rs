//! What the tools do with text files, under whatever names a toolset offers it.

use std::borrow::Cow;
use std::fmt::Write as _;

use memchr::memmem;

use super::explain;
use crate::code::ErrorCode;
use crate::failure::ToolFailure;
use crate::workspace::View;

/// Returns lines of a file as `N: text`, from the one that stands at `first` (from 1; none: the first) on, at most `limit` of them.
///
/// # Errors
///
/// Those of [`View::read_text`], and [`ErrorCode::LineOutOfRange`] when the first line asked for lies behind the last. Where
/// [failures are explained](View::explains), a detail says of the argument `path` or `offset` what is there instead.
///
/// ```
/// use dispatch_core::{ErrorCode, ToolFailure, tools};
/// use dispatch_core::workspace::{MemoryWorkspace, View};
/// # use dispatch_core::{Gates, Registry, ToolCall, json::Document, tool_fn};
/// # #[derive(serde::Deserialize, schemars::JsonSchema)]
/// # struct NoArgs {}
///
/// fn handler(_: NoArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
///     assert_eq!(tools::read_lines(view, "a.txt", Some(2), Some(1))?, "2: b\n");
///     assert_eq!(tools::read_lines(view, "a.txt", Some(4), None).unwrap_err(), ErrorCode::LineOutOfRange.into());
///     Ok(String::new())
/// }
/// # let gates = Gates::new(Registry::builder().tool(tool_fn("example", handler)).build()?);
/// # let admitted = gates.admit(ToolCall::new("example", Document::parse(b"{}".to_vec())?))?;
/// # let mut workspace = MemoryWorkspace::from_iter([("a.txt", "a\nb\nc")]);
/// # let result = admitted.run(&mut workspace);
/// # assert!(result.error().is_none(), "{:?}", result.error());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_lines(view: &View<'_>, path: &str, first: Option<u64>, limit: Option<u64>) -> Result<String, ToolFailure> {
    let text = view.read_text(path).map_err(|failure| explain::path(failure, view, path))?;
    number_lines(view, &text, first, limit)
}

/// Returns lines of a text as [`read_lines`] does those of a file: for a tool that has the text from elsewhere.
///
/// # Errors
///
/// [`ErrorCode::LineOutOfRange`] when the first line asked for lies behind the last, explained as there.
///
/// ```
/// use dispatch_core::{ErrorCode, ToolFailure, tools};
/// use dispatch_core::workspace::View;
/// # use dispatch_core::workspace::MemoryWorkspace;
/// # use dispatch_core::{Gates, Registry, ToolCall, json::Document, tool_fn};
/// # #[derive(serde::Deserialize, schemars::JsonSchema)]
/// # struct NoArgs {}
///
/// fn handler(_: NoArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
///     assert_eq!(tools::number_lines(view, "a\nb\n", Some(2), None)?, "2: b\n");
///     assert_eq!(tools::number_lines(view, "a", Some(2), None).unwrap_err(), ErrorCode::LineOutOfRange.into());
///     Ok(String::new())
/// }
/// # let gates = Gates::new(Registry::builder().tool(tool_fn("example", handler)).build()?);
/// # let admitted = gates.admit(ToolCall::new("example", Document::parse(b"{}".to_vec())?))?;
/// # let result = admitted.run(&mut MemoryWorkspace::default());
/// # assert!(result.error().is_none(), "{:?}", result.error());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn number_lines(
    view: &View<'_>,
    text: &str,
    first: Option<u64>,
    limit: Option<u64>,
) -> Result<String, ToolFailure> {
    numbered(text, first.unwrap_or(1), limit)
        .ok_or_else(|| explain::offset(ErrorCode::LineOutOfRange.into(), view, text))
}

/// Returns nothing when the first line asked for lies behind the last. The first line of an empty text does not.
fn numbered(text: &str, first: u64, limit: Option<u64>) -> Option<String> {
    // Counts beyond the address space are beyond any text.
    let skipped = usize::try_from(first.saturating_sub(1)).unwrap_or(usize::MAX);
    let limit = limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
    let mut lines = text.split_inclusive('\n').skip(skipped).peekable();
    if lines.peek().is_none() && skipped > 0 {
        return None;
    }
    let mut observation = String::new();
    for (number, line) in (first..).zip(lines.take(limit)) {
        // Writing to a string does not fail.
        let _ = write!(observation, "{number}: {line}");
    }
    Some(observation)
}

/// Returns what lies in a directory, as a text for the model: at most `most` names, those of directories with a `/` behind, and how many more there are.
/// None where it can't be listed.
///
/// ```
/// use dispatch_core::{ToolFailure, tools};
/// use dispatch_core::workspace::{MemoryWorkspace, View};
/// # use dispatch_core::{Gates, Registry, ToolCall, json::Document, tool_fn};
/// # #[derive(serde::Deserialize, schemars::JsonSchema)]
/// # struct NoArgs {}
///
/// fn handler(_: NoArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
///     assert_eq!(tools::list_directory(view, ".", 9).unwrap(), r#"it holds "a.txt" and "src/""#);
///     assert_eq!(tools::list_directory(view, ".", 1).unwrap(), r#"it holds "a.txt" and 1 more"#);
///     Ok(String::new())
/// }
/// # let gates = Gates::new(Registry::builder().tool(tool_fn("example", handler)).build()?);
/// # let admitted = gates.admit(ToolCall::new("example", Document::parse(b"{}".to_vec())?))?;
/// # let mut workspace = MemoryWorkspace::from_iter([("a.txt", ""), ("src/b.txt", "")]);
/// # let result = admitted.run(&mut workspace);
/// # assert!(result.error().is_none(), "{:?}", result.error());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn list_directory(view: &View<'_>, path: &str, most: usize) -> Option<String> {
    explain::path::contents(view, path, most)
}

/// Sets the contents of a file, which is created with its parents where there is none.
///
/// # Errors
///
/// Those of [`View::write`]. Where [failures are explained](View::explains), a detail says of the argument `path` what is there instead.
///
/// ```
/// use dispatch_core::{ErrorCode, ToolFailure, tools};
/// use dispatch_core::workspace::{MemoryWorkspace, View};
/// # use dispatch_core::{Gates, Registry, ToolCall, json::Document, tool_fn};
/// # #[derive(serde::Deserialize, schemars::JsonSchema)]
/// # struct NoArgs {}
///
/// fn handler(_: NoArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
///     tools::write_text(view, "src/b.txt", "new".to_owned())?;
///     assert_eq!(tools::write_text(view, "src", String::new()).unwrap_err(), ErrorCode::IsADirectory.into());
///     Ok(String::new())
/// }
/// # let gates = Gates::new(Registry::builder().tool(tool_fn("example", handler)).build()?);
/// # let admitted = gates.admit(ToolCall::new("example", Document::parse(b"{}".to_vec())?))?;
/// # let mut workspace = MemoryWorkspace::default();
/// # let result = admitted.run(&mut workspace);
/// # assert!(result.error().is_none(), "{:?}", result.error());
/// assert_eq!(workspace.files().next().unwrap(), ("src/b.txt", "new".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_text(view: &mut View<'_>, path: &str, content: String) -> Result<(), ToolFailure> {
    view.write(path, content).map_err(|failure| explain::path(failure, view, path))
}

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
}

/// Replaces text in a file. What stands there before, and where in it `old` was found, is shown to `tell`, whose answer comes back.
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
///     let one = tools::Replacement { old: "aa", new: "b", all: false, old_argument: "old_str" };
///     let ambiguous = tools::replace_text(view, "a.txt", one, |_, _| ()).unwrap_err();
///     assert_eq!(ambiguous, ErrorCode::AmbiguousMatch.into());
///     let all = tools::Replacement { all: true, ..one };
///     let places = tools::replace_text(view, "a.txt", all, |_before, places| places.to_vec())?;
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
    tell: impl FnOnce(&str, &[usize]) -> T,
) -> Result<T, ToolFailure> {
    let Replacement { old, new, all, old_argument } = replacement;
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
    let told = tell(&text, &places);
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
            let all = Replacement { old: "y", new: &new, all: true, old_argument: "old" };
            replace_text(view, "a", all, |_, places| assert!(!is_too_large, "{}", places.len())).map(|()| String::new())
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
