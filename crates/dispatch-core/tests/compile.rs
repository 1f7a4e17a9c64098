//! Skipping a gate, asking gates out of order, or going through one twice does not compile.
//!
//! A program that fails to compile proves little by itself: it may fail for any reason. So each `NAME.fail.rs` has a twin
//! `NAME.pass.rs` that compiles and differs in one line, and that line is the one that the compiler complains about.
//!
//! After a change of the texts around these types, `TRYBUILD=overwrite cargo test -p dispatch-core --test compile` writes the
//! expected messages anew.

#![expect(clippy::disallowed_methods, reason = "a test that compares files reads them; core does not")]

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

const PROGRAMS: &str = "tests/compile";

/// Compiles the twins as modules of this program, which is a hundred times faster than as programs of their own.
macro_rules! twins {
    ($($name:ident: $file:literal,)*) => {
        $(
            #[path = $file]
            #[expect(dead_code, reason = "it compiles, and that is all")]
            #[allow(clippy::pedantic, reason = "each is a program that somebody may write")]
            mod $name;
        )*

        /// The twins that compile.
        const TWINS: &[&str] = &[$(stringify!($name)),*];
    };
}

twins! {
    answer_twice: "compile/answer_twice.pass.rs",
    change_after_the_gates: "compile/change_after_the_gates.pass.rs",
    change_facts_in_a_policy: "compile/change_facts_in_a_policy.pass.rs",
    change_in_a_policy: "compile/change_in_a_policy.pass.rs",
    clear_twice: "compile/clear_twice.pass.rs",
    cleared_before_permitted: "compile/cleared_before_permitted.pass.rs",
    cleared_before_valid: "compile/cleared_before_valid.pass.rs",
    clone_admitted: "compile/clone_admitted.pass.rs",
    clone_known: "compile/clone_known.pass.rs",
    clone_pending: "compile/clone_pending.pass.rs",
    clone_permitted: "compile/clone_permitted.pass.rs",
    clone_question: "compile/clone_question.pass.rs",
    clone_valid: "compile/clone_valid.pass.rs",
    complete_twice: "compile/complete_twice.pass.rs",
    forge_admitted: "compile/forge_admitted.pass.rs",
    forge_intended: "compile/forge_intended.pass.rs",
    forge_known: "compile/forge_known.pass.rs",
    forge_pending: "compile/forge_pending.pass.rs",
    forge_permitted: "compile/forge_permitted.pass.rs",
    forge_question: "compile/forge_question.pass.rs",
    forge_rejection: "compile/forge_rejection.pass.rs",
    forge_result: "compile/forge_result.pass.rs",
    forge_valid: "compile/forge_valid.pass.rs",
    intend_twice: "compile/intend_twice.pass.rs",
    keep_the_view: "compile/keep_the_view.pass.rs",
    keep_what_was_read: "compile/keep_what_was_read.pass.rs",
    permitted_after_valid: "compile/permitted_after_valid.pass.rs",
    run_cancelled: "compile/run_cancelled.pass.rs",
    run_detached: "compile/run_detached.pass.rs",
    run_known: "compile/run_known.pass.rs",
    run_permitted: "compile/run_permitted.pass.rs",
    run_rejection: "compile/run_rejection.pass.rs",
    run_twice: "compile/run_twice.pass.rs",
    run_unanswered: "compile/run_unanswered.pass.rs",
    run_valid: "compile/run_valid.pass.rs",
    valid_before_permitted: "compile/valid_before_permitted.pass.rs",
}

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

#[test]
#[cfg_attr(
    feature = "json-schema",
    ignore = "no feature changes the gates, and all that it brings would be compiled once more"
)]
fn programs_that_go_around_the_gates_do_not_compile() {
    let programs = trybuild::TestCases::new();
    programs.compile_fail(format!("{PROGRAMS}/*.fail.rs"));
}

#[test]
fn twins_differ_in_the_line_that_is_complained_about() -> Outcome {
    for program in failing_programs()? {
        let name = program.display();
        let lines = lines_that_differ(&program)?;
        let [line] = lines.as_slice() else {
            return Err(format!("{name}: the twins differ in the lines {lines:?}").into());
        };
        let complaints = lines_complained_about(&program)?;
        assert!(!complaints.is_empty(), "{name}: no error");
        assert!(complaints.iter().all(|complaint| complaint == line), "{name}: line {line}, not {complaints:?}");
    }
    Ok(())
}

#[test]
fn no_program_is_alone() -> Outcome {
    let failing = failing_programs()?;
    let mut twins: Vec<_> = failing.iter().map(|program| twin(program)).collect();
    twins.sort();
    let compiled = TWINS.iter().map(|name| Path::new(PROGRAMS).join(format!("{name}.pass.rs")));
    assert_eq!(twins, compiled.collect::<Vec<_>>(), "every twin is compiled here");
    assert_eq!(
        fs::read_dir(PROGRAMS)?.count(),
        3 * failing.len(),
        "each has its twin and its message, and nothing else is here"
    );
    Ok(())
}

fn failing_programs() -> Outcome<Vec<PathBuf>> {
    let paths = fs::read_dir(PROGRAMS)?.map(|entry| Ok(entry?.path())).collect::<Outcome<Vec<_>>>()?;
    Ok(paths.into_iter().filter(|path| path.to_string_lossy().ends_with(".fail.rs")).collect())
}

/// The program that differs in one line, and compiles.
fn twin(failing: &Path) -> PathBuf {
    PathBuf::from(failing.to_string_lossy().replace(".fail.rs", ".pass.rs"))
}

/// The numbers of the lines that differ, from 1.
fn lines_that_differ(failing: &Path) -> Outcome<Vec<usize>> {
    let (fails, passes) = (fs::read_to_string(failing)?, fs::read_to_string(twin(failing))?);
    if fails.lines().count() != passes.lines().count() {
        return Err(format!("{}: the twin has another number of lines", failing.display()).into());
    }
    let pairs = fails.lines().zip(passes.lines()).enumerate();
    Ok(pairs.filter(|(_, (fails, passes))| fails != passes).map(|(index, _)| index + 1).collect())
}

/// The number of the line at which each error begins.
fn lines_complained_about(failing: &Path) -> Outcome<Vec<usize>> {
    let message = fs::read_to_string(failing.with_extension("stderr"))?;
    let mut lines = message.lines().peekable();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        if line.starts_with("error") {
            let place = lines.peek().and_then(|place| place.rsplit(':').nth(1)).ok_or("an error without a place")?;
            found.push(place.parse()?);
        }
    }
    Ok(found)
}
