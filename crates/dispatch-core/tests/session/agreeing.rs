//! Outcomes that are not read because they stand letter by letter as they would be recorded today.
//!
//! That the rest comes to the same as where each line is read, every replay of these tests looks at (`support::replay_with`).

use dispatch_core::session::{Item, LogError, Reader, Replayer};

use crate::support::{Replayed, fifty_calls, gates, lines, record_stream, registry};

fn log() -> Vec<u8> {
    record_stream(gates(), &fifty_calls()).0
}

/// The log with another text in place of the first call's facts.
fn with_facts(facts: &str) -> Vec<u8> {
    let mut log = lines(&log());
    log[2] = log[2].replacen("\"host\":{}", &format!("\"host\":{facts}"), 1);
    (log.join("\n") + "\n").into_bytes()
}

fn passing_over(log: &[u8]) -> (Replayed, Result<(), LogError>) {
    let mut replayed = Replayed::default();
    let read = replayed.pass_over(&registry(), log);
    (replayed, read)
}

#[test]
fn all_but_the_last_outcome_are_passed_over() {
    let (replayed, read) = passing_over(&log());
    assert!(read.is_ok() && replayed.comparisons.iter().all(|comparison| comparison.differences.is_empty()));
    assert_eq!((replayed.passed_over, replayed.comparisons.len()), (49, 50));
}

/// Replay never looks at them, but they must be JSON.
#[test]
fn facts_of_the_host_may_be_any_that_can_be_read() {
    for (facts, passed_over) in [
        ("{\"duration_us\":41}", 49),
        ("{\"b\":\"}\"}", 49),
        ("{\"outcome\":1}", 49),
        ("null", 49),
        (" 7 ", 49),
        (&format!("\"{}\"", "é".repeat(99)), 48),
    ] {
        let (replayed, read) = passing_over(&with_facts(facts));
        assert!(read.is_ok(), "{facts}");
        assert_eq!((replayed.passed_over, replayed.comparisons.len()), (passed_over, 50), "{facts}");
    }
}

#[test]
fn what_can_t_be_read_is_the_same_error() {
    let deep = |levels| "[".repeat(levels) + &"]".repeat(levels);
    for facts in [
        "",
        "{",
        "{}{}",
        "{},\"x\":1",
        "{\"a\":1,\"a\":2}",
        "{\"a\":01}",
        "{\"a\":1",
        "{\"a\":}",
        "{a\":1}",
        "\"\\ud800\"",
        "1e999",
        &deep(127),
        &deep(200),
    ] {
        let log = with_facts(facts);
        let mut reader = Reader::default();
        let mut lines = log.split_inclusive(|byte| *byte == b'\n');
        let expected = lines.find_map(|line| reader.push(line).err()).unwrap();
        let told = passing_over(&log).1.unwrap_err();
        assert_eq!(told.to_string(), expected.to_string(), "{facts}");
    }
}

/// Reads a log up to its second call's outcome.
fn before_an_outcome(log: &[String]) -> (Reader, Replayer) {
    let mut reader = Reader::default();
    let Some(Item::Header(header)) = reader.push(log[0].as_bytes()).unwrap().next() else { panic!("a header") };
    let mut replayer = Replayer::new(registry(), &header);
    for line in &log[1..4] {
        for item in reader.push(line.as_bytes()).unwrap() {
            let Item::Entry(entry) = item else { panic!("a call") };
            replayer.replay(&entry);
        }
    }
    (reader, replayer)
}

fn whole_lines(log: &[u8]) -> Vec<String> {
    lines(log).into_iter().map(|line| line + "\n").collect()
}

/// It is not run before all is known of it.
#[test]
fn what_reaches_further_is_not_run_on_trust() {
    let log = whole_lines(&log());
    let (mut reader, replayer) = before_an_outcome(&log);
    assert!(replayer.running_all().replay_agreeing(&mut reader, log[4].as_bytes()).is_none());
    let (mut reader, mut replayer) = before_an_outcome(&log);
    assert!(replayer.replay_agreeing(&mut reader, log[4].as_bytes()).is_some());
}

/// A call behind which another session begins is one that nobody knows, and is not run.
#[test]
fn a_line_that_is_no_outcome_runs_nothing() {
    let log = whole_lines(&log());
    let (mut reader, mut replayer) = before_an_outcome(&log);
    let writes = log[1].replace("\"intent\":1", "\"intent\":3");
    reader.push(log[4].as_bytes()).unwrap().for_each(drop);
    reader.push(writes.replace("f0", "new").as_bytes()).unwrap().for_each(drop);
    let files = replayer.workspace().files().count();
    for line in [&log[0], &log[1], "\n", "{\"files"] {
        assert!(replayer.replay_agreeing(&mut reader, line.as_bytes()).is_none());
        assert_eq!(replayer.workspace().files().count(), files, "{line}");
    }
    assert!(replayer.replay_agreeing(&mut reader, b"{\"files\":{},").is_none());
    assert_eq!(replayer.workspace().files().count(), files + 1);
}

/// Its lines may be others, and mean something else.
#[test]
fn a_later_version_is_read() {
    let log = String::from_utf8(log()).unwrap().replacen("\"version\":\"1.0\"", "\"version\":\"1.7\"", 1);
    let (replayed, read) = passing_over(log.as_bytes());
    assert!(read.is_ok());
    assert_eq!((replayed.passed_over, replayed.comparisons.len()), (0, 50));
}
