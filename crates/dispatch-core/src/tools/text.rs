//! What the tools do with text files, under whatever names a toolset offers it.

use std::fmt::Write as _;

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
