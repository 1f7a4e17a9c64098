//! What was changed in a log is found by its replay.

use serde_json::Value;

use crate::support::{differing_paths, entries, fifty_calls, gates, lines, record_stream, replay};

const OTHER_DIGEST: &str = "sha256:0000000000000000000000000000000000000000000000000000000000000000";

fn log() -> Vec<String> {
    lines(&record_stream(gates(), &fifty_calls()).0)
}

/// The paths at which a replay differs once a line was changed.
fn found(line: usize, from: &str, to: &str) -> Vec<String> {
    let mut log = log();
    assert!(log[line - 1].contains(from), "{}", log[line - 1]);
    log[line - 1] = log[line - 1].replacen(from, to, 1);
    differing_paths((log.join("\n") + "\n").as_bytes())
}

#[test]
fn every_member_of_an_outcome_is_compared() {
    for (from, to, expected) in [
        ("\"stage\":\"ran\"", "\"stage\":\"valid\"", "1 $.stage"),
        ("\"observation\":\"File", "\"observation\":\"Fine", "1 $.result.observation"),
        ("\"tool\":\"write_file\"", "\"tool\":\"write\"", "1 $.result.tool"),
        ("\"status\":\"ok\"", "\"id\":\"7\",\"status\":\"ok\"", "1 $.result.id"),
        ("\"files\":{", &format!("\"files\":{{\"f9\":null,\"f8\":\"{OTHER_DIGEST}\","), "1 $.files.f8"),
        ("\"stage\"", "\"shown\":{\"max_output_bytes\":1,\"text_bytes\":1},\"stage\"", "1 $.shown"),
    ] {
        assert_eq!(found(3, from, to), [expected], "{from}");
    }
}

#[test]
fn every_digest_of_an_outcome_is_compared() {
    for (member, expected) in [("\"f0\":\"", "1 $.files.f0"), ("\"workspace\":\"", "1 $.workspace")] {
        let digest = |digest: &str| format!("{member}{digest}");
        let line = log().remove(2);
        let recorded = line.split_once(member).unwrap().1.get(..OTHER_DIGEST.len()).unwrap();
        assert_eq!(found(3, &digest(recorded), &digest(OTHER_DIGEST)), [expected]);
    }
}

/// What is spelled otherwise, or is the host's, is no difference.
#[test]
fn what_means_the_same_is_the_same() {
    for (from, to) in [
        ("\"observation\":\"File", "\"observation\" : \"\\u0046ile"),
        ("\"host\":{}", "\"host\":{\"time\":\"never\"}"),
        (",\"host\":{}", ""),
        ("\"outcome\":1", "\"outcome\":1.0"),
    ] {
        assert!(found(3, from, to).is_empty(), "{from}");
    }
    assert!(found(1, "\"host\":{}", "\"host\":[1]").is_empty());
    assert!(found(2, "\"host\":{}", "\"host\":7").is_empty());
}

#[test]
fn a_call_that_was_changed_moves_what_follows() {
    let paths = found(2, "line 0", "line nil");
    assert_eq!(paths[..2], ["1 $.files.f0", "1 $.workspace"]);
    assert!(paths.iter().any(|path| path == "2 $.workspace"), "{paths:?}");
    let (comparisons, _) = replay((log().join("\n") + "\n").as_bytes());
    assert_eq!(comparisons.len(), 50);
}

/// The lines of today's outcomes make a log that agrees with today.
#[test]
fn todays_outcomes_can_be_accepted() {
    let mut log = log();
    log[1] = log[1].replacen("line 0", "line nil", 1);
    log[2] = log[2].replacen("\"host\":{}", "\"host\":{\"time\":\"then\"}", 1);
    let text = log.join("\n") + "\n";
    let mut replayer =
        dispatch_core::session::Replayer::new(crate::support::registry(), &crate::support::header(text.as_bytes()));
    let mut accepted = log[0].clone() + "\n";
    for entry in entries(text.as_bytes()) {
        replayer.replay(&entry);
        accepted += entry.intent.line();
        accepted.push('\n');
        accepted += std::str::from_utf8(replayer.outcome_line()).unwrap();
    }
    assert!(accepted.contains("\"host\":{\"time\":\"then\"}"));
    assert!(!differing_paths(text.as_bytes()).is_empty());
    assert!(differing_paths(accepted.as_bytes()).is_empty());
}

#[test]
fn an_entry_can_be_looked_at() {
    let log = log().join("\n") + "\n";
    let entries = entries(log.as_bytes());
    let [first, second] = [&entries[0], &entries[1]];
    assert_eq!((first.number, first.line, second.line), (1, 2, 4));
    let outcome = first.outcome.as_ref().unwrap();
    assert_eq!(outcome.observation().as_deref(), Some("File written: f0"));
    assert_eq!((first.code(), outcome.refused_at()), (None, None));
    assert!(outcome.files()["f0"].as_str().unwrap().starts_with("sha256:"));
    assert!(outcome.workspace().unwrap().starts_with("sha256:"));
    assert!(outcome.shown().is_none());
    assert_eq!(outcome.host(), Value::Object(serde_json::Map::new()));
    assert!(log.contains(&format!("\n{}\n{}\n", first.intent.line(), outcome.line())));
}

/// A host reads on one thread and replays on another.
#[test]
fn what_was_read_can_be_sent() {
    fn sendable<T: Send>() {}
    sendable::<dispatch_core::session::Item>();
    sendable::<dispatch_core::session::Reader>();
    sendable::<dispatch_core::session::Replayer>();
    sendable::<dispatch_core::session::Comparison>();
}

/// What a call wrote can be shown.
#[test]
fn the_texts_from_before_are_kept() {
    let call = |tool: &str, args: &str| crate::support::request(tool, args);
    let write = |content: &str| call("write_file", &format!(r#"{{"path":"a","content":"{content}"}}"#));
    let missing = call("patch_file", r#"{"path":"a","old_str":"z","new_str":""}"#);
    let (log, _) = record_stream(gates(), &[write("1"), missing, write("2")]);
    let before: Vec<Vec<_>> = replay(&log).0.into_iter().map(|found| found.before.into_iter().collect()).collect();
    let a = |text: Option<&str>| ("a".to_owned(), text.map(str::to_owned));
    assert_eq!(before, [vec![a(None)], vec![], vec![a(Some("1"))]]);
}
