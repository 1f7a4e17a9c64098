//! The gates, seen from outside: what is refused never runs, what is judged is what runs, and what is said is meant for whoever reads it.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::wildcard_enum_match_arm,
    reason = "a test fails by panicking"
)]
#![expect(clippy::unnecessary_wraps, reason = "handlers and policies have the form that they must have")]

mod approval;
mod begun;
mod foreign_code;
mod given;
mod given_beyond;
mod given_broken;
mod given_keywords;
#[cfg(feature = "json-schema")]
mod given_whole;
mod handlers;
mod pending;
mod policies;
mod random;
mod refusals;
mod support;
mod values;
mod words;
