//! `--root`, `--tool`, `--read-only` and `--dry-run`: calls on a directory, and for people at a shell.

use std::fs;
use std::path::Path;

use assert_cmd::assert::Assert;
use predicates::prelude::*;
use tempfile::{TempDir, tempdir};

use crate::{dispatch, run, stdout};

/// A directory with a file in it.
fn folder() -> TempDir {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("a.txt"), "one\ntwo\n").unwrap();
    folder
}

/// Runs `dispatch dispatch --root FOLDER` with further words on an input.
fn at(folder: &Path, words: &[&str], input: &str) -> Assert {
    let root = folder.display().to_string();
    run(&[&["--root", root.as_str()], words].concat(), input)
}

fn text(folder: &Path) -> String {
    fs::read_to_string(folder.join("a.txt")).unwrap()
}

const WRITES: &str = r#"{"op":"dispatch","call":{"tool":"write_file","args":{"path":"a.txt","content":"new"}}}"#;
const READS: &str = r#"{"op":"dispatch","call":{"tool":"read_file","args":{"path":"a.txt","limit":1}}}"#;

#[test]
fn a_request_works_on_the_directory_and_carries_no_workspace() {
    let folder = folder();
    let answer = at(folder.path(), &[], WRITES).code(0).stderr("");
    assert_eq!(
        stdout(&answer),
        "{\"observation\":\"File written: a.txt\",\"status\":\"ok\",\"tool\":\"write_file\"}\n"
    );
    assert_eq!(text(folder.path()), "new");
}

#[test]
fn a_stream_and_a_message_work_on_the_directory() {
    let folder = folder();
    let streamed = at(folder.path(), &["--stream"], &format!("{WRITES}\n{READS}\n")).code(0).stderr("");
    assert!(stdout(&streamed).ends_with("{\"observation\":\"1: new\",\"status\":\"ok\",\"tool\":\"read_file\"}\n"));
    let message = r#"{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"write_file","input":{"path":"b/c","content":"x"}}]}"#;
    at(folder.path(), &["--provider", "anthropic"], message).code(0).stderr("");
    assert_eq!(fs::read_to_string(folder.path().join("b/c")).unwrap(), "x");
}

