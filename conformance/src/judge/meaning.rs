//! What came out, judged by what it says.
//!
//! **A dispatcher is not wrong for how it spells its answer**, but where the spelling is the rule. And **what a message says is
//! never judged**, in the spelling neither: that it is there is, and so are the code and the paths around it.

use std::iter;
use std::ops::Range;

use dispatch_core::ErrorCode;
use dispatch_core::json::{Document, Kind, Node, write_value};

use super::{Line, Wanted, wanted};
use crate::case::Case;
use crate::json::quoted;
use crate::mismatch::Mismatch;
use crate::subject::Output;

/// The rules that are about bytes: the headings of docs/protocol.md that say how an answer is spelled.
pub const RULES_OF_BYTES: [&str; 3] = ["response", "the-workspace-in-the-response", "the-failure-line"];

/// What stands in the place of a message when texts are compared.
const UNJUDGED: &str = "(any message)";

/// Among how many lines the one that is due is looked for, where others came with it.
const MOST_LOOKED_AT: usize = 50;

/// Tells whether a case is about bytes: its rule is, or what stood in a conversation must stand there to the letter.
pub fn is_about_bytes(case: &Case) -> bool {
    RULES_OF_BYTES.contains(&case.rule.as_str()) || case.options.conversation
}

/// Compares what came out with what a case expects as another implementation is held to it, and returns every difference.
///
/// JSON is compared as JSON, unless the case [is about bytes](is_about_bytes). stderr is judged where a protocol failure is due
/// there. Else it is for people, who must be told something where a request or a log is refused.
pub fn judge_meaning(case: &Case, output: &Output) -> Vec<Mismatch> {
    let mut mismatches = Vec::new();
    if output.exit != case.exit {
        mismatches.push(Mismatch::Exit { expected: case.exit, got: output.exit });
    }
    let Some((stdout, stderr)) = wanted(case) else {
        mismatches.push(Mismatch::NoWorkspace);
        return mismatches;
    };
    let reading = Reading { case, is_of_bytes: is_about_bytes(case) };
    mismatches.extend(reading.compare("stdout", &stdout, &output.stdout));
    if matches!(&stderr, Wanted::Lines(lines) if !lines.is_empty()) {
        mismatches.extend(reading.compare_one("stderr", &stderr, &output.stderr));
    }
    // A replay that finds a difference has an exit code too, and nothing to say besides.
    let is_told = match &stderr {
        Wanted::Notes(notes) => !notes.is_empty(),
        Wanted::Anything => true,
        Wanted::Bytes(_) | Wanted::Lines(_) => false,
    };
    if case.exit != 0 && is_told && output.stderr.trim_ascii().is_empty() {
        mismatches.push(Mismatch::Silent);
    }
    let files = [super::workspace(case, output), super::files_besides(case, output)];
    mismatches.extend(files.into_iter().flatten().filter_map(|found| reading.files(found)));
    mismatches
}

/// Tells whether a case expects nothing that only a dispatcher would say: who says nothing of the kind at all gives the same.
pub fn expects_silence(case: &Case) -> bool {
    let is_silent = |wanted: &Wanted| match wanted {
        Wanted::Bytes(bytes) => bytes.is_empty(),
        Wanted::Lines(lines) => lines.is_empty(),
        Wanted::Notes(_) | Wanted::Anything => true,
    };
    wanted(case).is_some_and(|(stdout, stderr)| is_silent(&stdout) && is_silent(&stderr))
}

/// Returns what a case expects as it is read when it is judged: stdout, stderr, and the workspace that is left. Two cases of which that is the
/// same, asked the same, judge the same. `None` where the request has no workspace to start from.
pub fn expected_meaning(case: &Case) -> Option<[String; 3]> {
    let (stdout, stderr) = wanted(case)?;
    let reading = Reading { case, is_of_bytes: is_about_bytes(case) };
    let workspace = match super::workspace(case, &Output::default()) {
        Some(Mismatch::Bytes { expected, .. }) => reading.spelled(String::from_utf8_lossy(&expected).into_owned()),
        _ => String::new(),
    };
    let expected = |wanted| reading.expected(wanted, "").unwrap_or_default();
    Some([expected(&stdout), expected(&stderr), workspace])
}

