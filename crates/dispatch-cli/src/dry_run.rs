//! `--dry-run`: what a call would change.

use std::borrow::Cow;

use dispatch_core::protocol::Asked;
use dispatch_core::workspace::{ChangeSet, Workspace, WorkspacePath};
use dispatch_core::{ErrorCode, Gates, Observation, ToolResult};

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
    let file = |(place, new): (&WorkspacePath, &str)| match standing(place, workspace) {
        Standing::Text(old) => changed(place, &old, new),
        Standing::Nothing => created(place, new),
        Standing::Hidden(why) => overwritten(place, why, new),
    };
    changes.files().map(file).collect()
}

/// What stands where a file would be written.
enum Standing<'w> {
    Nothing,
    Text(Cow<'w, str>),
    /// A file whose text can't be shown, for this reason.
    Hidden(ErrorCode),
}

fn standing<'w>(place: &WorkspacePath, workspace: &'w dyn Workspace) -> Standing<'w> {
    match workspace.read_text(place) {
        Ok(text) => Standing::Text(text),
        Err(error) if error.code() == ErrorCode::FileNotFound => Standing::Nothing,
        Err(error) => Standing::Hidden(error.code()),
    }
}

/// The name of a place: one that holds lines is one line here.
fn name(place: &WorkspacePath) -> String {
    one_line(place.as_str())
}

fn changed(place: &WorkspacePath, old: &str, new: &str) -> String {
    let path = name(place);
    if old == new {
        return format!("{path}: written as it is\n");
    }
    unified((&format!("a/{path}"), old), (&format!("b/{path}"), new))
}

fn created(place: &WorkspacePath, new: &str) -> String {
    let path = name(place);
    if new.is_empty() {
        return format!("{path}: created, empty\n");
    }
    unified(("/dev/null", ""), (&format!("b/{path}"), new))
}

fn overwritten(place: &WorkspacePath, why: ErrorCode, new: &str) -> String {
    let path = name(place);
    if new.is_empty() {
        return format!("{path}: emptied; what stands there can't be shown: {why}\n");
    }
    let diff = unified((&format!("a/{path}"), ""), (&format!("b/{path}"), new));
    format!("{path}: replaced; what stands there can't be shown: {why}\n{diff}")
}
