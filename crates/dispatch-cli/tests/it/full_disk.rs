//! What can't be written because a file may not grow: told like a full disk, with nothing half done.

use std::fs;

use assert_cmd::Command;
use predicates::prelude::*;

/// The binary, allowed to make files of at most so many kilobytes.
pub(crate) fn dispatch_within(kilobytes: u64, args: &[&str]) -> Command {
    let mut command = Command::new("/bin/bash");
    let script = format!("ulimit -f {kilobytes} && exec \"$0\" \"$@\"");
    command.env_clear().args(["-c", &script]).arg(assert_cmd::cargo::cargo_bin!("dispatch")).args(args);
    command
}

#[test]
fn a_workspace_that_does_not_fit_leaves_the_file_as_it_was() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("workspace.json");
    let message = format!(
        r#"{{"role":"assistant","content":[{{"type":"tool_use","id":"t1","name":"write_file","input":{{"path":"a","content":"{}"}}}}]}}"#,
        "x".repeat(10_000)
    );
    fs::write(&file, "{}").unwrap();
    let name = file.to_str().unwrap();
    let told = predicate::str::starts_with(format!("dispatch: can't write {name}: "));
    let args = ["dispatch", "--provider", "anthropic", "--workspace", name, "--workspace-out", name];
    dispatch_within(4, &args).write_stdin(message).assert().code(2).stdout("").stderr(told);
    assert_eq!(fs::read_to_string(&file).unwrap(), "{}");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
}
