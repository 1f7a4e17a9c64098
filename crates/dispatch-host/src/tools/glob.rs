//! `Glob`: files by their paths.

use std::fmt::Write as _;

use dispatch_core::workspace::{Entry, View, WorkspacePath};
use dispatch_core::{Annotations, ErrorCode, Tool, ToolFailure};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::search::{LeftOut, Pattern, named, walk};

/// How many files are listed at the most. All are counted.
const MOST_LISTED: usize = 100_000;

/// Finds files by their paths. These come back one a line, relative to the workspace, sorted by code point; directories and links are not listed.
/// In `pattern`, `*` is any text within a name, `?` a character, `[a-z]` and `[!a-z]` a character of a class, `{a,b}` either, `**` any directories.
/// A `\` makes the next character literal. A pattern without `/` is meant at any depth, one with `/` from `path` on.
/// What the workspace's own .gitignore, .ignore and .rgignore files name is left out, unless `path` leads into it.
/// Names that begin with `.` are left out unless `path` leads into them or a part of the pattern begins with that `.`; `.git` must be named in full.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct GlobArgs {
    /// The pattern that the paths must match, from the directory `path` on: `**/*.rs`, `src/*.{ts,tsx}`, `.github/**`.
    #[schemars(length(min = 1, max = 4096))]
    pattern: String,
    /// The directory to look in, relative to the workspace. Left out: the workspace itself.
    path: Option<String>,
}

/// The tool `Glob`.
#[derive(Debug, Clone, Copy)]
pub struct Glob;

impl Tool for Glob {
    type Args = GlobArgs;
    type Output = String;

    fn name(&self) -> &'static str {
        "Glob"
    }

    fn annotations(&self) -> Annotations {
        Annotations::read_only()
    }

    fn run(&self, args: GlobArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
        let pattern = Pattern::new(&args.pattern).map_err(|error| error.into_failure("pattern"))?;
        let directory = directory(view, args.path.as_deref())?;
        let walked = walk(view.snapshot(), &directory, &pattern)?;
        Ok(listed(&walked.files, walked.left_out))
    }
}

fn directory(view: &View<'_>, path: Option<&str>) -> Result<WorkspacePath, ToolFailure> {
    let path = view.resolve(path.unwrap_or_default())?;
    match view.snapshot().entry(&path)? {
        Entry::Directory => Ok(path),
        Entry::File => Err(ErrorCode::NotADirectory.into()),
        Entry::Absent | Entry::BelowFile => Err(ErrorCode::FileNotFound.into()),
    }
}

fn listed(files: &[WorkspacePath], left_out: LeftOut) -> String {
    if files.is_empty() {
        return left_out.nothing("No files found");
    }
    let mut text = String::new();
    for file in files.iter().take(MOST_LISTED) {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{}", named(file.as_str()));
    }
    let is_cut = files.len() > MOST_LISTED;
    let total = is_cut.then(|| format!("{MOST_LISTED} of {} files listed", files.len()));
    text + &left_out.last_line(total)
}
