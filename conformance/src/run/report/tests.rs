use super::*;
use crate::case::{Piece, Request};
use crate::mismatch::Mismatch;
use crate::run::feature::Feature;
use crate::run::selection::NotApplicable;
use crate::testing::{PAGE, case};

/// Reports on a case that passed, one that failed, one that is known to, and one that does not apply.
fn told<T>(is_of_whole_levels: bool, tell: impl Fn(&Report<'_>) -> T) -> T {
    let (passed, known, other) = (case("right"), case("known"), case("waived"));
    let request = Request::One(vec![Piece::Bytes(b"{\"op\": \"dispatch\"}".to_vec())]);
    let failed = Case { request, why: "Fields <b> that `x` has.".into(), ..case("wrong") };
    let meaning =
        Mismatch::Meaning { stream: "stdout", expected: "{\"a\":1}\n".into(), got: "{\"a\":\"``` <\"}\n".into() };
    let faults = vec![Fault::Unexpected(Mismatch::Exit { expected: 0, got: 7 }), Fault::Unexpected(meaning)];
    let outcome = |case, level, verdict| Outcome { case, level, verdict };
    let outcomes = [
        outcome(&passed, Level::Protocol, Verdict::Passed),
        outcome(&failed, Level::Gates, Verdict::Failed(faults)),
        outcome(&known, Level::Gates, Verdict::KnownFailure("Not yet.".into())),
        outcome(&other, Level::Gates, Verdict::NotApplicable(NotApplicable::Feature(Feature::Explain))),
    ];
    let waived = Waived { features: [Feature::Explain].into(), ..Waived::default() };
    let rules = Rules::of_page(PAGE);
    tell(&Report {
        start: &["suite/conformance".to_owned()],
        command: "python3 'it is.py'",
        options: &["--env".to_owned(), "A_KEY".to_owned()],
        suite: "unreleased",
        rules: &rules,
        outcomes: &outcomes,
        asked_again: 0,
        waived: &waived,
        is_of_whole_levels,
    })
}

#[test]
fn people_see_failures_first() {
    insta::assert_snapshot!(told(true, |report| people(report, 25)), @r#"
    FAILED area::topic::wrong
      Fields <b> that `x` has.
      rule:  Rule (docs/protocol.md#rule)
      asked: dispatch
      stdin: "{\"op\": \"dispatch\"}"
      exit: expected 0, got 7
      stdout: says something else
        --- expected
        +++ got
        @@ -1,3 +1,3 @@
         {
        -  "a": 1
        +  "a": "``` <"
         }
      alone: suite/conformance run --command "python3 'it is.py'" --env A_KEY --exact area::topic::wrong

    level       passed  failed   known  not applicable
    protocol         1       0       0               0
    gates            0       1       1               1

    level reached: protocol, without explain
    1 of 3 cases failed (known failures: 1)
    "#);
}

#[test]
fn programs_see_every_case() {
    insta::assert_snapshot!(told(true, json), @r#"
    {
      "asked_again": 0,
      "cases": [
        {
          "level": "protocol",
          "name": "area::topic::right",
          "rule": "Rule (docs/protocol.md#rule)",
          "verdict": "passed"
        },
        {
          "level": "gates",
          "name": "area::topic::wrong",
          "reason": "exit: expected 0, got 7\nstdout: says something else\n  --- expected\n  +++ got\n  @@ -1,3 +1,3 @@\n   {\n  -  \"a\": 1\n  +  \"a\": \"``` <\"\n   }",
          "rule": "Rule (docs/protocol.md#rule)",
          "verdict": "failed"
        },
        {
          "level": "gates",
          "name": "area::topic::known",
          "reason": "Not yet.",
          "rule": "Rule (docs/protocol.md#rule)",
          "verdict": "known_failure"
        },
        {
          "level": "gates",
          "name": "area::topic::waived",
          "reason": "without explain",
          "rule": "Rule (docs/protocol.md#rule)",
          "verdict": "not_applicable"
        }
      ],
      "command": "python3 'it is.py'",
      "levels": [
        {
          "failed": 0,
          "known_failures": 0,
          "level": "protocol",
          "not_applicable": 0,
          "passed": 1
        },
        {
          "failed": 1,
          "known_failures": 1,
          "level": "gates",
          "not_applicable": 1,
          "passed": 0
        }
      ],
      "reached": "protocol",
      "success": false,
      "suite": "unreleased",
      "without": {
        "features": [
          "explain"
        ],
        "levels": []
      }
    }
    "#);
}

#[test]
fn ci_sees_a_test_suite_for_each_level() {
    insta::assert_snapshot!(told(true, |report| junit(report).expect("XML")), @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="conformance" tests="4" skipped="2" failures="1" errors="0">
        <testsuite name="protocol" tests="1" skipped="0" errors="0" failures="0">
            <testcase name="area::topic::right" classname="area::topic"/>
        </testsuite>
        <testsuite name="gates" tests="3" skipped="2" errors="0" failures="1">
            <testcase name="area::topic::wrong" classname="area::topic">
                <failure message="Fields &lt;b&gt; that `x` has.">rule: Rule (docs/protocol.md#rule)
    exit: expected 0, got 7
    stdout: says something else
      --- expected
      +++ got
      @@ -1,3 +1,3 @@
       {
      -  &quot;a&quot;: 1
      +  &quot;a&quot;: &quot;``` &lt;&quot;
       }
    alone: suite/conformance run --command &quot;python3 &apos;it is.py&apos;&quot; --env A_KEY --exact area::topic::wrong</failure>
            </testcase>
            <testcase name="area::topic::known" classname="area::topic">
                <skipped message="known failure: Not yet."/>
            </testcase>
            <testcase name="area::topic::waived" classname="area::topic">
                <skipped message="not applicable: without explain"/>
            </testcase>
        </testsuite>
    </testsuites>
    "#);
}

#[test]
fn a_summary_page_has_the_levels_and_the_failures() {
    insta::assert_snapshot!(told(true, markdown), @r#"
    ## Conformance: failed

    level reached: protocol, without explain. Suite: unreleased.

    | level | passed | failed | known failures | not applicable |
    | --- | ---: | ---: | ---: | ---: |
    | protocol | 1 | 0 | 0 | 0 |
    | gates | 0 | 1 | 1 | 1 |

    <details><summary><code>area::topic::wrong</code>: Fields &lt;b&gt; that `x` has.</summary>

    Rule: Rule (docs/protocol.md#rule)

    ````text
    exit: expected 0, got 7
    stdout: says something else
      --- expected
      +++ got
      @@ -1,3 +1,3 @@
       {
      -  "a": 1
      +  "a": "``` <"
       }
    ````

    ```text
    suite/conformance run --command "python3 'it is.py'" --env A_KEY --exact area::topic::wrong
    ```

    </details>
    "#);
}

#[test]
fn what_was_forgiven_a_shared_process_is_told() {
    let any = case("right");
    let outcomes = [Outcome { case: &any, level: Level::Gates, verdict: Verdict::Passed }];
    let (waived, rules) = (Waived::default(), Rules::of_page(PAGE));
    let report = Report {
        start: &[],
        command: "x",
        options: &[],
        suite: "1.0",
        rules: &rules,
        outcomes: &outcomes,
        asked_again: 7,
        waived: &waived,
        is_of_whole_levels: true,
    };
    let words = "\n7 cases were asked again, each alone: a process that they shared did not give a line for each";
    assert!(people(&report, 25).contains(&format!("{words}\n")));
    assert!(markdown(&report).contains(&format!("{words}.\n")));
    assert!(json(&report).contains("\"asked_again\": 7,"));
    assert!(report.is_success() && !told(true, |report| people(report, 25)).contains("asked again"));
}

#[test]
fn no_level_is_told_of_a_part_of_it() {
    assert!(
        told(false, |report| people(report, 25))
            .contains("\nlevel reached: not told, for some of its cases were left out\n")
    );
    assert!(told(false, |report| report.reached().is_none()));
}

#[test]
fn of_many_failures_the_rest_is_named() {
    let told = told(true, |report| people(report, 0));
    let expected = "FAILED area::topic::wrong\nThe first 0 are shown in full above, and all of them with --all or in the reports.\n\n";
    assert!(told.starts_with(expected), "{told}");
}

#[test]
fn no_letter_of_a_program_s_does_anything() {
    let said = "a\u{1b}[2J\0\u{8}\r\n::error file=x::y\n\t::warning::\n ##[error] ##vso[task] \u{202e}é";
    let diff = Mismatch::Meaning { stream: "stdout", expected: " ::a\n".into(), got: " ::a\n::b\u{1b}\n".into() };
    let file = crate::layout::NotReadBack::LeftBehind("a\n::error::".into());
    let faults = [Fault::Said(said.into()), Fault::Unexpected(diff), Fault::Files(file)];
    let told = super::told(&faults);
    assert!(told.chars().all(|c| c == '\n' || !c.is_control()), "{told}");
    assert!(told.lines().all(|line| !line.trim_start().starts_with("::")), "{told}");
    assert!(!told.contains("##[") && !told.contains("##vso[") && !told.contains('\u{202e}'), "{told}");
    assert!(told.starts_with("it said: a\\u{1b}[2J\\u{0}\\u{8}\\r\n| ::error file=x::y\n"), "{told}");
    assert!(told.contains("\n| ::a\n"), "{told}");
}

/// Also in what is no program's: the command, and the reasons of a list.
#[test]
fn every_text_that_ci_sees_is_xml() {
    let odd = "\u{1b}[1m\u{1}\u{fffe}\u{ffff}";
    let (failed, known) = (case("failed"), Case { why: odd.into(), ..case("known") });
    let outcome = |case, verdict| Outcome { case, level: Level::Gates, verdict };
    let outcomes = [
        outcome(&failed, Verdict::Failed(vec![Fault::Said(odd.into())])),
        outcome(&known, Verdict::KnownFailure(odd.into())),
        outcome(&known, Verdict::Failed(Vec::new())),
    ];
    let (start, waived, rules, options) = ([odd.to_owned()], Waived::default(), Rules::of_page(PAGE), [].as_slice());
    let (command, suite, is_of_whole_levels) = (odd, "1.0", true);
    let report = Report {
        start: &start,
        command,
        options,
        suite,
        rules: &rules,
        outcomes: &outcomes,
        asked_again: 0,
        waived: &waived,
        is_of_whole_levels,
    };
    let xml = junit(&report).expect("XML");
    assert!(xml.chars().all(|c| c == '\n' || !c.is_control() && !('\u{fffe}'..='\u{ffff}').contains(&c)), "{xml}");
    assert_eq!(xml.matches(r"\u{1b}[1m\u{1}\u{fffe}\u{ffff}").count(), 7, "{xml}");
}

#[test]
fn a_run_in_which_nothing_was_asked_is_no_success() {
    let other = case("waived");
    let report = |outcomes: &[Outcome<'_>]| {
        let (waived, rules) = (Waived::default(), Rules::of_page(PAGE));
        let (command, suite, start, options, is_of_whole_levels) = ("x", "1.0", [].as_slice(), [].as_slice(), true);
        Report {
            start,
            command,
            options,
            suite,
            rules: &rules,
            outcomes,
            asked_again: 0,
            waived: &waived,
            is_of_whole_levels,
        }
        .is_success()
    };
    let of = |verdict| [Outcome { case: &other, level: Level::Gates, verdict }];
    assert!(report(&of(Verdict::Passed)));
    assert!(!report(&of(Verdict::NotApplicable(NotApplicable::TestTools))));
    assert!(!report(&of(Verdict::Failed(Vec::new()))));
    assert!(report(&of(Verdict::KnownFailure("Why.".into()))));
}
