//! Logs whose end was lost.

use dispatch_core::session::{End, Header, Item, Reader, Recorder, TornKind};
use dispatch_core::workspace::MemoryWorkspace;

use crate::support::{call, fifty_calls, gates, how, lines, read, record_stream, replay};

fn log() -> Vec<u8> {
    record_stream(gates(), &fifty_calls()).0
}

/// How many calls with an outcome a log holds, and how it ends.
fn count(log: &[u8]) -> (usize, usize, End) {
    let (items, end) = read(log).unwrap();
    let headers = items.iter().filter(|item| matches!(item, Item::Header(_))).count();
    (headers, items.len() - headers, end)
}

/// What a reader that has come so far makes of a last line.
fn read_last(before: &Reader, line: &[u8]) -> (usize, End) {
    let mut reader = before.clone();
    let items = if line.is_empty() { 0 } else { reader.push(line).unwrap().count() };
    (items, reader.finish())
}

/// Cut anywhere, a log gives what stands there whole, and nothing else. What lacks its line feed alone is whole.
#[test]
fn a_log_cut_at_any_byte_loses_at_most_the_line_that_was_being_written() {
    let log = log();
    assert_eq!(count(&log).1, 50);
    let mut before = Reader::default();
    let (mut headers, mut outcomes, mut intact) = (0, 0, 0);
    for (whole_lines, line) in log.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let intents = whole_lines.saturating_sub(1).div_ceil(2);
        assert_eq!((headers, outcomes), (whole_lines.min(1), whole_lines.saturating_sub(1) / 2));
        for length in 0..line.len() - 1 {
            let (items, end) = read_last(&before, &line[..length]);
            assert_eq!(items, 0, "{whole_lines}: {length}");
            let torn = end.torn.map(|torn| (torn.line, usize::try_from(torn.intact_bytes).unwrap(), torn.kind));
            assert_eq!(torn, (length > 0).then_some((whole_lines + 1, intact, TornKind::NotEnded)));
            assert_eq!(end.interrupted.is_some(), intents > outcomes);
            assert_eq!(end.last_number, u64::try_from(intents).unwrap());
        }
        let (whole, unended) = (read_last(&before, line), read_last(&before, &line[..line.len() - 1]));
        assert_eq!(format!("{unended:?}"), format!("{whole:?}"), "{whole_lines}");
        for item in before.push(line).unwrap() {
            match item {
                Item::Header(_) => headers += 1,
                Item::Entry(_) => outcomes += 1,
            }
        }
        intact += line.len();
    }
    assert_eq!((headers, outcomes, intact), (1, 50, log.len()));
}

/// A part of any other text may be JSON: only of an object is it known that nothing is missing.
#[test]
fn what_is_no_object_is_torn_without_its_line_feed() {
    for tail in ["1", "[]", "\"a\"", " ", "{}x"] {
        let end = count(&[&log()[..], tail.as_bytes()].concat()).2;
        assert_eq!(end.torn.unwrap().kind, TornKind::NotEnded, "{tail:?}");
    }
}

/// A file system that lost what was written may leave zeros in its place.
#[test]
fn zeros_at_the_end_are_a_torn_line() {
    let log = log();
    let whole = lines(&log).len();
    for tail in ["\0", "\0\0\0\0\n", "{\"intent\":\0\0\0", "{\"inte\0\0\n", "{\"intent\":51,\"ca\n\0\0\0\n\0\0"] {
        let damaged = [&log[..], tail.as_bytes()].concat();
        let (_, outcomes, end) = count(&damaged);
        let torn = end.torn.unwrap();
        assert_eq!(
            (outcomes, torn.line, usize::try_from(torn.intact_bytes).unwrap()),
            (50, whole + 1, log.len()),
            "{tail:?}"
        );
    }
}

#[test]
fn a_torn_line_says_where_the_log_is_to_be_cut_off() {
    let log = log();
    let torn = |tail: &str| count(&[&log[..], tail.as_bytes()].concat()).2.torn.unwrap().to_string();
    let (line, bytes) = (lines(&log).len() + 1, log.len());
    let passed_over = format!("line {line} was not written whole and is passed over:");
    assert_eq!(torn("{\"a"), format!("{passed_over} the line has no end; the first {bytes} bytes are intact"));
    assert_eq!(
        torn("nul\n"),
        format!(
            "{passed_over} the line is not JSON (column 4: the input ends in the middle of a word); the first {bytes} bytes are intact"
        )
    );
}

#[test]
fn nothing_is_a_log_without_a_call() {
    let (headers, outcomes, end) = count(b"");
    assert_eq!((headers, outcomes, end.last_number), (0, 0, 0));
    assert!(end.torn.is_none() && end.interrupted.is_none());
    assert_eq!(count(b"\n \n").0, 0);
}

/// A later session goes on in the same log, its calls numbered on; the call that was interrupted is one that nobody knows.
#[test]
fn a_log_goes_on_after_a_crash() {
    let whole = log();
    let before = whole.len() - lines(&whole).last().unwrap().len() - 1;
    let mut log = whole[..before].to_vec();
    let end = count(&log).2;
    let mut workspace = MemoryWorkspace::from_iter([("kept", "1")]);
    let header = Header::new(&gates(), workspace.clone());
    let mut recorder = Recorder::resume(&header, end.last_number, |line: &[u8]| {
        log.extend_from_slice(line);
        Ok::<_, std::convert::Infallible>(())
    })
    .unwrap();
    recorder.intend(call("read_file", r#"{"path":"kept"}"#)).unwrap().run(&gates(), &mut workspace);
    drop(recorder);

    let (headers, entries, end) = count(&log);
    assert_eq!((headers, entries, end.last_number), (2, 51, 51));
    let how = how(&log);
    assert_eq!(how.iter().filter(|how| **how == dispatch_core::session::How::Unknown).count(), 1);
    assert!(replay(&log).0.iter().all(|comparison| comparison.differences.is_empty()));
}

#[test]
fn an_interrupted_call_has_no_outcome_to_accept() {
    let log = log();
    let cut = &log[..log.len() - lines(&log).last().unwrap().len() - 1];
    let mut reader = Reader::default();
    let mut replayer = None;
    for line in cut.split_inclusive(|byte| *byte == b'\n') {
        for item in reader.push(line).unwrap() {
            match item {
                Item::Header(header) => {
                    replayer = Some(dispatch_core::session::Replayer::new(crate::support::registry(), &header));
                }
                Item::Entry(entry) => drop(replayer.as_mut().unwrap().replay(&entry)),
            }
        }
    }
    let interrupted = reader.finish().interrupted.unwrap();
    let mut replayer = replayer.unwrap();
    let before = dispatch_core::session::WorkspaceDigest::of(replayer.workspace()).value();
    replayer.replay(&interrupted);
    assert!(replayer.outcome_line().is_empty());
    assert_eq!(dispatch_core::session::WorkspaceDigest::of(replayer.workspace()).value(), before);
}
