//! Finding files by their paths and lines by their text, in whatever a workspace holds.
//!
//! Everything here works on a [`Snapshot`](dispatch_core::workspace::Snapshot), so that the same files give the same lines whether they lie in memory
//! or in a directory. What there is to read is read by several threads, and what comes out is in the order of the paths all the same.

mod pattern;
mod ignored;
mod left_out;
mod crew;
mod walk;
mod regex;
mod lines;
mod named;
mod scan;

pub(crate) use left_out::LeftOut;
pub(crate) use named::{named, named_in_lines, unsteering};
pub(crate) use pattern::Pattern;
pub(crate) use regex::matcher;
pub(crate) use scan::{Query, Scanned, scan, scan_file};
pub(crate) use walk::walk;
