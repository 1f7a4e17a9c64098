//! Sessions: what is recorded reads back, replays to the same, and survives what happens to files.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test fails where something is not there"
)]

mod support;
mod agreeing;
mod changed;
mod journal;
mod lines;
mod partial;
mod random;
mod refused;
mod restless;
mod tools_of_today;
mod torn;
