//! What was typed, and what it means.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use conformance::case::Case;
use conformance::level::{Level, NoLevel};
use conformance::manifest::{Manifest, NoManifest};
use conformance::rules::Rules;
use conformance::run::asked::Asker;
use conformance::run::feature::Feature;
use conformance::run::known::{Known, KnownError};
use conformance::run::place::Place;
use conformance::run::program::{NoCommand, Program};
use conformance::run::report::{self, Report};
use conformance::run::selection::{Selection, Waived};
use conformance::run::verdict;
use conformance::suite::Suite;
use thiserror::Error;

/// How long a case may take by default.
const TIMEOUT_MS: NonZeroU64 = NonZeroU64::new(10_000).unwrap();

/// How many cases in a row may take too long by default.
const GIVE_UP_AFTER: NonZeroUsize = NonZeroUsize::new(10).unwrap();

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
pub(crate) struct Run {
    /// The program, split into words as a shell does; the arguments of `dispatch` are put behind them.
    #[arg(long, value_name = "CMD")]
    command: String,
    /// Asks the cases alone whose full name (AREA::TOPIC::NAME) holds one of these texts.
    names: Vec<String>,
    /// A text must be the whole name.
    #[arg(long)]
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
    #[arg(long, value_name = "MS", default_value_t = TIMEOUT_MS)]
    timeout_ms: NonZeroU64,
    /// Asks no more once so many cases in a row took too long; those that were not asked have failed.
    #[arg(long, value_name = "N", default_value_t = GIVE_UP_AFTER)]
    give_up_after: NonZeroUsize,
    /// How many processes run at a time. By default as many as there are processors.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Lets the program see this variable of the environment, beside PATH, HOME and the place of temporary files.
    #[arg(long, value_name = "NAME")]
    env: Vec<String>,
    /// Writes the report as JUnit XML as well.
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Writes the report as JSON as well.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Writes the report as Markdown as well, at the end of the file.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// The folder `conformance` of a checkout. By default cargo's, under `cargo run`, else the one in the current folder.
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Says why the cases could not be run.
#[derive(Debug, Error)]
pub(crate) enum RunError {
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// What was typed is no command.
    #[error(transparent)]
    NoCommand(#[from] NoCommand),
    /// Some cases can't be read.
    #[error("{0}")]
    Suite(String),
    /// A case has no level.
    #[error(transparent)]
    Level(#[from] NoLevel),
    /// The version of the suite can't be read.
    #[error("{}: {source}", path.display())]
    NoManifest {
        /// Its file.
        path: PathBuf,
        /// What is wrong with it.
        source: NoManifest,
    },
    /// The list of known failures is none.
    #[error("{}: {source}", path.display())]
    Known {
        /// The list.
        path: PathBuf,
        /// What is wrong with it.
        source: KnownError,
    },
    /// No case is selected, or none of them applies.
    #[error("no case was run: {0}")]
    Nothing(&'static str),
    /// The program could not be started.
    #[error("`{command}` could not be run: {source}")]
    Program {
        /// The command.
        command: String,
        /// What the system said.
        source: io::Error,
    },
    /// The XML could not be written.
    #[error("no JUnit report can be written: {0}")]
    Junit(String),
    /// Streams are both used and waived.
    #[error("`--stream` asks for what `--without stream` says is not there")]
    NoStream,
    /// stdout is gone.
    #[error("stdout: {0}")]
    Stdout(io::Error),
}

impl Run {
    /// Runs the cases, reports on them, and tells whether none failed.
    ///
    /// # Errors
    ///
    /// They could not be run, or a report not be written.
    pub(crate) fn run(&self) -> Result<bool, RunError> {
        let folder = self.folder();
        let rules = Rules::of_page(&read(&folder.join("../docs/protocol.md"))?);
        let suite = Suite::load(&folder.join("cases"), &rules);
        let cases = cases(&suite)?;
        let (selection, waived) = (self.selection(&folder, &suite)?, self.waived());
        let (asker, known) = (self.asker()?, self.known(&suite)?);
        let outcomes = verdict::run(&asker, &cases, &selection, &waived, &known);
        let outcomes = outcomes.map_err(|source| RunError::Program { command: self.command.clone(), source })?;
        let report = Report {
            command: &self.command,
            options: &self.how(),
            suite: self.suite.as_deref().unwrap_or("unreleased"),
            rules: &rules,
            outcomes: &outcomes,
            waived: &waived,
            is_of_whole_levels: selection.is_of_whole_levels(),
        };
        self.tell(&report)?;
        Ok(report.is_success())
    }

    fn folder(&self) -> PathBuf {
        // Asked at run time: where checkouts share a target folder, a program may have been compiled in another one.
        let cargo_s = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        self.folder.clone().or(cargo_s).unwrap_or_else(|| PathBuf::from("conformance"))
    }

    fn selection(&self, folder: &Path, suite: &Suite) -> Result<Selection, RunError> {
        let version = self.suite.as_deref().map(|named| version(named, folder, &suite.cases)).transpose()?;
        Ok(Selection { names: self.names.clone(), is_exact: self.exact, up_to: self.level, suite: version })
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

    /// The options that say how the program is run.
    fn how(&self) -> Vec<String> {
        let environment = self.env.iter().flat_map(|name| ["--env".to_owned(), name.clone()]);
        let timeout = (self.timeout_ms != TIMEOUT_MS).then(|| ["--timeout-ms".to_owned(), self.timeout_ms.to_string()]);
        let root = self.root.then(|| "--root".to_owned());
        environment.chain(timeout.into_iter().flatten()).chain(root).collect()
    }

    fn known(&self, suite: &Suite) -> Result<Known, RunError> {
        let Some(path) = &self.known else { return Ok(Known::default()) };
        let names: BTreeSet<String> = suite.cases.iter().map(Case::full_name).collect();
        Known::read(&read(path)?, &names).map_err(|source| RunError::Known { path: path.clone(), source })
    }

    /// Writes the reports, that for people last: it is the one that a failure to write another must not hide behind.
    fn tell(&self, report: &Report<'_>) -> Result<(), RunError> {
        if report.outcomes.is_empty() {
            return Err(RunError::Nothing("no case is selected"));
        }
        if !report.has_asked() {
            return Err(RunError::Nothing("none of those selected applies"));
        }
        if let Some(path) = &self.junit {
            let text = report::junit(report).map_err(|error| RunError::Junit(error.to_string()))?;
            write(path, &text)?;
        }
        if let Some(path) = &self.json {
            write(path, &report::json(report))?;
        }
        if let Some(path) = &self.markdown {
            append(path, &report::markdown(report))?;
        }
        io::stdout().write_all(report::people(report).as_bytes()).map_err(RunError::Stdout)
    }
}

/// Returns the names of a version's cases, which must be what they were when it was made.
fn version(version: &str, folder: &Path, cases: &[Case]) -> Result<BTreeSet<String>, RunError> {
    let path = folder.join("suites").join(version).with_added_extension("txt");
    let manifest: Manifest =
        read(&path)?.parse().map_err(|source| RunError::NoManifest { path: path.clone(), source })?;
    let changes: Vec<String> = manifest.changes(cases)?.iter().map(ToString::to_string).collect();
    if changes.is_empty() { Ok(manifest.names()) } else { Err(RunError::Suite(changes.join("\n"))) }
}

fn cases(suite: &Suite) -> Result<Vec<(Level, &Case)>, RunError> {
    let problems: Vec<String> = suite.problems.iter().map(ToString::to_string).collect();
    if !problems.is_empty() {
        return Err(RunError::Suite(problems.join("\n")));
    }
    suite.cases.iter().map(|case| Ok((Level::of(case)?, case))).collect()
}

fn read(path: &Path) -> Result<String, RunError> {
    fs::read_to_string(path).map_err(|source| RunError::File { path: path.to_owned(), source })
}

fn write(path: &Path, text: &str) -> Result<(), RunError> {
    fs::write(path, text).map_err(|source| RunError::File { path: path.to_owned(), source })
}

/// Puts a text at the end of a file: the summary page of a CI job has other parts.
fn append(path: &Path, text: &str) -> Result<(), RunError> {
    let file = fs::OpenOptions::new().create(true).append(true).open(path);
    let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|source| RunError::File { path: path.to_owned(), source })
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
        let said = ["--env", "A", "--env", "B", "--timeout-ms", "5", "--root"];
        assert_eq!(how(&said), said);
    }
}
