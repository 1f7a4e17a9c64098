//! A case: what goes in, what must come out, and for whom it holds.
//!
//! **A [`Case`] does not contradict itself**: it has exactly one request, one expectation that fits
//! it, and a subject that can run it. [`check`](crate::check) makes it of what a file has.

use crate::json::Json;
use crate::yaml::{Answer, Effects, Failure, Only, Options, SubjectName, Toolset};

/// Holds one case. Its full name is `<area>::<topic>::<name>`.
#[derive(Debug, Clone)]
pub struct Case {
    /// The folder it stands in.
    pub area: String,
    /// The file it stands in, without the extension.
    pub topic: String,
    /// Its name within that file.
    pub name: String,
    /// The heading of docs/protocol.md that it shows, as its anchor.
    pub rule: String,
    /// What it shows, in a sentence.
    pub why: String,
    /// Where it comes from.
    pub source: Option<String>,
    /// What is asked.
    pub request: Request,
    /// Whether each line of it is written when the one before has been answered.
    pub is_in_turns: bool,
    /// The workspace that a provider's message runs on, or that a directory holds, as JSON.
    pub workspace: Option<String>,
    /// What must come back.
    pub expectation: Expectation,
    /// The exit code.
    pub exit: i32,
    /// The options the subject is started with.
    pub options: Options,
    /// The tools there are.
    pub toolset: Toolset,
    /// The subject it holds for. `None`: all that offer its toolset.
    pub only: Option<Only>,
}

/// Holds what is asked, not yet put together.
#[derive(Debug, Clone)]
pub enum Request {
    /// One request, in parts that stand one behind the other.
    One(Vec<Piece>),
    /// A stream of lines, with their ends. The last one may lack it.
    Stream(Vec<String>),
}

/// Holds one part of a request.
#[derive(Debug, Clone)]
pub enum Piece {
    /// Bytes as they are.
    Bytes(Vec<u8>),
    /// A text, and how often it stands.
    Repeat(String, usize),
}

/// Says what must come back.
#[derive(Debug, Clone)]
pub enum Expectation {
    /// A response; its workspace is that of the request after these effects.
    Response(Vec<(String, Json)>, Effects),
    /// These messages answer a provider's message, and the workspace is that of the case after these effects.
    Messages(Vec<Json>, Effects),
    /// These bytes on stdout.
    Stdout(String),
    /// A protocol failure on stderr, and nothing on stdout.
    Failure(Failure),
    /// A line for each answer on stdout, and perhaps a failure on stderr that ended the stream.
    Answers(Vec<Answer>, Option<Failure>),
    /// A line for each object that a replay tells on stdout, and one on stderr for each text, which holds it. Of a conversation also what it did to
    /// the workspace, unless it was not run.
    Report(Vec<Json>, Vec<String>, Option<Effects>),
}

impl Case {
    /// Returns `<area>::<topic>::<name>`.
    pub fn full_name(&self) -> String {
        format!("{}::{}::{}", self.area, self.topic, self.name)
    }

    /// Tells whether it holds on a directory alone. What it asks is then put as it is there, and so is what comes back.
    pub fn is_for_directory(&self) -> bool {
        self.only.as_ref().is_some_and(|only| only.subject == SubjectName::Directory)
    }
}

impl Request {
    /// Tells whether it is a stream.
    pub fn is_stream(&self) -> bool {
        matches!(self, Self::Stream(_))
    }

    /// Puts the bytes together that go to stdin.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        match self {
            Self::One(pieces) => pieces.iter().for_each(|piece| piece.write(&mut bytes)),
            Self::Stream(lines) => lines.iter().for_each(|line| bytes.extend_from_slice(line.as_bytes())),
        }
        bytes
    }
}

impl Expectation {
    /// Iterates over the failures that are expected, those in place of an answer first.
    pub fn failures(&self) -> impl Iterator<Item = &Failure> {
        let (answers, failure) = match self {
            Self::Answers(answers, failure) => (answers.as_slice(), failure.as_ref()),
            Self::Failure(failure) => ([].as_slice(), Some(failure)),
            Self::Response(..) | Self::Messages(..) | Self::Stdout(_) | Self::Report(..) => ([].as_slice(), None),
        };
        answers.iter().filter_map(Answer::failure).chain(failure)
    }
}

impl Piece {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Bytes(bytes) => out.extend_from_slice(bytes),
            Self::Repeat(text, times) => out.extend_from_slice(text.repeat(*times).as_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_stand_one_behind_the_other() {
        let pieces = vec![Piece::Repeat("ab".into(), 2), Piece::Bytes(vec![0xff])];
        assert_eq!(Request::One(pieces).bytes(), b"abab\xff");
    }
}
