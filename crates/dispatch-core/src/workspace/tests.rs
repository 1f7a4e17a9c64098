//! Workspaces: how paths resolve, what stands where, and that changes are made as a whole.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use proptest::prelude::*;

use super::{Entry, MemoryWorkspace, OutsideWorkspace, View, Workspace, WorkspacePath};
use crate::{ErrorCode, ToolFailure};

fn config() -> ProptestConfig {
    ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() }
}

/// Paths of few parts, so that they meet one another, with all that is special in them.
fn paths() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "", ".", "..", "...", "a", "b", "c", "~", "~u", "C:", "c:x", "1:", "é:", "a\\b", "\\", " ", "a\0", "a.txt",
    ]);
    prop::collection::vec(part, 0..6).prop_map(|parts| parts.join("/"))
}

/// Paths as a person would write them.
fn plain_paths() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(vec!["a", "b", "c"]), 1..4).prop_map(|parts| parts.join("/"))
}

/// The rules, one after another.
fn described(path: &str) -> Option<Vec<&str>> {
    let mut parts = Vec::new();
    for part in path.split('/').filter(|part| !["", "."].contains(part)) {
        if part == ".." {
            parts.pop()?;
        } else {
            parts.push(part);
        }
    }
    let first = parts.first().copied().unwrap_or_default();
    let mut letters = first.chars();
    let drive = letters.next().is_some_and(|letter| letter.is_ascii_alphabetic()) && letters.next() == Some(':');
    let outside = path.starts_with('/') || path.contains('\0') || first == "~" || drive;
    (!outside).then_some(parts)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn paths_resolve_as_described_and_only_once(path in prop_oneof![paths(), any::<String>()]) {
        let resolved = WorkspacePath::resolve(&path);
        prop_assert_eq!(resolved.as_ref().ok().map(|path| path.as_str().to_owned()), described(&path).map(|parts| parts.join("/")));
        if let Ok(resolved) = resolved {
            prop_assert_eq!(resolved.is_root(), resolved.as_str().is_empty());
            prop_assert!(resolved.is_root() || resolved.as_str().split('/').all(|part| !["", ".", ".."].contains(&part)));
            prop_assert_eq!(WorkspacePath::resolve(resolved.as_str()), Ok(resolved.clone()));
            prop_assert_eq!(resolved.to_string(), resolved.as_str());
        }
    }

    #[test]
    fn a_key_that_stands_there_is_found_whatever_it_looks_like(key in prop_oneof![paths(), any::<String>()], other in paths()) {
        let workspace = MemoryWorkspace::from_iter([(other.clone(), "other"), (key.clone(), "its text")]);
        let mut view = View::new(&workspace);
        prop_assert_eq!(view.read_text(&key).unwrap(), "its text");
        view.write(&key, "new".to_owned()).unwrap();
        prop_assert_eq!(view.read_text(&key).unwrap(), "new");
        let changes = view.into_changes();
        let changed: Vec<_> = changes.files().map(|(path, text)| (path.as_str(), text)).collect();
        prop_assert_eq!(changed, [(key.as_str(), "new")]);
    }

    /// To walk is to list, and shows every key once, in the keys' own order, whatever they look like.
    #[test]
    fn listing_leads_to_every_file(keys in prop::collection::btree_set(prop_oneof![paths(), plain_paths()], 0..12)) {
        let workspace: MemoryWorkspace = keys.iter().map(|key| (key.clone(), "")).collect();
        let mut seen = Vec::new();
        let view = View::new(&workspace);
        view.walk(&WorkspacePath::root(), &mut |file| {
            seen.push(file.as_str().to_owned());
            ControlFlow::Continue(())
        }).unwrap();
        prop_assert_eq!(seen, keys.into_iter().collect::<Vec<_>>());
    }

    /// A view with changes is the workspace that committing them gives.
    #[test]
    fn a_view_shows_what_a_commit_would_make(
        files in prop::collection::btree_map(plain_paths(), "[a-z]{0,3}", 0..5),
        written in prop::collection::vec((paths().boxed().prop_union(plain_paths().boxed()), "[A-Z]{0,3}"), 0..5),
        asked in prop::collection::vec(plain_paths(), 1..6),
    ) {
        let mut workspace = MemoryWorkspace::from_iter(files);
        let before = texts(&workspace);
        let mut view = View::new(&workspace);
        let mut expected = before.clone();
        for (path, text) in written {
            let taken = view.write(&path, text.clone());
            if taken.is_ok() {
                let key = if before.contains_key(&path) { path } else { described(&path).unwrap().join("/") };
                expected.insert(key, text);
            }
        }
        let seen: Vec<_> = asked.iter().map(|path| view.read_text(path).map(String::from).map_err(|failure| code(&failure))).collect();
        let changes = view.into_changes();
        prop_assert_eq!(texts(&workspace), before, "nothing is changed before it is committed");
        workspace.commit(changes).unwrap();
        prop_assert_eq!(texts(&workspace), expected);
        let view = View::new(&workspace);
        let after: Vec<_> = asked.iter().map(|path| view.read_text(path).map(String::from).map_err(|failure| code(&failure))).collect();
        prop_assert_eq!(seen, after);
    }

    /// What stands at a path, of the files' paths alone.
    #[test]
    fn what_is_a_directory_is_told_by_the_files(files in prop::collection::btree_set(plain_paths(), 0..5), path in plain_paths()) {
        let workspace = files.iter().map(|path| (path.clone(), "")).collect::<MemoryWorkspace>();
        let below = |outer: &str, inner: &str| inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'));
        let expected = if files.contains(&path) {
            (None, None)
        } else if files.iter().any(|file| below(&path, file)) {
            (Some(ErrorCode::IsADirectory), Some(ErrorCode::IsADirectory))
        } else if files.iter().any(|file| below(file, &path)) {
            (Some(ErrorCode::FileNotFound), Some(ErrorCode::NotADirectory))
        } else {
            (Some(ErrorCode::FileNotFound), None)
        };
        let mut view = View::new(&workspace);
        let read = view.read_text(&path).err().as_ref().map(code);
        let written = view.write(&path, String::new()).err().as_ref().map(code);
        prop_assert_eq!((read, written), expected);
    }
}

