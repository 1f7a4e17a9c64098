//! `cargo xtask ci`: the list of what CI checks. `.ci/run` and the workflow call this and add nothing.
//!
//! **Steps stand in order of their cost, the tests last**, so that a slip shows early and the tests' own
//! closing lines end the output. What a step prints goes through untouched; our own lines go to stderr.

use std::io::{Write, stderr};
use std::path::Path;

use anyhow::{Context, Result};

use crate::{cargo, generate, run_cases};

/// Every step, in order.
const STEPS: &[Step] = &[
    Step { name: "format", work: Work::Cargo(&["fmt", "--all", "--check"]) },
    Step { name: "generated files", work: Work::GeneratedFiles },
    Step {
        name: "clippy",
        work: Work::Cargo(&[
            "clippy",
            "--locked",
            "--workspace",
            "--all-targets",
            "--all-features",
            "--",
            "--deny=warnings",
        ]),
    },
    Step {
        // With the private items, rustdoc checks the links in every comment, and still reports a public
        // one that leads to a private item.
        name: "documentation",
        work: Work::Cargo(&["doc", "--locked", "--workspace", "--no-deps", "--document-private-items"]),
    },
    Step {
        // What the README's command leaves out: a feature of core is off where nobody asks for it. Tests that no feature is named in run once
        // more as well: one may hold for a build without features alone.
        name: "tests of core with its features",
        work: Work::Cargo(&["test", "--locked", "--package=dispatch-core", "--all-features"]),
    },
    Step {
        // A step of its own, as a program in Python or JavaScript takes longer to start than most tests to run.
        name: "cases of the examples",
        work: Work::Examples,
    },
    Step {
        // The README's command, letter by letter.
        name: "tests",
        work: Work::Cargo(&["test", "--workspace"]),
    },
];

/// One thing that CI checks.
#[derive(Debug)]
struct Step {
    name: &'static str,
    work: Work,
}

/// What a step does.
#[derive(Debug)]
enum Work {
    /// Runs cargo with these arguments.
    Cargo(&'static [&'static str]),
    /// Puts the conformance cases to the examples in other languages.
    Examples,
    /// Compares the generated files with what would be generated.
    GeneratedFiles,
}

/// Runs every step, and stops at the first that fails.
///
/// # Errors
///
/// Names the step that failed.
pub(crate) fn run(root: &Path) -> Result<()> {
    STEPS.iter().try_for_each(|step| run_step(root, step))
}

fn run_step(root: &Path, step: &Step) -> Result<()> {
    let _ = writeln!(stderr(), "ci: {}", step.name);
    match step.work {
        Work::Cargo(arguments) => cargo::run(root, arguments),
        Work::Examples => run_cases::run_examples(root),
        Work::GeneratedFiles => generate::check(root),
    }
    .with_context(|| format!("the step `{}` failed", step.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tests_come_last_and_are_the_readme_s_command() {
        let last = STEPS.last().unwrap();
        assert!(matches!(last.work, Work::Cargo(["test", "--workspace"])));
    }

    #[test]
    fn a_failing_step_is_named() {
        let empty = tempfile::tempdir().unwrap();
        let step = Step { name: "generated files", work: Work::GeneratedFiles };
        let error = run_step(empty.path(), &step).unwrap_err();
        assert_eq!(error.to_string(), "the step `generated files` failed");
    }
}
