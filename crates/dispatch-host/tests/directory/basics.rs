//! What every workspace does: files are found, read, listed and written.

use std::fs;

use dispatch_core::ErrorCode;
use dispatch_core::workspace::{Entry, Listed, ListedKind, Overlay, Workspace, WorkspacePath};
use dispatch_host::directory::DirectoryOptions;

use crate::support::{Place, act};

fn path(path: &str) -> WorkspacePath {
    WorkspacePath::resolve(path).unwrap()
}

#[test]
fn a_file_is_read_written_and_patched() {
    let mut place = Place::with(DirectoryOptions::default());
    assert_eq!(place.write("a/b/c.txt", "one\ntwo\n"), "File written: a/b/c.txt");
    assert_eq!(place.patch("a/b/c.txt", "two", "2"), "File patched: a/b/c.txt");
    assert_eq!(place.read("a/b/c.txt"), "1: one\n2: 2\n");
    assert_eq!(place.bytes("a/b/c.txt"), b"one\n2\n");
    assert_eq!(place.write("a/b/c.txt", ""), "File written: a/b/c.txt");
    assert_eq!(place.read("a/b/c.txt"), "");
    assert_eq!(place.all().into_keys().collect::<Vec<_>>(), ["a/", "a/b/", "a/b/c.txt"]);
}

#[test]
fn what_stands_at_a_place_is_told() {
    let place = Place::new();
    place.put("a/b", "text");
    for (at, expected) in [
        ("", Entry::Directory),
        ("a", Entry::Directory),
        ("a/b", Entry::File),
        ("a/c", Entry::Absent),
        ("c/d", Entry::Absent),
        ("a/b/c", Entry::BelowFile),
        ("a/b/c/d", Entry::BelowFile),
    ] {
        assert_eq!(place.workspace.entry(&path(at)), Ok(expected), "{at:?}");
    }
}

#[test]
fn what_is_no_file_is_neither_read_nor_written() {
    let mut place = Place::new();
    place.put("a/b", "text");
    for (at, read, written) in [
        ("", "is_a_directory", "is_a_directory"),
        ("a", "is_a_directory", "is_a_directory"),
        ("a/b/c", "file_not_found", "not_a_directory"),
        ("a/c/..", "is_a_directory", "is_a_directory"),
    ] {
        assert!(place.read(at).starts_with(read), "{at:?}");
        assert!(place.write(at, "new").starts_with(written), "{at:?}");
    }
    assert!(place.read("c").starts_with("file_not_found"));
    let code = |at| place.workspace.read(&path(at)).unwrap_err().code();
    assert_eq!(code(""), ErrorCode::IsADirectory);
    assert_eq!(code("c"), ErrorCode::FileNotFound);
    assert_eq!(code("a/b/c"), ErrorCode::FileNotFound);
}

#[test]
fn a_buffer_holds_one_file_after_the_other() {
    let place = Place::new();
    let long = "0123456789".repeat(10_000);
    let mut buffer = b"before".to_vec();
    for (name, content) in [("long", &*long), ("empty", ""), ("short", "s"), ("long", &long)] {
        place.put(name, content);
        place.workspace.read_into(&path(name), &mut buffer).unwrap();
        assert_eq!(buffer, content.as_bytes());
    }
    fs::write(place.inside("latin-1"), b"caf\xe9").unwrap();
    place.workspace.read_into(&path("latin-1"), &mut buffer).unwrap();
    assert_eq!(buffer, b"caf\xe9");
    assert_eq!(place.workspace.read_text(&path("latin-1")).unwrap_err().code(), ErrorCode::NotText);
}

#[test]
fn a_directory_is_listed_sorted_with_what_each_thing_is() {
    let place = Place::new();
    for file in ["d/ab", "d/a/x", "d/a.b", "d/.hidden", "d/é"] {
        place.put(file, "");
    }
    place.link("../outside", "d/link");
    let _socket = std::os::unix::net::UnixListener::bind(place.inside("d/socket")).unwrap();
    let listed = |name: &str, kind| Listed { name: name.to_owned(), kind };
    assert_eq!(
        place.workspace.list(&path("d")).unwrap(),
        [
            listed(".hidden", ListedKind::File),
            listed("a.b", ListedKind::File),
            listed("a", ListedKind::Directory),
            listed("ab", ListedKind::File),
            listed("link", ListedKind::Link),
            listed("socket", ListedKind::Special),
            listed("é", ListedKind::File),
        ]
    );
    assert_eq!(place.workspace.list(&path("")).unwrap(), [listed("d", ListedKind::Directory)]);
    assert_eq!(place.workspace.list(&path("d/a")).unwrap(), [listed("x", ListedKind::File)]);
    for nothing in ["d/ab", "gone", "d/ab/x"] {
        assert_eq!(place.workspace.list(&path(nothing)).unwrap(), [], "{nothing:?}");
    }
}

#[test]
fn what_is_too_large_is_neither_read_nor_written() {
    let mut place = Place::with(DirectoryOptions::default().durable(false).max_file_bytes(4));
    place.put("four", "four");
    place.put("five", "fives");
    assert_eq!(place.read("four"), "1: four");
    assert!(place.read("five").starts_with("file_too_large"));
    assert_eq!(place.write("new", "four"), "File written: new");
    assert!(place.write("new", "fives").starts_with("file_too_large"));
    assert!(place.patch("four", "our", "ives").starts_with("file_too_large"));
    assert_eq!(place.bytes("four"), b"four");
    // More than there is memory for, and next to nothing on the disk.
    fs::File::create(place.inside("sparse")).unwrap().set_len(1 << 42).unwrap();
    for name in ["five", "sparse"] {
        let mut buffer = Vec::new();
        let read = place.workspace.read_into(&path(name), &mut buffer);
        assert_eq!((read.unwrap_err().code(), buffer.capacity()), (ErrorCode::FileTooLarge, 0));
    }
    let mut without_limit = Place::with(DirectoryOptions::default().max_file_bytes(u64::MAX));
    fs::File::create(without_limit.inside("sparse")).unwrap().set_len(1 << 43).unwrap();
    assert!(without_limit.read("sparse").starts_with("file_too_large"));
}

#[test]
fn what_multiplies_its_input_is_held_to_the_limit_of_the_directory() {
    for (max_file_bytes, expected) in [(3000, "done"), (2999, "file_too_large"), (70_000_000, "done")] {
        let mut place = Place::with(DirectoryOptions::default().durable(false).max_file_bytes(max_file_bytes));
        let length = if max_file_bytes == 70_000_000 { max_file_bytes } else { 3000 };
        let told = act(&mut place.workspace, move |view| view.check_length(length));
        assert!(told.starts_with(expected), "{max_file_bytes}: {told}");
        let overlay = Overlay::new(Box::new(place.workspace));
        assert_eq!(overlay.check_length(length).is_ok(), expected == "done");
    }
}
