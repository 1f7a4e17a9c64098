//! Building the program `dispatch`, so that what runs is never older than its sources.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process;

use escargot::CargoBuild;

/// Builds the program in the profile and the target directory of the program that this is in.
///
/// nextest starts a process for each test of a run, and tells all of them the run's id. The first
/// one builds; the others find its note.
pub(crate) fn build() -> Result<PathBuf, String> {
    let this = env::current_exe().ok();
    let place = this.as_deref().and_then(BuildPlace::of_test);
    let note = place.as_ref().and_then(|place| Note::of_run(place, env::var("NEXTEST_RUN_ID").ok()?));
    if let Some(program) = note.as_ref().and_then(Note::read) {
        return Ok(program);
    }
    let program = build_in(place.as_ref())?;
    if let Some(note) = note {
        // Without a note the next process builds again: slower, and just as good.
        let _ = note.write(&program);
    }
    Ok(program)
}

fn build_in(place: Option<&BuildPlace<'_>>) -> Result<PathBuf, String> {
    // Asked at run time: where checkouts share a target folder, a program may have been compiled in another one.
    let package = std::env::var_os("CARGO_MANIFEST_DIR").ok_or("CARGO_MANIFEST_DIR is not set: run this by cargo")?;
    let manifest = Path::new(&package).with_file_name("Cargo.toml");
    let mut build = CargoBuild::new().manifest_path(manifest).package("dispatch-cli").bin("dispatch");
    if let Some(place) = place {
        build = build.profile(place.profile).target_dir(place.target);
    }
    let run = build.run().map_err(|error| error.to_string())?;
    Ok(run.path().to_owned())
}

/// Says where and how a test program was built: `<target>/<profile>/deps/<program>`.
#[derive(Debug, PartialEq, Eq)]
struct BuildPlace<'p> {
    target: &'p Path,
    profile: &'p OsStr,
}

impl<'p> BuildPlace<'p> {
    fn of_test(program: &'p Path) -> Option<Self> {
        let deps = program.parent().filter(|folder| folder.ends_with("deps"))?;
        let folder = deps.parent()?;
        let name = folder.file_name()?;
        let profile = if name == "debug" { OsStr::new("dev") } else { name };
        Some(Self { target: folder.parent()?, profile })
    }
}

/// A file that tells the other processes of a run what the first one built.
#[derive(Debug)]
struct Note {
    file: PathBuf,
    run: String,
}

impl Note {
    fn of_run(place: &BuildPlace<'_>, run: String) -> Option<Self> {
        let name = format!("conformance-{}.note", place.profile.to_str()?);
        Some(Self { file: place.target.join(name), run })
    }

    /// Returns what was built, if it was in this run.
    fn read(&self) -> Option<PathBuf> {
        let text = fs::read_to_string(&self.file).ok()?;
        let (run, program) = text.split_once('\n')?;
        let program = Path::new(program);
        (run == self.run && program.is_file()).then(|| program.to_owned())
    }

    /// Writes the note beside its place and moves it there: nobody reads half of it.
    fn write(&self, program: &Path) -> io::Result<()> {
        let unfinished = self.file.with_extension(process::id().to_string());
        fs::write(&unfinished, format!("{}\n{}", self.run, program.display()))?;
        fs::rename(unfinished, &self.file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(program: &str, expected: Option<(&str, &str)>) {
        let place = BuildPlace::of_test(Path::new(program));
        let expected =
            expected.map(|(target, profile)| BuildPlace { target: Path::new(target), profile: OsStr::new(profile) });
        assert_eq!(place, expected);
    }

    #[test]
    fn the_place_of_a_test_tells_target_and_profile() {
        check("/t/debug/deps/cases-1", Some(("/t", "dev")));
        check("/t/release/deps/cases-1", Some(("/t", "release")));
        check("/usr/bin/cases", None);
    }

    #[test]
    fn a_note_holds_for_its_run_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = BuildPlace { target: folder.path(), profile: OsStr::new("dev") };
        let program = folder.path().join("dispatch");
        fs::write(&program, "").expect("a file");
        let note = |run: &str| Note::of_run(&place, run.to_owned()).expect("a name");
        assert_eq!(note("1").read(), None);
        note("1").write(&program).expect("writable");
        assert_eq!(note("1").read(), Some(program.clone()));
        assert_eq!(note("2").read(), None);
        fs::remove_file(&program).expect("there");
        assert_eq!(note("1").read(), None);
    }
}
