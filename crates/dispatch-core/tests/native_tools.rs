//! The native tools against plain ways to do the same.

#![expect(clippy::unwrap_used, reason = "a test fails where something is not there")]

use dispatch_core::json::Document;
use dispatch_core::workspace::MemoryWorkspace;
use dispatch_core::{Gates, ToolCall, tools};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Runs a call on a workspace of one file, `f`. Returns the observation or the code of the error, and the file's text after it.
fn run(text: &str, tool: &str, args: &Value) -> (Result<String, String>, String) {
    let mut workspace = MemoryWorkspace::from_iter([("f", text)]);
    let args = Document::parse(args.to_string().into()).unwrap();
    let result = match Gates::new(tools::core_registry()).admit(ToolCall::new(tool, args)) {
        Ok(admitted) => admitted.run(&mut workspace),
        Err(rejection) => rejection.into_result(),
    };
    let outcome = match result.error() {
        None => Ok(result.observation().unwrap().to_text().into_owned()),
        Some(error) => Err(error.code.as_str().to_owned()),
    };
    let (_, after) = workspace.files().find(|(key, _)| *key == "f").unwrap();
    (outcome, after.into_owned())
}

/// Texts of few letters, so that parts of them come again, overlapping too.
fn texts() -> impl Strategy<Value = String> {
    let letters = prop::sample::select(vec!["a", "a", "b", "ab", "\n", "\n", "\r\n", "é", "😀", "$&", "\\1", " "]);
    prop::collection::vec(letters, 0..14).prop_map(|letters| letters.concat())
}

/// The numbered lines: what stands between line feeds, the last one being none when nothing follows it.
fn numbered(text: &str, offset: usize, limit: usize) -> Result<String, String> {
    let mut lines: Vec<_> = text.split('\n').map(|line| format!("{line}\n")).collect();
    match lines.last_mut() {
        Some(last) if last == "\n" => drop(lines.pop()),
        Some(last) => drop(last.pop()),
        None => {}
    }
    if offset > lines.len().max(1) {
        return Err("line_out_of_range".to_owned());
    }
    let numbered = lines.iter().enumerate().map(|(before, line)| format!("{}: {line}", before + 1));
    Ok(numbered.skip(offset - 1).take(limit).collect())
}

/// All places at which `old` could start, found by looking at each.
fn places(text: &str, old: &str) -> Vec<usize> {
    let (text, old) = (text.as_bytes(), old.as_bytes());
    (0..text.len()).filter(|start| text.get(*start..start + old.len()) == Some(old)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn reading_numbers_lines(text in texts(), offset in prop::option::of(1..9usize), limit in prop::option::of(1..9usize)) {
        let (outcome, after) = run(&text, "read_file", &json!({"path": "f", "offset": offset, "limit": limit}));
        prop_assert_eq!(outcome, numbered(&text, offset.unwrap_or(1), limit.unwrap_or(usize::MAX)));
        prop_assert_eq!(after, text);
    }

    #[test]
    fn writing_writes_the_content_and_nothing_else(text in texts(), content in prop_oneof![texts(), any::<String>()]) {
        let (outcome, after) = run(&text, "write_file", &json!({"path": "./f", "content": content}));
        prop_assert_eq!((outcome, after), (Ok("File written: ./f".to_owned()), content));
    }

    #[test]
    fn patching_replaces_the_only_place(text in texts(), old in texts(), new in texts()) {
        let (outcome, after) = run(&text, "patch_file", &json!({"path": "f", "old_str": old, "new_str": new}));
        let places = places(&text, &old);
        let expected = match places[..] {
            _ if old.is_empty() => Err("invalid_arguments"),
            _ if old == new => Err("no_change"),
            [] => Err("old_str_not_found"),
            [start] => Ok(start),
            [..] => Err("ambiguous_match"),
        };
        prop_assert_eq!(outcome, expected.map(|_| "File patched: f".to_owned()).map_err(str::to_owned));
        let patched = expected.map(|start| [&text[..start], &new, &text[start + old.len()..]].concat());
        prop_assert_eq!(after, patched.unwrap_or(text));
    }

    /// A part of the text that is taken from it is found in it.
    #[test]
    fn patching_finds_what_stands_there(before in texts(), old in texts(), after in texts()) {
        let (old, text) = (format!("{old}."), format!("{before}{old}.{after}"));
        let (outcome, patched) = run(&text, "patch_file", &json!({"path": "f", "old_str": old, "new_str": "NEW"}));
        prop_assert_eq!((outcome.is_ok(), patched), (true, format!("{before}NEW{after}")));
    }
}

#[test]
fn refusals_come_in_their_order() {
    let largest = 9_007_199_254_740_991_u64;
    for (tool, args, expected) in [
        ("patch_file", json!({"path": "../f", "old_str": "a", "new_str": "a"}), "path_outside_workspace"),
        ("patch_file", json!({"path": ".", "old_str": "a", "new_str": "a"}), "is_a_directory"),
        ("patch_file", json!({"path": "g", "old_str": "a", "new_str": "a"}), "file_not_found"),
        ("patch_file", json!({"path": "f/g", "old_str": "a", "new_str": "b"}), "file_not_found"),
        ("patch_file", json!({"path": "f", "old_str": "z", "new_str": "z"}), "no_change"),
        ("patch_file", json!({"path": "f", "old_str": "z", "new_str": "y"}), "old_str_not_found"),
        ("patch_file", json!({"path": "f", "old_str": "aa", "new_str": "y"}), "ambiguous_match"),
        ("patch_file", json!({"path": "f", "old_str": "", "new_str": ""}), "invalid_arguments"),
        ("write_file", json!({"path": "f/g", "content": ""}), "not_a_directory"),
        ("write_file", json!({"path": "", "content": ""}), "is_a_directory"),
        ("read_file", json!({"path": "f", "offset": largest}), "line_out_of_range"),
        ("read_file", json!({"path": "f", "offset": largest, "limit": largest}), "line_out_of_range"),
        ("read_file", json!({"path": "f", "offset": largest + 1}), "invalid_arguments"),
        ("read_file", json!({"path": "f", "limit": 0}), "invalid_arguments"),
        ("read_file", json!({"path": "/f"}), "path_outside_workspace"),
    ] {
        assert_eq!(run("aaa", tool, &args), (Err(expected.to_owned()), "aaa".to_owned()), "{tool} {args}");
    }
    assert_eq!(run("", "read_file", &json!({"path": "f", "offset": 1, "limit": largest})).0, Ok(String::new()));
    assert_eq!(run("", "read_file", &json!({"path": "f", "offset": 2})).0, Err("line_out_of_range".to_owned()));
}
