//! `dispatch dispatch --provider`: the files around a message, and the words for people. What it answers is in the conformance cases.

use std::fs;
use std::path::Path;

use predicates::prelude::*;
use tempfile::{TempDir, tempdir};

use crate::run;

const WRITES: &str = r#"{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"write_file","input":{"path":"b","content":"new"}}]}"#;

/// A folder with a workspace in it.
fn folder() -> TempDir {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("files.json"), r#"{"a":"\u0041"}"#).unwrap();
    folder
}

fn words<'w>(folder: &'w Path, more: &[&'w str]) -> Vec<String> {
    let file = folder.join("files.json").display().to_string();
    let words = ["--provider", "anthropic", "--workspace", &file, "--workspace-out", &file];
    words.iter().chain(more).map(ToString::to_string).collect()
}

fn answer(folder: &Path, more: &[&str], message: &str) -> assert_cmd::assert::Assert {
    let words = words(folder, more);
    run(&words.iter().map(String::as_str).collect::<Vec<_>>(), message)
}

fn files(folder: &Path) -> String {
    fs::read_to_string(folder.join("files.json")).unwrap()
}

#[test]
fn the_workspace_is_read_from_a_file_and_written_to_it() {
    let folder = folder();
    answer(folder.path(), &[], WRITES).code(0).stderr("").stdout(predicate::str::contains("File written: b"));
    assert_eq!(files(folder.path()), "{\"a\":\"\\u0041\",\"b\":\"new\"}\n");
}

#[test]
fn a_message_that_is_none_leaves_the_file_alone() {
    let folder = folder();
    answer(folder.path(), &[], "[7]").code(1).stdout("").stderr(predicate::str::contains("invalid_request"));
    assert_eq!(files(folder.path()), r#"{"a":"\u0041"}"#);
}

#[test]
fn a_message_without_a_call_is_told_on_stderr_and_writes_the_files_all_the_same() {
    let folder = folder();
    let told = "dispatch: no call waits for an answer in this anthropic message\n";
    answer(folder.path(), &[], r#"{"role":"assistant","content":"Done."}"#).code(0).stdout("").stderr(told);
    assert_eq!(files(folder.path()), "{\"a\":\"\\u0041\"}\n");
}

#[test]
fn a_file_that_holds_no_workspace_is_told_by_its_name() {
    let folder = folder();
    fs::write(folder.path().join("files.json"), r#"{"a":7}"#).unwrap();
    answer(folder.path(), &[], WRITES)
        .code(2)
        .stdout("")
        .stderr(predicate::str::contains("files.json holds no workspace"));
    assert_eq!(files(folder.path()), r#"{"a":7}"#);
}

#[test]
fn a_file_that_can_not_be_written_is_told_before_anything_is_answered() {
    let folder = folder();
    let out = folder.path().join("nowhere/files.json").display().to_string();
    let told = predicate::str::starts_with(format!("dispatch: can't write {out}: "));
    run(&["--provider", "anthropic", "--workspace-out", &out], WRITES).code(2).stdout("").stderr(told);
}

#[test]
fn a_strict_mode_is_one_that_the_provider_has() {
    let call = r#"{"role":"model","parts":[{"functionCall":{"name":"read_file","args":{"path":"a"}}}]}"#;
    let told = "dispatch: gemini has no strict mode\n";
    run(&["--provider", "gemini", "--strict"], call).code(2).stdout("").stderr(told);
    answer(folder().path(), &["--strict"], WRITES).code(0);
}

#[test]
fn what_is_about_a_provider_needs_one() {
    for words in [
        &["--conversation"][..],
        &["--strict"],
        &["--workspace", "a.json"],
        &["--workspace-out", "a.json"],
        &["--provider", "nobody"],
        &["--provider", "anthropic", "--stream"],
        &["--provider", "anthropic", "--pretty"],
    ] {
        run(words, WRITES).code(2).stdout("").stderr(predicate::str::is_empty().not());
    }
}
