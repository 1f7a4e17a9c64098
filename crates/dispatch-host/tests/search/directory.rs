//! What only a directory holds: links, pipes, bytes that are no text.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use dispatch_core::workspace::Overlay;
use dispatch_host::directory::DirectoryOptions;
use tempfile::TempDir;

use super::support::call;

const GLOB: &str = r#"{"pattern":"**"}"#;
const GREP: &str = r#"{"pattern":"needle"}"#;

fn place(files: &[(&str, &[u8])]) -> TempDir {
    let place = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = place.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    place
}

fn answer(place: &Path, tool: &str, args: &str) -> String {
    let mut workspace = DirectoryOptions::default().max_file_bytes(100).open(place).unwrap();
    call(&mut workspace, tool, args).unwrap_or_else(|error| format!("error: {error}"))
}

#[test]
fn links_are_neither_listed_nor_followed_unless_they_are_asked_for() {
    let place = place(&[("a/one.txt", b"needle\n")]);
    for (to, from) in [("a", "to_a"), ("one.txt", "a/to_one"), ("..", "a/up"), ("loop", "loop"), ("nowhere", "b")] {
        symlink(to, place.path().join(from)).unwrap();
    }
    assert_eq!(answer(place.path(), "Glob", GLOB), "a/one.txt\n");
    assert_eq!(answer(place.path(), "Grep", GREP), "a/one.txt:1:needle\n");
    assert_eq!(answer(place.path(), "Glob", r#"{"pattern":"**","path":"to_a"}"#), "a/one.txt\n");
    assert_eq!(answer(place.path(), "Grep", r#"{"pattern":"needle","path":"a/to_one"}"#), "a/one.txt:1:needle\n");
    assert_eq!(answer(place.path(), "Grep", r#"{"pattern":"needle","path":"b"}"#), "error: file_not_found");
}

#[test]
fn nothing_outside_is_searched_or_obeyed() {
    let outside = place(&[(".gitignore", b"*"), ("in/secret.txt", b"needle\n"), ("in/.ignore", b"*")]);
    let inside = outside.path().join("ws");
    fs::create_dir(&inside).unwrap();
    fs::write(inside.join("a.txt"), "needle\n").unwrap();
    symlink(outside.path().join("in"), inside.join("out")).unwrap();
    symlink("../in/.ignore", inside.join(".ignore")).unwrap();
    assert_eq!(answer(&inside, "Grep", GREP), "a.txt:1:needle\n(left out: 1 unreadable)\n");
    let refused = answer(&inside, "Grep", r#"{"pattern":"needle","path":"out"}"#);
    assert_eq!(refused, "error: path_outside_workspace");
}

#[test]
fn an_ignore_file_may_be_a_link_inside() {
    let place = place(&[("rules", b"*.log\n"), ("a/b.log", b""), ("a/c", b"")]);
    symlink("../rules", place.path().join("a/.gitignore")).unwrap();
    assert_eq!(answer(place.path(), "Glob", GLOB), "a/c\nrules\n");
}

#[test]
fn an_ignore_file_that_is_a_pipe_is_not_waited_for_and_told() {
    let place = place(&[("a", b"")]);
    let pipe = place.path().join(".ignore");
    rustix::fs::mkfifoat(rustix::fs::CWD, pipe, rustix::fs::Mode::RUSR).unwrap();
    assert_eq!(answer(place.path(), "Glob", GLOB), "a\n(left out: 1 unreadable)\n");
}

#[test]
fn an_ignore_file_that_is_a_link_says_what_was_written_at_its_place() {
    let place = place(&[("rules", b""), ("a/b.log", b""), ("a/c", b"")]);
    symlink("../rules", place.path().join("a/.gitignore")).unwrap();
    let mut overlay = Overlay::new(Box::new(DirectoryOptions::default().open(place.path()).unwrap()));
    let rules = r#"{"path":"rules","content":"*.log\n"}"#;
    call(&mut overlay, "Write", rules).unwrap();
    assert_eq!(call(&mut overlay, "Glob", GLOB).unwrap(), "a/c\nrules\n");
}

#[test]
fn neither_git_nor_the_rules_of_a_clone_are_asked() {
    let place = place(&[(".git/info/exclude", b"a.txt"), (".gitignore", b"b.txt"), ("a.txt", b""), ("b.txt", b"")]);
    assert_eq!(answer(place.path(), "Glob", GLOB), "a.txt\n");
}

#[test]
fn a_file_that_is_too_large_is_told() {
    let place = place(&[("a.txt", b"needle\n"), ("large.txt", &[b'x'; 101])]);
    assert_eq!(answer(place.path(), "Grep", GREP), "a.txt:1:needle\n(left out: 1 too large)\n");
    assert_eq!(answer(place.path(), "Grep", r#"{"pattern":"y"}"#), "No matches found (left out: 1 too large)");
    let alone = r#"{"pattern":"x","path":"large.txt"}"#;
    assert_eq!(answer(place.path(), "Grep", alone), "error: file_too_large");
}

#[test]
fn bytes_that_are_no_utf8_are_shown_as_such() {
    let place = place(&[("a.txt", b"\xffneedle\xe9\n"), ("b.txt", b"caf\xe9 needle\n")]);
    let expected = "a.txt:1:\u{fffd}needle\u{fffd}\nb.txt:1:caf\u{fffd} needle\n";
    assert_eq!(answer(place.path(), "Grep", GREP), expected);
}

#[test]
fn utf16_with_its_mark_is_text() {
    let little: Vec<u8> = "\u{feff}a needle é\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = "\u{feff}a needle é\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
    let place = place(&[("big", &big), ("little", &little)]);
    assert_eq!(answer(place.path(), "Grep", GREP), "big:1:a needle é\nlittle:1:a needle é\n");
    assert_eq!(answer(place.path(), "Grep", r#"{"pattern":"needle","path":"big"}"#), "big:1:a needle é\n");
}

#[test]
fn a_long_line_that_is_no_text_is_cut_all_the_same() {
    let place = place(&[("a", &[b"needle", &[0x80; 800][..]].concat())]);
    let mut workspace = DirectoryOptions::default().open(place.path()).unwrap();
    let shown = call(&mut workspace, "Grep", GREP).unwrap();
    assert_eq!(shown, format!("a:1:needle{}[... 306 bytes of 806 omitted ...]\n", "\u{fffd}".repeat(494)));
}

#[test]
fn what_no_path_can_name_is_counted() {
    use std::os::unix::ffi::OsStrExt as _;
    let place = place(&[("src/a.rs", b"needle\n"), (".ignore", b"x*\n")]);
    let source = place.path().join("src");
    fs::create_dir(source.join(std::ffi::OsStr::from_bytes(b"caf\xe9"))).unwrap();
    for name in [&b"b\xe9.rs"[..], b"b\xe8.rs", b".hidden\xe9", b"x\xe9"] {
        fs::write(source.join(std::ffi::OsStr::from_bytes(name)), "needle\n").unwrap();
    }
    let left_out = "(left out: 3 that no path can name)\n";
    assert_eq!(answer(place.path(), "Glob", GLOB), format!("src/a.rs\n{left_out}"));
    assert_eq!(answer(place.path(), "Grep", GREP), format!("src/a.rs:1:needle\n{left_out}"));
    let none = "No files found (left out: 2 that no path can name)";
    assert_eq!(answer(place.path(), "Glob", r#"{"pattern":"src/[!a]*.rs"}"#), none);
    assert_eq!(answer(place.path(), "Glob", r#"{"pattern":"src/*.md"}"#), "No files found");
}
