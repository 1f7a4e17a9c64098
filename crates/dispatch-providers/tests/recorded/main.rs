//! Recorded traffic is read as a plain walk over its JSON reads it, and what is made of it is taken back.
//!
//! Most recordings are too large to be kept here. They lie beside the repository; where they don't, each test says that it was skipped, and
//! passes. A few small ones are in `tests/data`.

#![expect(clippy::unwrap_used, reason = "a test fails where something is not there")]
#![expect(clippy::indexing_slicing, reason = "of a JSON value it gives null for what is not there")]
#![expect(clippy::disallowed_methods, reason = "a test that reads recordings opens files; the crate does not")]

mod check;
mod support;
mod walk;

mod conversations;
mod definitions;
mod openai;
mod others;
mod streams;
