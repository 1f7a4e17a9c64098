//! Implementations that are wrong in one way each, held to the cases as anybody's is: every one is caught, by the case that is there for it.
//!
//! They are the example in Python with one text replaced. Where an interpreter is not installed, a test says that it was skipped, and passes.

#![cfg(unix)]
#![expect(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod broken;
mod implementation;
mod later;
mod table;

use std::fs;
use std::path::Path;
use std::time::Duration;

use conformance::binary::Binary;
use conformance::case::Case;
use conformance::level::Level;
use conformance::library::Library;
use conformance::rules::Rules;
use conformance::run::asked::Asker;
use conformance::run::known::Known;
use conformance::run::selection::{Selection, Waived};
use conformance::run::verdict::{self, Outcome, Verdict};
use conformance::suite::Suite;
use conformance::trial;
use implementation::{Wrong, asker, is_installed, package, python_example};
use later::{BUFFERING, LATER};
use table::WRONG;

/// A case that none of the faults is about: who fails it is no dispatcher with a fault, but none at all.
const UNTOUCHED: &str = "tools::write_file::create";

/// Cases of which each has an expectation of another kind.
const ONE_OF_EACH_KIND: [&str; 4] = [
    "tools::patch_file::unique",
    "protocol::failures::protocol_failure",
    "protocol::encoding::byte_order_mark",
    "stream::session::ids",
];

/// Each wrong implementation that ends by itself.
fn wrong() -> impl Iterator<Item = &'static Wrong> {
    WRONG.iter().chain(&LATER)
}

/// The cases, as the folder has them.
fn suite() -> Suite {
    let page = fs::read_to_string(package().join("../docs/protocol.md")).expect("the page of the rules");
    Suite::load(&package().join("cases"), &Rules::of_page(&page))
}

fn case<'s>(suite: &'s Suite, name: &str) -> &'s Case {
    suite.cases.iter().find(|case| case.full_name() == name).unwrap_or_else(|| panic!("there is no case `{name}`"))
}

