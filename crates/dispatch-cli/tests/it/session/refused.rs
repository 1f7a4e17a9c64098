//! Logs that can't be replayed, or not whole: each message names the line, and what to do.

use super::{REQUESTS, changed, log_file, record, replay};
use crate::{dispatch, stderr};

fn refused(args: &[&str], log: &str) -> String {
    stderr(&replay(args, log).code(2).stdout(""))
}

#[test]
fn another_major_version_is_refused() {
    let log = record(REQUESTS);
    for (version, age) in [("0.9", "an earlier"), ("2.0", "a later")] {
        let told = refused(&[], &changed(&log, 1, "\"version\":\"1.0\"", &format!("\"version\":\"{version}\"")));
        assert_eq!(
            told,
            format!(
                "dispatch: standard input, line 1: the log has format {version}, and this program reads 1: use {age} version of the \
                 program, one that writes this format, or record the session anew\n"
            )
        );
    }
}

#[test]
fn a_later_minor_version_is_read_and_told() {
    let log = changed(&record(REQUESTS), 1, "\"version\":\"1.0\"", "\"version\":\"1.7\",\"weather\":\"fair\"");
    let told = stderr(&replay(&[], &log).code(0).stdout("5 calls: 5 agree, 0 diverge\n"));
    assert_eq!(
        told,
        "dispatch: standard input, line 1: the log has format 1.7, which is later than 1.1: what it adds is passed over\n"
    );
}

#[test]
fn tools_that_are_gone_are_named() {
    let log = changed(&record(REQUESTS), 1, "\"name\":\"patch_file\"", "\"name\":\"mend_file\"");
    assert_eq!(
        refused(&[], &log),
        "dispatch: standard input, line 1: the tool `mend_file` was there when the session was recorded, and is not today; replay the \
         log with a program that has these tools\n"
    );
}

#[test]
fn tools_that_differ_are_told_and_their_calls_compared() {
    let log = changed(&record(REQUESTS), 1, "\"description\":\"", "\"description\":\"Once: ");
    let told = stderr(&replay(&[], &log).code(0).stdout("5 calls: 5 agree, 0 diverge\n"));
    assert!(told.starts_with("dispatch: standard input, line 1: the tool `patch_file` is not what it was"), "{told}");
    assert_eq!(told.lines().count(), 1);
}

#[test]
fn a_torn_end_is_told_and_no_divergence() {
    let log = record(REQUESTS);
    let torn = &log[..log.len() - 10];
    let told = stderr(&replay(&[], torn).code(0));
    assert!(told.starts_with("dispatch: standard input, line 11 was not written whole and is passed over"), "{told}");
    let told = stderr(&replay(&[], &format!("{log}\0\0\0")).code(0).stdout("5 calls: 5 agree, 0 diverge\n"));
    assert!(told.starts_with("dispatch: standard input, line 12 was not written whole"), "{told}");
}

/// Its call has no outcome, so that it is not run.
#[test]
fn what_a_torn_outcome_wrote_is_not_there() {
    let log = record(&REQUESTS[..3]);
    for end in ["\n", "\n\0\0", "\n\n\0\n"] {
        let torn = changed(&log, 7, "\"host\":{", "\"host\":{[").trim_end().to_owned() + end;
        let (directory, file) = log_file(&torn);
        let out = directory.path().join("out.json");
        let args = ["replay", file.to_str().unwrap(), "--workspace-out", out.to_str().unwrap()];
        let told = stderr(&dispatch(&args).assert().code(0));
        assert!(told.contains("line 7 was not written whole"), "{told}");
        assert_eq!(std::fs::read_to_string(out).unwrap(), "{\"notes.txt\":\"bread\\neggs\\n\"}\n", "{end:?}");
    }
}

#[test]
fn a_header_that_was_not_written_whole_is_no_session() {
    let log = record(&[]);
    let told = refused(&[], &log[..40]);
    let why = "its header was not written whole, and no call ran before that. Record the session anew\n";
    assert!(told.ends_with(&format!("dispatch: standard input holds no session: {why}")), "{told}");
}

/// Whatever is asked for: it is not taken for a recording of requests.
#[test]
fn what_holds_nothing_is_told_as_what_it_is() {
    let (empty, zeros) = ("it is empty. Give a log", "it is made of zeros, as a crash of the machine may leave it. ");
    for (log, why) in [("", empty), ("\0\0\0", zeros), ("\0\n\0", zeros)] {
        for args in [&[][..], &["--json"], &["--show"], &["--stats"]] {
            let told = refused(args, log);
            assert!(told.contains(&format!("dispatch: standard input holds no session: {why}")), "{args:?}: {told}");
        }
    }
}

#[test]
fn a_byte_order_mark_in_front_is_told() {
    for args in [&[][..], &["--show"]] {
        let told = refused(args, &format!("\u{feff}{}", record(REQUESTS)));
        assert!(told.starts_with("dispatch: standard input, line 1: a byte order mark stands in front"), "{told}");
    }
}

#[test]
fn a_header_that_is_damaged_is_not_to_be_cut_off() {
    let told = refused(&[], &changed(&record(REQUESTS), 1, "\"strict\":", "\"strict\""));
    assert!(told.ends_with("take the log from a copy, or record the session anew\n"), "{told}");
}

#[test]
fn a_part_that_ends_before_it_begins_is_refused() {
    let told = refused(&["--from", "3", "--until", "2"], &record(REQUESTS));
    assert_eq!(
        told,
        "dispatch: --from: there is no call from 3 on and until 2: nothing would be compared. Give a number up to --until's\n"
    );
    replay(&["--from", "2", "--until", "2"], &record(REQUESTS)).code(0);
}

#[test]
fn damage_within_is_named() {
    let told = refused(&[], &changed(&record(REQUESTS), 4, "{", "["));
    assert!(told.starts_with("dispatch: standard input, line 4: the line is not JSON"), "{told}");
}

/// What was found before the damage is of use.
#[test]
fn what_diverged_before_the_damage_is_shown() {
    let report = replay(&[], &changed(&super::diverging(), 8, "{", "[")).code(2);
    assert!(crate::stdout(&report).starts_with("call 2 (line 4), patch_file"));
}

#[test]
fn options_of_one_form_are_refused_for_the_other() {
    for args in [&["--allow", "read_file"][..], &["--read-only"], &["--max-output-bytes", "9"], &["--explain"]] {
        let told = refused(args, &record(REQUESTS));
        let expected = format!("dispatch: {}: the log of a session holds what narrowed it", args[0]);
        assert!(told.starts_with(&expected), "{told}");
    }
    for args in
        [["--all"].as_slice(), &["--json"], &["--from", "1"], &["--until", "1"], &["--live"], &["--workspace-out", "x"]]
    {
        let told = refused(args, "{\"request\":{},\"response\":{}}\n");
        assert!(told.starts_with(&format!("dispatch: {}: the option is for logs of sessions", args[0])), "{told}");
    }
}
