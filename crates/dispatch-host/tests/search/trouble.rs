//! Workspaces that can't give all that they hold.

use std::panic::{AssertUnwindSafe, catch_unwind};

use dispatch_core::ErrorCode;
use dispatch_core::workspace::{
    ChangeSet, Entry, Listed, MemoryWorkspace, Reading, Workspace, WorkspaceError, WorkspacePath,
};

use super::support::{call, memory};

/// Fails at paths that end in `!`, and panics at those that end in `!!`.
struct Broken(MemoryWorkspace);

impl Broken {
    fn try_at(path: &WorkspacePath) -> Result<(), WorkspaceError> {
        assert!(!path.as_str().ends_with("!!"), "broken");
        if path.as_str().ends_with('!') {
            Err(WorkspaceError::new(ErrorCode::PermissionDenied, "secret"))
        } else {
            Ok(())
        }
    }
}

impl Workspace for Broken {
    fn entry(&self, path: &WorkspacePath) -> Result<Entry, WorkspaceError> {
        self.0.entry(path)
    }

    fn read(&self, path: &WorkspacePath) -> Result<Reading<'_>, WorkspaceError> {
        Self::try_at(path)?;
        self.0.read(path)
    }

    fn list(&self, directory: &WorkspacePath) -> Result<Vec<Listed>, WorkspaceError> {
        Self::try_at(directory)?;
        self.0.list(directory)
    }

    fn commit(&mut self, changes: ChangeSet) -> Result<(), WorkspaceError> {
        self.0.commit(changes)
    }
}

fn answer(files: &[(&str, &str)], tool: &str, args: &str) -> Result<String, String> {
    call(&mut Broken(memory(files)), tool, args)
}

#[test]
fn what_can_not_be_read_is_told_in_the_last_line() {
    let files = [("a.txt", "needle"), ("b!", "needle"), ("c!/d", "needle"), ("e/f", "needle")];
    let found = "a.txt:1:needle\ne/f:1:needle\n(left out: 2 unreadable)\n";
    assert_eq!(answer(&files, "Grep", r#"{"pattern":"needle"}"#).as_deref(), Ok(found));
    let nothing = "No matches found (left out: 2 unreadable)";
    assert_eq!(answer(&files, "Grep", r#"{"pattern":"thread"}"#).as_deref(), Ok(nothing));
    let listed = "a.txt\nb!\ne/f\n(left out: 1 unreadable)\n";
    assert_eq!(answer(&files, "Glob", r#"{"pattern":"**"}"#).as_deref(), Ok(listed));
}

#[test]
fn what_was_asked_for_and_can_not_be_read_is_an_error() {
    let files = [("b!", "needle"), ("c!/d", "needle")];
    for (tool, args) in [
        ("Grep", r#"{"pattern":"needle","path":"b!"}"#),
        ("Grep", r#"{"pattern":"needle","path":"c!"}"#),
        ("Glob", r#"{"pattern":"*","path":"c!"}"#),
    ] {
        assert_eq!(answer(&files, tool, args).unwrap_err(), "permission_denied", "{tool} {args}");
    }
}

#[test]
fn a_panic_ends_the_call_and_not_the_program() {
    let mut files = vec![("x!!/y".to_owned(), ""), ("z!!".to_owned(), "")];
    files.extend((0..100).map(|number| (format!("{number}/a"), "")));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    for (tool, args) in [("Glob", r#"{"pattern":"**"}"#), ("Grep", r#"{"pattern":"a","glob":"*!"}"#)] {
        let answered = catch_unwind(AssertUnwindSafe(|| answer(&files, tool, args)));
        assert_eq!(answered.unwrap().unwrap_err(), "internal_error");
    }
}
