//! `cargo xtask soak`: the tests that take too long for every change.

mod calls;
mod long_log;
mod measured;

use std::path::Path;

use anyhow::Result;
use clap::Args;

use crate::cargo;

/// Every long test. Each stands, ignored, beside the short ones of its kind.
const LONG_TESTS: &[&[&str]] = &[
    &["test", "--locked", "--package=dispatch-cli", "--test=recording", "--", "--ignored"],
    &["test", "--locked", "--package=dispatch-host", "--test=directory", "--", "--ignored"],
];

/// What is to be run, and how much of it.
#[derive(Debug, Args)]
pub(crate) struct Soak {
    /// How many calls the long log holds. A log of a tenth of them is replayed beside it.
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(10..))]
    calls: u64,
    /// Leaves the long tests out, and replays the long log alone.
    #[arg(long)]
    only_log: bool,
}

impl Soak {
    /// Runs the long tests and the long log, and stops at the first that fails.
    ///
    /// # Errors
    ///
    /// One fails, or cargo can't be started.
    pub(crate) fn run(&self, root: &Path) -> Result<()> {
        if !self.only_log {
            LONG_TESTS.iter().try_for_each(|arguments| cargo::run(root, arguments))?;
        }
        long_log::run(root, self.calls)
    }
}
