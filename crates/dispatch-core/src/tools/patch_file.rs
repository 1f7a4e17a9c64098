//! `patch_file`: one place in a file, replaced.

use schemars::JsonSchema;
use serde::Deserialize;

use super::replace::{Replacement, replace_text};
use crate::failure::ToolFailure;
use crate::tool::{Annotations, Tool};
use crate::workspace::View;

/// Replaces one place in a text file. The text to replace must stand there exactly once, letter by letter.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct PatchFileArgs {
    /// The file's path, relative to the workspace.
    path: String,
    /// The text to replace, exactly as it stands in the file: white space, line ends and quotes too.
    #[schemars(length(min = 1))]
    old_str: String,
    /// The text to put in its place, taken literally.
    new_str: String,
}

/// The tool `patch_file`.
#[derive(Debug, Clone, Copy)]
pub struct PatchFile;

impl Tool for PatchFile {
    type Args = PatchFileArgs;
    type Output = String;

    fn name(&self) -> &'static str {
        "patch_file"
    }

    fn annotations(&self) -> Annotations {
        Annotations { read_only: false, destructive: true, idempotent: false, open_world: false }
    }

    fn run(&self, args: PatchFileArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
        let PatchFileArgs { path, old_str, new_str } = &args;
        let replacement =
            Replacement { old: old_str, new: new_str, all: false, old_argument: "old_str", context_lines: 0 };
        replace_text(view, path, replacement, |_| ())?;
        Ok(format!("File patched: {path}"))
    }
}
