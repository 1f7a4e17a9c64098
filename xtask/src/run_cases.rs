//! `cargo xtask conformance`: the cases put to the binary `dispatch`, as anybody would put them to theirs; and
//! `cargo xtask conformance-examples`: to the implementations in other languages.

use std::io::{Write, stderr};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use clap::Args;

use crate::cargo;

/// The implementations in other languages: what runs each, and its source.
const EXAMPLES: [(&str, &str); 2] =
    [("python3", "conformance/examples/python/dispatch.py"), ("node", "conformance/examples/node/dispatch.mjs")];

/// What both of them claim, as conformance/examples/README.md says. They start slowly, and so share processes.
const CLAIMED: [&str; 5] = ["--stream", "--level", "limits", "--without", "agent,explain"];

/// What `conformance run` gets besides the command.
#[derive(Debug, Args)]
pub(crate) struct RunCases {
    /// Options and names, as `conformance run` takes them.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

impl RunCases {
    /// Builds the binary and runs the cases.
    ///
    /// # Errors
    ///
    /// The binary can't be built, or a case fails.
    pub(crate) fn run(&self, root: &Path) -> Result<()> {
        cargo::run(root, &["build", "--locked", "--quiet", "--package=dispatch-cli"])?;
        let dispatch = cargo::program("debug", "dispatch")?;
        let dispatch = shlex::try_quote(dispatch.to_str().context("the path of `dispatch` is no text")?)?.into_owned();
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        put_cases(root, &dispatch, &arguments)
    }
}

/// Puts the cases to every example whose interpreter is installed, and says which are skipped.
///
/// # Errors
///
/// A case fails that an example claims.
pub(crate) fn run_examples(root: &Path) -> Result<()> {
    EXAMPLES.iter().try_for_each(|(interpreter, source)| run_example(root, interpreter, source))
}

fn run_example(root: &Path, interpreter: &str, source: &str) -> Result<()> {
    let version = Command::new(interpreter).arg("--version").output();
    if version.is_ok_and(|version| version.status.success()) {
        return put_cases(root, &format!("{interpreter} {source}"), &CLAIMED);
    }
    // Where stderr is gone nobody is left to be told.
    let _ = writeln!(stderr(), "skipped: there is no `{interpreter}` to run {source}");
    Ok(())
}

fn put_cases(root: &Path, command: &str, arguments: &[&str]) -> Result<()> {
    let run = ["run", "--locked", "--quiet", "--package=conformance", "--", "run", "--command", command];
    cargo::run(root, &[&run, arguments].concat())
}
