//! Whoever edits is killed at any moment: every file is whole, old or new.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use dispatch_host::DirectoryWorkspace;

use crate::support::{Place, act, call};

/// Where the started process edits.
const WORKSPACE: &str = "DIRECTORY_THAT_IS_EDITED";

/// How many lines a file has. All say the same.
const LINES: usize = 20_000;

const PATCHED: &str = "patched";

const FILES: [&str; 3] = ["alone", "deep/one", "deep/other"];

#[test]
fn edits_that_are_killed_leave_whole_files() {
    killed_edits_leave_whole_files(5);
}

#[test]
#[ignore = "takes long: `cargo xtask soak` runs it"]
fn two_hundred_edits_that_are_killed_leave_whole_files() {
    killed_edits_leave_whole_files(200);
}

#[test]
#[ignore = "started by the other tests, to be killed"]
fn edits_without_end() {
    let Some(directory) = env::var_os(WORKSPACE) else { return };
    let mut workspace = DirectoryWorkspace::open(directory).unwrap();
    // Whoever was killed may have been anywhere in it.
    call(&mut workspace, "write_file", &[("path", PATCHED), ("content", &patched(0))]);
    println!("begun");
    for number in 0_u64.. {
        let text = contents(number);
        assert_eq!(call(&mut workspace, "write_file", &[("path", "alone"), ("content", &text)]), "File written: alone");
        let told = act(&mut workspace, move |view| {
            view.read_text("deep/one")?;
            view.write("deep/one", text.clone())?;
            view.write("deep/other", text.clone())?;
            view.write(&format!("new/{}/file", number % 100), text.clone())
        });
        assert_eq!(told, "done");
        let patch = [("path", PATCHED), ("old_str", &format!("{number}\n")), ("new_str", &format!("{}\n", number + 1))];
        assert_eq!(call(&mut workspace, "patch_file", &patch), "File patched: patched");
    }
}

/// A file of which one line is changed and the others are copied.
fn patched(number: u64) -> String {
    "a line\n".repeat(LINES) + &format!("{number}\n")
}

fn contents(number: u64) -> String {
    format!("{number}\n").repeat(LINES)
}

fn killed_edits_leave_whole_files(count: u64) {
    let mut place = Place::new();
    for file in FILES {
        place.put(file, contents(0));
    }
    for kill in 0..count {
        edit_until_killed(&place, Duration::from_micros(kill * 7919 % 50_000));
        let all = place.all();
        let text = all.get(PATCHED).unwrap();
        let number = text.lines().next_back().unwrap().parse().unwrap();
        assert_eq!(text, &patched(number), "{PATCHED} is not whole");
        let is_file = |path: &str| !path.ends_with('/') && !path.contains(".dispatch-") && path != PATCHED;
        for (path, text) in all.iter().filter(|(path, _)| is_file(path)) {
            let first = text.lines().next().unwrap_or_default();
            assert_eq!(text, &format!("{first}\n").repeat(LINES), "{path} is not whole");
        }
    }
    for directory in fs::read_dir(place.inside("new")).into_iter().flatten() {
        place.write(&format!("new/{}/file", directory.unwrap().file_name().to_str().unwrap()), "end");
    }
    for file in FILES {
        place.write(file, "end");
    }
    let all = place.all();
    assert!(all.keys().all(|path| !path.contains(".dispatch-")), "{all:?}");
}

/// Starts this program again, for it to edit, and kills it some time after it began.
fn edit_until_killed(place: &Place, time: Duration) {
    let worker = ["--exact", "kills::edits_without_end", "--ignored", "--nocapture"].map(OsString::from);
    let mut editing = Command::new(env::current_exe().unwrap())
        .args(worker)
        .env(WORKSPACE, place.inside(""))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = BufReader::new(editing.stdout.take().unwrap()).lines();
    assert!(told.any(|line| line.unwrap().contains("begun")));
    thread::sleep(time);
    editing.kill().unwrap();
    editing.wait().unwrap();
}
