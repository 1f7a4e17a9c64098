//! Implementations in other languages, and one of them with a fault.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use conformance::run::asked::Asker;
use conformance::run::place::Place;
use conformance::run::program::Program;

/// A fault, put into the right implementation.
#[derive(Debug)]
pub(crate) struct Wrong {
    /// What it does wrong.
    pub(crate) name: &'static str,
    /// The text of the right implementation that is replaced. It stands there once.
    pub(crate) replaced: &'static str,
    /// What stands in its place.
    pub(crate) with: &'static str,
    /// The full name of the case that is there to catch it.
    pub(crate) caught_by: &'static str,
}

impl Wrong {
    /// Returns the source with the fault, or says why it can't be put there.
    pub(crate) fn source(&self, right: &str) -> Result<String, String> {
        match right.matches(self.replaced).count() {
            1 => Ok(right.replacen(self.replaced, self.with, 1)),
            times => Err(format!("{}: its text stands {times} times in the example, not once", self.name)),
        }
    }
}

/// The folder of this package.
pub(crate) fn package() -> PathBuf {
    // Asked at run time: where checkouts share a target folder, a program may have been compiled in another one.
    std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from("."), PathBuf::from)
}

/// The right implementation that the faults are put into.
pub(crate) fn python_example() -> PathBuf {
    package().join("examples/python/dispatch.py")
}

/// Tells whether an interpreter is installed, and says so where it is not.
pub(crate) fn is_installed(interpreter: &str) -> bool {
    let version = Command::new(interpreter).arg("--version").output();
    let is_installed = version.is_ok_and(|version| version.status.success());
    if !is_installed {
        // Past the harness, which shows nothing of a test that passes. There is nobody left to tell where stderr is closed.
        let _ = writeln!(io::stderr(), "skipped: there is no `{interpreter}` to run the example with");
    }
    is_installed
}

/// Puts cases to a source, as `conformance run` does.
pub(crate) fn asker(interpreter: &str, source: &Path, is_sharing: bool) -> Asker {
    let source = source.to_str().expect("UTF-8");
    let command = shlex::try_join([interpreter, source]).expect("no NUL");
    let program = Program::of_command(&command).expect("two words");
    // On a machine that does much else, no right answer may come too late.
    Asker { program, timeout: Duration::from_mins(1), jobs: 2, place: Place::Memory, is_sharing, give_up_after: 10 }
}
