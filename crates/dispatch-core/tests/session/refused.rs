//! Logs that can't be read: the line, and the cure.

use crate::support::{fifty_calls, gates, lines, read, record_stream};

/// What is said of a log made of these lines.
fn error(lines: &[String]) -> String {
    read((lines.join("\n") + "\n").as_bytes()).unwrap_err().to_string()
}

fn log() -> Vec<String> {
    lines(&record_stream(gates(), &fifty_calls()).0)
}

fn changed(line: usize, from: &str, to: &str) -> Vec<String> {
    let mut log = log();
    assert!(log[line - 1].contains(from), "{}", log[line - 1]);
    log[line - 1] = log[line - 1].replace(from, to);
    log
}

#[test]
fn what_is_no_log_is_told_at_its_first_line() {
    let no_header = "line 1: not the header of a session: give a log that was recorded by this program";
    for first in ["{}", "[]", "7", r#"{"request":{},"response":{}}"#, r#"{"format":"dispatch"}"#] {
        assert_eq!(error(&[first.to_owned()]), no_header);
    }
    assert_eq!(error(&log()[1..]), no_header);
}

#[test]
fn another_major_version_is_refused_with_the_cure() {
    let told = |version: &str| error(&changed(1, "\"version\":\"1.0\"", &format!("\"version\":\"{version}\"")));
    assert_eq!(
        told("2.3"),
        "line 1: the log has format 2.3, and this program reads 1: use a later version of the program, one that writes this format, or \
         record the session anew"
    );
    assert_eq!(
        told("0.9"),
        "line 1: the log has format 0.9, and this program reads 1: use an earlier version of the program, one that writes this format, \
         or record the session anew"
    );
    assert!(told("one").starts_with("line 1: `one` is no version, at $.version;"));
}

#[test]
fn a_later_minor_version_is_read_without_what_is_not_known() {
    let mut log = changed(1, "\"version\":\"1.0\"", "\"version\":\"1.7\",\"vex\":[1]");
    log[1] = log[1].replacen('{', "{\"ahead\":1,", 1);
    log[2] = log[2].replacen('{', "{\"ahead\":1,", 1);
    log.insert(1, "{\"note\":\"a line of another kind\"}".to_owned());
    let text = log.join("\n") + "\n";
    let header = crate::support::header(text.as_bytes());
    assert!(header.version().is_later());
    assert_eq!(crate::support::entries(text.as_bytes()).len(), 50);
    assert!(crate::support::differing_paths(text.as_bytes()).is_empty());
}

#[test]
fn an_unknown_member_or_line_of_this_version_is_refused() {
    let cut_off = "mend it, or, to use what stands before it, cut the log off in front of this line";
    let unknown = |line: usize, at: &str| format!("line {line}: unknown member `ahead`, at {at}; {cut_off}");
    for line in [2, 3] {
        let mut log = log();
        log[line - 1] = log[line - 1].replacen('{', "{\"ahead\":1,", 1);
        assert_eq!(error(&log), unknown(line, "$"));
    }
    assert_eq!(error(&changed(2, "\"call\":{", "\"call\":{\"ahead\":1,")), unknown(2, "$.call"));
    let mut log = log();
    log[1] = "{\"note\":1}".to_owned();
    assert_eq!(error(&log), format!("line 2: expected a header, an intent or an outcome, at $; {cut_off}"));
    log[1] = "[]".to_owned();
    assert_eq!(error(&log), format!("line 2: expected object, found array, at $; {cut_off}"));
}

