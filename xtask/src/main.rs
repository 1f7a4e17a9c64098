//! The project's own chores: `cargo xtask ci`, `gen`, `new-case`, `conformance`, `conformance-examples`, `fuzz-smoke`, `soak`, `bench`, `sdk-check`.
//!
//! **Nothing here is shipped, and no other crate may depend on it.** It is the one crate that may use
//! `anyhow`: its errors have one reader, the person at the terminal.

mod cargo;
mod ci;
mod files;
mod fuzz;
mod generate;
mod new_case;
mod run_cases;
mod sdk_check;
mod soak;

use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};

/// The project's own chores.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

/// One chore.
#[derive(Debug, Subcommand)]
enum Task {
    /// Runs all that CI runs, in its order, and stops at the first failure.
    Ci,
    /// Writes the generated files anew: the man pages, the codes table in docs/protocol.md, conformance/CASES.md and the
    /// versions of the suite that are not frozen.
    Gen {
        /// Writes nothing, and fails naming each file that is stale.
        #[arg(long)]
        check: bool,
    },
    /// Puts the conformance cases to the binary, as `conformance run` puts them to any program.
    Conformance(run_cases::RunCases),
    /// Puts them to the examples in other languages, up to the level that these claim.
    ConformanceExamples,
    /// Gives random texts to every parser of foreign text. The same seed gives the same texts.
    FuzzSmoke(fuzz::FuzzSmoke),
    /// Runs what takes too long for every change: two hundred recordings that are killed, a log of a million calls.
    Soak(soak::Soak),
    /// Measures one call in this process, beside the same done by hand; searches in 1 GiB of files, beside `rg`; edits of 50 MiB, beside `cp`.
    Bench,
    /// Appends the skeleton of a conformance case, which fails until it is filled in.
    NewCase(new_case::Said),
    /// Holds what is printed for providers to the types of the providers' own SDKs, which are Python packages.
    SdkCheck(sdk_check::SdkCheck),
}

/// What is measured, each beside what anybody would use instead.
const BENCHMARKS: &[&[&str]] = &[
    &["bench", "--locked", "--package=dispatch-core", "--bench=in_process"],
    &["bench", "--locked", "--package=dispatch-host", "--bench=search"],
    &["bench", "--locked", "--package=dispatch-host", "--bench=edit"],
];

fn main() -> ExitCode {
    match run(Arguments::parse().task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> Result<()> {
    let root = &repository_root()?;
    match task {
        Task::Ci => ci::run(root),
        Task::Gen { check: true } => generate::check(root),
        Task::Gen { check: false } => generate::write(root),
        Task::Conformance(run_cases) => run_cases.run(root),
        Task::ConformanceExamples => run_cases::run_examples(root),
        Task::FuzzSmoke(fuzz_smoke) => fuzz_smoke.run(root),
        Task::Soak(soak) => soak.run(root),
        Task::Bench => BENCHMARKS.iter().try_for_each(|benchmark| cargo::run(root, benchmark)),
        Task::NewCase(new_case) => new_case.run(root),
        Task::SdkCheck(sdk_check) => sdk_check.run(root),
    }
}

/// Returns the folder of the workspace's `Cargo.toml`, wherever the command was started.
fn repository_root() -> Result<PathBuf> {
    // Asked at run time: where checkouts share a target folder, a program may have been compiled in another one.
    let xtask = std::env::var_os("CARGO_MANIFEST_DIR").context("run this as `cargo xtask`")?;
    Ok(Path::new(&xtask).parent().context("the folder of xtask has no parent")?.to_owned())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn the_root_holds_the_lock_file() {
        assert!(repository_root().unwrap().join("Cargo.lock").is_file());
    }
}
