//! Runs every conformance case as a test of its own, named `<area>::<topic>::<name>`.
//!
//! A case goes through each subject that it holds for; all must give the same bytes, those that the
//! case expects. Only then is what came out compared with the case's snapshot.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use conformance::binary::Binary;
use conformance::case::Case;
use conformance::directory::OnDirectory;
use conformance::library::Library;
use conformance::rules::Rules;
use conformance::subject::{Output, Subject as _};
use conformance::suite::Suite;
use conformance::{snapshot, trial};
use libtest_mimic::{Arguments, Failed, Trial};

/// How many cases a directory is asked at the least.
const ASKED_ON_A_DIRECTORY: usize = 1150;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let suite = match load(&arguments) {
        Ok(suite) => suite,
        Err(error) => return refuse(&error),
    };
    let problems = problems(&suite);
    let trials = trials(suite);
    if !problems.is_empty() && may_miss(&arguments, &trials) {
        return refuse(&problems);
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Tells whether what a filter looks for may be in a file that can't be read: finding less, or
/// nothing, would be no success.
fn may_miss(arguments: &Arguments, trials: &[Trial]) -> bool {
    let is_named = |name: &String| arguments.exact && trials.iter().any(|t| t.name() == name);
    !arguments.list && arguments.filter.as_ref().is_some_and(|filter| !is_named(filter))
}

fn refuse(text: &str) -> ExitCode {
    // Where stderr is gone nobody is left to be told.
    let _ = writeln!(io::stderr(), "{text}");
    ExitCode::from(101)
}

/// The folder of this package.
fn package() -> PathBuf {
    // Asked at run time: where checkouts share a target folder, a program may have been compiled in another one.
    std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from("."), PathBuf::from)
}

fn snapshots() -> PathBuf {
    package().join("snapshots")
}

/// Reads all cases, or where one alone is asked for those beside it.
fn load(arguments: &Arguments) -> Result<Suite, String> {
    let page = package().join("../docs/protocol.md");
    let page = fs::read_to_string(page).map_err(|error| format!("docs/protocol.md: {error}"))?;
    let (root, rules) = (package().join("cases"), Rules::of_page(&page));
    Ok(match topic(arguments) {
        Some((area, topic)) if root.join(area).join(topic).with_extension("yaml").is_file() => {
            Suite::load_topic(&root, area, topic, &rules)
        }
        _ => Suite::load(&root, &rules),
    })
}

/// Returns the area and the topic of the one case that is asked for by its whole name.
fn topic(arguments: &Arguments) -> Option<(&str, &str)> {
    let name = arguments.filter.as_deref().filter(|_| arguments.exact)?;
    let (area, rest) = name.split_once("::")?;
    let (topic, _) = rest.split_once("::")?;
    Some((area, topic))
}

fn problems(suite: &Suite) -> String {
    let problems: Vec<String> = suite.problems.iter().map(ToString::to_string).collect();
    problems.join("\n")
}

fn trials(suite: Suite) -> Vec<Trial> {
    let suite = Arc::new(suite);
    let binary = Arc::new(Binary::from_sources());
    let mut trials: Vec<Trial> = suite
        .cases
        .iter()
        .map(|case| {
            let (case, binary) = (case.clone(), Arc::clone(&binary));
            Trial::test(case.full_name(), move || run(&case, &binary))
        })
        .collect();
    let loaded = Arc::clone(&suite);
    trials.push(Trial::test("suite::loads", move || loads(&loaded)));
    let asked = Arc::clone(&suite);
    trials.push(Trial::test("suite::is_asked_on_a_directory", move || asked_on_a_directory(&asked)));
    trials.push(Trial::test("suite::no_orphaned_snapshots", move || no_orphans(&suite)));
    trials
}

fn run(case: &Case, binary: &Binary) -> Result<(), Failed> {
    let output =
        trial::run(case, &[&Library, binary, &OnDirectory::new(&Library)]).map_err(|found| told(case, &found))?;
    assert_snapshot(case, &output);
    Ok(())
}

fn told(case: &Case, findings: &[trial::Finding]) -> Failed {
    let head = format!("{} (rule: {})", case.why, case.rule);
    let findings = findings.iter().map(ToString::to_string);
    let texts: Vec<String> = [head].into_iter().chain(findings).collect();
    texts.join("\n\n").into()
}

/// Panics where the snapshot differs or is not there; the harness takes that for a failure.
fn assert_snapshot(case: &Case, output: &Output) {
    let mut settings = insta::Settings::new();
    settings.set_snapshot_path(snapshots().join(snapshot::folder(case)));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(case.name.as_str(), snapshot::text(output)));
}

/// Tells whether a directory is asked most of the cases. Each that can't be laid out is left out for a reason; a fault in those would leave out all.
fn asked_on_a_directory(suite: &Suite) -> Result<(), Failed> {
    let subject = OnDirectory::new(&Library);
    let asked = suite.cases.iter().filter(|case| subject.can_show(case)).count();
    if asked >= ASKED_ON_A_DIRECTORY { Ok(()) } else { Err(format!("a directory is asked {asked} cases alone").into()) }
}

fn loads(suite: &Suite) -> Result<(), Failed> {
    if suite.problems.is_empty() { Ok(()) } else { Err(problems(suite).into()) }
}

fn no_orphans(suite: &Suite) -> Result<(), Failed> {
    if !suite.problems.is_empty() {
        return Err("the suite did not load, so nobody knows".into());
    }
    let orphans = snapshot::orphans(&snapshots(), &suite.cases)?;
    let orphans: Vec<String> = orphans.iter().map(|path| path.display().to_string()).collect();
    if orphans.is_empty() {
        return Ok(());
    }
    Err(format!("snapshots without a case:\n{}", orphans.join("\n")).into())
}
