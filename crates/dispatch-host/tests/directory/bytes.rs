//! Files as they are: an edit changes the bytes that it names, and no other.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::Place;

/// Published files, each with something odd in it. Where they are from is said beside them.
fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/directory/edit-files");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| !file.ends_with("SOURCES.md") && !file.ends_with(".gitattributes"));
    files.sort();
    files
}

/// The lines that stand in a text once, each with its place. What ends a line is not of it.
fn lines(text: &str) -> Vec<(usize, &str)> {
    let mut start = 0;
    let mut lines = Vec::new();
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\r', '\n']);
        if !bare.is_empty() && text.matches(bare).count() == 1 {
            lines.push((start, bare));
        }
        start += line.len();
    }
    lines
}

#[test]
fn an_edit_of_a_line_leaves_every_other_byte_as_it_was() {
    let mut edited = 0;
    for file in files() {
        let bytes = fs::read(&file).unwrap();
        let Ok(text) = std::str::from_utf8(&bytes) else { continue };
        let mut place = Place::new();
        for (start, line) in lines(text) {
            place.put("file", &bytes);
            assert_eq!(place.patch("file", line, "edited"), "File patched: file", "{}", file.display());
            let expected = [&bytes[..start], b"edited", &bytes[start + line.len()..]].concat();
            assert_eq!(place.bytes("file"), expected, "{}: {line:?}", file.display());
            edited += 1;
        }
    }
    assert!(edited > 300, "{edited}");
}

#[test]
fn a_file_that_is_no_text_is_left_alone() {
    let mut left_alone = 0;
    for file in files() {
        let bytes = fs::read(&file).unwrap();
        if std::str::from_utf8(&bytes).is_ok() {
            continue;
        }
        let mut place = Place::new();
        place.put("file", &bytes);
        assert!(place.read("file").starts_with("not_text"), "{}", file.display());
        assert!(place.patch("file", "a", "b").starts_with("not_text"), "{}", file.display());
        assert_eq!(place.bytes("file"), bytes);
        // To replace it as a whole is no edit.
        assert_eq!(place.write("file", "new\n"), "File written: file");
        assert_eq!(place.bytes("file"), b"new\n");
        left_alone += 1;
    }
    assert_eq!(left_alone, 3);
}