/// How the answers to a case are read.
#[derive(Debug, Clone, Copy)]
struct Reading<'c> {
    case: &'c Case,
    is_of_bytes: bool,
}

impl Reading<'_> {
    fn compare(self, stream: &'static str, wanted: &Wanted, got: &[u8]) -> Option<Mismatch> {
        let lossy = String::from_utf8_lossy(got);
        let expected = self.expected(wanted, &lossy)?;
        not_text(stream, got).or_else(|| self.differing(stream, expected, self.got(wanted, &lossy)))
    }

    /// Compares a stream of which one line is due, an object, and finds it among others: what ends a program, it says last.
    fn compare_one(self, stream: &'static str, wanted: &Wanted, got: &[u8]) -> Option<Mismatch> {
        let found = self.compare(stream, wanted, got)?;
        let lines = || got.split_inclusive(|byte| *byte == b'\n');
        let objects = lines().rev().filter(|line| line.trim_ascii_start().starts_with(b"{"));
        let is_there = objects.take(MOST_LOOKED_AT).any(|line| self.compare(stream, wanted, line).is_none());
        Some(if is_there { Mismatch::Lines { stream, got: lines().count() } } else { found })
    }

    /// Reads what is expected, failures with the messages of the lines that came. `None` where anything is.
    fn expected(self, wanted: &Wanted, got: &str) -> Option<String> {
        let lines = match wanted {
            Wanted::Notes(_) | Wanted::Anything => return None,
            Wanted::Bytes(bytes) => return Some(self.read_text(&String::from_utf8_lossy(bytes))),
            Wanted::Lines(lines) => lines,
        };
        let mut came = self.parted(lines, got).into_iter();
        let read = |line: &Line| {
            let came = came.next().unwrap_or_default();
            self.read(&(line.text(came.as_bytes()) + "\n"), line.is_failure())
        };
        Some(lines.iter().map(read).collect())
    }

    /// Reads what came.
    fn got(self, wanted: &Wanted, got: &str) -> String {
        let Wanted::Lines(lines) = wanted else { return self.read_text(got) };
        let mut wanted = lines.iter();
        let came = self.parted(lines, got).into_iter();
        came.map(|came| self.read(came, wanted.next().is_some_and(Line::is_failure))).collect()
    }

    /// Parts what came into what answers each line.
    fn parted<'g>(self, lines: &[Line], got: &'g str) -> Vec<&'g str> {
        if self.is_one_value(lines) { vec![got] } else { split(got) }
    }

    /// Tells whether all that comes is one value, however many lines it is laid out over.
    fn is_one_value(self, lines: &[Line]) -> bool {
        lines.len() == 1 && !self.case.request.is_stream()
    }

    fn differing(self, stream: &'static str, expected: String, got: String) -> Option<Mismatch> {
        if expected == got {
            return None;
        }
        Some(if self.is_of_bytes {
            Mismatch::Bytes { stream, expected: expected.into_bytes(), got: got.into_bytes() }
        } else {
            Mismatch::Meaning { stream, expected, got }
        })
    }

    /// Reads files that differ in their bytes. No message stands in them.
    fn files(self, found: Mismatch) -> Option<Mismatch> {
        let Mismatch::Bytes { stream, expected, got } = found else { return Some(found) };
        let read = |bytes: &[u8]| self.spelled(String::from_utf8_lossy(bytes).into_owned());
        not_text(stream, &got).or_else(|| self.differing(stream, read(&expected), read(&got)))
    }

    /// Reads a text that is one value, or one a line.
    fn read_text(self, text: &str) -> String {
        if Document::parse(text.into()).is_ok() {
            return self.read(text, false);
        }
        split(text).into_iter().map(|line| self.read(line, false)).collect()
    }

    /// Reads what a value says, the messages in it left out. What is no JSON stays as it is, and is like no JSON.
    fn read(self, text: &str, is_failure: bool) -> String {
        let Ok(document) = Document::parse(text.into()) else { return text.to_owned() };
        let mut messages = Vec::new();
        if is_failure || self.is_native() {
            messages_of_a_response(document.root(), &mut messages);
        } else {
            messages_in_texts(document.root(), &mut messages);
        }
        self.spelled(replaced(text, messages))
    }

    fn is_native(self) -> bool {
        self.case.options.provider.is_none() && !self.case.options.replay
    }

    /// Returns a text as it is spelled where that is the rule, and else in the one spelling that all have in common.
    fn spelled(self, text: String) -> String {
        if self.is_of_bytes { text } else { without_spelling(text) }
    }
}

