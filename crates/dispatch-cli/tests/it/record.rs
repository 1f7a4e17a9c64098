//! `dispatch dispatch --record`: what is in the log, and what becomes of one that can't be written.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use assert_cmd::assert::Assert;
use insta::assert_snapshot;
use serde_json::Value;

use crate::{dispatch, read_request, stderr, stdout};

const WRITE: &str = r#"{"op":"dispatch","call":{"id":"c1","tool":"write_file","args":{"path": "a", "content": "é"}}}"#;
const MESSAGE: &str = r#"{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"write_file","input":{"path":"a","content":"x"}},{"type":"tool_use","id":"t2","name":"gone","input":{}}]}"#;

struct Place {
    folder: tempfile::TempDir,
    log: PathBuf,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("session.jsonl");
        Self { folder, log }
    }

    fn name(&self) -> &str {
        self.log.to_str().unwrap()
    }

    /// Runs `dispatch dispatch --record` with further arguments on an input.
    fn record(&self, args: &[&str], input: &str) -> Assert {
        dispatch(&["dispatch", "--record", self.name()]).args(args).write_stdin(input).assert()
    }

    fn text(&self) -> String {
        fs::read_to_string(&self.log).unwrap()
    }

    /// The log without its tools and the host's facts.
    fn told(&self) -> String {
        self.text().lines().map(|line| without_facts(line) + "\n").collect()
    }
}