fn texts(workspace: &MemoryWorkspace) -> BTreeMap<String, String> {
    workspace.files().map(|(key, text)| (key.to_owned(), text.into_owned())).collect()
}

fn code(failure: &ToolFailure) -> ErrorCode {
    failure.code().built_in().unwrap()
}

#[test]
fn the_workspace_itself_is_a_directory() {
    let empty = MemoryWorkspace::default();
    for path in ["", ".", "./", "a/..", "a/../."] {
        let mut view = View::new(&empty);
        assert_eq!(
            view.read_text(path).map(drop).map_err(|failure| code(&failure)),
            Err(ErrorCode::IsADirectory),
            "{path:?}"
        );
        assert_eq!(
            view.write(path, String::new()).map_err(|failure| code(&failure)),
            Err(ErrorCode::IsADirectory),
            "{path:?}"
        );
    }
    assert_eq!(empty.entry(&WorkspacePath::resolve("").unwrap()), Ok(Entry::Directory));
}

#[test]
fn a_key_without_letters_is_a_file_and_not_the_workspace() {
    let workspace = MemoryWorkspace::from_iter([("", "text of the key")]);
    let view = View::new(&workspace);
    assert_eq!(view.read_text("").unwrap(), "text of the key");
    assert_eq!(view.read_text(".").map(drop).map_err(|failure| code(&failure)), Err(ErrorCode::IsADirectory));
}

#[test]
fn a_trailing_slash_is_dropped_unless_the_key_has_it() {
    let workspace = MemoryWorkspace::from_iter([("a", "plain"), ("b/", "odd"), ("./c", "odd too")]);
    let view = View::new(&workspace);
    assert_eq!(view.read_text("a/").unwrap(), "plain");
    assert_eq!(view.read_text("./a/.").unwrap(), "plain");
    assert_eq!(view.read_text("b/").unwrap(), "odd");
    assert_eq!(view.read_text("./c").unwrap(), "odd too");
    assert_eq!(view.read_text("c").map(drop).map_err(|failure| code(&failure)), Err(ErrorCode::FileNotFound));
    assert_eq!(WorkspacePath::resolve("../c"), Err(OutsideWorkspace));
}

/// A model's path can be of any length. Work that grew with its square would not end here.
#[test]
fn a_path_through_a_million_directories_is_answered() {
    let deep = "b/".repeat(1_000_000);
    let workspace: MemoryWorkspace = [(format!("{deep}x"), ""), ("b".repeat(10), "")].into_iter().collect();
    let mut view = View::new(&workspace);
    let code = |failure: ToolFailure| failure.code().built_in();
    assert_eq!(view.read_text(&format!("{deep}c")).map_err(code), Err(Some(ErrorCode::FileNotFound)));
    assert_eq!(view.write(&format!("{deep}x/c"), String::new()).map_err(code), Err(Some(ErrorCode::NotADirectory)));
    assert_eq!(view.write(&format!("{deep}y/c"), String::new()).map_err(code), Ok(()));
    assert_eq!(view.write(&format!("{deep}y/c/d"), String::new()).map_err(code), Err(Some(ErrorCode::NotADirectory)));
}