#[test]
fn a_request_that_brings_a_workspace_or_asks_for_it_is_refused() {
    let folder = folder();
    let brings = WRITES.replacen("\"call\"", "\"workspace\":{},\"call\"", 1);
    let told =
        || predicate::str::contains(r#""error":"invalid_request""#).and(predicate::str::contains(r#""path":"$""#));
    at(folder.path(), &[], &brings).code(1).stdout("").stderr(told());
    at(folder.path(), &["--stream"], &brings).code(1).stdout("").stderr(told());
    let unsupported = predicate::str::contains(r#""error":"unsupported_op""#);
    at(folder.path(), &["--stream"], r#"{"op":"workspace"}"#).code(1).stdout("").stderr(unsupported);
    assert_eq!(text(folder.path()), "one\ntwo\n");
}

#[test]
fn a_directory_that_is_none_ends_with_2() {
    let folder = folder();
    for name in ["gone", "a.txt"] {
        at(&folder.path().join(name), &[], READS).code(2).stdout("").stderr(predicate::str::contains("--root"));
    }
    run(&["--root", ".", "--provider", "mcp", "--workspace", "x"], "").code(2);
    run(&["--max-file-bytes", "7"], "").code(2);
}

#[test]
fn a_file_beyond_the_limit_is_too_large() {
    let folder = folder();
    at(folder.path(), &["--max-file-bytes", "8"], READS).code(0).stdout(predicate::str::contains("1: one"));
    at(folder.path(), &["--max-file-bytes", "7"], READS).code(0).stdout(predicate::str::contains("file_too_large"));
}

#[test]
fn a_call_of_words_prints_its_observation() {
    let folder = folder();
    let read = |words: &[&str]| at(folder.path(), &[&["--tool", "read_file"], words].concat(), "");
    read(&["path=a.txt", "offset=2"]).code(0).stdout("2: two\n").stderr("");
    read(&["path:=\"a.txt\"", "limit:=1"]).code(0).stdout("1: one\n").stderr("");
    at(folder.path(), &["--tool", "write_file", "path=b", "content=x"], "").code(0).stdout("File written: b\n");
    assert_eq!(fs::read_to_string(folder.path().join("b")).unwrap(), "x");
}

#[test]
fn a_call_of_words_that_fails_tells_its_code() {
    let folder = folder();
    let read = |words: &[&str]| at(folder.path(), &[&["--tool", "read_file"], words].concat(), "").stdout("");
    let told = "dispatch: file_not_found: There is no file at the path.\n  $.path: the nearest path is \"a.txt\"\n";
    read(&["path=A.txt"]).code(1).stderr(told);
    let told = "dispatch: invalid_arguments: The arguments do not fit the tool's schema.\n  \
        $.offset: expected integer or null, found string\n  $: missing field `path`\n";
    read(&["offset=two"]).code(1).stderr(told);
    read(&["path"]).code(2).stderr("dispatch: --tool: `path`: expected `KEY=VALUE` or `KEY:=JSON`\n");
    let unknown = "dispatch: --tool: there is no tool `Read`; there are patch_file, read_file, write_file\n";
    at(folder.path(), &["--tool", "Read"], "").code(2).stdout("").stderr(unknown);
}

#[test]
fn a_call_of_words_works_on_a_workspace_in_a_file() {
    let folder = folder();
    let file = folder.path().join("files.json").display().to_string();
    fs::write(&file, r#"{"a":"x"}"#).unwrap();
    let words = ["--workspace", &file, "--workspace-out", &file, "--tool", "write_file", "path=b", "content=y"];
    run(&words, "").code(0).stdout("File written: b\n");
    assert_eq!(fs::read_to_string(&file).unwrap(), "{\"a\":\"x\",\"b\":\"y\"}\n");
}

#[test]
fn read_only_is_what_tools_say_of_themselves() {
    let folder = folder();
    at(folder.path(), &["--read-only"], WRITES).code(0).stdout(predicate::str::contains("tool_not_permitted"));
    at(folder.path(), &["--read-only"], READS).code(0).stdout(predicate::str::contains("1: one"));
    let both = ["--read-only", "--allow", "write_file"];
    at(folder.path(), &both, READS).code(0).stdout(predicate::str::contains("tool_not_permitted"));
    assert_eq!(text(folder.path()), "one\ntwo\n");
}

#[test]
fn a_dry_run_shows_the_diff_and_changes_nothing() {
    let folder = folder();
    let dry = |words: &[&str]| at(folder.path(), &[&["--dry-run", "--tool"], words].concat(), "");
    let diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n";
    dry(&["patch_file", "path=a.txt", "old_str=two", "new_str=three"]).code(0).stdout(diff);
    let new = "--- /dev/null\n+++ b/n/b\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n";
    dry(&["write_file", "path=n/b", "content=x"]).code(0).stdout(new);
    dry(&["write_file", "path:=\"a.txt\"", "content:=\"one\\ntwo\\n\""]).code(0).stdout("a.txt: written as it is\n");
    dry(&["read_file", "path=a.txt", "limit=1"]).code(0).stdout("1: one\n");
    dry(&["patch_file", "path=a.txt", "old_str=x", "new_str=y"])
        .code(1)
        .stderr(predicate::str::contains("old_str_not_found"));
    assert_eq!(text(folder.path()), "one\ntwo\n");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_dry_run_says_what_a_diff_can_t_show() {
    let folder = folder();
    fs::write(folder.path().join("image"), [0xff, 0]).unwrap();
    fs::write(folder.path().join("empty"), "").unwrap();
    let dry = |words: &[&str]| at(folder.path(), &[&["--dry-run", "--tool", "write_file"], words].concat(), "").code(0);
    dry(&["path=new", "content="]).stdout("new: created, empty\n");
    dry(&["path=empty", "content="]).stdout("empty: written as it is\n");
    dry(&["path=image", "content="]).stdout("image: emptied; what stands there can't be shown: not_text\n");
    let replaced = "image: replaced; what stands there can't be shown: not_text\n\
                    --- a/image\n+++ b/image\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n";
    dry(&["path=image", "content=x"]).stdout(replaced);
    run(&["--dry-run", "--tool", "write_file", "path=new", "content="], "").code(0).stdout("new: created, empty\n");
    let limited = ["--max-file-bytes", "1", "--dry-run", "--tool", "write_file", "path=a.txt", "content="];
    at(folder.path(), &limited, "")
        .code(0)
        .stdout("a.txt: emptied; what stands there can't be shown: file_too_large\n");
}

/// Where rights count they are tested in `dispatch-host`: these tests may be run by root.
#[test]
fn what_can_t_be_written_is_told_without_and_with_an_effect() {
    let folder = folder();
    let name = "n".repeat(256);
    for (path, code) in [
        (name.clone(), "io_error"),
        (format!("new/{name}"), "io_error"),
        (format!("new/{name}/b"), "io_error"),
        ("a.txt/b".to_owned(), "not_a_directory"),
        (".".to_owned(), "is_a_directory"),
    ] {
        let request = WRITES.replace("a.txt", &path);
        let told = format!("{{\"error\":\"{code}\",\"status\":\"error\",\"tool\":\"write_file\"}}\n");
        at(folder.path(), &["--dry-run"], &request).code(0).stdout(told.clone());
        at(folder.path(), &[], &request).code(0).stdout(told);
    }
    let logs = tempdir().unwrap();
    let log = logs.path().join("log.jsonl").display().to_string();
    at(folder.path(), &["--record", &log], &WRITES.replace("a.txt", &name)).code(0);
    let root = folder.path().display().to_string();
    dispatch(&["replay", "--root", &root, &log]).assert().code(0).stdout("1 call: 1 agree, 0 diverge\n");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_session_over_a_directory_replays_without_it() {
    let folder = folder();
    let logs = tempdir().unwrap();
    let log = logs.path().join("log.jsonl").display().to_string();
    at(folder.path(), &["--record", &log, "--stream"], &format!("{READS}\n{WRITES}\n{READS}\n")).code(0).stderr("");
    drop(folder);
    dispatch(&["replay", &log]).assert().code(0).stdout("3 calls: 3 agree, 0 diverge\n").stderr("");
    let diff = predicate::str::contains("-one\n-two\n+new\n\\ No newline at end of file\n");
    dispatch(&["replay", "--show", "--call", "2", &log]).assert().code(0).stdout(diff);
}

/// Of what the log does not hold, what was recorded stands in, and the operator is told of which call and what.
#[test]
fn what_stood_in_for_a_file_is_told() {
    let folder = folder();
    std::fs::write(folder.path().join("picture"), b"\xff\xfe\0").unwrap();
    let log = folder.path().with_extension("log");
    let call = r#"{"op":"dispatch","call":{"id":"c1","tool":"read_file","args":{"path":"picture"}}}"#;
    at(folder.path(), &["--stream", "--record", log.to_str().unwrap()], call).code(0);
    let report = dispatch(&["replay", log.to_str().unwrap()]).assert().code(0).stdout("1 call: 1 agree, 0 diverge\n");
    let what = "the recorded `not_text` stood in for what is at `picture`, which the log does not hold";
    assert_eq!(crate::stderr(&report), format!("dispatch: call 1, c1 of `read_file`: {what}\n"));
    std::fs::remove_file(log).unwrap();
}

#[test]
fn a_replay_on_a_directory_leaves_it_as_it_is() {
    let folder = folder();
    let logs = tempdir().unwrap();
    let log = logs.path().join("log.jsonl").display().to_string();
    at(folder.path(), &["--record", &log, "--stream"], &format!("{READS}\n{WRITES}\n{READS}\n")).code(0);
    fs::write(folder.path().join("a.txt"), "one\ntwo\n").unwrap();
    let root = folder.path().display().to_string();
    let replay = || dispatch(&["replay", "--root", &root, &log]).assert();
    replay().code(0).stdout("3 calls: 3 agree, 0 diverge\n").stderr("");
    assert_eq!(text(folder.path()), "one\ntwo\n");
    fs::write(folder.path().join("a.txt"), "other\n").unwrap();
    replay().code(1).stdout(predicate::str::contains("-1: one\n+1: other\n"));
    assert_eq!(text(folder.path()), "other\n");
}

#[test]
fn sessions_of_one_log_go_on_in_the_same_directory() {
    let folder = folder();
    let logs = tempdir().unwrap();
    let log = logs.path().join("log.jsonl").display().to_string();
    at(folder.path(), &["--record", &log], WRITES).code(0);
    at(folder.path(), &["--record", &log], READS).code(0);
    fs::write(folder.path().join("a.txt"), "one\ntwo\n").unwrap();
    let root = folder.path().display().to_string();
    let agree = "2 calls: 2 agree, 0 diverge\n";
    dispatch(&["replay", "--root", &root, &log]).assert().code(0).stdout(agree).stderr("");
}

#[test]
fn what_is_only_looked_at_has_the_same_limit() {
    let folder = folder();
    let logs = tempdir().unwrap();
    let log = logs.path().join("log.jsonl").display().to_string();
    let large = WRITES.replace("new", "longer than eight bytes");
    let limit = ["--max-file-bytes", "8"];
    let too_large = || predicate::str::contains("file_too_large");
    at(folder.path(), &[limit[0], limit[1], "--dry-run"], &large).code(0).stdout(too_large());
    at(folder.path(), &[limit[0], limit[1], "--record", &log], &large).code(0).stdout(too_large());
    let root = folder.path().display().to_string();
    dispatch(&["replay", "--root", &root, limit[0], limit[1], &log]).assert().code(0);
    assert_eq!(text(folder.path()), "one\ntwo\n");
}

#[test]
fn a_log_can_t_lie_where_the_model_writes() {
    let folder = folder();
    fs::create_dir(folder.path().join("logs")).unwrap();
    for name in ["log.jsonl", "logs/log.jsonl", "a.txt"] {
        let log = folder.path().join(name).display().to_string();
        let told = predicate::str::contains("put it outside of --root");
        at(folder.path(), &["--record", &log], WRITES).code(2).stdout("").stderr(told);
    }
    assert!(!folder.path().join("log.jsonl").exists());
    assert_eq!(text(folder.path()), "one\ntwo\n");
}

/// Whichever name is in the directory: the model would read and write the log by it.
#[test]
#[cfg(unix)]
fn a_log_that_has_further_names_is_none_for_a_directory() {
    let (folder, beside) = (folder(), tempdir().unwrap());
    let log = beside.path().join("log.jsonl").display().to_string();
    fs::hard_link(folder.path().join("a.txt"), &log).unwrap();
    fs::write(&log, "").unwrap();
    let told = predicate::str::contains("has further names (hard links)");
    at(folder.path(), &["--record", &log], WRITES).code(2).stdout("").stderr(told);
    assert_eq!(text(folder.path()), "");
    run(&["--record", &log, "--stream"], READS).code(0);
}

#[test]
fn a_log_that_holds_its_files_is_not_replayed_on_a_directory() {
    let folder = folder();
    let log = folder.path().join("log.jsonl").display().to_string();
    run(&["--record", &log, "--stream"], READS).code(0);
    let root = folder.path().display().to_string();
    let told =
        predicate::str::contains("line 1: the log holds the files of this session: replay it without the option");
    dispatch(&["replay", "--root", &root, &log]).assert().code(2).stdout("").stderr(told);
    for more in ["--show", "--stats", "--accept"] {
        dispatch(&["replay", "--root", &root, more, &log]).assert().code(2).stdout("");
    }
}

#[test]
fn a_conversation_and_a_recording_replay_on_a_directory() {
    let folder = folder();
    let root = folder.path().display().to_string();
    let message = r#"[{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"write_file","input":{"path":"a.txt","content":"new"}},
        {"type":"tool_use","id":"t2","name":"read_file","input":{"path":"a.txt"}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"File written: a.txt"},
        {"type":"tool_result","tool_use_id":"t2","content":"1: new"}]}]"#;
    let replay = |words: &[&str], input: &str| {
        dispatch(&[&["replay", "--root", root.as_str()], words].concat()).write_stdin(input).assert()
    };
    replay(&["--provider", "anthropic", "-"], message).code(0).stdout("2 calls: 2 agree, 0 diverge\n");
    let response = r#"{"observation":"1: one\n","status":"ok","tool":"read_file"}"#;
    let recorded = format!(r#"{{"request":{READS},"response":{response}}}"#);
    replay(&["-"], &recorded).code(0).stdout("1 request: 1 agree, 0 differ\n");
    assert_eq!(text(folder.path()), "one\ntwo\n");
}

#[test]
fn a_dry_run_in_memory_leaves_the_workspace_as_the_request_brought_it() {
    let request = WRITES.replacen("\"call\"", r#""workspace":{"a.txt":"old"},"call""#, 1);
    let answer = run(&["--dry-run"], request).code(0).stderr("");
    assert!(stdout(&answer).ends_with("\"workspace\":{\"a.txt\":\"old\"}}\n"), "{}", stdout(&answer));
    run(&["--dry-run", "--record", "log"], READS).code(2);
}
