//! A turn that is answered twice, and an answer or a turn that is made by hand, do not compile.
//!
//! Each `NAME.fail.rs` has a twin that compiles, as `crates/dispatch-core/tests/compile.rs` says.
//!
//! After a change of the texts around these types, `TRYBUILD=overwrite cargo test -p dispatch-providers --test compile` writes the
//! expected messages anew.

#![expect(clippy::disallowed_methods, reason = "a test that compares files reads them; the crate does not")]

#[macro_use]
#[path = "../../dispatch-core/tests/twins/mod.rs"]
mod twins;

use twins::{Outcome, PROGRAMS};

twins! {
    answer_turn_twice: "compile/answer_turn_twice.pass.rs",
    clone_turn: "compile/clone_turn.pass.rs",
    forge_answer: "compile/forge_answer.pass.rs",
    forge_turn: "compile/forge_turn.pass.rs",
}

#[test]
fn programs_that_forge_an_answer_do_not_compile() {
    let programs = trybuild::TestCases::new();
    programs.compile_fail(format!("{PROGRAMS}/*.fail.rs"));
}

#[test]
fn twins_differ_in_the_line_that_is_complained_about() -> Outcome {
    twins::differ_in_the_line_that_is_complained_about()
}

#[test]
fn no_program_is_alone() -> Outcome {
    twins::none_is_alone(TWINS)
}
