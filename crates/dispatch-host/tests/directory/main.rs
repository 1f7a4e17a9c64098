//! A directory as the workspace, on real file systems.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![cfg(unix)]

mod basics;
mod bytes;
mod conflicts;
mod foretold;
mod kills;
mod links;
mod links_replayed;
mod memory;
mod patches;
mod plan;
mod races;
mod room;
mod whole;
mod escapes;
mod rights;
mod skills;
mod support;
