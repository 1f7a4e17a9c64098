//! The files that are found, held to those that ripgrep's own walk finds in a real directory.

use std::collections::BTreeSet;
use std::path::Path;

use dispatch_core::workspace::MemoryWorkspace;
use ignore::WalkBuilder;
use proptest::prelude::*;

use super::support::{call, write};

const NAMES: &[&str] = &["a", "b", "ab", "a.log", ".h", "c.rs", "é", "d", "x y"];
const LINES: &[&str] = &[
    "a", "/a", "b/", "*.log", "!a", "!*.log", "a/**", "**/a", "a/b", "/a/*", "!/a/b", "[ab]", "?", "*", "!b", "!.h",
    ".h", "# a", "", " ", "\\!a", "x y", "x\\ y", "a ", "{a,b}", "[", "/", "!", "é", "**", "d/**/a", "!d/",
];

fn path() -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(NAMES), 1..4).prop_map(|names| names.join("/"))
}

fn ignore_file() -> impl Strategy<Value = (String, String)> {
    let name = proptest::sample::select(&[".gitignore", ".ignore", ".rgignore"][..]);
    let directory = prop_oneof![Just(String::new()), path().prop_map(|path| path + "/")];
    let lines = proptest::collection::vec(proptest::sample::select(LINES), 0..5);
    let around = proptest::sample::select(
        &[
            ("", "\n", ""),
            ("", "\n", "\n"),
            ("", "\n", "\r"),
            ("", "\r\n", "\r\n"),
            ("\u{feff}", "\r\n", "\r"),
            ("\u{feff}\u{feff}", "\n", "\r\r\n"),
        ][..],
    );
    (directory, name, lines, around).prop_map(|(directory, name, lines, (beginning, between, end))| {
        (directory + name, [beginning, &lines.join(between), end].concat())
    })
}

fn files() -> impl Strategy<Value = Vec<(String, String)>> {
    let files = proptest::collection::vec(path().prop_map(|path| (path, String::new())), 1..20);
    let ignore_files = proptest::collection::vec(ignore_file(), 0..4);
    (ignore_files, files).prop_map(|(ignore_files, files)| [ignore_files, files].concat())
}

fn theirs(root: &Path, directory: &str) -> BTreeSet<String> {
    let mut walk = WalkBuilder::new(root.join(directory));
    walk.git_global(false).git_exclude(false).require_git(false).add_custom_ignore_filename(".rgignore");
    let files = walk.build().map(Result::unwrap).filter(|entry| entry.file_type().unwrap().is_file());
    files.map(|entry| entry.path().strip_prefix(root).unwrap().to_str().unwrap().to_owned()).collect()
}

fn ours(workspace: &mut MemoryWorkspace, directory: &str) -> BTreeSet<String> {
    let found = call(workspace, "Glob", &format!(r#"{{"pattern":"**","path":"{directory}"}}"#)).unwrap();
    found.lines().filter(|line| !line.starts_with("No files found")).map(str::to_owned).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_files_of_a_random_tree_are_those_that_ripgrep_finds(files in files()) {
        let root = tempfile::tempdir().unwrap();
        let written = write(root.path(), &files);
        let mut workspace: MemoryWorkspace = written.iter().cloned().collect();
        for directory in ["", "a", "d", "a/b"] {
            if root.path().join(directory).is_dir() {
                prop_assert_eq!(ours(&mut workspace, directory), theirs(root.path(), directory), "{} of {:?}", directory, written);
            }
        }
    }
}
