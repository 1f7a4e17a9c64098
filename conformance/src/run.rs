//! The cases as a suite for any program: run, judged and reported on.
//!
//! **A program is asked nothing but what the binary `dispatch` would be asked**, and is judged by the case alone: no snapshot is
//! looked at. **Whatever is not run is counted, with the reason**, and a run that asked nothing is no success.
//!
//! - [`place`]: the workspace in memory, or in a directory;
//! - [`program`]: a command line, and one run of it within bounds;
//! - [`feature`], [`selection`]: which cases are asked, and which of them apply;
//! - [`fault`]: what is wrong with what it did;
//! - [`asked`]: a case as it is put to the program, alone or in a process shared with others;
//! - [`known`]: the failures that are listed;
//! - [`verdict`]: what became of each case, and the level that was reached;
//! - [`report`]: the same for people, CI and programs.

pub mod place;
pub mod program;
pub mod feature;
pub mod selection;
pub mod fault;
pub mod asked;
pub mod known;
pub mod verdict;
pub mod report;
