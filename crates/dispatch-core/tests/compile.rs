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

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

#[test]
#[cfg_attr(
    feature = "json-schema",
    ignore = "no feature changes the gates, and all that it brings would be compiled once more"
)]
fn only_the_programs_that_keep_to_the_gates_compile() {
    let programs = trybuild::TestCases::new();
    programs.pass(format!("{PROGRAMS}/*.pass.rs"));
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
    assert!(failing.iter().all(|program| twin(program).is_file()));
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
