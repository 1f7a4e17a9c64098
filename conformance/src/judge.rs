//! The rule against what came out.
//!
//! **Bytes are compared, never values.** What people are told, in a failure's message and in the notes of a
//! replay, is the one thing that no rule gives: it is taken over from what came out, so that all bytes around it are
//! still compared. That is how our own library and binary are held to it; others are held to what they
//! [mean](judge_meaning).

mod left;
mod meaning;
mod words;

use serde_json::Value;

use crate::case::{Case, Expectation};
use crate::json::{Json, quoted, sorted_object};
use crate::mismatch::Mismatch;
use crate::raw;
use crate::subject::Output;
use crate::yaml::{Answer, Effects, Failure};

pub use meaning::{RULES_OF_BYTES, expected_meaning, expects_silence, is_about_bytes, judge_meaning};
pub use words::expected_details;

/// Compares what came out with what a case expects, and returns every difference.
///
/// `stderr` is not judged where a case expects literal bytes and an exit code other than 0: what a
/// usage error says is no rule. Nor is the note that no call of a provider's message waits.
pub fn judge(case: &Case, output: &Output) -> Vec<Mismatch> {
    let mut mismatches = Vec::new();
    if output.exit != case.exit {
        mismatches.push(Mismatch::Exit { expected: case.exit, got: output.exit });
    }
    match wanted(case) {
        Some((stdout, stderr)) => {
            mismatches.extend(stdout.compare("stdout", &output.stdout));
            mismatches.extend(stderr.compare("stderr", &output.stderr));
            mismatches.extend(workspace(case, output));
            mismatches.extend(files_besides(case, output));
        }
        None => mismatches.push(Mismatch::NoWorkspace),
    }
    mismatches
}

/// Says what a stream of bytes must be.
#[derive(Debug)]
enum Wanted {
    Bytes(Vec<u8>),
    Lines(Vec<Line>),
    Notes(Vec<String>),
    Anything,
}

/// Says what a line must be, without its end.
#[derive(Debug)]
enum Line {
    Text(String),
    Failure(Failure),
}

/// Returns what stdout and stderr must be. `None` where the request has no workspace to start from.
fn wanted(case: &Case) -> Option<(Wanted, Wanted)> {
    let nothing = || Wanted::Lines(Vec::new());
    let failure = |failure: &Failure| Wanted::Lines(vec![Line::Failure(failure.clone())]);
    Some(match &case.expectation {
        Expectation::Response(members, effects) => {
            let response = response(members, effects, &case.request.bytes())?;
            (Wanted::Lines(vec![Line::Text(response)]), nothing())
        }
        Expectation::Messages(messages, _) => {
            let lines = messages.iter().map(|message| Line::Text(message.sorted())).collect();
            (Wanted::Lines(lines), if messages.is_empty() { Wanted::Anything } else { nothing() })
        }
        Expectation::Stdout(text) => {
            let is_noted = text.is_empty() && case.options.provider.is_some();
            let stderr = if case.exit == 0 && !is_noted { nothing() } else { Wanted::Anything };
            (Wanted::Bytes(text.clone().into_bytes()), stderr)
        }
        Expectation::Failure(expected) => (nothing(), failure(expected)),
        Expectation::Answers(answers, ended_by) => {
            let lines = answers.iter().map(line).collect();
            (Wanted::Lines(lines), ended_by.as_ref().map_or_else(nothing, failure))
        }
        Expectation::Report(report, notes, _) => {
            let lines = report.iter().map(|told| Line::Text(told.sorted())).collect();
            (Wanted::Lines(lines), Wanted::Notes(notes.clone()))
        }
    })
}

fn line(answer: &Answer) -> Line {
    match answer {
        Answer::Response(response) => Line::Text(response.sorted()),
        Answer::Failure(failure) => Line::Failure(failure.clone()),
    }
}

/// Writes the response to a request: the members of the case, and the request's workspace with the
/// files that were written. What was not written keeps its spelling.
fn response(members: &[(String, Json)], effects: &Effects, request: &[u8]) -> Option<String> {
    let request = std::str::from_utf8(request).ok()?;
    let request = request.strip_prefix('\u{feff}').unwrap_or(request);
    let workspace = files_after(raw::member_named(request, "workspace")?, effects)?;
    let mut response: Vec<(String, String)> =
        members.iter().map(|(name, value)| (name.clone(), value.sorted())).collect();
    response.push(("workspace".to_owned(), workspace));
    Some(sorted_object(response))
}

