//! `cargo xtask soak`: the tests that take too long for every change.

use std::path::Path;

use anyhow::Result;

use crate::cargo;

/// Every long test. Each stands, ignored, beside the short ones of its kind.
const LONG_TESTS: &[&[&str]] =
    &[&["test", "--locked", "--package=dispatch-cli", "--test=recording", "--", "--ignored"]];

/// Runs the long tests, and stops at the first that fails.
///
/// # Errors
///
/// One fails, or cargo can't be started.
pub(crate) fn run(root: &Path) -> Result<()> {
    LONG_TESTS.iter().try_for_each(|arguments| cargo::run(root, arguments))
}
