//! What a view shows of a workspace and of what its call wrote.

use std::ops::ControlFlow;

use super::*;
use crate::workspace::{Listed, ListedKind, MemoryWorkspace, Reading, WorkspaceError};

#[test]
fn what_a_call_wrote_counts_as_standing_there() {
    let workspace = MemoryWorkspace::default();
    let mut view = View::new(&workspace);
    view.write("a/b", String::new()).unwrap();
    let code = |result: Result<(), ToolFailure>| result.unwrap_err().code().built_in();
    assert_eq!(code(view.write("a", String::new())), Some(ErrorCode::IsADirectory));
    assert_eq!(code(view.write("a/b/c", String::new())), Some(ErrorCode::NotADirectory));
    assert_eq!(code(view.read_text("a").map(drop)), Some(ErrorCode::IsADirectory));
    assert_eq!(view.read_text("a/./b").unwrap(), "");
}

fn check_walk(files: &[&str], written: &[&str], directory: &str, most: usize, expected: &[&str]) {
    let workspace: MemoryWorkspace = files.iter().map(|file| (*file, "")).collect();
    let mut view = View::new(&workspace);
    for file in written {
        view.write(file, String::new()).unwrap();
    }
    let mut seen = Vec::new();
    let visit = &mut |file: &WorkspacePath| {
        seen.push(file.to_string());
        if seen.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    view.walk(&view.resolve(directory).unwrap(), visit).unwrap();
    assert_eq!(seen, expected, "{directory:?}");
}

#[test]
fn a_walk_shows_the_files_below_sorted_each_once() {
    let files = ["a.b", "a/c", "a/d/e", "ab", "b"];
    check_walk(&files, &[], "", 9, &["a.b", "a/c", "a/d/e", "ab", "b"]);
    check_walk(&files, &[], "a/", 9, &["a/c", "a/d/e"]);
    check_walk(&files, &[], "a/c", 9, &[]);
    check_walk(&files, &[], "gone", 9, &[]);
}

#[test]
fn a_walk_shows_what_the_call_wrote_in_its_place() {
    check_walk(&["a/b", "a/d", "c"], &["a/a", "a/d", "a/e", "b"], "a", 9, &["a/a", "a/b", "a/d", "a/e"]);
    check_walk(&[], &["a/a", "b"], "", 9, &["a/a", "b"]);
}

#[test]
fn a_walk_ends_when_the_visitor_breaks_off() {
    for most in 1..=5 {
        let all = ["a", "b", "c", "d", "e"];
        check_walk(&["b", "d"], &["a", "c", "e"], "", most, &all[..most]);
        check_walk(&["c"], &["a", "b", "d", "e"], "", most, &all[..most]);
    }
}

#[test]
fn keys_of_any_look_are_shown() {
    check_walk(&["", "/a", "../b", "a//b"], &[], ".", 9, &["", "../b", "/a", "a//b"]);
}

#[test]
fn what_is_written_is_based_on_what_was_first_read() {
    let workspace = MemoryWorkspace::from_iter([("read", "1"), ("written", "1"), ("both", "1")]);
    let mut view = View::new(&workspace);
    view.read_text("read").unwrap();
    view.write("written", "2".to_owned()).unwrap();
    // What is read here is the call's own.
    view.read_text("written").unwrap();
    view.read_text("both").unwrap();
    view.write("./both", "2".to_owned()).unwrap();
    let paths = ["read", "written", "both"].map(|path| view.resolve(path).unwrap());
    let changes = view.into_changes();
    assert_eq!(paths.map(|path| changes.based_on(&path).is_some()), [false, false, true]);
}

/// A workspace of which a directory can't be listed: `locked`.
struct Locked(MemoryWorkspace);

impl Workspace for Locked {
    fn entry(&self, path: &WorkspacePath) -> Result<Entry, WorkspaceError> {
        self.0.entry(path)
    }

    fn read(&self, path: &WorkspacePath) -> Result<Reading<'_>, WorkspaceError> {
        self.0.read(path)
    }

    fn list(&self, directory: &WorkspacePath) -> Result<Vec<Listed>, WorkspaceError> {
        if directory.name() == "locked" {
            return Err(WorkspaceError::new(ErrorCode::PermissionDenied, "locked"));
        }
        self.0.list(directory)
    }

    fn commit(&mut self, changes: ChangeSet) -> Result<(), WorkspaceError> {
        self.0.commit(changes)
    }
}

#[test]
fn a_walk_goes_on_behind_a_directory_that_can_not_be_listed() {
    let workspace = Locked(MemoryWorkspace::from_iter([("a", ""), ("locked/b", ""), ("src/main.rs", "")]));
    let view = View::new(&workspace);
    let mut seen = Vec::new();
    let visit = &mut |file: &WorkspacePath| {
        seen.push(file.to_string());
        ControlFlow::Continue(())
    };
    assert_eq!(view.walk(&WorkspacePath::root(), visit), Ok(1));
    assert_eq!(seen, ["a", "src/main.rs"]);
    let asked_for = view.walk(&view.resolve("locked").unwrap(), &mut |_| ControlFlow::Continue(()));
    assert_eq!(asked_for.unwrap_err().code().built_in(), Some(ErrorCode::PermissionDenied));
}

#[test]
fn the_nearest_path_is_told_though_a_directory_can_not_be_listed() {
    let workspace = Locked(MemoryWorkspace::from_iter([("a", ""), ("locked/b", ""), ("src/main.rs", "")]));
    let view = View { explains: true, ..View::new(&workspace) };
    let failure = crate::tools::read_lines(&view, "src/mian.rs", None, None).unwrap_err();
    let expected = "the nearest path is \"src/main.rs\"; not all paths were compared";
    assert!(format!("{failure:?}").contains(&format!("{expected:?}")), "{failure:?}");
}

/// Lists two files that no path can name, and one that a path can.
struct Unnamed;

impl Workspace for Unnamed {
    fn entry(&self, _: &WorkspacePath) -> Result<Entry, WorkspaceError> {
        Ok(Entry::Directory)
    }

    fn read(&self, _: &WorkspacePath) -> Result<Reading<'_>, WorkspaceError> {
        Err(WorkspaceError::new(ErrorCode::FileNotFound, "none"))
    }

    fn list(&self, directory: &WorkspacePath) -> Result<Vec<Listed>, WorkspaceError> {
        let listed = |name: &str, kind| Listed { name: name.to_owned(), kind };
        let unnamed = || listed("caf\u{fffd}", ListedKind::Unnamed);
        Ok(if directory.is_root() { vec![listed("a", ListedKind::File), unnamed(), unnamed()] } else { Vec::new() })
    }

    fn commit(&mut self, _: ChangeSet) -> Result<(), WorkspaceError> {
        Ok(())
    }
}

#[test]
fn what_no_path_can_name_is_counted_and_never_walked() {
    let mut view = View::new(&Unnamed);
    view.changes.files.insert(WorkspacePath::exact("b"), String::new());
    let listed = crate::tools::list_directory(&view, "", 9);
    assert_eq!(listed.as_deref(), Some(r#"it holds "a", "b" and 2 that no path can name"#));
    let mut seen = Vec::new();
    let visit = &mut |file: &WorkspacePath| {
        seen.push(file.to_string());
        ControlFlow::Continue(())
    };
    view.walk(&WorkspacePath::root(), visit).unwrap();
    assert_eq!(seen, ["a", "b"]);
}
