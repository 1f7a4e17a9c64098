//! `Glob`.

use super::support::{check, check_refused};

const FILES: &[(&str, &str)] = &[
    (".env", ""),
    (".git/config", ""),
    (".github/workflows/ci.yml", ""),
    (".gitignore", "*.log\n/target/\n!keep.log\n"),
    ("README.md", ""),
    ("a.log", ""),
    ("docs/.ignore", "!*.log\ndraft*\n"),
    ("docs/a.log", ""),
    ("docs/draft.md", ""),
    ("docs/guide.md", ""),
    ("keep.log", ""),
    ("src-old/lib.rs", ""),
    ("src/lib.rs", ""),
    ("src/target/x.rs", ""),
    ("target/debug/x.rs", ""),
];

fn finds(args: &str, expected: &str) {
    check(FILES, "Glob", args, expected);
}

#[test]
fn files_come_a_path_a_line_sorted_by_code_point() {
    finds(r#"{"pattern":"**/*.rs"}"#, "src-old/lib.rs\nsrc/lib.rs\nsrc/target/x.rs\n");
    finds(r#"{"pattern":"*.md"}"#, "README.md\ndocs/guide.md\n");
    finds(r#"{"pattern":"src/*.rs"}"#, "src/lib.rs\n");
    let names = [("\u{ff5e}", ""), ("\u{10000}", ""), ("a/b", ""), ("a.b", ""), ("a0", ""), ("Z", "")];
    check(&names, "Glob", r#"{"pattern":"**"}"#, "Z\na.b\na/b\na0\n\u{ff5e}\n\u{10000}\n");
}

#[test]
fn what_the_workspaces_ignore_files_name_is_left_out() {
    finds(r#"{"pattern":"*.log"}"#, "docs/a.log\nkeep.log\n");
    finds(r#"{"pattern":"target/**"}"#, "No files found (left out: 1 ignored)");
    finds(r#"{"pattern":"docs/*"}"#, "docs/a.log\ndocs/guide.md\n");
}

#[test]
fn a_directory_that_is_asked_for_is_looked_in_though_it_is_ignored_or_hidden() {
    finds(r#"{"pattern":"**/*.rs","path":"target"}"#, "target/debug/x.rs\n");
    finds(r#"{"pattern":"*.rs","path":"./target/debug/"}"#, "target/debug/x.rs\n");
    finds(r#"{"pattern":"*","path":".github"}"#, ".github/workflows/ci.yml\n");
    finds(r#"{"pattern":"*","path":".git"}"#, ".git/config\n");
}

#[test]
fn rules_from_above_hold_in_a_directory_that_is_asked_for() {
    let files =
        [(".gitignore", "*.log\n/a/b/*.tmp"), ("a/.ignore", "c"), ("a/b/c", ""), ("a/b/d.log", ""), ("a/b/e.tmp", "")];
    check(&files, "Glob", r#"{"pattern":"*","path":"a/b"}"#, "No files found (left out: 3 ignored)");
}

#[test]
fn what_is_hidden_is_found_where_the_pattern_names_it() {
    finds(r#"{"pattern":".env"}"#, ".env\n");
    finds(r#"{"pattern":"./*env"}"#, "No files found (left out: 1 hidden)");
    finds(r#"{"pattern":".github/**"}"#, ".github/workflows/ci.yml\n");
    finds(r#"{"pattern":"**/*.yml"}"#, "No files found (left out: 1 hidden, 1 ignored)");
    finds(r#"{"pattern":".*"}"#, ".env\n.gitignore\ndocs/.ignore\n");
    finds(r#"{"pattern":".git/**"}"#, ".git/config\n");
    finds(r#"{"pattern":"src/**/*config"}"#, "No files found");
}

#[test]
fn an_ignore_file_can_show_what_is_hidden() {
    let files = [(".ignore", "!.env\n!.git\n"), (".env", ""), (".git/x", ""), (".other", "")];
    check(&files, "Glob", r#"{"pattern":"*"}"#, ".env\n");
}

#[test]
fn an_ignore_file_of_ripgrep_outweighs_others_and_an_inner_one_outer_ones() {
    let files = [
        (".gitignore", "a\nb\nc\n"),
        (".ignore", "!a\n!b\n"),
        (".rgignore", "a\n"),
        ("a", ""),
        ("b", ""),
        ("d/.gitignore", "!c\n"),
        ("d/a", ""),
        ("d/c", ""),
    ];
    check(&files, "Glob", r#"{"pattern":"*"}"#, "b\nd/c\n");
}

#[test]
fn an_ignore_file_is_read_as_git_and_ripgrep_read_it() {
    let ignore = "\u{feff}a\r\n# b\n\\#c\n  d\ne  \nf\\ \n[\n{x\ng/**/h\n\n!\n/\n";
    let files = [
        (".gitignore", ignore),
        ("a", ""),
        ("b", ""),
        ("#c", ""),
        ("  d", ""),
        ("d", ""),
        ("e", ""),
        ("f ", ""),
        ("g/h", ""),
        ("g/i/h", ""),
        ("g/i/j", ""),
        ("h", ""),
    ];
    check(&files, "Glob", r#"{"pattern":"**"}"#, "b\nd\ng/i/j\nh\n");
}

#[test]
fn that_nothing_was_found_is_told_in_words() {
    finds(r#"{"pattern":"src/*.py"}"#, "No files found");
    // What lies in directories that were not looked into may have been meant.
    finds(r#"{"pattern":"*.py"}"#, "No files found (left out: 1 hidden, 1 ignored)");
    check(&[], "Glob", r#"{"pattern":"**"}"#, "No files found");
}

#[test]
fn what_can_not_be_looked_in_is_refused() {
    let refused = |args, expected| check_refused(FILES, "Glob", args, expected);
    refused(r#"{"pattern":"*","path":"README.md"}"#, "not_a_directory");
    refused(r#"{"pattern":"*","path":"README.md/a"}"#, "file_not_found");
    refused(r#"{"pattern":"*","path":"nowhere"}"#, "file_not_found");
    refused(r#"{"pattern":"*","path":"../x"}"#, "path_outside_workspace");
    refused(r#"{"pattern":"*","path":"/src"}"#, "path_outside_workspace");
}

#[test]
fn what_is_no_pattern_is_refused_with_the_place() {
    let refused = |args, expected| check_refused(FILES, "Glob", args, expected);
    refused(
        r#"{"pattern":"é{a"}"#,
        "invalid_pattern\n$.pattern, character 2: this `{` is not closed; `\\{` means the letter",
    );
    refused(
        r#"{"pattern":"a/../b"}"#,
        "invalid_pattern\n$.pattern, character 3: `..` matches nothing: write the path without it",
    );
    let outside = "path_outside_workspace\n$.pattern: character 1: a pattern is relative to the directory that is looked in, and leads down from there";
    refused(r#"{"pattern":"/src/*"}"#, outside);
    refused(r#"{"pattern":"../*"}"#, outside);
    refused(r#"{"pattern":""}"#, "invalid_arguments\n$.pattern: expected at least 1 character, found 0");
}

#[test]
fn deep_directories_take_no_stack() {
    let deep = format!("{}f", "d/".repeat(5000));
    check(&[(&deep, "")], "Glob", r#"{"pattern":"**/f"}"#, &format!("{deep}\n"));
    check(&[(&deep, "needle")], "Grep", r#"{"pattern":"needle"}"#, &format!("{deep}:1:needle\n"));
}
