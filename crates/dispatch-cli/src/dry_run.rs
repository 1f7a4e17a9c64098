//! `--dry-run`: what a call would change.

use dispatch_core::protocol::Asked;
use dispatch_core::workspace::{ChangeSet, Workspace, WorkspacePath};
use dispatch_core::{Gates, Observation, ToolResult};

use crate::diff::unified;
use crate::operator::one_line;

const NOT_RUN: &str = "Not run: the call reaches beyond the workspace, and this is a dry run.";

/// Leads a call through the gates and shows what it would change, in place of its observation. One that changes nothing runs as ever.
pub(crate) fn run(asked: Asked, gates: &Gates, workspace: &mut dyn Workspace) -> ToolResult {
    let admitted = match asked.admit(gates, workspace) {
        Ok(admitted) => admitted,
        Err(rejection) => return rejection.into_result(),
    };
    let annotations = admitted.annotations();
    if annotations.open_world && !annotations.read_only {
        let (_arguments, pending) = admitted.detach();
        return pending.complete(Ok(Observation::text(NOT_RUN)));
    }
    let (result, changes) = admitted.preview(workspace);
    if result.error().is_some() || changes.is_empty() {
        return result;
    }
    let diff = diff(&changes, workspace);
    result.with_observation(Observation::text(diff))
}

/// What changes would be made, file by file.
fn diff(changes: &ChangeSet, workspace: &dyn Workspace) -> String {
    let file = |(place, new): (&WorkspacePath, &str)| {
        let old = workspace.read_text(place).ok();
        // A name that holds lines is one line here.
        let path = one_line(place.as_str());
        let old_name = if old.is_some() { format!("a/{path}") } else { "/dev/null".to_owned() };
        match old.unwrap_or_default() {
            old if old == new => format!("{path}: written as it is\n"),
            old => unified((&old_name, &old), (&format!("b/{path}"), new)),
        }
    };
    changes.files().map(file).collect()
}
