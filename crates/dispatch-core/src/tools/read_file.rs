//! `read_file`: the lines of a file, numbered.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Deserialize;

use super::explain;
use crate::code::ErrorCode;
use crate::failure::ToolFailure;
use crate::tool::{Annotations, Tool};
use crate::workspace::View;

/// Reads a text file. Its lines come back as `N: text`, N from 1. They end at `\n` alone.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ReadFileArgs {
    /// The file's path, relative to the workspace.
    path: String,
    /// The first line to read, from 1. Left out: the first line of the file.
    #[schemars(range(min = 1, max = 9_007_199_254_740_991_u64))]
    offset: Option<u64>,
    /// The largest number of lines to read. Left out: all that follow.
    #[schemars(range(min = 1, max = 9_007_199_254_740_991_u64))]
    limit: Option<u64>,
}

/// The tool `read_file`.
#[derive(Debug, Clone, Copy)]
pub struct ReadFile;

impl Tool for ReadFile {
    type Args = ReadFileArgs;
    type Output = String;

    fn name(&self) -> &'static str {
        "read_file"
    }

    fn annotations(&self) -> Annotations {
        Annotations::read_only()
    }

    fn run(&self, args: ReadFileArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
        let text = view.read_text(&args.path).map_err(|failure| explain::path(failure, view, &args.path))?;
        let first = args.offset.unwrap_or(1);
        numbered(&text, first, args.limit).ok_or_else(|| explain::offset(ErrorCode::LineOutOfRange.into(), view, &text))
    }
}

/// Returns nothing when the first line asked for lies behind the last. The first line of an empty text does not.
fn numbered(text: &str, first: u64, limit: Option<u64>) -> Option<String> {
    // Counts beyond the address space are beyond any text.
    let skipped = usize::try_from(first - 1).unwrap_or(usize::MAX);
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
