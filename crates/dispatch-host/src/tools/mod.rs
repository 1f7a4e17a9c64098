//! The tools that an agent works with.

mod glob;
mod grep;

pub use glob::{Glob, GlobArgs};
pub use grep::{Grep, GrepArgs};
