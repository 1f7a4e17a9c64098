//! What a directory must hold behind requests whose answers don't carry it.
//!
//! **What the expected answers say is what must have happened**: a call that is answered `ok` has done what its arguments say, and
//! any other nothing.

use std::collections::BTreeMap;

use dispatch_core::workspace::WorkspacePath;
use serde_json::Value;

use super::files_after;
use crate::case::{Case, Expectation, Request};

use crate::yaml::{Answer, Effects};

/// The tools that only read.
const READING: [&str; 5] = ["Glob", "Grep", "Read", "Skill", "read_file"];
/// The tools that write a whole file, `content` to `path`.
const WRITING: [&str; 2] = ["Write", "write_file"];
/// The tools that replace a text in the file at `path`, each with the names of the old text and the new one.
const REPLACING: [(&str, &str, &str); 2] = [("Edit", "old_string", "new_string"), ("patch_file", "old_str", "new_str")];

/// Writes the files that the directory must hold, as its workspace is written. `None` where the answers don't tell: of some
/// tools' files the arguments say too little.
pub(super) fn files_left(case: &Case) -> Option<String> {
    let before = case.workspace.as_deref().unwrap_or("{}");
    let given: BTreeMap<String, String> = serde_json::from_str(before).ok()?;
    let mut files = given.clone();
    for (call, answer) in answered(case) {
        if answer.get("status").and_then(Value::as_str) == Some("ok") {
            run(&mut files, &call)?;
        }
    }
    files.retain(|path, text| given.get(path) != Some(text));
    files_after(before, &Effects::Written(files))
}

/// Pairs the requests that are answered with what answers each. A white line is no request.
fn answered(case: &Case) -> Vec<(Value, Value)> {
    let asked: Vec<Value> = match &case.request {
        Request::Stream(lines) => lines.iter().filter(|line| !line.trim().is_empty()).map(|line| value(line)).collect(),
        Request::One(_) => vec![value(&String::from_utf8_lossy(&case.request.bytes()))],
    };
    let answers: Vec<Value> = match &case.expectation {
        Expectation::Answers(answers, _) => answers.iter().map(response).collect(),
        Expectation::Stdout(text) => vec![value(text)],
        Expectation::Response(..) | Expectation::Messages(..) | Expectation::Failure(_) | Expectation::Report(..) => {
            Vec::new()
        }
    };
    asked.into_iter().zip(answers).collect()
}

/// Reads a value. What is none has no members, and so asks and answers nothing.
fn value(text: &str) -> Value {
    serde_json::from_str(text.trim_start_matches('\u{feff}')).unwrap_or_default()
}

fn response(answer: &Answer) -> Value {
    match answer {
        Answer::Response(response) => value(&response.sorted()),
        Answer::Failure(_) => Value::Null,
    }
}

/// Does to the files what a call does that succeeds. `None` where its arguments don't say what that is.
fn run(files: &mut BTreeMap<String, String>, request: &Value) -> Option<()> {
    let call = request.get("call")?;
    let tool = call.get("tool")?.as_str()?;
    if READING.contains(&tool) {
        return Some(());
    }
    let argument = |name: &str| call.get("args")?.get(name)?.as_str();
    let path = WorkspacePath::resolve(argument("path")?).ok()?.as_str().to_owned();
    let text = if WRITING.contains(&tool) {
        argument("content")?.to_owned()
    } else {
        let (_, old, new) = REPLACING.iter().find(|(name, ..)| *name == tool)?;
        files.get(&path)?.replace(argument(old)?, argument(new)?)
    };
    files.insert(path, text);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::case_of;

    fn left(members: &str) -> Option<String> {
        files_left(&case_of(&format!("{{name: a, rule: rule, why: W., {members}}}")).expect(members))
    }

    fn stream(calls: &[(&str, &str)]) -> Option<String> {
        let line = |(call, _): &(&str, &str)| format!("{{op: dispatch, call: {call}}}");
        let answer = |(_, answer): &(&str, &str)| format!("{{response: {{{answer}}}}}");
        let (lines, answers): (Vec<_>, Vec<_>) = (calls.iter().map(line).collect(), calls.iter().map(answer).collect());
        left(&format!(r#"exit: 0, lines: [" ", {}], answers: [{}]"#, lines.join(", "), answers.join(", ")))
    }

    #[test]
    fn calls_that_are_answered_ok_have_done_what_they_say() {
        let write = ("{tool: write_file, args: {path: ./a/../b, content: x.y.x}}", "status: ok");
        let edit = ("{tool: patch_file, args: {path: b, old_str: .y, new_str: é}}", "status: ok");
        let refused = ("{tool: write_file, args: {path: c, content: x}}", "status: error");
        let read = ("{tool: read_file, args: {path: b}}", "status: ok");
        assert_eq!(stream(&[refused, read]).as_deref(), Some("{}"));
        assert_eq!(stream(&[write, refused, edit, read]).as_deref(), Some(r#"{"b":"xé.x"}"#));
    }

    #[test]
    fn a_tool_whose_arguments_say_too_little_leaves_it_open() {
        assert_eq!(stream(&[("{tool: TodoWrite, args: {checklist: []}}", "status: ok")]), None);
    }

    #[test]
    fn what_is_not_written_keeps_its_spelling() {
        let members = r#"exit: 0, only: {subject: directory, reason: W.}, workspace: {b: é, a: x}, stdout: '{"status":"ok"}',
            text: '{"call":{"tool":"write_file","args":{"path":"a","content":"x"}}}'"#;
        assert_eq!(left(members).as_deref(), Some(r#"{"a":"x","b":"é"}"#));
    }
}