#[test]
fn members_that_are_missing_or_of_another_type_are_told_with_their_place() {
    for (line, from, to, expected) in [
        (1, "\"strict\":false,", "", "missing member `strict`, at $;"),
        (1, "\"strict\":false", "\"strict\":null", "expected boolean, found null, at $.strict;"),
        (1, "\"permissions\":null", "\"permissions\":[1]", "expected string, found integer, at $.permissions[0];"),
        (1, "\"workspace\":{}", "\"workspace\":{\"a\":1}", "expected string, found integer, at $.workspace.a;"),
        (1, "\"name\":\"burst\"", "\"nome\":\"burst\"", "unknown member `nome`, at $.tools[0];"),
        (2, "\"intent\":1", "\"intent\":0", "expected an integer from 1, at $.intent;"),
        (2, "\"tool\"", "\"tohl\"", "unknown member `tohl`, at $.call;"),
        (2, "\"args\":{", "\"args_text\":{", "expected string, found object, at $.call.args_text;"),
        (2, "\"call\"", "\"raw\"", "missing member `call`, at $;"),
        (3, "\"stage\":\"ran\"", "\"stage\":\"run\"", "there is no stage `run`, at $.stage;"),
        (3, "\"status\":\"ok\"", "\"status\":\"good\"", "there is no status `good`, at $.result.status;"),
        (3, "\"observation\"", "\"observed\"", "unknown member `observed`, at $.result;"),
        (3, "\"observation\":\"File written: f0\",", "", "missing member `observation`, at $.result;"),
        (3, "\"files\":{\"f0\":\"", "\"files\":{\"f0\":[],\"f1\":\"", "expected string, found array, at $.files.f0;"),
        (3, "\"files\"", "\"host\"", "the line is not JSON (column"),
    ] {
        let told = error(&changed(line, from, to));
        assert!(told.starts_with(&format!("line {line}: {expected}")), "{told}");
    }
}

#[test]
fn a_damaged_line_before_the_end_is_named() {
    let mut log = log();
    log[7].truncate(10);
    assert_eq!(
        error(&log),
        "line 8: the line is not JSON (column 11: the input ends in the middle of a string), and others follow it: the log was changed or damaged here; to use \
         what stands before it, cut the log off in front of this line"
    );
    log[7] = "\0".repeat(40);
    assert!(error(&log).starts_with("line 8: the line is not JSON (column 1: "));
}

#[test]
fn lines_that_are_missing_or_out_of_order_are_named() {
    let out_of_order = |line, found, expected| {
        format!(
            "line {line}: {found} stands where {expected} is expected: lines are missing, or not in their order; to use what stands \
             before it, cut the log off in front of this line"
        )
    };
    let without = |line: usize| {
        let mut log = log();
        log.remove(line - 1);
        error(&log)
    };
    assert_eq!(without(2), out_of_order(2, "outcome 1", "intent 1"));
    assert_eq!(without(3), out_of_order(3, "intent 2", "outcome 1"));
    let mut twice = log();
    twice.insert(2, twice[1].clone());
    assert_eq!(error(&twice), out_of_order(3, "intent 1", "outcome 1"));
    let mut swapped = log();
    swapped.swap(2, 4);
    assert_eq!(error(&swapped), out_of_order(3, "outcome 2", "outcome 1"));
}

/// Before the first line there is nothing to be used, and behind it nothing without it.
#[test]
fn the_cure_of_a_header_is_not_to_cut_the_log_off() {
    let cure = "since nothing can be replayed without a header, take the log from a copy, or record the session anew";
    let unknown = error(&changed(1, "\"strict\":", "\"ahead\":1,\"strict\":"));
    assert_eq!(unknown, format!("line 1: unknown member `ahead`, at $; mend it, or, {cure}"));
    let damaged = error(&changed(1, "\"strict\":", "\"strict\""));
    assert!(damaged.starts_with("line 1: the line is not JSON (column "), "{damaged}");
    let follows = "), and others follow it: the log was changed or damaged here; ";
    assert!(damaged.ends_with(&format!("{follows}{cure}")), "{damaged}");
}

#[test]
fn a_byte_order_mark_is_told() {
    let told = error(&changed(1, "{\"explains\":", "\u{feff}{\"explains\":"));
    assert_eq!(
        told,
        "line 1: a byte order mark stands in front of the header, which no log has: take its three bytes away, or give the log as it \
         was recorded"
    );
}

#[test]
fn a_log_without_a_session_says_what_it_is() {
    use dispatch_core::session::NoSession;
    for (text, expected) in [
        ("", Some(NoSession::Empty)),
        ("\n \n", Some(NoSession::Empty)),
        ("\0\0", Some(NoSession::Zeros)),
        ("\n\0\n\0", Some(NoSession::Zeros)),
        (" \n\0", Some(NoSession::Zeros)),
        ("{\"explains\":", Some(NoSession::TornHeader)),
        ("{\"explains\":\0\0", Some(NoSession::TornHeader)),
        (&log()[0], None),
    ] {
        assert_eq!(read(text.as_bytes()).unwrap().1.no_session, expected, "{text:?}");
    }
}
