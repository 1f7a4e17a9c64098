//! `cargo xtask fuzz-smoke`: random texts for every parser of foreign text, for a while.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{self, ExitStatus};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use crate::cargo;

/// What the hunt is to be like. It is passed on to the package `fuzz`, whose `--help` says the same.
#[derive(Debug, Args)]
pub(crate) struct FuzzSmoke {
    /// How long, in seconds.
    #[arg(default_value_t = 60)]
    seconds: u64,
    /// What the texts follow from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The place of the first text.
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// How many texts, at most.
    #[arg(long)]
    count: Option<u64>,
}

impl FuzzSmoke {
    /// Runs the hunt, with every check left in and as fast as it gets.
    ///
    /// # Errors
    ///
    /// Something does not hold for a text; stderr then says which, and how to see it again.
    pub(crate) fn run(&self, root: &Path) -> Result<()> {
        let note = env::temp_dir().join(format!("fuzz-place-{}", process::id()));
        let status = self.hunt(root, &note)?;
        let place = fs::read_to_string(&note).unwrap_or_default();
        // What stays behind is a line in the folder for such things.
        let _ = fs::remove_file(&note);
        if status.code().is_none() {
            let (seed, place) = (self.seed, place.trim());
            bail!(
                "the process died of a text: {status}\n  again      cargo xtask fuzz-smoke --seed {seed} --from {place} --count 1"
            );
        }
        ensure!(status.success(), "something does not hold");
        Ok(())
    }

    fn hunt(&self, root: &Path, note: &Path) -> Result<ExitStatus> {
        let Self { seconds, seed, from, count } = self;
        let mut cargo = cargo::command(root);
        cargo.args(["run", "--locked", "--quiet", "--profile=fuzz", "--package=fuzz", "--"]);
        cargo.args([seconds.to_string(), format!("--seed={seed}"), format!("--from={from}")]);
        cargo.args(count.map(|count| format!("--count={count}")));
        cargo.arg("--note").arg(note);
        cargo.status().context("cargo can't be started")
    }
}
