//! `cargo xtask sdk-check`: what the binary prints for providers, held to the types of the providers' own SDKs.
//!
//! **No part of CI**: the SDKs are Python packages, and nothing else here needs Python.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::cargo;

const SCRIPTS: &str = "crates/dispatch-providers/tests/sdk";

/// Which SDKs to check against.
#[derive(Debug, Args)]
pub(crate) struct SdkCheck {
    /// Installs the SDKs with pip first, for this check alone, in the target folder. Later checks find them there.
    #[arg(long)]
    install: bool,
    /// Fails where an SDK is not installed, instead of skipping it.
    #[arg(long)]
    require: bool,
}

impl SdkCheck {
    /// Builds the binary, and has it checked.
    ///
    /// # Errors
    ///
    /// An SDK refuses what was printed; stdout then says which and why. Or Python can't be started.
    pub(crate) fn run(&self, root: &Path) -> Result<()> {
        cargo::run(root, &["build", "--locked", "--quiet", "--package=dispatch-cli", "--bin=dispatch"])?;
        let programs = folder_of_programs()?;
        let environment = programs.with_file_name("sdk-check");
        if self.install {
            install(root, &environment)?;
        }
        // Without bytecode: the scripts' folder is the repository's.
        let mut check = Command::new(python_in(&environment).unwrap_or_else(|| PathBuf::from(PYTHON)));
        check.arg("-B").arg(root.join(SCRIPTS).join("check.py"));
        check.arg("--dispatch").arg(programs.join("dispatch").with_extension(env::consts::EXE_EXTENSION));
        check.args(self.require.then_some("--require"));
        wait_for(&mut check)
    }
}

const PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };

/// Returns where cargo put this program, and puts the others.
fn folder_of_programs() -> Result<PathBuf> {
    let this = env::current_exe().context("this program can't be found")?;
    Ok(this.parent().context("this program is in no folder")?.to_owned())
}

fn install(root: &Path, environment: &Path) -> Result<()> {
    wait_for(Command::new(PYTHON).args(["-m", "venv"]).arg(environment))?;
    let python = python_in(environment).context("`python3 -m venv` made no Python")?;
    let requirements = root.join(SCRIPTS).join("requirements.txt");
    wait_for(Command::new(python).args(["-m", "pip", "install", "--quiet", "--requirement"]).arg(requirements))
}

/// Returns the Python that has the SDKs, if they were installed.
fn python_in(environment: &Path) -> Option<PathBuf> {
    let programs = if cfg!(windows) { "Scripts" } else { "bin" };
    let python = environment.join(programs).join(PYTHON).with_extension(env::consts::EXE_EXTENSION);
    python.is_file().then_some(python)
}

fn wait_for(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_owned();
    let status = command.status().with_context(|| format!("{} can't be started", name.display()))?;
    let line: Vec<&OsStr> = command.get_args().collect();
    ensure!(status.success(), "`{} {}`: {status}", name.display(), line.join(OsStr::new(" ")).display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::process::Stdio;

    use super::*;

    #[test]
    fn a_command_that_fails_is_named() {
        let mut this = Command::new(env::current_exe().unwrap());
        let error = wait_for(this.arg("--no-such-flag").stderr(Stdio::null())).unwrap_err();
        assert!(error.to_string().contains("--no-such-flag`: exit status: "), "{error}");
    }

    #[test]
    fn no_python_is_found_where_none_was_installed() {
        assert_eq!(python_in(Path::new("no such folder")), None);
    }

    #[test]
    fn the_scripts_are_there() {
        let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join(SCRIPTS);
        for name in ["check.py", "requirements.txt", "workspace.json"] {
            assert!(scripts.join(name).is_file(), "{name}");
        }
    }
}
