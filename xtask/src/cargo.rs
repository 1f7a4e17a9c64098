//! Running cargo on the repository.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// Returns the command of the cargo that runs this, in the repository's folder.
pub(crate) fn command(root: &Path) -> Command {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(cargo);
    command.current_dir(root);
    command
}

/// Runs cargo on the repository, with this process's own stdout and stderr.
///
/// # Errors
///
/// Cargo fails, or can't be started.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> Result<()> {
    let status = command(root)
        .args(arguments)
        .env("RUSTDOCFLAGS", "--deny=warnings")
        .status()
        .context("cargo can't be started")?;
    let line = arguments.join(" ");
    ensure!(status.success(), "`cargo {line}`: {status}");
    Ok(())
}

/// Returns a program that cargo has built in a profile: `debug`, or `release`.
///
/// # Errors
///
/// This program can't be found, from which the others are.
pub(crate) fn program(profile: &str, name: &str) -> Result<PathBuf> {
    let this = env::current_exe().context("this program can't be found")?;
    let programs = this.parent().context("this program is in no folder")?.with_file_name(profile);
    Ok(programs.join(name).with_extension(env::consts::EXE_EXTENSION))
}
