//! The binary as a process: what is about pipes, files, exit codes and words for people. What it answers is in the conformance cases.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bad_input;
mod conversation;
mod directory;
#[cfg(unix)]
mod full_disk;
mod human;
#[cfg(unix)]
mod links;
mod pairing;
mod provider;
mod readme;
mod record;
mod replay;
mod schema;
mod session;
mod stream;
mod toolset;
mod usage;

use assert_cmd::Command;
use assert_cmd::assert::Assert;

/// The binary in an environment that holds nothing.
fn dispatch(args: &[&str]) -> Command {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("dispatch");
    command.env_clear().args(args);
    command
}

/// Runs `dispatch dispatch` with further arguments on an input.
fn run(args: &[&str], input: impl Into<Vec<u8>>) -> Assert {
    dispatch(&["dispatch"]).args(args).write_stdin(input.into()).assert()
}

fn stdout(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

fn stderr(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

/// A request that reads `a`, whose text is given as a JSON string.
fn read_request(json_string: &str) -> String {
    format!(
        r#"{{"op":"dispatch","workspace":{{"a":{json_string}}},"call":{{"tool":"read_file","args":{{"path":"a"}}}}}}"#
    )
}
