//! What is compared, and how a divergence is shown.

use insta::assert_snapshot;

use super::{REQUESTS, changed, continued, diverging, log_file, of_an_earlier_build, record, replay};
use crate::{dispatch, stderr, stdout};

#[test]
fn what_was_recorded_today_agrees() {
    replay(&[], &record(REQUESTS)).code(0).stderr("").stdout("5 calls: 5 agree, 0 diverge\n");
    replay(&[], &record(&[])).code(0).stderr("").stdout("0 calls: 0 agree, 0 diverge\n");
}

#[test]
fn the_first_divergence_is_shown_and_the_rest_counted() {
    let log = changed(&diverging(), 11, "unknown_tool", "tool_gone");
    let report = replay(&[], &log).code(1).stderr("");
    assert_snapshot!(stdout(&report));
    let all = replay(&["--all"], &log).code(1).stderr("");
    assert_snapshot!(stdout(&all));
}

#[test]
fn programs_get_an_object_for_each_divergence() {
    let log = changed(&diverging(), 11, "unknown_tool", "tool_gone");
    let report = replay(&["--json"], &log).code(1).stderr("");
    assert_snapshot!(stdout(&report));
}

/// The log holds digests; what they stand for is known where the call's arguments tell it.
#[test]
fn a_file_is_compared_with_the_text_that_was_recorded() {
    let report = replay(&[], &of_an_earlier_build()).code(1).stderr("");
    assert_snapshot!(stdout(&report));
    let write = REQUESTS[2].replace("yes", "no");
    let log = changed(&record(&[&write]), 2, "no\\n", "now\\n");
    let report = replay(&[], &log).code(1).stderr("");
    assert_snapshot!(stdout(&report));
}

/// What a call leaves behind differs in all that follow: that is told apart from divergences of their own.
#[test]
fn a_workspace_that_was_left_otherwise_is_told_apart() {
    let log = changed(&record(REQUESTS), 4, "bread", "rice");
    let report = replay(&[], &log).code(1).stderr("");
    assert_snapshot!(stdout(&report));
}

#[test]
fn calls_before_are_run_and_not_compared_and_those_behind_not_run() {
    let log = diverging();
    replay(&["--from", "3"], &log).code(0).stdout("5 calls: 3 agree, 0 diverge, 2 not compared\n");
    replay(&["--until", "1"], &log).code(0).stdout("1 call: 1 agree, 0 diverge\n");
    replay(&["--from", "2", "--until", "2"], &log).code(1);
    for option in ["--from", "--until"] {
        let report = replay(&[option, "6"], &log).code(2);
        assert_eq!(stderr(&report), format!("dispatch: {option}: standard input has no call 6: the last one is 5\n"));
    }
}

#[test]
fn the_workspace_is_written_as_it_then_is() {
    let (directory, file) = log_file(&record(REQUESTS));
    let out = directory.path().join("out.json");
    let written = |until: &str| {
        let args = ["replay", file.to_str().unwrap(), "--until", until, "--workspace-out", out.to_str().unwrap()];
        dispatch(&args).assert().code(0);
        std::fs::read_to_string(&out).unwrap()
    };
    assert_eq!(written("1"), "{\"notes.txt\":\"milk\\neggs\\n\"}\n");
    assert_eq!(written("5"), "{\"done.txt\":\"yes\\n\",\"notes.txt\":\"bread\\neggs\\n\"}\n");
}

/// A line that is named is the file's.
#[test]
fn lines_that_hold_nothing_may_stand_before_the_header() {
    let log = format!("\n \t\n{}", changed(&record(REQUESTS), 4, "{", "["));
    assert!(stderr(&replay(&[], &log).code(2)).starts_with("dispatch: standard input, line 6: "));
    replay(&[], &format!("\n\n{}", record(REQUESTS))).code(0).stderr("").stdout("5 calls: 5 agree, 0 diverge\n");
}

#[test]
fn each_session_of_a_log_begins_afresh() {
    let log = continued(&record(REQUESTS), 5, &REQUESTS[2..4]);
    replay(&[], &log).code(0).stderr("").stdout("7 calls: 7 agree, 0 diverge\n");
}

#[test]
fn an_intent_without_an_outcome_is_told() {
    let log = record(REQUESTS);
    let without_last: String = log.split_inclusive('\n').take(4).collect();
    let report = replay(&[], &without_last).code(0).stderr("");
    assert_snapshot!(stdout(&report));
    let report = replay(&["--json"], &continued(&without_last, 2, &REQUESTS[..1])).code(0);
    assert_snapshot!(stdout(&report));
}

/// A colour is for a terminal, and what a model wrote must not paint one.
#[test]
fn nothing_steers_the_terminal() {
    let request = r#"{"op":"dispatch","call":{"tool":"write_file","args":{"path":"a\u001b[2J","content":"\u009bx"}}}"#;
    let log = changed(&record(&[request]), 3, "File written", "Written \\u001b]0;");
    let report = stdout(&replay(&[], &log).code(1));
    assert!(!report.contains(['\u{1b}', '\u{9b}']), "{report:?}");
}

#[test]
fn lines_that_hold_nothing_are_passed_over() {
    let header: String = record(&[]) + &"\n".repeat(400_000);
    replay(&[], &header).code(0).stdout("0 calls: 0 agree, 0 diverge\n");
}
