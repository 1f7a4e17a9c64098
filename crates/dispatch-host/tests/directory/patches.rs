//! One place in a file that is not held: it comes to what it comes to where files are held.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use dispatch_core::json::Document;
use dispatch_core::tools::{Replacement, replace_text};
use dispatch_core::workspace::{MemoryWorkspace, View};
use dispatch_core::{Gates, Registry, ToolCall, ToolFailure};
use dispatch_host::directory::DirectoryOptions;
use dispatch_host::tools::Edit;
use proptest::prelude::*;
use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::support::{Place, act, act_without_effect, run};

const CONFLICT: &str = "conflict: The file was changed by someone else in the meantime.";

fn replace(view: &mut View<'_>, old: &str, new: &str) -> Result<(), ToolFailure> {
    let replacement = Replacement { old, new, all: false, old_argument: "old", context_lines: 0 };
    replace_text(view, "file", replacement, |_| ())
}

fn texts(lines: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    let line = prop::sample::select(vec!["a\n", "b\n", "ab\r\n", "é\n", "\n", "a very long line\n", "c"]);
    prop::collection::vec(line, lines).prop_map(|lines| lines.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_edit_comes_to_the_same_where_files_are_held(
        text in texts(0..40),
        old in prop_oneof![texts(1..4), Just("c".to_owned()), Just("é\na".to_owned())],
        new in texts(0..4),
    ) {
        let gates = Gates::new(Registry::builder().tool(Edit).build().unwrap());
        let arguments = serde_json::json!({"path": "file", "old_string": old, "new_string": new}).to_string();
        let mut place = Place::new();
        place.put("file", &text);
        let mut memory = MemoryWorkspace::from_iter([("file", text.as_str())]);
        let told = run(&gates, &mut place.workspace, "Edit", arguments.as_bytes());
        prop_assert_eq!(told, run(&gates, &mut memory, "Edit", arguments.as_bytes()));
        prop_assert_eq!(place.all(), memory.files().map(|(path, text)| (path.to_owned(), text.into_owned())).collect());
    }
}

/// A file of many lines, so that it is copied in several pieces, with one that is to be changed.
fn large(line: &str) -> String {
    let half = "0123456\n".repeat(50_000);
    format!("{half}{line}\n{half}")
}

#[test]
fn a_large_file_is_edited_wherever_the_place_is() {
    let mut place = Place::new();
    for at in [0, 1, 130_000, 131_071, 131_072, 147_455, 147_456, 400_000] {
        let (before, behind) = ("-".repeat(at), "+".repeat(400_000 - at));
        place.put("file", format!("{before}the place{behind}"));
        assert_eq!(place.patch("file", "the place", "éé"), "File patched: file");
        assert!(place.bytes("file") == format!("{before}éé{behind}").into_bytes(), "{at}");
    }
}

/// Edits a file that was last changed some time ago, while somebody else does something to it after it was searched.
fn check_conflict(age: Duration, meanwhile: impl Fn(&Path) + Send + Sync + 'static, left: Option<&str>) {
    let mut place = Place::with(DirectoryOptions::default().durable(false).max_file_bytes(1 << 20));
    place.put("file", large("old"));
    place.put("beside", large("old"));
    let path = place.inside("file");
    fs::File::open(&path).unwrap().set_modified(SystemTime::now() - age).unwrap();
    let told = act(&mut place.workspace, move |view| {
        replace(view, "old", "edited")?;
        meanwhile(&path);
        Ok(())
    });
    assert_eq!(told, CONFLICT);
    assert!(fs::read(place.inside("file")).ok().as_deref() == left.map(str::as_bytes));
    let names: Vec<_> = place.all().into_keys().collect();
    assert!(names.iter().all(|path| ["beside", "file", "file/"].contains(&&**path)), "{names:?}");
}

#[test]
fn what_was_changed_since_it_was_searched_is_a_conflict() {
    for age in [0, 60].map(Duration::from_secs) {
        check_conflict(age, |path| fs::write(path, "shorter").unwrap(), Some("shorter"));
        check_conflict(age, |path| fs::write(path, large("longer")).unwrap(), Some(&large("longer")));
        check_conflict(age, |path| fs::write(path, large("nEw")).unwrap(), Some(&large("nEw")));
        check_conflict(age, |path| fs::rename(path.with_file_name("beside"), path).unwrap(), Some(&large("old")));
        check_conflict(age, |path| fs::remove_file(path).unwrap(), None);
        let link = |path: &Path| {
            fs::remove_file(path).unwrap();
            symlink("beside", path).unwrap();
        };
        check_conflict(age, link, Some(&large("old")));
        let too_large = large("old").repeat(2);
        let grow = move |path: &Path| fs::write(path, large("old").repeat(2)).unwrap();
        check_conflict(age, grow, Some(&too_large));
        let directory = |path: &Path| {
            fs::remove_file(path).unwrap();
            fs::create_dir(path).unwrap();
        };
        check_conflict(age, directory, None);
        let socket = |path: &Path| {
            fs::remove_file(path).unwrap();
            UnixListener::bind(path).unwrap();
        };
        check_conflict(age, socket, None);
    }
}

/// Who waits to write into a pipe would stop waiting if somebody opened it to read.
#[test]
fn a_pipe_is_not_opened() {
    let mut place = Place::new();
    let pipe = place.inside("pipe");
    mknodat(CWD, &pipe, FileType::Fifo, Mode::from_raw_mode(0o666), 0).unwrap();
    let (writer, is_let_go) = (pipe.clone(), Arc::new(AtomicBool::new(false)));
    let let_go = Arc::clone(&is_let_go);
    let writing = thread::spawn(move || {
        let opened = fs::OpenOptions::new().write(true).open(writer);
        let_go.store(true, Ordering::Relaxed);
        opened.map(drop)
    });
    // Longer than the thread takes to begin. One that has yet to begin only finds a pipe that nobody opened.
    thread::sleep(Duration::from_millis(50));
    assert_eq!(place.patch("pipe", "old", "new"), "io_error: Reading or writing failed.");
    thread::sleep(Duration::from_millis(50));
    assert!(!is_let_go.load(Ordering::Relaxed));
    fs::File::open(&pipe).unwrap();
    writing.join().unwrap().unwrap();
}

#[test]
fn a_call_sees_what_it_changed() {
    let mut place = Place::new();
    place.put("file", "one\ntwo\nthree\n");
    let told = act(&mut place.workspace, |view| {
        replace(view, "two", "2")?;
        assert_eq!(view.read_text("file")?, "one\n2\nthree\n");
        let mut buffer = Vec::new();
        view.snapshot().read_into(&view.resolve("file")?, &mut buffer)?;
        assert_eq!(buffer, b"one\n2\nthree\n");
        let failed = view.attempt(|view| {
            replace(view, "three", "3")?;
            replace(view, "two", "2")
        });
        assert!(failed.unwrap_err().to_string().contains("old_str_not_found"));
        replace(view, "2\nth", "2\nTH")
    });
    assert_eq!((&*told, place.bytes("file")), ("done", b"one\n2\nTHree\n".to_vec()));
}

#[test]
fn what_is_written_behind_a_patch_is_what_stays() {
    let mut place = Place::new();
    place.put("file", "one\n");
    let told = act(&mut place.workspace, |view| {
        replace(view, "one", "two")?;
        view.write("file", "three\n".to_owned())
    });
    assert_eq!((&*told, place.bytes("file")), ("done", b"three\n".to_vec()));
}

#[test]
fn who_only_looks_is_given_texts() {
    let place = Place::new();
    place.put("file", "one\ntwo\n");
    let gates = Gates::new(Registry::builder().tool(Edit).build().unwrap());
    let arguments = br#"{"path": "file", "old_string": "two", "new_string": "2"}"#;
    let call = ToolCall::new("Edit", Document::parse(arguments.to_vec()).unwrap());
    let (_, changes) = gates.admit(call).unwrap().preview(&place.workspace);
    let files: Vec<_> = changes.files().map(|(path, text)| (path.as_str(), text)).collect();
    assert_eq!(files, [("file", "one\n2\n")]);
    let told = act_without_effect(&place.workspace, |view| replace(view, "one", "1"));
    assert_eq!((&*told, place.bytes("file")), ("done", b"one\ntwo\n".to_vec()));
}

#[test]
fn what_changed_under_a_patch_is_a_conflict_to_who_reads_it() {
    let mut place = Place::new();
    place.put("file", "one\ntwo\n");
    let path = place.inside("file");
    let told = act(&mut place.workspace, move |view| {
        replace(view, "two", "2")?;
        fs::write(&path, "one\n").unwrap();
        view.read_text("file").map(drop)
    });
    assert_eq!((&*told, place.bytes("file")), (CONFLICT, b"one\n".to_vec()));
}
