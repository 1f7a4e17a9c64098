//! A case file as it is written: the members of a case, and nothing about what they mean together.
//!
//! **Nothing is guessed.** An unknown member, a key twice, a merge key, an unknown tag and a
//! boolean that only some parsers take for one are errors, shown with their place.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde_saphyr::options::MergeKeyPolicy;

use crate::json::Json;

/// Reads YAML under the rules that hold for every case file.
///
/// # Errors
///
/// The text is no YAML, breaks one of those rules, or is not of the type asked for.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, serde_saphyr::Error> {
    let options = serde_saphyr::options! {
        strict_booleans: true,
        leading_zero_numbers_as_strings: true,
        underscored_numbers_as_strings: true,
        reject_unsupported_tags: true,
        merge_keys: MergeKeyPolicy::Error,
    };
    serde_saphyr::from_str_with_options(text, options)
}

/// Says what is wrong with a text, to who wrote it and not to who reads it by a program.
pub(crate) fn told(error: &serde_saphyr::Error) -> String {
    error.render_with_formatter(&serde_saphyr::UserMessageFormatter)
}

/// Holds one case as the file has it.
///
/// Which members go together is judged when it becomes a [`Case`](crate::case::Case).
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseText {
    /// The name within its file: a-z, 0-9 and `_`.
    pub name: String,
    /// The heading of docs/protocol.md that the case shows, as its anchor.
    pub rule: String,
    /// What the case shows, in a sentence.
    pub why: String,
    /// Where the case comes from.
    pub source: Option<String>,
    /// A request as YAML.
    pub request: Option<Json>,
    /// A request as text.
    pub text: Option<String>,
    /// A request as bytes.
    pub base64: Option<String>,
    /// A request put together from parts.
    pub pieces: Option<Vec<PieceText>>,
    /// A stream of requests.
    pub lines: Option<Vec<Json>>,
    /// Whether the last line of a stream has no line feed.
    #[serde(default)]
    pub open_end: bool,
    /// Whether each line of a stream is written when the one before has been answered.
    #[serde(default)]
    pub in_turns: bool,
    /// The workspace that a provider's message runs on, or that a directory holds, before it.
    pub workspace: Option<Json>,
    /// The exit code.
    pub exit: u8,
    /// The response without its workspace.
    pub response: Option<Json>,
    /// What happened to the request's workspace.
    pub effects: Option<Effects>,
    /// The messages that answer a provider's message.
    pub messages: Option<Vec<Json>>,
    /// The literal stdout.
    pub stdout: Option<String>,
    /// The protocol failure on stderr.
    pub failure: Option<Failure>,
    /// What comes back for each line of a stream.
    pub answers: Option<Vec<Answer>>,
    /// What a replay tells, an object a line.
    pub report: Option<Vec<Json>>,
    /// What the lines that a replay tells people hold, a text a line.
    pub notes: Option<Vec<String>>,
    /// Options of the command.
    pub options: Option<Options>,
    /// The tools there are.
    #[serde(default)]
    pub toolset: Toolset,
    /// The subject that can show the case.
    pub only: Option<Only>,
}

/// Holds one part of a request: a text, or a mapping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PieceText {
    /// A text as it is.
    Text(String),
    /// A text, and how often it stands.
    Repeat(String, usize),
    /// Bytes in base64, white space ignored.
    Base64(String),
}

/// Says what a stream answers one line with.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The whole response.
    Response(Json),
    /// A failure in its place.
    Failure(Failure),
}

impl Answer {
    /// Returns the failure that stands in the answer's place.
    pub fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Failure(failure) => Some(failure),
            Self::Response(_) => None,
        }
    }
}

/// Says what happened to the files of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effects {
    /// Every file is as it was, spelling included.
    None,
    /// These files were written, with these texts.
    Written(BTreeMap<String, String>),
}

/// Names a protocol failure and its place: `path`, or `line` and `column`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failure {
    /// The code.
    pub error: String,
    /// The path of the value at fault.
    pub path: Option<String>,
    /// The line of the fault, from 1.
    pub line: Option<u64>,
    /// The column of the fault in bytes, from 1.
    pub column: Option<u64>,
}

/// Holds the options that a subject is started with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line, and by itself")]
pub struct Options {
    /// The names that the session may use. Absent means all.
    pub allow: Option<Vec<String>>,
    /// The bound of an observation, in bytes.
    pub max_output_bytes: Option<u64>,
    /// Whether execution failures are explained.
    #[serde(default)]
    pub explain: bool,
    /// Whether a stream goes on behind a failure.
    #[serde(default)]
    pub keep_going: bool,
    /// Whether responses are laid out for people.
    #[serde(default)]
    pub pretty: bool,
    /// The provider whose message the request is, or `auto`.
    pub provider: Option<String>,
    /// Whether the whole conversation comes back.
    #[serde(default)]
    pub conversation: bool,
    /// Whether the tools were sent in strict mode.
    #[serde(default)]
    pub strict: bool,
    /// Whether the request is the log of a session, to be replayed.
    #[serde(default)]
    pub replay: bool,
    /// The product's own tools, as its command names them.
    #[serde(default)]
    pub toolset: OwnToolset,
    /// More words of the command line, as they are: what no other option says, since it is wrong.
    #[serde(default)]
    pub words: Vec<String>,
}

/// Chooses among the toolsets that the product has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OwnToolset {
    /// The native tools.
    #[default]
    Core,
    /// Those that an agent works with.
    Agent,
}

/// Chooses the tools that exist.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Toolset {
    /// The product's own: see [`OwnToolset`].
    #[default]
    Core,
    /// The native ones and those of [`test_tools`](crate::test_tools).
    Test,
}

/// Names the subject that a case holds for.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Only {
    /// The subject.
    pub subject: SubjectName,
    /// Why no other can show it.
    pub reason: String,
}

/// Names a subject, or a kind of them, that a case can be kept to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SubjectName {
    /// The dispatcher in this process.
    Library,
    /// The program `dispatch`.
    Binary,
    /// Any subject whose workspace is in memory.
    Memory,
    /// Any subject whose workspace is a directory.
    Directory,
}

impl<'de> Deserialize<'de> for PieceText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PieceVisitor)
    }
}

struct PieceVisitor;

impl<'de> Visitor<'de> for PieceVisitor {
    type Value = PieceText;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, `{repeat: TEXT, times: N}` or `{base64: TEXT}`")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<PieceText, E> {
        Ok(PieceText::Text(text.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<PieceText, A::Error> {
        let piece = PieceMapping::deserialize(MapAccessDeserializer::new(map))?;
        match (piece.repeat, piece.times, piece.base64) {
            (Some(text), Some(times), None) => Ok(PieceText::Repeat(text, times)),
            (None, None, Some(bytes)) => Ok(PieceText::Base64(bytes)),
            _ => Err(de::Error::custom("a piece has `repeat` and `times`, or `base64` alone")),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PieceMapping {
    repeat: Option<String>,
    times: Option<usize>,
    base64: Option<String>,
}

impl<'de> Deserialize<'de> for Effects {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(EffectsVisitor)
    }
}

struct EffectsVisitor;

impl<'de> Visitor<'de> for EffectsVisitor {
    type Value = Effects;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`none`, or the files written as `{PATH: TEXT}`")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Effects, E> {
        match text {
            "none" => Ok(Effects::None),
            _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Effects, A::Error> {
        BTreeMap::deserialize(MapAccessDeserializer::new(map)).map(Effects::Written)
    }
}
