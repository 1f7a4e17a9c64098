//! Cases for tool dispatchers that speak the native protocol, and the runner that judges any of them.
//!
//! A case says what goes in and, by a rule of docs/protocol.md, what must come out. It names no
//! implementation: the library, the program `dispatch` and any other program are [`Subject`]s.
//!
//! **The expectation in a case is the rule; a snapshot is only what came out.** A snapshot is never
//! looked at before the expectation holds. **No case is skipped in silence**, and none is made up
//! of what another one left behind.
//!
//! The modules stand in the order in which a case meets them:
//!
//! - [`json`], [`yaml`]: a file as it is written;
//! - [`rules`], [`case`], [`check`], [`suite`]: cases that don't contradict themselves;
//! - [`subject`], [`layout`], [`directory`], [`test_tools`], [`library`], [`binary`]: what is put to the test;
//! - [`raw`], [`mismatch`], [`judge`](mod@judge), [`trial`]: the rule against what came out;
//! - [`snapshot`]: what came out, kept for people;
//! - [`level`], [`manifest`], [`catalogue`]: what the cases are as a suite: levels, versions, rules;
//! - [`run`]: any other program, held to all cases, and the reports on it.
//!
//! [`Subject`]: subject::Subject

pub mod json;
pub mod yaml;
pub mod rules;
pub mod case;
pub mod check;
pub mod suite;
pub mod subject;
pub mod layout;
pub mod directory;
pub mod test_tools;
pub mod library;
mod program;
pub mod binary;
pub mod raw;
pub mod mismatch;
pub mod judge;
pub mod trial;
pub mod snapshot;
pub mod level;
pub mod manifest;
pub mod catalogue;
pub mod run;

#[cfg(test)]
mod testing;
