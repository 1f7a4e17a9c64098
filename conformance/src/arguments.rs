//! What was typed, and what it means.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::thread;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use conformance::case::Case;
use conformance::level::{self, Level};
use conformance::manifest::Manifest;
use conformance::rules::Rules;
use conformance::run::asked::Asker;
use conformance::run::feature::Feature;
use conformance::run::known::Known;
use conformance::run::place::Place;
use conformance::run::program::Program;
use conformance::run::report::{self, Report};
use conformance::run::selection::{Selection, Waived};
use conformance::run::verdict;
use conformance::suite::Suite;

use crate::error::RunError;
use crate::files::Files;
use crate::start;

/// How long a case may take by default.
const TIMEOUT_MS: NonZeroU64 = NonZeroU64::new(10_000).unwrap();

/// How many failures are shown in full by default.
const SHOWN: usize = 25;

/// How many cases in a row may take too long by default.
const GIVE_UP_AFTER: NonZeroUsize = NonZeroUsize::new(10).unwrap();

/// The page of the rules, seen from the folder of the cases.
const PAGE: &str = "../docs/protocol.md";

/// Puts the conformance cases for tool dispatchers to any program.
#[derive(Debug, Parser)]
#[command(name = "conformance", version)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) task: Task,
}

/// What is to be done.
#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Runs the cases, and reports on them. Exit code 0: none failed; 1: some did; 2: they could not be run.
    Run(Run),
}

/// Which program, which cases, and which reports.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line, and by itself")]
pub(crate) struct Run {
    /// The program, split into words as a shell does; the arguments of `dispatch` are put behind them.
    #[arg(long, value_name = "CMD")]
    command: String,
    /// Asks the cases alone whose full name (AREA::TOPIC::NAME) holds one of these texts.
    names: Vec<String>,
    /// A text must be the whole name.
    #[arg(long, requires = "names")]
    exact: bool,
    /// Asks up to this level: protocol, gates, arguments, limits, providers, sessions.
    #[arg(long)]
    level: Option<Level>,
    /// Asks the cases of this version of the suite. By default all there are.
    #[arg(long, value_name = "VERSION")]
    suite: Option<String>,
    /// The program does not speak of these levels, separated by commas: their cases are not applicable.
    #[arg(long, value_name = "LEVEL", value_delimiter = ',')]
    skip_level: Vec<Level>,
    /// The program does without these, separated by commas: agent, conversation, explain, keep-going, pretty, replay, stream, strict.
    #[arg(long, value_name = "FEATURE", value_delimiter = ',')]
    without: Vec<Feature>,
    /// The failures that are known: YAML, `NAME: REASON` a line. One that passes is a failure too.
    #[arg(long, value_name = "FILE")]
    known: Option<PathBuf>,
    /// Lets requests share a process where that means the same: faster where the program starts slowly.
    #[arg(long)]
    stream: bool,
    /// The program has its workspace in a directory: the files of each case are laid out in one, whose path stands behind `--root`.
    #[arg(long, conflicts_with = "stream")]
    root: bool,
    /// How long a case may take.
    #[arg(long, value_name = "MS", default_value_t = TIMEOUT_MS, value_parser = from_one::<NonZeroU64>)]
    timeout_ms: NonZeroU64,
    /// Asks no more once so many cases in a row took too long; those that were not asked have failed.
    #[arg(long, value_name = "N", default_value_t = GIVE_UP_AFTER, value_parser = from_one::<NonZeroUsize>)]
    give_up_after: NonZeroUsize,
    /// How many processes run at a time. By default as many as there are processors.
    #[arg(long, value_name = "N", value_parser = from_one::<NonZeroUsize>)]
    jobs: Option<NonZeroUsize>,
    /// Lets the program see this variable of the environment, beside PATH, HOME and the place of temporary files.
    #[arg(long, value_name = "NAME", value_parser = variable)]
    env: Vec<String>,
    /// Shows all failures in full. By default the first 25, and the names of the rest.
    #[arg(long)]
    all: bool,
    /// Writes the report as JUnit XML as well.
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Writes the report as JSON as well.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Writes the report as Markdown as well, at the end of the file.
    #[arg(long, value_name = "FILE")]
    pub(crate) markdown: Option<PathBuf>,
    /// The folder `conformance` of a checkout. By default cargo's, under `cargo run`, else the one in the current folder.
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
}

