//! A path at which there is no file: which are near, or what is there instead.

use std::ops::ControlFlow;

use super::quote::quoted;
use super::{EXAMINED_PATHS, MOST_LISTED, listed};
use crate::code::ErrorCode;
use crate::nearest::Nearest;
use crate::workspace::{ListedKind, View, WorkspacePath};

#[expect(clippy::wildcard_enum_match_arm, reason = "few codes are about a path")]
pub(super) fn hint(code: ErrorCode, view: &View<'_>, path: &str) -> Option<String> {
    match code {
        ErrorCode::FileNotFound => file_above(view, path).or_else(|| nearest(view, path)),
        ErrorCode::NotADirectory => file_above(view, path),
        ErrorCode::PathOutsideWorkspace => nearest(view, path),
        ErrorCode::IsADirectory => contents(view, path, MOST_LISTED),
        _ => None,
    }
}

/// Names the file that a path leads through.
fn file_above(view: &View<'_>, path: &str) -> Option<String> {
    let file = view.file_above(path)?;
    Some(format!("{} is a file: nothing lies below it", quoted(&file)))
}

/// Names the paths that are most like one.
fn nearest(view: &View<'_>, path: &str) -> Option<String> {
    let mut nearest = Nearest::new();
    let mut seen = 0;
    let visited = view.walk(&WorkspacePath::root(), &mut |file| {
        seen += 1;
        if seen > EXAMINED_PATHS {
            return ControlFlow::Break(());
        }
        let likeness = likeness(&mut nearest, path, file.as_str());
        nearest.offer(likeness, || quoted(file.as_str()));
        ControlFlow::Continue(())
    });
    let unread = visited.ok()?;
    let is_part = seen > EXAMINED_PATHS || unread > 0 || nearest.is_used_up();
    let found: Vec<String> = nearest.into_found().collect();
    Some(
        match found.as_slice() {
            _ if seen == 0 => "the workspace has no files".to_owned(),
            [] => "no path of the workspace is like it".to_owned(),
            [only] => format!("the nearest path is {only}"),
            some => format!("the nearest paths are {}", listed(some, "and")),
        } + if is_part { "; not all paths were compared" } else { "" },
    )
}

/// A path is like another in all its letters, and in those of its last part: a file is often looked for in the wrong directory.
fn likeness<T>(nearest: &mut Nearest<T>, a: &str, b: &str) -> usize {
    let whole = nearest.likeness(a, b);
    let names = nearest.likeness(name(a), name(b));
    usize::midpoint(whole, names)
}

fn name(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or_default()
}

/// Says what lies in a directory: at most so many names, those of directories with a `/` behind, and how many more there are and have no such name.
pub(in crate::tools) fn contents(view: &View<'_>, path: &str, most: usize) -> Option<String> {
    let directory = view.resolve(path).ok()?;
    let entries = view.snapshot().list(&directory).ok()?;
    let named = || entries.iter().filter(|(_, kind)| *kind != ListedKind::Unnamed);
    let mut shown: Vec<String> = named().take(most).map(|(path, kind)| name_of(path, *kind)).collect();
    for (count, what) in
        [(named().skip(most).count(), "more"), (entries.len() - named().count(), "that no path can name")]
    {
        if count > 0 {
            shown.push(format!("{count} {what}"));
        }
    }
    Some(if shown.is_empty() { "it is empty".to_owned() } else { format!("it holds {}", listed(&shown, "and")) })
}

fn name_of(path: &WorkspacePath, kind: ListedKind) -> String {
    let slash = if kind == ListedKind::Directory { "/" } else { "" };
    quoted(&format!("{}{slash}", path.name()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::MemoryWorkspace;

    fn check(files: &[&str], path: &str, code: ErrorCode, expected: &str) {
        let workspace: MemoryWorkspace = files.iter().map(|file| (*file, "")).collect();
        let hint = hint(code, &View::new(&workspace), path);
        assert_eq!(hint.unwrap_or_default(), expected, "{path:?}");
    }

    #[test]
    fn the_nearest_paths_are_named_the_most_alike_first() {
        let not_found = |files: &[&str], path, expected| check(files, path, ErrorCode::FileNotFound, expected);
        not_found(&["src/lib.rs", "src/main.rs"], "src/mian.rs", r#"the nearest path is "src/main.rs""#);
        not_found(
            &["README.md", "crates/a/src/lib.rs", "crates/b/src/lib.rs", "src/lib.ts"],
            "src/lib.rs",
            r#"the nearest paths are "src/lib.ts", "crates/a/src/lib.rs" and "crates/b/src/lib.rs""#,
        );
        not_found(&["README.md"], "readme.md", r#"the nearest path is "README.md""#);
        not_found(&["caf\u{e9}.txt"], "cafe\u{301}.txt", "the nearest path is \"caf\u{e9}.txt\"");
        not_found(&["a/b/c"], "x.rs", "no path of the workspace is like it");
        not_found(&[], "x.rs", "the workspace has no files");
    }

    #[test]
    fn a_file_on_the_way_is_named() {
        let expected = r#""a/b" is a file: nothing lies below it"#;
        check(&["a/b", "a/b.c"], "a/b/c/d", ErrorCode::FileNotFound, expected);
        check(&["a/b", "a/b.c"], "./a/b/c", ErrorCode::NotADirectory, expected);
    }

    #[test]
    fn a_path_that_leads_out_is_looked_for_inside() {
        let expected = r#"the nearest path is "src/main.rs""#;
        check(&["src/main.rs"], "/workspace/src/main.rs", ErrorCode::PathOutsideWorkspace, expected);
        check(&["src/main.rs"], "../src/main.rs", ErrorCode::PathOutsideWorkspace, expected);
    }

    #[test]
    fn what_lies_in_a_directory_is_listed_each_once() {
        let holds = |files: &[&str], path, expected| check(files, path, ErrorCode::IsADirectory, expected);
        holds(&["a", "src/b/c", "src/b/d", "src/e"], "src/", r#"it holds "b/" and "e""#);
        holds(&["a", "src/b/c", "src/b/d", "src/e"], ".", r#"it holds "a" and "src/""#);
        holds(&[], "", "it is empty");
        let many: Vec<String> = (10..22).map(|number| format!("d/{number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        holds(&many, "d", r#"it holds "10", "11", "12", "13", "14", "15", "16", "17", "18", "19" and 2 more"#);
    }

    #[test]
    fn of_very_many_files_a_part_is_looked_at() {
        let many: Vec<String> = (0..=EXAMINED_PATHS).map(|number| format!("d/{number:05}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        for (files, is_part) in [(&many[..EXAMINED_PATHS], ""), (&many, "; not all paths were compared")] {
            let expected = format!("no path of the workspace is like it{is_part}");
            check(files, "d/x", ErrorCode::FileNotFound, &expected);
        }
    }
}
