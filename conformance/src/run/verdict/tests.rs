use std::collections::BTreeSet;

use super::*;
use crate::run::feature::Feature;
use crate::run::place::Place;
use crate::testing::case;

/// The outcomes of a level each: how many passed, failed and were not applicable.
fn outcomes(case: &Case, levels: [(usize, usize, usize); 6]) -> Vec<Outcome<'_>> {
    let of_level = |(level, (passed, failed, other)): (Level, (usize, usize, usize))| {
        let passed = (0..passed).map(|_| Verdict::Passed);
        let failed = (0..failed).map(|_| Verdict::Failed(Vec::new()));
        let other = (0..other).map(|_| Verdict::NotApplicable(NotApplicable::TestTools));
        passed.chain(failed).chain(other).map(move |verdict| Outcome { case, level, verdict }).collect::<Vec<_>>()
    };
    Level::ALL.into_iter().zip(levels).flat_map(of_level).collect()
}

#[test]
fn a_level_is_reached_with_all_before_it() {
    let any = case("any");
    let check = |levels, expected| assert_eq!(reached(&outcomes(&any, levels)), expected, "{levels:?}");
    check([(1, 0, 1); 6], Some(Level::Sessions));
    check([(1, 0, 0), (1, 0, 0), (9, 1, 0), (1, 0, 0), (1, 0, 0), (1, 0, 0)], Some(Level::Gates));
    check([(9, 1, 0), (1, 0, 0), (1, 0, 0), (1, 0, 0), (1, 0, 0), (1, 0, 0)], None);
    check([(0, 0, 0); 6], None);
}

#[test]
fn a_level_of_which_nothing_applies_is_not_reached_and_stands_in_no_one_s_way() {
    let any = case("any");
    let check = |levels, expected| assert_eq!(reached(&outcomes(&any, levels)), expected, "{levels:?}");
    check([(1, 0, 0), (1, 0, 0), (1, 0, 0), (1, 0, 0), (0, 0, 5), (0, 0, 5)], Some(Level::Limits));
    check([(1, 0, 0), (1, 0, 0), (1, 0, 0), (1, 0, 0), (0, 0, 5), (1, 0, 0)], Some(Level::Sessions));
}

#[test]
fn a_known_failure_is_not_reached() {
    let any = case("any");
    let known = Outcome { case: &any, level: Level::Gates, verdict: Verdict::KnownFailure("Why.".into()) };
    let mut all = outcomes(&any, [(1, 0, 0); 6]);
    all.push(known);
    assert_eq!(reached(&all), Some(Level::Protocol));
    assert_eq!(Tally::of(&all), Tally { passed: 6, known_failures: 1, ..Tally::default() });
}

#[test]
fn the_list_of_known_failures_is_strict_both_ways() {
    let fault = || vec![Fault::Said("Oh.".into())];
    let told = |verdict| match verdict {
        Verdict::Passed => "passed".to_owned(),
        Verdict::Failed(faults) => faults.iter().map(ToString::to_string).collect(),
        Verdict::KnownFailure(why) => format!("known: {why}"),
        Verdict::NotApplicable(reason) => reason.to_string(),
    };
    let waived = || NotApplicable::Feature(Feature::Explain);
    assert_eq!(told(judged(Vec::new(), None)), "passed");
    assert_eq!(told(judged(fault(), None)), "it said: Oh.");
    assert_eq!(told(judged(fault(), Some("Why."))), "known: Why.");
    assert_eq!(told(judged(Vec::new(), Some("Why."))), "passes, and is listed as a known failure: Why.");
    assert_eq!(told(excused(waived(), None)), "without explain");
    assert_eq!(told(excused(waived(), Some("Why."))), "does not apply, and is listed as a known failure: Why.");
}