/// Runs these cases as `conformance run --exact` does, and judges them by their expectation.
fn outcomes<'s>(asker: &Asker, cases: &'s [(Level, &'s Case)], names: &[&str]) -> Vec<Outcome<'s>> {
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    let selection = Selection { names, is_exact: true, ..Selection::default() };
    verdict::run(asker, cases, &selection, &Waived::default(), &Known::default()).expect("it runs").each
}

fn cases(suite: &Suite) -> Vec<(Level, &Case)> {
    suite.cases.iter().map(|case| (Level::of(case).expect("a level"), case)).collect()
}

fn told(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Failed(faults) => faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
        Verdict::Passed | Verdict::KnownFailure(_) | Verdict::NotApplicable(_) => format!("{verdict:?}"),
    }
}

/// Says what is wrong with how one of them came off. That it is caught by an error of the interpreter is wrong too: any case would do that.
fn fault(wrong: &Wrong, outcome: &Outcome<'_>) -> Option<String> {
    let name = outcome.case.full_name();
    let told = told(&outcome.verdict);
    let has_died = told.contains("internal error") || told.contains("Traceback");
    let is_right = match outcome.verdict {
        Verdict::Passed => name == UNTOUCHED,
        Verdict::Failed(_) => name == wrong.caught_by && !has_died,
        Verdict::KnownFailure(_) | Verdict::NotApplicable(_) => false,
    };
    (!is_right).then(|| format!("{}: {name}: {told}", wrong.name))
}

/// Holds one to the case that is there for it, and to one that it must pass.
fn faults(wrong: &Wrong, right: &str, folder: &Path, cases: &[(Level, &Case)]) -> Vec<String> {
    let copy = folder.join(wrong.name).with_extension("py");
    let source = wrong.source(right).unwrap_or_else(|reason| panic!("{reason}"));
    fs::write(&copy, source).expect("a file");
    let outcomes = outcomes(&asker("python3", &copy, false), cases, &[wrong.caught_by, UNTOUCHED]);
    assert_eq!(outcomes.len(), 2, "{}: there is no case `{}`", wrong.name, wrong.caught_by);
    outcomes.iter().filter_map(|outcome| fault(wrong, outcome)).collect()
}

#[test]
fn each_is_caught_by_the_case_that_is_there_for_it() {
    if !is_installed("python3") {
        return;
    }
    let (suite, folder) = (suite(), tempfile::tempdir().expect("a folder"));
    let (cases, right) = (cases(&suite), fs::read_to_string(python_example()).expect("the example"));
    let faults: Vec<String> = wrong().flat_map(|wrong| faults(wrong, &right, folder.path(), &cases)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// It gives all answers, and each too late: that is told, and nobody waits for it longer than a case may take.
#[test]
fn one_that_keeps_its_answers_back_is_told_so() {
    if !is_installed("python3") {
        return;
    }
    let (suite, folder) = (suite(), tempfile::tempdir().expect("a folder"));
    let (cases, right) = (cases(&suite), fs::read_to_string(python_example()).expect("the example"));
    let copy = folder.path().join("dispatch.py");
    fs::write(&copy, BUFFERING.source(&right).expect("one place")).expect("a file");
    let asker = Asker { timeout: Duration::from_secs(2), ..asker("python3", &copy, false) };
    let outcomes = outcomes(&asker, &cases, &[BUFFERING.caught_by]);
    let told: Vec<String> = outcomes.iter().map(|outcome| told(&outcome.verdict)).collect();
    assert!(matches!(told.as_slice(), [told] if told.starts_with("line 1 was not answered")), "{told:?}");
}

/// What catches them is the fault, and not how the example is run.
#[test]
fn the_example_without_a_fault_passes_every_one_of_these_cases() {
    if !is_installed("python3") {
        return;
    }
    let suite = suite();
    let cases = cases(&suite);
    let names: Vec<&str> = wrong().chain([&BUFFERING]).map(|wrong| wrong.caught_by).collect();
    let outcomes = outcomes(&asker("python3", &python_example(), true), &cases, &names);
    assert_eq!(outcomes.len(), names.len(), "two are caught by one case, or a case is not there");
    let failed: Vec<_> = outcomes.iter().filter(|outcome| !matches!(outcome.verdict, Verdict::Passed)).collect();
    assert!(failed.is_empty(), "{failed:?}");
}

/// Also where there is no Python: an edit of the example must not leave a fault without its place.
#[test]
fn each_fault_has_one_place_in_the_example() {
    let right = fs::read_to_string(python_example()).expect("the example");
    let misplaced: Vec<String> = wrong().chain([&BUFFERING]).filter_map(|wrong| wrong.source(&right).err()).collect();
    assert!(misplaced.is_empty(), "{}", misplaced.join("\n"));
}

/// Says which subjects pass a case.
fn passing(case: &Case, binary: &Binary, examples: &[Asker]) -> Vec<String> {
    let ours = [trial::run(case, &[&Library]).is_ok(), trial::run(case, &[binary]).is_ok()];
    let ours = ["library", "binary"].into_iter().zip(ours).filter(|(_, passes)| *passes).map(|(name, _)| name);
    let passes = |asker: &&Asker| asker.ask(&[case]).expect("it runs").faults.iter().all(Vec::is_empty);
    let examples = examples.iter().filter(passes).map(|asker| asker.program.command());
    ours.chain(examples).map(str::to_owned).collect()
}

#[test]
fn a_case_that_expects_what_is_wrong_fails_for_every_subject() {
    let (suite, binary) = (suite(), Binary::from_sources());
    let examples = [("python3", python_example()), ("node", package().join("examples/node/dispatch.mjs"))];
    let installed = examples.iter().filter(|(interpreter, _)| is_installed(interpreter));
    let examples: Vec<Asker> = installed.map(|(interpreter, source)| asker(interpreter, source, false)).collect();
    for name in ONE_OF_EACH_KIND {
        let case = case(&suite, name);
        assert_eq!(passing(case, &binary, &examples).len(), 2 + examples.len(), "{name} as it stands");
        for broken in broken::each_way(case) {
            let passing = passing(&broken, &binary, &examples);
            assert!(passing.is_empty(), "{name} with {:?}, exit {}: {passing:?}", broken.expectation, broken.exit);
        }
    }
}