/// Compares the workspace that a provider's message left with what the case says of it. A failure leaves none.
fn workspace(case: &Case, output: &Output) -> Option<Mismatch> {
    let expected = match &case.expectation {
        Expectation::Messages(_, effects) | Expectation::Report(_, _, Some(effects)) => {
            let files = files_after(case.workspace.as_deref().unwrap_or("{}"), effects);
            Some(format!("{}\n", files?).into_bytes())
        }
        Expectation::Failure(_) | Expectation::Report(_, _, None) => None,
        Expectation::Response(..) | Expectation::Stdout(_) | Expectation::Answers(..) => return None,
    };
    differing_files(expected, output.workspace.clone())
}

/// Compares files that are there though the case has no word for them: what its answers say of a directory, and where no call waits that all is
/// as it was.
fn files_besides(case: &Case, output: &Output) -> Option<Mismatch> {
    let is_waiting = |text: &String| !text.is_empty() || case.exit != 0 || case.options.provider.is_none();
    let (got, expected) = match (&case.expectation, &output.left) {
        (_, Some(left)) => (left, left::files_left(case)?),
        (Expectation::Stdout(text), None) if !is_waiting(text) => {
            (output.workspace.as_ref()?, files_after(case.workspace.as_deref().unwrap_or("{}"), &Effects::None)?)
        }
        _ => return None,
    };
    differing_files(Some(format!("{expected}\n").into_bytes()), Some(got.clone()))
}

fn differing_files(expected: Option<Vec<u8>>, got: Option<Vec<u8>>) -> Option<Mismatch> {
    let (expected, got) =
        if expected == got { return None } else { (expected.unwrap_or_default(), got.unwrap_or_default()) };
    Some(Mismatch::Bytes { stream: "workspace", expected, got })
}

/// Writes the files that a workspace holds after these effects. What was not written keeps its spelling.
fn files_after(workspace: &str, effects: &Effects) -> Option<String> {
    let files = raw::members(workspace)?;
    let mut files: Vec<(String, String)> =
        files.into_iter().map(|(name, spelling)| (name, spelling.to_owned())).collect();
    if let Effects::Written(written) = effects {
        files.retain(|(name, _)| !written.contains_key(name));
        files.extend(written.iter().map(|(name, text)| (name.clone(), quoted(text))));
    }
    Some(sorted_object(files))
}

impl Wanted {
    fn compare(&self, stream: &'static str, got: &[u8]) -> Option<Mismatch> {
        let expected = match self {
            Self::Bytes(bytes) => bytes.clone(),
            Self::Lines(lines) => fill(lines, got),
            Self::Notes(notes) => noted(notes, got),
            Self::Anything => return None,
        };
        (expected != got).then(|| Mismatch::Bytes { stream, expected, got: got.to_vec() })
    }
}

impl Line {
    fn is_failure(&self) -> bool {
        matches!(self, Self::Failure(_))
    }

    /// Returns the line that is expected, with the message of the line that came.
    fn text(&self, came: &[u8]) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Failure(failure) => failure_line(failure, came),
        }
    }
}

/// Writes the notes that are expected: the line that came, where it holds the text, and else the text.
fn noted(notes: &[String], got: &[u8]) -> Vec<u8> {
    let got = String::from_utf8_lossy(got);
    let mut came = got.split('\n');
    let line =
        |note: &String| came.next().filter(|line| line.contains(note.as_str())).unwrap_or(note).to_owned() + "\n";
    notes.iter().map(line).collect::<String>().into_bytes()
}

/// Writes the lines that are expected, with the messages that came out in the same places.
fn fill(lines: &[Line], got: &[u8]) -> Vec<u8> {
    let mut came = got.split(|byte| *byte == b'\n');
    let mut expected = Vec::new();
    for line in lines {
        let text = line.text(came.next().unwrap_or_default());
        expected.extend_from_slice(text.as_bytes());
        expected.push(b'\n');
    }
    expected
}

/// Writes a failure with the message of the line that came, or with a stand-in where it has none.
fn failure_line(failure: &Failure, came: &[u8]) -> String {
    let message = message(came).unwrap_or_else(|| "(some message)".to_owned());
    let text = |name: &str, text: &str| (name.to_owned(), quoted(text));
    let number = |name: &str, number: u64| (name.to_owned(), number.to_string());
    let mut members = vec![text("error", &failure.error), text("message", &message), text("status", "protocol_error")];
    members.extend(failure.path.iter().map(|path| text("path", path)));
    members.extend(failure.line.map(|line| number("line", line)));
    members.extend(failure.column.map(|column| number("column", column)));
    sorted_object(members)
}

fn message(line: &[u8]) -> Option<String> {
    let value: Value = serde_json::from_slice(line).ok()?;
    let message = value.get("message")?.as_str()?;
    (!message.trim().is_empty()).then(|| message.to_owned())
}

#[cfg(test)]
mod tests;