/// Tells that bytes are no text: read as one, a byte that is none would be the character that stands in for it.
fn not_text(stream: &'static str, got: &[u8]) -> Option<Mismatch> {
    let error = std::str::from_utf8(got).err()?;
    Some(Mismatch::NotText { stream, before: error.valid_up_to() })
}

/// A span of the text, and what is read in its place.
type Replaced = (Range<usize>, String);

/// Finds the messages of a native response or a failure: its own, and those of its details.
fn messages_of_a_response(response: Node<'_>, found: &mut Vec<Replaced>) {
    message_of(response, found);
    for detail in response.get("details").into_iter().filter(|node| node.kind() == Kind::Array).flat_map(Node::elements)
    {
        message_of(detail, found);
    }
}

fn message_of(node: Node<'_>, found: &mut Vec<Replaced>) {
    let message = (node.kind() == Kind::Object).then(|| node.get("message")).flatten();
    let Some(message) = message else { return };
    // One that says nothing is no message.
    if message.as_str().is_some_and(|text| !text.trim().is_empty()) {
        found.push((message.span(), quoted(UNJUDGED)));
    }
}

/// Finds the texts in which a model is told of an error: a code, what it means, and a line for each detail.
fn messages_in_texts(node: Node<'_>, found: &mut Vec<Replaced>) {
    match node.kind() {
        Kind::Array => node.elements().for_each(|element| messages_in_texts(element, found)),
        Kind::Object => node.members().for_each(|member| messages_in_texts(member.value, found)),
        Kind::String => {
            let told = node.as_str().and_then(|text| told(&text));
            found.extend(told.map(|told| (node.span(), quoted(&told))));
        }
        Kind::Null | Kind::True | Kind::False | Kind::Number => {}
    }
}

/// Returns the code and the paths of a text that tells of an error.
pub(super) fn told(text: &str) -> Option<String> {
    let mut lines = text.lines();
    let first = lines.next()?;
    let (code, _) = first.split_once(':').unwrap_or((first, ""));
    ErrorCode::ALL.iter().find(|known| known.as_str() == code)?;
    let paths =
        lines.filter_map(|line| line.split_once(": ")).map(|(path, _)| path).filter(|path| path.starts_with('$'));
    let lines: Vec<String> = iter::once(code).chain(paths).map(|line| format!("{line}: {UNJUDGED}")).collect();
    Some(lines.join("\n"))
}

fn replaced(text: &str, mut spans: Vec<Replaced>) -> String {
    spans.sort_by_key(|(span, _)| span.start);
    let mut out = text.to_owned();
    for (span, replacement) in spans.into_iter().rev() {
        out.replace_range(span, &replacement);
    }
    out
}

/// Writes a JSON text anew: compact, keys sorted, numbers and letters in one spelling. What is no JSON stays as it is.
fn without_spelling(text: String) -> String {
    let Ok(document) = Document::parse(text.clone().into_bytes()) else { return text };
    let mut out = Vec::new();
    // Memory can be written to.
    let _ = write_value(&mut out, &document.root().to_json());
    String::from_utf8_lossy(&out).into_owned() + "\n"
}

/// Splits a text behind its line feeds.
fn split(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

#[cfg(test)]
mod tests;