impl Run {
    /// Runs the cases, reports on them, and tells whether none failed.
    ///
    /// # Errors
    ///
    /// They could not be run, or a report not be written.
    pub(crate) fn run(&self) -> Result<bool, RunError> {
        let folder = self.folder();
        let rules = Rules::of_page(&self.page(&folder)?);
        let suite = Suite::load(&folder.join("cases"), &rules);
        let cases = cases(&suite)?;
        let (selection, waived) = (self.selection(&folder, &suite)?, self.waived());
        if let Some(name) = selection.idle_name(&cases) {
            return Err(RunError::Idle(name.to_owned()));
        }
        let (asker, known) = (self.asker()?, self.known(&suite)?);
        let files = Files::open(self, &self.given(&folder, &suite, &asker.program))?;
        self.warn();
        let outcomes = verdict::run(&asker, &cases, &selection, &waived, &known);
        let outcomes = outcomes.map_err(|source| RunError::Program {
            command: self.command.clone(),
            hint: no_shell(asker.program.words()),
            source,
        })?;
        let report = Report {
            start: &start::words(),
            command: &self.command,
            options: &self.how(),
            suite: self.suite.as_deref().unwrap_or("unreleased"),
            rules: &rules,
            outcomes: &outcomes.each,
            asked_again: outcomes.asked_again,
            waived: &waived,
            is_of_whole_levels: selection.is_of_whole_levels(),
        };
        self.tell(&report, files)?;
        Ok(report.is_success())
    }

    /// Says of variables that the program is to see and that are not there: it is started without them.
    fn warn(&self) {
        for name in self.env.iter().filter(|name| std::env::var_os(name).is_none()) {
            // Where stderr is gone nobody is left to be told.
            let _ = writeln!(io::stderr(), "warning: the variable {name} is not set");
        }
    }

    fn folder(&self) -> PathBuf {
        // Asked at run time: where checkouts share a target folder, a program may have been compiled in another one.
        self.folder.clone().or_else(start::package).unwrap_or_else(|| PathBuf::from("conformance"))
    }

    fn page(&self, folder: &Path) -> Result<String, RunError> {
        let no_folder = |error| if self.folder.is_none() { RunError::NoFolder(Box::new(error)) } else { error };
        read(&folder.join(PAGE)).map_err(no_folder)
    }

    fn selection(&self, folder: &Path, suite: &Suite) -> Result<Selection, RunError> {
        let version = self.suite.as_deref().map(|named| version(named, folder, &suite.cases)).transpose()?;
        Ok(Selection { names: self.names.clone(), is_exact: self.exact, up_to: self.level, suite: version })
    }

    /// Returns the files that the run reads, or that the program is made of as far as its command tells.
    fn given(&self, folder: &Path, suite: &Suite, program: &Program) -> Vec<PathBuf> {
        let cases = suite.cases.iter().map(|case| folder.join(format!("cases/{}/{}.yaml", case.area, case.topic)));
        let version = self.suite.iter().map(|version| manifest(version, folder));
        let named = program.words().iter().map(PathBuf::from);
        let cases: BTreeSet<PathBuf> = cases.collect();
        cases.into_iter().chain([folder.join(PAGE)]).chain(version).chain(self.known.clone()).chain(named).collect()
    }

    fn place(&self) -> Place {
        if self.root { Place::Directory } else { Place::Memory }
    }

    fn waived(&self) -> Waived {
        let (features, levels) = (self.without.iter().copied(), self.skip_level.iter().copied());
        Waived { features: features.collect(), levels: levels.collect(), place: self.place() }
    }

    fn asker(&self) -> Result<Asker, RunError> {
        if self.stream && self.without.contains(&Feature::Stream) {
            return Err(RunError::NoStream);
        }
        let program = Program::of_command(&self.command)?.seeing(&self.env);
        let processors = thread::available_parallelism().ok();
        Ok(Asker {
            program,
            timeout: Duration::from_millis(self.timeout_ms.get()),
            jobs: self.jobs.or(processors).map_or(1, NonZeroUsize::get),
            place: self.place(),
            is_sharing: self.stream,
            give_up_after: self.give_up_after.get(),
        })
    }

    /// The options that change what becomes of a case.
    fn how(&self) -> Vec<String> {
        let path = |path: &PathBuf| path.display().to_string();
        let valued = [
            ("--suite", self.suite.clone()),
            ("--skip-level", listed(&self.skip_level)),
            ("--without", listed(&self.without)),
            ("--known", self.known.as_ref().map(path)),
            ("--timeout-ms", (self.timeout_ms != TIMEOUT_MS).then(|| self.timeout_ms.to_string())),
            ("--folder", self.folder.as_ref().map(path)),
        ];
        let valued = valued.into_iter().filter_map(|(name, value)| Some([name.to_owned(), value?]));
        let environment = self.env.iter().map(|name| ["--env".to_owned(), name.clone()]);
        let flags = [(self.root, "--root"), (self.stream, "--stream")];
        let flags = flags.into_iter().filter(|(is_set, _)| *is_set).map(|(_, name)| name.to_owned());
        environment.chain(valued).flatten().chain(flags).collect()
    }

    fn known(&self, suite: &Suite) -> Result<Known, RunError> {
        let Some(path) = &self.known else { return Ok(Known::default()) };
        let names: BTreeSet<String> = suite.cases.iter().map(Case::full_name).collect();
        Known::read(&read(path)?, &names).map_err(|source| RunError::Known { path: path.clone(), source })
    }

