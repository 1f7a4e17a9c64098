//! Many logs at a time.

use std::fs;

use insta::assert_snapshot;
use tempfile::TempDir;

use super::{REQUESTS, changed, of_an_earlier_build, record};
use crate::{dispatch, stderr, stdout};

/// A folder of logs: one that agrees, one that diverges, one that is damaged, and what is no log.
fn folder() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let log = record(REQUESTS);
    for (name, text) in [
        ("b.jsonl", of_an_earlier_build().as_str()),
        ("a.jsonl", &log),
        ("c.jsonl", &changed(&log, 4, "{", "[")),
        ("d.jsonl", &changed(&log, 1, "\"version\":\"1.0\"", "\"version\":\"1.7\"")),
        ("notes.txt", "no log"),
    ] {
        fs::write(directory.path().join(name), text).unwrap();
    }
    directory
}

fn replay_in(directory: &TempDir, args: &[&str]) -> assert_cmd::assert::Assert {
    dispatch(&["replay"]).current_dir(directory).args(args).assert()
}

#[test]
fn each_log_of_a_folder_gives_a_line() {
    let directory = folder();
    let report = replay_in(&directory, &["."]).code(2);
    assert_snapshot!(stdout(&report));
    assert_eq!(
        stderr(&report),
        "dispatch: ./d.jsonl, line 1: the log has format 1.7, which is later than 1.1: what it adds is passed over\n"
    );
    let report = replay_in(&directory, &["--json", "."]).code(2);
    assert_snapshot!(stdout(&report));
}

#[test]
fn the_order_is_that_of_the_arguments_however_many_run_at_a_time() {
    let directory = folder();
    for jobs in ["1", "2", "7"] {
        let report = replay_in(&directory, &["--jobs", jobs, "b.jsonl", "a.jsonl", "b.jsonl"]).code(1).stderr("");
        let names: Vec<_> = stdout(&report).lines().map(|line| line.chars().take(8).collect::<String>()).collect();
        assert_eq!(names, ["b.jsonl:", "a.jsonl:", "b.jsonl:", "3 logs: "]);
    }
    replay_in(&directory, &["a.jsonl", "a.jsonl"]).code(0);
    replay_in(&directory, &["--jobs", "1", "a.jsonl"])
        .code(0)
        .stdout("a.jsonl: 5 calls: 5 agree, 0 diverge\n1 log: 1 agree, 0 diverge, 0 can't be replayed\n");
}

#[test]
fn a_log_that_is_not_there_does_not_stop_the_others() {
    let report = stdout(&replay_in(&folder(), &["gone.jsonl", "a.jsonl"]).code(2).stderr(""));
    assert!(report.starts_with("gone.jsonl: can't be replayed: can't read gone.jsonl: "), "{report}");
    assert!(report.contains("\na.jsonl: 5 calls: 5 agree"), "{report}");
}

#[test]
fn a_folder_without_logs_is_told() {
    let directory = tempfile::tempdir().unwrap();
    replay_in(&directory, &["."]).code(2).stdout("").stderr("dispatch: . holds no file whose name ends in .jsonl\n");
}

#[test]
fn what_is_about_one_log_is_refused() {
    let directory = folder();
    for args in [
        ["--all"].as_slice(),
        &["--show"],
        &["--stats"],
        &["--accept"],
        &["--from", "1"],
        &["--check", "--provider", "auto"],
    ] {
        let told = stderr(
            &replay_in(&directory, &["a.jsonl", "b.jsonl"].iter().chain(args).copied().collect::<Vec<_>>()).code(2),
        );
        assert_eq!(told, format!("dispatch: {}: the option is for one file, and there are several\n", args[0]));
    }
}

/// A pipe to which nobody writes is not waited for where nobody named it.
#[cfg(unix)]
#[test]
fn what_is_no_file_is_told_and_not_waited_for() {
    let directory = folder();
    for name in ["b.jsonl", "c.jsonl", "d.jsonl"] {
        fs::remove_file(directory.path().join(name)).unwrap();
    }
    std::os::unix::fs::symlink("/dev/zero", directory.path().join("b.jsonl")).unwrap();
    std::os::unix::fs::symlink("nowhere", directory.path().join("c.jsonl")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(directory.path().join("d.jsonl")).status().unwrap();
    assert!(made.success());
    let report = stdout(&replay_in(&directory, &["."]).code(2).stderr(""));
    for name in ["b", "d"] {
        let told = format!("\n./{name}.jsonl: can't be replayed: can't read ./{name}.jsonl: it is no file\n");
        assert!(report.contains(&told), "{report}");
    }
    assert!(report.contains("\n./c.jsonl: can't be replayed: can't read ./c.jsonl: "), "{report}");
}
