//! What is wrong with what a program did, told so that a person can mend it.

use std::fmt;
use std::process::ExitStatus;
use std::time::Duration;

use crate::case::Case;
use crate::judge::{expected_details, judge_meaning};
use crate::layout::NotReadBack;
use crate::mismatch::Mismatch;
use crate::subject::Output;

/// How much is shown of stdout where nothing of it is compared, in bytes.
pub(super) const PRINTED: usize = 100;

/// How much of what a program said on stderr is shown, in characters.
const SAID: usize = 1000;

/// Says what is wrong with what a program did.
#[derive(Debug)]
#[non_exhaustive]
pub enum Fault {
    /// Something else came out than the case expects.
    Unexpected(Mismatch),
    /// The files that it left can't be what the case expects, whatever that is.
    Files(NotReadBack),
    /// It took too long.
    TimedOut(Duration),
    /// It did not answer this line within so long, and was written no other until then.
    Unanswered(usize, Duration),
    /// It printed too much, to this stream, the bound being so many bytes.
    TooMuch(&'static str, usize),
    /// A signal ended it.
    Killed(ExitStatus),
    /// It was not asked: so many cases in a row, in their order, took too long before it.
    NotAsked(usize),
    /// What came is right where nothing else comes either: this case, which is to be answered, is not.
    NothingIsAnswered(String),
    /// The details that are expected read so: no part of what is judged, and a hint at what is missing.
    Words(String),
    /// What it printed on stdout begins so, in which there is nothing to compare.
    Printed(String),
    /// What it said on stderr besides, which is not judged.
    Said(String),
    /// All this came in a stream of other requests; alone, the request is answered as it should.
    InAStreamAlone,
    /// It is listed as a known failure, for this reason, and passes.
    ListedAndPasses(String),
    /// It is listed as a known failure, for this reason, and does not apply.
    ListedAndNotApplicable(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unexpected(mismatch) => fmt::Display::fmt(mismatch, f),
            Self::Files(fault) => fmt::Display::fmt(fault, f),
            Self::TimedOut(timeout) => write!(f, "took longer than {} ms, and was ended", timeout.as_millis()),
            Self::Unanswered(line, timeout) => write!(
                f,
                "line {line} was not answered within {} ms while the stream stayed open: is the response flushed? It was ended",
                timeout.as_millis()
            ),
            Self::TooMuch(stream, bytes) => write!(f, "{stream}: more than {bytes} bytes; the program was ended"),
            Self::Killed(status) => write!(f, "the program was killed: {status}"),
            Self::NotAsked(hung) => {
                write!(f, "was not asked: {hung} cases in a row took too long before it (`--give-up-after`)")
            }
            Self::NothingIsAnswered(name) => {
                write!(f, "saying nothing here shows nothing: `{name}`, which is right, is not answered either")
            }
            Self::Words(details) => {
                write!(f, "the expected details, whose words are free:{}", marked(&format!("\n{details}")))
            }
            Self::Printed(stdout) => write!(f, "stdout begins: {stdout}"),
            // Its lines are marked as its own.
            Self::Said(stderr) => write!(f, "it said: {}", marked(stderr)),
            Self::InAStreamAlone => f.write_str("so it is in a stream of other requests; alone it passes"),
            Self::ListedAndPasses(why) => write!(f, "passes, and is listed as a known failure: {why}"),
            Self::ListedAndNotApplicable(why) => write!(f, "does not apply, and is listed as a known failure: {why}"),
        }
    }
}

/// Marks the lines of a text behind the first.
fn marked(text: &str) -> String {
    text.replace('\n', "\n| ")
}

/// Returns what is wrong with an output, and what helps to see why.
pub(super) fn unexpected(case: &Case, output: &Output) -> Vec<Fault> {
    let mut faults: Vec<Fault> = judge_meaning(case, output).into_iter().map(Fault::Unexpected).collect();
    let is_no_text = |fault: &Fault| matches!(fault, Fault::Unexpected(Mismatch::NotText { stream: "stdout", .. }));
    if faults.iter().any(is_no_text) {
        faults.extend(printed(&output.stdout));
    }
    if !faults.is_empty() {
        faults.extend(expected_details(case, output).map(Fault::Words));
        faults.extend(said(&output.stderr));
    }
    faults
}

/// Returns how stdout begins, one that holds something: what is no text in it is seen.
pub(super) fn printed(stdout: &[u8]) -> Option<Fault> {
    let is_between_characters = |end: &usize| stdout.get(*end).is_none_or(|byte| byte & 0xc0 != 0x80);
    let end = (0..=PRINTED).rev().take(4).find(is_between_characters).unwrap_or(PRINTED);
    let (begin, mark) = stdout
        .split_at_checked(end)
        .map_or((stdout, ""), |(begin, rest)| (begin, if rest.is_empty() { "" } else { "..." }));
    let chunks = begin.utf8_chunks().map(|chunk| {
        let text = format!("{:?}", chunk.valid());
        text.get(1..text.len() - 1).unwrap_or_default().to_owned() + &chunk.invalid().escape_ascii().to_string()
    });
    (!stdout.is_empty()).then(|| Fault::Printed(format!("\"{}\"{mark}", chunks.collect::<String>())))
}

/// Returns the end of what was said: of a trace, that is where the reason stands.
pub(super) fn said(stderr: &[u8]) -> Option<Fault> {
    let text = String::from_utf8_lossy(stderr);
    let text = text.trim_end();
    let skipped = text.chars().count().saturating_sub(SAID);
    let shown: String = text.chars().skip(skipped).collect();
    let mark = if skipped > 0 { "..." } else { "" };
    (!shown.is_empty()).then(|| Fault::Said(format!("{mark}{shown}")))
}