    /// Writes the reports, that for people whatever became of the others: there may be no other trace of the run.
    fn tell(&self, report: &Report<'_>, files: Files) -> Result<(), RunError> {
        if report.outcomes.is_empty() {
            return Err(RunError::Nothing("no case is selected"));
        }
        if !report.has_asked() {
            return Err(RunError::Nothing("none of those selected applies"));
        }
        let most = if self.all { usize::MAX } else { SHOWN };
        let told = io::stdout().write_all(report::people(report, most).as_bytes()).map_err(RunError::Stdout);
        files.write(report)?;
        told
    }
}

/// Says that no shell is run, where the first word is none that could start anything without one.
fn no_shell(words: &[String]) -> &'static str {
    let is_a_shells = words.first().is_some_and(|word| word.starts_with(['~', '$']) || word.contains('='));
    if is_a_shells { " (no shell is run: `~`, `$A` and `A=b` before a program mean nothing)" } else { "" }
}

fn listed<T: ToString>(items: &[T]) -> Option<String> {
    let names: Vec<String> = items.iter().map(ToString::to_string).collect();
    (!names.is_empty()).then(|| names.join(","))
}

/// Reads a number that is no 0.
fn from_one<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().ok().ok_or_else(|| "a whole number from 1 on is expected, of at most 64 bits".to_owned())
}

/// Reads the name of a variable.
fn variable(name: &str) -> Result<String, String> {
    match name.contains('=') {
        _ if name.is_empty() => Err("a variable has a name".to_owned()),
        true => Err("the name alone: the value is that of the environment".to_owned()),
        false => Ok(name.to_owned()),
    }
}

/// Returns the names of a version's cases, which must be what they were when it was made.
fn version(version: &str, folder: &Path, cases: &[Case]) -> Result<BTreeSet<String>, RunError> {
    let path = manifest(version, folder);
    if !path.exists() {
        return Err(RunError::NoVersion { version: version.to_owned(), known: versions(folder)?.join(", ") });
    }
    let manifest: Manifest =
        read(&path)?.parse().map_err(|source| RunError::NoManifest { path: path.clone(), source })?;
    let changes: Vec<String> = manifest.changes(cases)?.iter().map(ToString::to_string).collect();
    if changes.is_empty() { Ok(manifest.names()) } else { Err(RunError::Suite(changes.join("\n"))) }
}

/// Returns the file that lists the cases of a version.
fn manifest(version: &str, folder: &Path) -> PathBuf {
    folder.join("suites").join(version).with_added_extension("txt")
}

/// Returns the versions of the suite, sorted.
fn versions(folder: &Path) -> Result<Vec<String>, RunError> {
    let path = folder.join("suites");
    let failed = |source| RunError::File { path: path.clone(), source };
    let entries = fs::read_dir(&path).and_then(Iterator::collect::<io::Result<Vec<_>>>).map_err(failed)?;
    let name = |entry: &fs::DirEntry| Some(entry.file_name().to_str()?.strip_suffix(".txt")?.to_owned());
    let mut versions: Vec<String> = entries.iter().filter_map(name).collect();
    versions.sort();
    Ok(versions)
}

fn cases(suite: &Suite) -> Result<Vec<(Level, &Case)>, RunError> {
    let problems: Vec<String> = suite.problems.iter().map(ToString::to_string).collect();
    if !problems.is_empty() {
        return Err(RunError::Suite(problems.join("\n")));
    }
    Ok(level::ordered(&suite.cases)?)
}

fn read(path: &Path) -> Result<String, RunError> {
    fs::read_to_string(path).map_err(|source| RunError::File { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn how(words: &[&str]) -> Vec<String> {
        let words = ["conformance", "run", "--command", "true"].iter().chain(words);
        let Task::Run(run) = Arguments::parse_from(words).task;
        run.how()
    }

    #[test]
    fn the_command_line_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn how_a_program_is_run_can_be_said_again() {
        assert_eq!(how(&[]), [""; 0]);
        assert_eq!(how(&["--timeout-ms", "10000", "--jobs", "2"]), [""; 0]);
        let said = [
            "--env",
            "A",
            "--env",
            "B",
            "--suite",
            "1.0",
            "--skip-level",
            "limits,sessions",
            "--without",
            "agent,replay",
        ];
        let said = [&said[..], &["--known", "k.yaml", "--timeout-ms", "5", "--folder", "a b"]].concat();
        for flag in ["--root", "--stream"] {
            let said = [&said[..], &[flag]].concat();
            assert_eq!(how(&said), said);
        }
    }

    #[test]
    fn what_would_be_taken_for_something_else_is_refused() {
        let is_read = |words: &[&str]| {
            Arguments::try_parse_from(["conformance", "run", "--command", "true"].iter().chain(words)).is_ok()
        };
        assert!(is_read(&["--exact", "a::b::c"]) && is_read(&["--env", "A"]));
        assert!(is_read(&["--jobs", "1"]) && !is_read(&["--jobs", "0"]) && !is_read(&["--timeout-ms", "-1"]));
        assert!(!is_read(&["--exact"]) && !is_read(&["--env", "A=B"]) && !is_read(&["--env", ""]));
    }
}
