//! A directory as the workspace, on real file systems.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![cfg(unix)]

mod basics;
mod escapes;
mod support;