fn without_facts(line: &str) -> String {
    let (before, facts) = line.split_once(r#""host":{""#).unwrap();
    let (_, after) = facts.split_once("},").unwrap();
    let (after, version) = after
        .split_once(r#""tools":["#)
        .map_or((after, ""), |(before, tools)| (before, &tools[tools.rfind(r#""version":"#).unwrap()..]));
    format!("{before}{after}{version}")
}

#[test]
fn a_stream_is_a_header_and_two_lines_for_each_call() {
    let place = Place::new();
    let input = [
        WRITE,
        "",
        r#"{"op":"workspace"}"#,
        r#"{"op":"dispatch","permissions":[],"call":{"tool":"read_file","args":{"path":"a"}}}"#,
        r#"{"op":"dispatch","limits":{"max_output_bytes":3},"workspace":{"b":"long"},"call":{"tool":"read_file","args":{"path":"b"}}}"#,
        r#"{"op":7}"#,
        r#"{"op":"dispatch","call":{"tool":"gone","args":{}}}"#,
    ];
    let args = ["--stream", "--keep-going"];
    let unrecorded = dispatch(&["dispatch"]).args(args).write_stdin(input.join("\n")).assert().code(1);
    place.record(&args, &input.join("\n")).code(1).stdout(stdout(&unrecorded)).stderr("");
    assert_snapshot!(place.told());
}

#[test]
fn one_request_brings_its_workspace() {
    let place = Place::new();
    let unrecorded = dispatch(&["dispatch"]).write_stdin(read_request(r#""x""#)).assert().code(0);
    place.record(&["--sync"], &read_request(r#""x""#)).code(0).stdout(stdout(&unrecorded)).stderr("");
    assert_snapshot!(place.told());
}

#[test]
fn what_is_no_call_is_not_recorded() {
    let place = Place::new();
    place.record(&[], r#"{"op":"?"}"#).code(1).stdout("");
    assert_eq!(place.text().lines().count(), 1);
    let done = r#"{"role":"assistant","content":"done"}"#;
    place.record(&["--provider", "anthropic"], done).code(0).stdout("");
    assert_eq!(place.text().lines().count(), 1);
}

#[test]
fn a_provider_s_calls_are_recorded_in_its_own_words_too() {
    let place = Place::new();
    place.record(&["--provider", "anthropic", "--strict"], MESSAGE).code(0).stderr("");
    assert_snapshot!(place.told());
}

#[test]
fn the_next_session_has_a_header_of_its_own_and_counts_on() {
    let place = Place::new();
    place.record(&["--stream"], WRITE).code(0);
    place.record(&["--provider", "anthropic"], MESSAGE).code(0).stderr("");
    let starts: Vec<_> = place.told().lines().map(|line| line[..12].to_owned()).collect();
    assert_eq!(starts.iter().filter(|start| *start == r#"{"explains":"#).count(), 2);
    for number in 1..=3 {
        assert_eq!(place.text().matches(&format!(r#""intent":{number}"#)).count(), 1);
    }
}

#[test]
fn facts_of_the_host_stand_apart() {
    let place = Place::new();
    place.record(&[], &read_request(r#""x""#)).code(0);
    let facts: Vec<Value> =
        place.text().lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["host"].take()).collect();
    let names = |facts: &Value| facts.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(facts.iter().map(names).collect::<Vec<_>>(), ["program time version", "time", "duration_us"]);
}

#[test]
fn a_torn_last_line_is_mended_and_told() {
    let place = Place::new();
    place.record(&["--stream"], WRITE).code(0);
    let whole = place.text();
    let intent_end = whole.trim_end().rfind('\n').unwrap() + 1;
    fs::write(&place.log, &whole[..whole.len() - 9]).unwrap();
    let cut = whole.len() - 9 - intent_end;
    let told =
        format!("dispatch: {}: its last line was not written to its end, and is cut off: {cut} bytes\n", place.name());
    place.record(&["--stream"], WRITE).code(0).stderr(told);
    assert!(place.text().starts_with(&whole[..intent_end]));
    assert!(place.text()[intent_end..].starts_with(r#"{"explains":"#));

    let whole = place.text();
    fs::write(&place.log, whole.trim_end()).unwrap();
    let told = format!("dispatch: {}: its last line was whole but not ended, and is now\n", place.name());
    place.record(&["--stream"], "").code(0).stderr(told);
    assert!(place.text().starts_with(&whole));
}

/// Holds a log for as long as it lives.
struct Holder(std::process::Child);

impl Holder {
    fn of(place: &Place) -> Self {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("dispatch"))
            .args(["dispatch", "--stream", "--record", place.name()])
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        writeln!(child.stdin.as_mut().unwrap(), "{WRITE}").unwrap();
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut [0]).unwrap();
        Self(child)
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn of_two_writers_the_second_is_refused() {
    let place = Place::new();
    let holder = Holder::of(&place);
    let before = place.text();
    let told = format!(
        "can't record to {}: another process records to it. Wait until it has ended, or give another file",
        place.name()
    );
    place.record(&["--stream"], WRITE).code(2).stdout("").stderr(format!("dispatch: {told}\n"));
    place.record(&[], &read_request(r#""x""#)).code(2).stdout("");
    place.record(&["--provider", "anthropic"], MESSAGE).code(2).stdout("");
    let answered = place.record(&["--stream", "--record-optional"], WRITE).code(0);
    assert_eq!(stderr(&answered), format!("dispatch: {told}; going on without a log\n"));
    assert!(stdout(&answered).contains("File written"));
    assert_eq!(place.text(), before);
    // A lock ends with its process, however that ends.
    drop(holder);
    place.record(&["--stream"], WRITE).code(0).stderr("");
}

fn refused(log: &Path, expected: &str) {
    let name = log.to_str().unwrap();
    let args = ["dispatch", "--stream", "--record", name];
    let told = format!("dispatch: can't record to {name}: {expected}");
    let refused = dispatch(&args).write_stdin(WRITE).assert().code(2).stdout("");
    assert!(stderr(&refused).starts_with(&told), "{}", stderr(&refused));
    let answered = dispatch(&args).arg("--record-optional").write_stdin(WRITE).assert().code(0);
    assert!(stderr(&answered).starts_with(&told) && stderr(&answered).ends_with("; going on without a log\n"));
    assert_eq!(stderr(&answered).lines().count(), 1);
    assert!(stdout(&answered).contains("File written"));
}

#[test]
fn a_log_that_can_t_be_written_stops_the_session_before_anything() {
    let place = Place::new();
    refused(&place.folder.path().join("missing/log"), "");
    refused(place.folder.path(), "");
    fs::write(&place.log, "notes of my own\n").unwrap();
    refused(&place.log, "it is no session log. Give a file that is empty or not there yet");
    assert_eq!(place.text(), "notes of my own\n");
}

#[test]
fn a_log_of_another_version_is_not_added_to() {
    let place = Place::new();
    place.record(&["--stream"], WRITE).code(0);
    let written = place.text();
    for (version, expected) in [
        ("0.9", "line 1: the log has format 0.9, and this program reads 1: use an earlier version"),
        ("2.0", "line 1: the log has format 2.0, and this program reads 1: use a later version"),
    ] {
        fs::write(
            &place.log,
            written.replace(r#""version":"1.0","workspace""#, &format!(r#""version":"{version}","workspace""#)),
        )
        .unwrap();
        refused(&place.log, expected);
    }
    let newer = written.replace(r#""version":"1.0","workspace""#, r#""version":"1.9","workspace""#);
    fs::write(&place.log, newer).unwrap();
    place.record(&["--stream"], WRITE).code(0).stderr("");
}

#[test]
fn the_workspace_is_not_written_over_the_log() {
    let place = Place::new();
    let args = ["--provider", "anthropic", "--workspace-out", place.name()];
    place.record(&args, MESSAGE).code(2).stdout("");
    place.record(&args, MESSAGE).code(2).stdout("");
    assert_eq!(place.text(), "");
}

#[test]
fn what_goes_with_a_log_needs_one() {
    for option in ["--record-optional", "--sync"] {
        dispatch(&["dispatch", option]).write_stdin(read_request(r#""x""#)).assert().code(2).stdout("");
    }
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;
    use crate::full_disk::dispatch_within;

    #[test]
    fn a_new_log_is_for_its_owner_alone_whatever_the_umask() {
        for mask in ["0000", "0022", "0077", "0277"] {
            let place = Place::new();
            let program = assert_cmd::cargo::cargo_bin!("dispatch");
            let mut shell = assert_cmd::Command::new("/bin/sh");
            shell.env_clear().args(["-c", &format!("umask {mask} && exec \"$0\" \"$@\"")]).arg(program);
            shell
                .args(["dispatch", "--stream", "--record", place.name()])
                .write_stdin(WRITE)
                .assert()
                .code(0)
                .stderr("");
            assert_eq!(fs::metadata(&place.log).unwrap().permissions().mode() & 0o777, 0o600, "{mask}");
        }
    }

    #[test]
    fn a_full_disk_stops_a_provider_s_turn_with_nothing_written() {
        let place = Place::new();
        let (out, large) = (place.folder.path().join("out.json"), "x".repeat(20_000));
        let message = MESSAGE.replace(r#""content":"x""#, &format!(r#""content":"{large}""#));
        let args =
            ["dispatch", "--provider", "anthropic", "--workspace-out", out.to_str().unwrap(), "--record", place.name()];
        let told = dispatch_within(16, &args).write_stdin(message.clone()).assert().code(2).stdout("");
        let expected = format!(
            "dispatch: the call of `write_file` could not be recorded, and did not run: can't record to {}: ",
            place.name()
        );
        assert!(stderr(&told).starts_with(&expected), "{}", stderr(&told));
        assert!(!out.exists());
        assert_eq!(place.text().lines().count(), 1);
        assert!(place.text().ends_with("}\n"));
    }

    #[test]
    fn a_call_whose_outcome_is_not_kept_is_not_answered() {
        let large = WRITE.replace('é', &"x".repeat(6000));
        let read = r#"{"op":"dispatch","call":{"tool":"read_file","args":{"path":"a"}}}"#;
        let whole = Place::new();
        whole.record(&["--stream"], &large).code(0);
        let room = whole.text().len() as u64 / 1024 + 2;
        let place = Place::new();
        let args = ["dispatch", "--stream", "--record", place.name()];
        let told = dispatch_within(room, &args).write_stdin(format!("{large}\n{read}\n{read}\n")).assert().code(2);
        let expected = format!(
            "dispatch: what came of the last call could not be recorded, and is not answered: can't record to {}: ",
            place.name()
        );
        assert!(stderr(&told).starts_with(&expected), "{}", stderr(&told));
        assert_eq!(stdout(&told).lines().count(), 1);
        assert_eq!(place.text().lines().count(), 4);
        assert!(place.text().ends_with("}\n"));
    }

    #[test]
    fn an_optional_log_is_given_up_once_and_keeps_what_it_has() {
        let place = Place::new();
        let large = WRITE.replace('é', &"x".repeat(20_000));
        let args = ["dispatch", "--stream", "--record-optional", "--record", place.name()];
        let input = [WRITE, &large, WRITE].join("\n");
        let answered = dispatch_within(16, &args).write_stdin(input).assert().code(0);
        assert_eq!(stdout(&answered).lines().count(), 3);
        assert_eq!(stderr(&answered).lines().count(), 1);
        assert!(stderr(&answered).ends_with("; going on without a log\n"));
        assert_eq!(place.text().lines().count(), 3);
        assert!(place.text().ends_with("}\n"));
    }
}

#[test]
fn standard_output_is_no_log() {
    let folder = tempfile::tempdir().unwrap();
    let record = |log: &str| {
        dispatch(&["dispatch", "--stream", "--record", log]).current_dir(folder.path()).write_stdin(WRITE).assert()
    };
    let told = stderr(&record("-").code(2).stdout(""));
    assert!(told.contains("it must be a file; one of this name is `./-`"), "{told}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    record("./-").code(0);
    assert!(folder.path().join("-").is_file());
}

/// The call after the log went is not run, or without a log where that was allowed.
#[cfg(unix)]
#[test]
fn a_log_that_is_removed_stops_the_session() {
    use std::io::{BufRead as _, BufReader, Read as _};
    for optional in [false, true] {
        let place = Place::new();
        let mut child = Command::new(env!("CARGO_BIN_EXE_dispatch"))
            .args(["dispatch", "--stream", "--record", place.name()])
            .args(optional.then_some("--record-optional"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
        writeln!(input, "{WRITE}").unwrap();
        assert!(answers.next().unwrap().unwrap().contains("File written"));
        fs::remove_file(&place.log).unwrap();
        writeln!(input, "{WRITE}").unwrap();
        drop(input);
        assert_eq!(answers.count(), usize::from(optional));
        let mut told = String::new();
        child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
        assert_eq!(child.wait().unwrap().success(), optional, "{told}");
        assert!(told.contains("it has no name any longer"), "{told}");
    }
}

#[test]
fn of_folders_that_are_not_there_the_first_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("no/such/log");
    let report =
        dispatch(&["dispatch", "--stream", "--record", log.to_str().unwrap()]).write_stdin("").assert().code(2);
    let (log, folder) = (log.display(), directory.path().join("no"));
    let expected = format!("dispatch: can't record to {log}: there is no folder {}. Make it first\n", folder.display());
    assert_eq!(crate::stderr(&report), expected);
}

/// What is printed would stand in the log, or over it.
#[cfg(unix)]
#[test]
fn a_standard_stream_is_no_log() {
    let place = Place::new();
    place.record(&[], &read_request(r#""x""#)).code(0);
    let before = place.text();
    let run = |name: &str, set: fn(&mut Command, fs::File)| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dispatch"));
        command.args(["dispatch", "--record", name]).stdin(Stdio::null());
        set(&mut command, fs::OpenOptions::new().read(true).append(true).open(&place.log).unwrap());
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let told = |name: &str, stream: &str| {
        format!("dispatch: can't record to {name}: {stream} is the same file. Give another file\n")
    };
    let [stdin, stdout]: [fn(&mut Command, fs::File); 2] =
        [|command, file| _ = command.stdin(file), |command, file| _ = command.stdout(file)];
    let name = place.name();
    assert_eq!(run(name, stdin), (Some(2), told(name, "standard input")));
    assert_eq!(run(name, stdout), (Some(2), told(name, "standard output")));
    assert_eq!(run("/dev/stdout", stdout), (Some(2), told("/dev/stdout", "standard output")));
    assert_eq!(place.text(), before);
    run(name, |command, file| _ = command.stderr(file));
    assert_eq!(place.text(), before + &told(name, "standard error"));
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_told_as_one() {
    let place = Place::new();
    std::os::unix::fs::symlink("nowhere", &place.log).unwrap();
    let told = stderr(&place.record(&[], WRITE).code(2).stdout(""));
    assert!(told.contains(": it is a link, and nothing is where it leads. "), "{told}");
}
