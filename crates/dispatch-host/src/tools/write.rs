//! `Write`: a file's contents, as given.

use dispatch_core::workspace::View;
use dispatch_core::{Annotations, Tool, ToolFailure, tools};
use schemars::JsonSchema;
use serde::Deserialize;

/// Creates a text file with its parent directories, or replaces the contents of one that is there. To change a part of a file, use Edit.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct WriteArgs {
    /// The file's path, relative to the workspace.
    path: String,
    /// The whole contents. Nothing is added: a final newline is there when it is given.
    content: String,
}

/// The tool `Write`.
#[derive(Debug, Clone, Copy)]
pub struct Write;

impl Tool for Write {
    type Args = WriteArgs;
    type Output = String;

    fn name(&self) -> &'static str {
        "Write"
    }

    fn annotations(&self) -> Annotations {
        Annotations { read_only: false, destructive: true, idempotent: true, open_world: false }
    }

    fn run(&self, args: WriteArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
        tools::write_text(view, &args.path, args.content)?;
        Ok(format!("File written: {}", args.path))
    }
}
