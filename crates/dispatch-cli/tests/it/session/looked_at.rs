//! A log that is looked at: as a table, a call in full, in numbers.

use insta::assert_snapshot;

use super::{REQUESTS, changed, continued, of_an_earlier_build, record, replay};
use crate::{stderr, stdout};

#[test]
fn a_session_is_a_table() {
    let log = record(REQUESTS);
    let interrupted: String = log.split_inclusive('\n').take(8).collect();
    let wide = r#"{"op":"dispatch","call":{"tool":"write_file","args":{"path":"a/path/that/is/longer/than/its/column","content":"héé"}}}"#;
    let report = replay(&["--show"], &continued(&interrupted, 4, &[wide])).code(0).stderr("");
    assert_snapshot!(stdout(&report));
}

/// Nothing is run, so that other tools are no obstacle.
#[test]
fn a_table_needs_no_tools() {
    let log = changed(&record(REQUESTS), 1, "\"name\":\"patch_file\"", "\"name\":\"mend_file\"");
    replay(&["--show"], &log).code(0).stderr("");
    replay(&["--stats"], &log).code(0).stderr("");
    let report = replay(&["--show", "--call", "2"], &log).code(0);
    assert!(stdout(&report).ends_with("observation: File patched: notes.txt\n"));
    assert!(stderr(&report).contains("the tool `mend_file` was there"), "{}", stderr(&report));
}

#[test]
fn a_call_is_shown_in_full_with_what_it_changed() {
    let report = replay(&["--show", "--call", "2"], &record(REQUESTS)).code(0).stderr("");
    assert_snapshot!(stdout(&report));
    let request = r#"{"op":"dispatch","workspace":{"a":"1\n2\n3\n4\n5\n6\n7\n8\n"},"call":{"tool":"read_file","args":{"path":"a"}},"permissions":["read_file"],"limits":{"max_output_bytes":20}}"#;
    let report = replay(&["--show", "--call", "1"], &record(&[request])).code(0).stderr("");
    assert_snapshot!(stdout(&report));
}

#[test]
fn a_call_that_ends_otherwise_today_is_shown_as_recorded_and_that_is_told() {
    let report = replay(&["--show", "--call", "2"], &of_an_earlier_build()).code(0);
    assert!(stdout(&report).contains("observation: File patched: notes.txt"));
    assert_eq!(
        stderr(&report),
        "dispatch: today it comes to another outcome, see --from 2 --until 2: files are those of today\n"
    );
}

#[test]
fn a_call_that_is_not_there_is_told() {
    replay(&["--show", "--call", "6"], &record(REQUESTS))
        .code(2)
        .stdout("")
        .stderr("dispatch: --call: standard input has no call 6: the last one is 5\n");
    replay(&["--show", "--call", "1"], &record(&[]))
        .code(2)
        .stderr("dispatch: --call: standard input has no call 1: it has none\n");
}

#[test]
fn what_stands_before_damage_is_shown() {
    let report = replay(&["--show"], &changed(&record(REQUESTS), 6, "{", "[")).code(2);
    assert_eq!(stdout(&report).lines().count(), 4);
}

#[test]
fn a_log_in_numbers() {
    let log = record(REQUESTS);
    let interrupted: String = log.split_inclusive('\n').take(10).collect();
    let log = continued(&interrupted, 5, REQUESTS);
    assert_snapshot!(stdout(&replay(&["--stats"], &log).code(0).stderr("")));
    assert_snapshot!(stdout(&replay(&["--stats", "--json"], &log).code(0).stderr("")));
}
