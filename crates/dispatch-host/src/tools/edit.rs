//! `Edit`: text in a file, replaced, and what that changed.

mod diff;
mod hunks;

use dispatch_core::workspace::View;
use dispatch_core::{Annotations, Tool, ToolFailure, tools};
use schemars::JsonSchema;
use serde::Deserialize;

use diff::Diff;

/// Replaces text in a file. It must stand there exactly once, letter by letter, unless `replace_all` is true. What changed comes back as a diff.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct EditArgs {
    /// The file's path, relative to the workspace.
    path: String,
    /// The text to replace, exactly as it stands in the file: white space, line ends and quotes too, without the `N: ` that Read puts before each line.
    #[schemars(length(min = 1))]
    old_string: String,
    /// The text to put in its place, taken literally.
    new_string: String,
    /// Whether to replace it wherever it stands, from the beginning on, instead of at the one place alone.
    #[serde(default)]
    replace_all: bool,
}

/// The tool `Edit`.
#[derive(Debug, Clone, Copy)]
pub struct Edit;

impl Tool for Edit {
    type Args = EditArgs;
    type Output = String;

    fn name(&self) -> &'static str {
        "Edit"
    }

    fn annotations(&self) -> Annotations {
        Annotations { read_only: false, destructive: true, idempotent: false, open_world: false }
    }

    fn run(&self, args: EditArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
        let EditArgs { path, old_string: old, new_string: new, replace_all: all } = &args;
        let replacement =
            tools::Replacement { old, new, all: *all, old_argument: "old_string", context_lines: hunks::CONTEXT_LINES };
        let told = tools::replace_text(view, path, replacement, |before| {
            let at = if *all { format!("at {}: ", counted(before.places.len(), "place")) } else { String::new() };
            at + &told(&Diff::of(before, old.len(), new))
        })?;
        Ok(format!("File edited: {path}\n{told}"))
    }
}

fn told(diff: &Diff) -> String {
    let (added, removed) = (counted(diff.added, "line"), counted(diff.removed, "line"));
    format!("{added} added, {removed} removed\n{}", diff.text)
}

fn counted(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}
