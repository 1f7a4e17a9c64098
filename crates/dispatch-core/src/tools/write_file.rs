//! `write_file`: a file's contents, as given.

use schemars::JsonSchema;
use serde::Deserialize;

use super::text::write_text;
use crate::failure::ToolFailure;
use crate::tool::{Annotations, Tool};
use crate::workspace::View;

/// Creates a text file with its parent directories, or replaces the contents of one that is there.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct WriteFileArgs {
    /// The file's path, relative to the workspace.
    path: String,
    /// The whole contents. Nothing is added: a final newline is there when it is given.
    content: String,
}

/// The tool `write_file`.
#[derive(Debug, Clone, Copy)]
pub struct WriteFile;

impl Tool for WriteFile {
    type Args = WriteFileArgs;
    type Output = String;

    fn name(&self) -> &'static str {
        "write_file"
    }

    fn annotations(&self) -> Annotations {
        Annotations { read_only: false, destructive: true, idempotent: true, open_world: false }
    }

    fn run(&self, args: WriteFileArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
        write_text(view, &args.path, args.content)?;
        Ok(format!("File written: {}", args.path))
    }
}
