//! `Read`: the lines of a file, numbered; of a directory, what lies in it.

use std::sync::Arc;

use dispatch_core::workspace::View;
use dispatch_core::{Annotations, ErrorCode, Tool, ToolFailure, tools};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::skills::{FOLDER, Skills};

/// So many names of a directory are told: as many as people look through.
const MOST_LISTED: usize = 100;

/// Reads a text file. Its lines come back as `N: text`, N from 1; they end at `\n` alone. A directory can't be read: the failure says what lies in it.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ReadArgs {
    /// The file's path, relative to the workspace.
    path: String,
    /// The first line to read, from 1. Left out: the first line of the file.
    #[schemars(range(min = 1, max = 9_007_199_254_740_991_u64))]
    offset: Option<u64>,
    /// The largest number of lines to read. Left out: all that follow.
    #[schemars(range(min = 1, max = 9_007_199_254_740_991_u64))]
    limit: Option<u64>,
}

/// The tool `Read`.
///
/// Where the workspace has no file at `.dispatch/skills/NAME/...`, that stands for the file of a skill from outside.
#[derive(Debug, Clone, Default)]
pub struct Read {
    skills: Arc<Skills>,
}

impl Read {
    /// Makes the tool of the skills whose files it reads too.
    pub fn new(skills: Arc<Skills>) -> Self {
        Self { skills }
    }
}

impl Tool for Read {
    type Args = ReadArgs;
    type Output = String;

    fn name(&self) -> &'static str {
        "Read"
    }

    fn annotations(&self) -> Annotations {
        Annotations::read_only()
    }

    fn run(&self, args: ReadArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
        let ReadArgs { path, offset, limit } = args;
        let failure = match tools::read_lines(view, &path, offset, limit) {
            Err(failure) if failure.code().built_in() == Some(ErrorCode::FileNotFound) => failure,
            read => return read.map_err(|failure| listing(failure, view, &path)),
        };
        // Where the folder itself leads outside, nothing stands for a file of it.
        let folder = view.resolve(FOLDER).ok();
        match folder.and_then(|folder| self.skills.file(&view.resolve(&path).ok()?, &folder)) {
            Some(text) => tools::number_lines(view, text?, offset, limit),
            None => Err(failure),
        }
    }
}

/// Tells of a directory what lies in it, explained or not: that is what a model reads a directory for.
fn listing(failure: ToolFailure, view: &View<'_>, path: &str) -> ToolFailure {
    if failure.code().built_in() != Some(ErrorCode::IsADirectory) {
        return failure;
    }
    let entries = tools::list_directory(view, path, MOST_LISTED);
    let told = entries.as_deref().unwrap_or("it can't be listed");
    ToolFailure::from(ErrorCode::IsADirectory).always_telling(format!("There is a directory at the path: {told}."))
}
