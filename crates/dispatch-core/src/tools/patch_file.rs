//! `patch_file`: one place in a file, replaced.

use memchr::memmem;
use schemars::JsonSchema;
use serde::Deserialize;

use super::explain;
use crate::code::ErrorCode;
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
        let text = view.read_text(&args.path).map_err(|failure| explain::path(failure, view, &args.path))?;
        if args.old_str == args.new_str {
            return Err(ErrorCode::NoChange.into());
        }
        let (before, after) = split_at_only(&text, &args.old_str)
            .map_err(|code| explain::old_str(code.into(), view, &text, &args.old_str))?;
        let patched = [before, &args.new_str, after].concat();
        view.write(&args.path, patched).map_err(|failure| explain::path(failure, view, &args.path))?;
        Ok(format!("File patched: {}", args.path))
    }
}

/// Returns what stands before and after the only place at which `old` could start, places that overlap counted.
fn split_at_only<'t>(text: &'t str, old: &str) -> Result<(&'t str, &'t str), ErrorCode> {
    let finder = memmem::Finder::new(old);
    let bytes = text.as_bytes();
    let start = finder.find(bytes).ok_or(ErrorCode::OldStrNotFound)?;
    if bytes.get(start + 1..).is_some_and(|rest| finder.find(rest).is_some()) {
        return Err(ErrorCode::AmbiguousMatch);
    }
    let before = text.get(..start).ok_or(ErrorCode::OldStrNotFound)?;
    let after = text.get(start + old.len()..).ok_or(ErrorCode::OldStrNotFound)?;
    Ok((before, after))
}
