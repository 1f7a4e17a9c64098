//! Sessions over a directory that holds links: recorded, and replayed on what was seen alone and on a directory as it was.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use assert_cmd::assert::Assert;
use predicates::prelude::*;
use tempfile::{TempDir, tempdir};

use crate::{dispatch, run, stdout};

/// A directory with these files, and with these links by where they lead.
fn folder(files: &[(&str, &str)], links: &[(&str, &str)]) -> TempDir {
    let folder = tempdir().unwrap();
    let place = |path: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        path
    };
    for (path, text) in files {
        fs::write(place(path), text).unwrap();
    }
    for (link, to) in links {
        symlink(to, place(link)).unwrap();
    }
    folder
}

const FILES: &[(&str, &str)] = &[("d/e/file", "one\n")];
const LINKS: &[(&str, &str)] =
    &[("link", "d/e/file"), ("chain", "link"), ("short", "d/e"), ("d/back", "../short/file"), ("later", "new/a")];

fn call(tool: &str, args: &str) -> String {
    format!("{{\"op\":\"dispatch\",\"call\":{{\"tool\":\"{tool}\",\"args\":{args}}}}}\n")
}

fn write(path: &str, text: &str) -> String {
    call("write_file", &format!(r#"{{"path":"{path}","content":"{text}"}}"#))
}

fn read(path: &str) -> String {
    call("read_file", &format!(r#"{{"path":"{path}"}}"#))
}

fn replay(log: &Path, words: &[&str]) -> Assert {
    dispatch(&["replay"]).args(words).arg(log).assert()
}

/// Records calls, and replays them in both ways. Returns what the calls came to.
fn check(files: &[(&str, &str)], links: &[(&str, &str)], toolset: &str, calls: &[String]) -> String {
    let (recorded, logs) = (folder(files, links), tempdir().unwrap());
    let log = logs.path().join("log.jsonl");
    let words = ["--toolset", toolset, "--stream", "--root", recorded.path().to_str().unwrap(), "--record"];
    let answers = run(&[&words[..], &[log.to_str().unwrap()]].concat(), calls.concat()).code(0).stderr("");
    let agree = format!("{0} calls: {0} agree, 0 diverge", calls.len());
    drop(recorded);
    replay(&log, &[]).code(0).stdout(predicate::str::starts_with(&*agree)).stderr("");
    let as_it_was = folder(files, links);
    replay(&log, &["--root", as_it_was.path().to_str().unwrap()]).code(0).stdout(agree + "\n").stderr("");
    stdout(&answers)
}

#[test]
fn what_is_written_by_one_path_is_read_by_another() {
    for way in ["link", "chain", "short/file", "d/back"] {
        let calls = [read(way), write(way, "two"), read("d/e/file"), write("d/e/file", "three"), read(way)];
        let answers = check(FILES, LINKS, "core", &calls);
        for shown in ["1: one", "1: two", "1: three"] {
            assert!(answers.contains(shown), "{way}: {answers}");
        }
    }
    let answers = check(FILES, LINKS, "core", &[read("later"), write("later", "two"), read("new/a"), read("later")]);
    assert_eq!(answers.matches("1: two").count(), 2, "{answers}");
}

#[test]
fn the_agent_s_tools_meet_at_a_file_s_place() {
    let files = [("rules", ""), ("skills/tea/notes", "Green.\n"), ("a/b.log", "one\n")];
    let links = [(".dispatch/skills", "../skills"), (".gitignore", "rules"), ("link", "a")];
    let skill = r"---\nname: tea\ndescription: How to make tea.\n---\nBoil water.\n";
    let edit = |path: &str, old: &str, new: &str| {
        call("Edit", &format!(r#"{{"path":"{path}","old_string":"{old}","new_string":"{new}"}}"#))
    };
    let write = |path: &str, text: &str| call("Write", &format!(r#"{{"path":"{path}","content":"{text}"}}"#));
    let calls = [
        edit("link/b.log", "one", "two"),
        edit("a/b.log", "two", "three"),
        call("Grep", r#"{"pattern":"three","path":"link"}"#),
        write(".gitignore", "*.log\\n"),
        call("Glob", r#"{"pattern":"**"}"#),
        write("skills/tea/SKILL.md", skill),
        write(".dispatch/skills/tea/more", "Black."),
        call("Skill", r#"{"name":"tea"}"#),
        call("Read", r#"{"path":".dispatch/skills/tea/notes"}"#),
    ];
    let answers = check(&files, &links, "agent", &calls);
    for shown in ["a/b.log:1:three", "Boil water.", r"skills/tea/more\nskills/tea/notes", "1: Green."] {
        assert!(answers.contains(shown), "{shown}: {answers}");
    }
    assert!(!answers.contains("error"), "{answers}");
}

/// Of format 1.0, in which files stood under the letters of their paths: it was recorded over a directory with these files and links.
const BEFORE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/logs/1.0-links.jsonl");

#[test]
fn a_log_that_knows_no_links_replays_as_it_did() {
    let agree = "7 calls: 7 agree, 0 diverge\n";
    replay(Path::new(BEFORE), &["--toolset", "core"]).code(0).stdout(agree).stderr("");
    let root = folder(FILES, LINKS);
    let words = ["--toolset", "core", "--root", root.path().to_str().unwrap()];
    replay(Path::new(BEFORE), &words).code(0).stdout(agree).stderr("");
}
