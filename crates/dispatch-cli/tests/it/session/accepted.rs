//! The past, with today's outcomes in it.

use std::fs;
use std::path::Path;

use super::{REQUESTS, changed, log_file, of_an_earlier_build, record, replay};
use crate::{dispatch, stderr};

fn accept(file: &Path, more: &[&str]) -> assert_cmd::assert::Assert {
    dispatch(&["replay", "--accept", file.to_str().unwrap()]).args(more).assert()
}

/// All that differs between two logs is the outcomes of these lines.
fn expect_changed(before: &str, after: &str, lines: &[usize]) {
    let differing: Vec<_> =
        (1..).zip(before.lines().zip(after.lines())).filter(|(_, (a, b))| a != b).map(|(line, _)| line).collect();
    assert_eq!((differing.as_slice(), before.lines().count()), (lines, after.lines().count()));
}

#[test]
fn what_is_accepted_agrees_and_nothing_else_changes() {
    let log = of_an_earlier_build().replace("\"host\":{\"duration_us\":41}", "\"host\":{ \"duration_us\" : 4.10e1 }");
    let (directory, file) = log_file(&log);
    let accepted = directory.path().join("session.jsonl.accepted");
    let told = format!("3 calls: 1 agree, 2 accepted; written to {}\n", accepted.display());
    accept(&file, &[]).code(0).stderr("").stdout(told);
    assert_eq!(fs::read_to_string(&file).unwrap(), log);
    let after = fs::read_to_string(&accepted).unwrap();
    expect_changed(&log, &after, &[5, 7]);
    assert_eq!(after.matches("\"host\":{ \"duration_us\" : 4.10e1 }").count(), 3);
    replay(&[], &after).code(0);
}

#[test]
fn a_log_is_rewritten_in_place_where_that_is_asked_for() {
    let (directory, file) = log_file(&of_an_earlier_build());
    accept(&file, &["--in-place"]).code(0).stderr("");
    replay(&[], &fs::read_to_string(&file).unwrap()).code(0);
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
}

/// A spelling of somebody else's, lines of white space, an outcome that is not there and a torn end are no outcomes that differ.
#[test]
fn what_does_not_differ_stands_letter_by_letter() {
    let log = changed(&record(REQUESTS), 3, "\"outcome\":1", " \"outcome\" : 1 ");
    let log = log.replacen('\n', "\n\n", 1);
    let torn: String = log.split_inclusive('\n').take(11).collect::<String>() + "{\"files\":";
    let (directory, file) = log_file(&torn);
    let report = accept(&file, &[]).code(0);
    assert!(stderr(&report).contains("line 12 was not written whole"), "{}", stderr(&report));
    assert_eq!(fs::read_to_string(directory.path().join("session.jsonl.accepted")).unwrap(), torn);
}

#[test]
fn where_it_fails_nothing_is_written() {
    let log = of_an_earlier_build();
    for (log, why) in [
        (changed(&log, 6, "{", "["), "line 6: the line is not JSON"),
        (changed(&log, 1, "\"name\":\"patch_file\"", "\"name\":\"mend_file\""), "the tool `mend_file` was there"),
        (changed(&log, 1, "\"version\":\"1.0\"", "\"version\":\"1.7\""), "the log is of a later format"),
    ] {
        let (directory, file) = log_file(&log);
        for more in [[].as_slice(), &["--in-place"]] {
            let told = stderr(&accept(&file, more).code(2).stdout(""));
            assert!(told.contains(why), "{told}");
        }
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
        assert_eq!(fs::read_to_string(&file).unwrap(), log);
    }
    replay(&["--accept"], &log)
        .code(2)
        .stderr("dispatch: --accept: standard input can't be written: give the log as a file\n");
}

#[test]
fn a_log_that_is_recorded_to_is_left_alone() {
    let (_directory, file) = log_file(&of_an_earlier_build());
    let recording = fs::File::options().append(true).open(&file).unwrap();
    recording.try_lock().unwrap();
    let told = stderr(&accept(&file, &["--in-place"]).code(2).stdout(""));
    assert!(told.ends_with("is being recorded to: try again when that has ended\n"), "{told}");
    accept(&file, &[]).code(0);
}

#[cfg(unix)]
#[test]
fn what_was_for_its_owner_stays_so() {
    use std::os::unix::fs::PermissionsExt as _;
    let (directory, file) = log_file(&of_an_earlier_build());
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    accept(&file, &[]).code(0);
    let accepted = fs::metadata(directory.path().join("session.jsonl.accepted")).unwrap();
    assert_eq!(accepted.permissions().mode() & 0o777, 0o600);
}
