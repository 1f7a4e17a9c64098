//! Programs that must not compile, and their twins that do. The crates whose types are tried so share this.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// Where the programs lie, in the package that tries them.
pub(crate) const PROGRAMS: &str = "tests/compile";

pub(crate) type Outcome<T = ()> = Result<T, Box<dyn Error>>;

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

/// The line in which twins differ is the one that the compiler complains about.
pub(crate) fn differ_in_the_line_that_is_complained_about() -> Outcome {
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

/// Each program has its message and its twin, and the twins are those that compile.
pub(crate) fn none_is_alone(compiled: &[&str]) -> Outcome {
    let failing = failing_programs()?;
    let mut twins: Vec<_> = failing.iter().map(|program| twin(program)).collect();
    twins.sort();
    let compiled = compiled.iter().map(|name| Path::new(PROGRAMS).join(format!("{name}.pass.rs")));
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
