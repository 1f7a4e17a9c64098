//! `TodoWrite`: the session's checklist.

use dispatch_core::workspace::View;
use dispatch_core::{Annotations, Tool, ToolFailure, tools};
use schemars::JsonSchema;
use serde::Deserialize;

/// Where the checklist is kept.
const CHECKLIST: &str = ".dispatch/todo.md";

/// Keeps the checklist of this session, in place of the one before, and gives it back. It stands in `.dispatch/todo.md`.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct TodoWriteArgs {
    /// The whole checklist as Markdown, a line for each item: `- [ ] to do`, `- [x] done`.
    checklist: String,
}

/// The tool `TodoWrite`.
#[derive(Debug, Clone, Copy)]
pub struct TodoWrite;

impl Tool for TodoWrite {
    type Args = TodoWriteArgs;
    type Output = String;

    fn name(&self) -> &'static str {
        "TodoWrite"
    }

    fn annotations(&self) -> Annotations {
        Annotations { read_only: false, destructive: true, idempotent: true, open_world: false }
    }

    fn run(&self, args: TodoWriteArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
        tools::write_text(view, CHECKLIST, args.checklist.clone())?;
        Ok(args.checklist)
    }
}
