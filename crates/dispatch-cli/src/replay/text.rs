//! What was recorded, as text for people.
//!
//! **What a model wrote can't steer a terminal**: control characters are escaped, but for line feeds and tabs.

use dispatch_core::ToolCall;
use dispatch_core::json::{Document, Fragment, Member, Node, write_value};
use serde_json::Value;

use crate::diff::unified;
pub(super) use crate::operator::one_line;

/// Longer values are cut in a summary.
const VALUE_LETTERS: usize = 24;
/// Longer summaries are cut.
const SUMMARY_LETTERS: usize = 80;

/// Escapes what would steer a terminal.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    push_plain(&mut plain, text);
    plain
}

fn push_plain(plain: &mut String, text: &str) {
    for letter in text.chars() {
        if letter.is_control() && !matches!(letter, '\n' | '\t') {
            plain.extend(letter.escape_default());
        } else {
            plain.push(letter);
        }
    }
}

/// Returns the arguments of a call in short: `path="a.txt" content="..."`.
pub(super) fn arguments(call: &ToolCall) -> String {
    let whole = match call.args().as_json().map(Fragment::node) {
        Some(args) if args.members().next().is_some() => {
            args.members().map(|member| argument(&member)).collect::<Vec<_>>().join(" ")
        }
        _ => one_line(call.args().raw()),
    };
    cut(&whole, SUMMARY_LETTERS)
}

fn argument(member: &Member<'_>) -> String {
    let value = match member.value.as_str() {
        Some(text) => compact(&Value::String(cut(&text, VALUE_LETTERS))),
        None => cut(member.value.raw(), VALUE_LETTERS),
    };
    one_line(&format!("{}={value}", cut(&member.name, VALUE_LETTERS)))
}

/// Cuts a text that has more letters, and says so.
pub(super) fn cut(text: &str, letters: usize) -> String {
    match text.char_indices().nth(letters) {
        None => text.to_owned(),
        Some(_) => text.chars().take(letters - 1).chain(['…']).collect(),
    }
}

pub(super) fn compact(value: &Value) -> String {
    let mut text = Vec::new();
    // Writing to memory does not fail.
    let _ = write_value(&mut text, value);
    String::from_utf8(text).unwrap_or_default()
}

/// Returns what came of a call, over many lines: the stage, what is short, and last the observation, which may be long, and is not copied about.
pub(super) fn outcome(line: &str) -> String {
    let Ok(document) = Document::parse(line.as_bytes().to_vec()) else { return plain(line) };
    let (root, mut text) = (document.root(), String::new());
    let result = root.get("result");
    push_member(&mut text, "stage", root.get("stage"));
    for part in result.into_iter().flat_map(Node::members) {
        match part.name.as_ref() {
            "observation" => {}
            "details" => part.value.elements().for_each(|detail| push_detail(&mut text, detail)),
            name => push_member(&mut text, name, Some(part.value)),
        }
    }
    push_member(&mut text, "shown", root.get("shown"));
    push_member(&mut text, "observation", result.and_then(|result| result.get("observation")));
    text
}

fn push_member(text: &mut String, name: &str, value: Option<Node<'_>>) {
    if let Some(value) = value {
        push_labelled(text, name, &value.as_str().unwrap_or(value.raw().into()));
    }
}

fn push_detail(text: &mut String, detail: Node<'_>) {
    let part = |name| detail.get(name).and_then(Node::as_str).unwrap_or_default();
    push_labelled(text, "detail", &format!("{}: {}", part("path"), part("message")));
}

/// Returns a text with its name.
pub(super) fn labelled(name: &str, text: &str) -> String {
    let mut out = String::new();
    push_labelled(&mut out, name, text);
    out
}

/// A text of several lines stands below its name.
fn push_labelled(out: &mut String, name: &str, text: &str) {
    out.reserve(name.len() + text.len() + 3);
    out.extend([name, if text.contains('\n') { ":\n" } else { ": " }]);
    push_plain(out, text);
    if !text.contains('\n') {
        out.push('\n');
    }
}

/// Returns how two texts differ, as a unified diff that steers no terminal.
pub(super) fn diff(old: (&str, &str), new: (&str, &str)) -> String {
    plain(&unified((&one_line(old.0), old.1), (&one_line(new.0), new.1)))
}

/// Colours the lines of a diff.
pub(super) fn coloured(diff: &str) -> String {
    let mut text = String::new();
    for line in diff.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        match colour(line) {
            Some(colour) => text.extend(["\u{1b}[", colour, "m", line, "\u{1b}[0m", end]),
            None => text.extend([line, end]),
        }
    }
    text
}

fn colour(line: &str) -> Option<&'static str> {
    if line.starts_with("---") || line.starts_with("+++") {
        return Some("1");
    }
    match line.bytes().next()? {
        b'-' => Some("31"),
        b'+' => Some("32"),
        b'@' => Some("36"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use dispatch_core::Args;

    use super::*;

    fn short(args: &str) -> String {
        let call = ToolCall::new("t", Document::parse(b"{}".to_vec()).unwrap());
        arguments(&call.with_args(Args::from_text(args)))
    }

    #[test]
    fn arguments_are_told_in_one_short_line() {
        assert_eq!(short(r#"{"path": "a.txt", "limit": 3}"#), r#"path="a.txt" limit=3"#);
        assert_eq!(short(r#"{"a": "1\n2\u001b\u009b"}"#), r#"a="1\n2\u001b\u{9b}""#);
        assert_eq!(short(&format!(r#"{{"a": "{}"}}"#, "é".repeat(25))), format!(r#"a="{}…""#, "é".repeat(23)));
        assert_eq!(short("{}"), "{}");
        assert_eq!(short("[1,\n2]"), r"[1,\n2]");
        assert_eq!(short("{\"path\":\u{1b}"), "{\"path\":\\u{1b}");
        assert_eq!(short(&format!("[{}]", "1,".repeat(50))).chars().count(), SUMMARY_LETTERS);
    }

    #[test]
    fn nothing_steers_the_terminal() {
        assert_eq!(plain("a\r\n\tb\u{1b}[2J\u{9b}é"), "a\\r\n\tb\\u{1b}[2J\\u{9b}é");
        assert_eq!(diff(("a\nb", "x\r\n"), ("c", "x\n")), "--- a\\nb\n+++ c\n@@ -1 +1 @@\n-x\\r\n+x\n");
    }

    #[test]
    fn a_terminal_gets_colours() {
        let shown = coloured("--- a\n@@ -1 +1 @@\n-x\n+y\n z");
        assert_eq!(
            shown,
            "\u{1b}[1m--- a\u{1b}[0m\n\u{1b}[36m@@ -1 +1 @@\u{1b}[0m\n\u{1b}[31m-x\u{1b}[0m\n\u{1b}[32m+y\u{1b}[0m\n z"
        );
    }

    #[test]
    fn a_line_feed_at_the_end_is_seen() {
        let shown = diff(("a", "x\ny\n"), ("b", "x\ny"));
        assert_eq!(shown, "--- a\n+++ b\n@@ -1,2 +1,2 @@\n x\n-y\n+y\n\\ No newline at end of file\n");
    }

    #[test]
    fn what_differs_steers_no_terminal() {
        let shown = diff(("a", "x\u{1b}[2J\n"), ("b", "y\r\n"));
        assert_eq!(shown, "--- a\n+++ b\n@@ -1 +1 @@\n-x\\u{1b}[2J\n+y\\r\n");
    }
}
