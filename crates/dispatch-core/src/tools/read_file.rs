//! `read_file`: the lines of a file, numbered.

use schemars::JsonSchema;
use serde::Deserialize;

use super::text::read_lines;
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
        read_lines(view, &args.path, args.offset, args.limit)
    }
}
