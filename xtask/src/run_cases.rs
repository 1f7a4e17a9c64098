//! `cargo xtask conformance`: the cases put to the binary `dispatch`, as anybody would put them to theirs.

use std::path::Path;

use anyhow::{Context, Result};
use clap::Args;

use crate::cargo;

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
        let mut arguments =
            vec!["run", "--locked", "--quiet", "--package=conformance", "--", "run", "--command", &dispatch];
        arguments.extend(self.arguments.iter().map(String::as_str));
        cargo::run(root, &arguments)
    }
}
