//! The tools that search, asked as a model asks them.

#![expect(clippy::unwrap_used, reason = "the helpers of tests fail by panicking")]

mod support;
mod glob;
mod grep;
mod against_ignore;
#[cfg(unix)]
mod against_ripgrep;
#[cfg(unix)]
mod directory;
mod trouble;
