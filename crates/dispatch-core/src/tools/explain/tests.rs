//! What holds for every hint: it changes nothing, and is bounded.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::quote::SHOWN_BYTES;
use super::*;
use crate::failure::Detail;
use crate::gates::Gates;
use crate::protocol;
use crate::registry::Registry;
use crate::tool::tool_fn;
use crate::tools::core_registry;
use crate::workspace::MemoryWorkspace;

/// The longest hint: a few pieces, each character of which may be escaped, with some words between them.
const LONGEST_HINT_BYTES: usize = MOST_LISTED * (6 * SHOWN_BYTES + 100);

/// Answers a call on two files as a host would that explains, or doesn't.
fn answer(explains: bool, tool: &str, args: &Value, file: &str) -> Vec<u8> {
    let gates = Gates::new(core_registry());
    let gates = if explains { gates.explaining() } else { gates };
    let call = json!({"tool": tool, "args": args});
    let request = json!({"op": "dispatch", "workspace": {"dir/a.txt": file, "b": ""}, "call": call});
    let mut line = Vec::new();
    protocol::answer(&gates, request.to_string().into_bytes()).unwrap().write(&mut line).unwrap();
    line
}

fn value(line: &[u8]) -> Value {
    serde_json::from_slice(line).unwrap()
}

/// Checks that explaining adds a message and details to a failure, and not a byte to a success.
fn check(tool: &str, args: &Value, file: &str) {
    let (plain, explained) = (answer(false, tool, args, file), answer(true, tool, args, file));
    let (expected, mut seen) = (value(&plain), value(&explained));
    if expected["status"] == "ok" {
        assert_eq!(explained, plain);
        return;
    }
    assert_eq!(expected.get("details").or(expected.get("message")), None);
    let members = seen.as_object_mut().unwrap();
    assert!(members.remove("message").is_some_and(|message| message.is_string()));
    let details = members.remove("details").unwrap();
    let hints = details.as_array().unwrap().iter().map(|detail| detail["message"].as_str().unwrap().len());
    assert!(hints.sum::<usize>() <= LONGEST_HINT_BYTES);
    assert_eq!(seen, expected);
}

/// The same text again and again, up to a size that no hint may follow.
fn grown(text: &str, bytes: usize) -> String {
    text.repeat(bytes / text.len().max(1))
}

fn patch(path: &str, old: &str) -> Value {
    json!({"path": path, "old_str": old, "new_str": "new"})
}

const ODD_TEXT: &str = "[ab1: \\\\n\n\r\t\u{301}\u{e9}\u{feff}\"\u{201c}\u{1f600}]{1,24}";

proptest! {
    #[test]
    fn explaining_a_patch_changes_nothing_else(file in ODD_TEXT, old in ODD_TEXT) {
        check("patch_file", &patch("dir/a.txt", &old), &file);
    }

    #[test]
    fn explaining_survives_any_text(file: String, old in ".+", path: String) {
        check("patch_file", &patch("dir/a.txt", &old), &file);
        check("patch_file", &patch(&path, &old), &file);
        check("read_file", &json!({"path": path}), &file);
        check("write_file", &json!({"path": path, "content": ""}), &file);
    }

    #[test]
    fn explaining_a_path_changes_nothing_else(path in "[ab/.dirtx]{0,12}", offset in 1..9_u64) {
        check("read_file", &json!({"path": path, "offset": offset}), "1\n2\n");
        check("write_file", &json!({"path": path, "content": ""}), "");
        check("patch_file", &patch(&path, "1"), "1 1");
    }

    #[test]
    fn a_piece_of_the_file_is_found_whatever_was_done_to_its_ends(
        lines in prop::collection::vec("[a-z ]{0,6}[a-z]", 1..6), from in 0..6_usize,
    ) {
        let from = from % lines.len();
        let (file, old) = (lines.join("\r\n") + "\r\n", lines[from..].join("\n") + "\n");
        let hint = not_found::hint(&file, &old);
        prop_assert!(hint.contains("with other line endings (CRLF in the file, LF here)"), "{hint}");
    }
}

#[test]
fn hints_of_large_files_are_bounded() {
    for (line, end, old_bytes) in [("\u{301}", "\u{e9}", EXAMINED_BYTES - 1000), ("{\n", "}", 2 * EXAMINED_BYTES)] {
        let (file, old) = (grown(line, EXAMINED_BYTES + 1000), grown(line, old_bytes) + end);
        let hints = [not_found::hint(&file, &old), ambiguous::hint(&file, &old)];
        assert!(hints.iter().all(|hint| hint.len() <= LONGEST_HINT_BYTES));
    }
}

#[test]
fn hints_of_long_paths_are_bounded() {
    let long = grown("d/", EXAMINED_BYTES);
    check("read_file", &json!({"path": long}), "");
    check("write_file", &json!({"path": format!("b/{long}"), "content": ""}), "");
}

#[test]
fn nothing_is_found_out_unless_it_is_asked_for() {
    let workspace = MemoryWorkspace::default();
    let failure = offset(ErrorCode::LineOutOfRange.into(), &View::new(&workspace), "a");
    assert_eq!(failure.details(), []);
}

#[test]
fn a_tool_that_explains_unasked_is_not_heard() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct NoArgs {}

    fn talk(_: NoArgs, _: &mut View<'_>) -> Result<String, ToolFailure> {
        let failure = ToolFailure::from(ErrorCode::Timeout).with_message("It took long.");
        Err(failure.with_detail(JsonPath::root(), "try again"))
    }

    let gates = Gates::new(Registry::builder().tool(tool_fn("talk", talk)).build().unwrap());
    let said = |gates: &Gates| {
        let request = br#"{"op":"dispatch","workspace":{},"call":{"tool":"talk","args":{}}}"#;
        let mut line = Vec::new();
        protocol::answer(gates, request.to_vec()).unwrap().write(&mut line).unwrap();
        String::from_utf8(line).unwrap()
    };
    let plain = r#"{"error":"timeout","status":"error","tool":"talk","workspace":{}}"#;
    assert_eq!(said(&gates).trim_end(), plain);
    let explained = r#"{"details":[{"message":"try again","path":"$"}],"error":"timeout","message":"It took long. Nobody knows what it did outside of the workspace until then.","status":"error","tool":"talk","workspace":{}}"#;
    assert_eq!(said(&gates.explaining()).trim_end(), explained);
}

#[test]
fn lines_behind_the_last_are_told_how_many_there_are() {
    let check = |text: &str, expected: &str| {
        let workspace = MemoryWorkspace::default();
        let mut listener = |_| {};
        let view = View::new(&workspace).for_call(None, true, &mut listener);
        let failure = offset(ErrorCode::LineOutOfRange.into(), &view, text);
        let [Detail { path, message }] = failure.details() else { panic!("{failure}") };
        assert_eq!((path.to_string().as_str(), message.as_str()), ("$.offset", expected));
    };
    check("", "the file is empty");
    check("a", "the file has 1 line");
    check("a\n\nb\n", "the file has 3 lines");
}