/// What became of the case `wrong`, put to a script.
#[cfg(unix)]
fn told(cases: &[(Level, &Case)], script: &str) -> String {
    let command = format!("sh -c {} sh", shlex::try_quote(script).expect("no NUL"));
    let program = crate::run::program::Program::of_command(&command).expect("a command");
    let timeout = std::time::Duration::from_secs(20);
    let asker = Asker { program, timeout, jobs: 1, place: Place::Memory, is_sharing: false, give_up_after: 10 };
    let selection = Selection { names: vec!["wrong".to_owned()], ..Selection::default() };
    let outcomes = run(&asker, cases, &selection, &Waived::default(), &Known::default()).expect("sh runs").each;
    outcomes.iter().map(|outcome| format!("{:?}", outcome.verdict)).collect::<Vec<_>>().concat()
}

/// Who refuses everything has not seen what is wrong with this log.
#[cfg(unix)]
#[test]
fn a_refusal_shows_nothing_where_what_is_right_is_refused_too() {
    let log = |members: &str| {
        let members = format!("{{name: {members}, rule: rule, why: W., options: {{replay: true}}}}");
        crate::testing::case_of(&members).expect("a case")
    };
    let right = log("right, exit: 0, text: right, report: [{a: 1}]");
    let wrong = log("wrong, exit: 2, text: wrong, report: [], notes: [line 1]");
    let cases = [(Level::Sessions, &right), (Level::Sessions, &wrong)];
    assert_eq!(told(&cases, "echo Oh >&2; exit 2"), r#"Failed([NothingIsAnswered("area::topic::right")])"#);
    assert_eq!(told(&cases, r#"[ "$(cat)" = right ] && echo 1 || { echo Oh >&2; exit 2; }"#), "Passed");
}

/// Who has no agent's tools may refuse words all the same.
#[cfg(unix)]
#[test]
fn words_are_refused_by_who_answers_without_any_option() {
    let of = |members: &str| {
        crate::testing::case_of(&format!("{{name: {members}, rule: rule, why: W., text: x}}")).expect("a case")
    };
    let others = of("others, exit: 0, stdout: other, options: {toolset: agent}");
    let right = of("right, exit: 0, stdout: right");
    let wrong = of("wrong, exit: 2, stdout: '', options: {words: [--pretty, --stream]}");
    let cases = [&others, &right, &wrong].map(|case| (Level::Gates, case));
    assert_eq!(told(&cases, "echo Oh >&2; exit 2"), r#"Failed([NothingIsAnswered("area::topic::right")])"#);
    assert_eq!(told(&cases, r"[ $# = 1 ] && echo right || { echo Oh >&2; exit 2; }"), "Passed");
}

#[cfg(unix)]
#[test]
fn what_is_selected_is_told_and_what_applies_is_asked() {
    let program = crate::run::program::Program::of_command("true").expect("a command");
    let asker = Asker {
        program,
        timeout: std::time::Duration::from_secs(20),
        jobs: 1,
        place: Place::Memory,
        is_sharing: false,
        give_up_after: 10,
    };
    let mut explained = case("explained");
    explained.options.explain = true;
    let failing = Case { exit: 3, ..case("failing") };
    let other = case("other");
    let cases =
        [(Level::Gates, &explained), (Level::Gates, &failing), (Level::Limits, &other), (Level::Sessions, &other)];
    let selection = Selection { up_to: Some(Level::Limits), ..Selection::default() };
    let waived = Waived { features: [Feature::Explain].into(), ..Waived::default() };
    let names = BTreeSet::from(["area::topic::failing".to_owned()]);
    let known = Known::read("area::topic::failing: Why.", &names).expect("a list");
    let outcomes = run(&asker, &cases, &selection, &waived, &known).expect("true runs").each;
    let verdicts: Vec<_> =
        outcomes.iter().map(|outcome| format!("{}: {:?}", outcome.case.name, outcome.verdict)).collect();
    assert_eq!(
        verdicts,
        ["explained: NotApplicable(Feature(Explain))", "failing: KnownFailure(\"Why.\")", "other: Passed"]
    );
}
