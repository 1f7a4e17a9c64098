//! What an implementation may leave out, and say so.

use std::fmt;
use std::str::FromStr;

use crate::case::Case;
use crate::yaml::OwnToolset;

/// Names an option of the command that a program may lack. Whatever else the cases ask for belongs to a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// The toolset `agent`.
    Agent,
    /// A whole conversation as the answer: `--conversation`.
    Conversation,
    /// Failures that are explained: `--explain`.
    Explain,
    /// A stream that goes on behind a failure: `--keep-going`.
    KeepGoing,
    /// Responses for people: `--pretty`.
    Pretty,
    /// A request a line: `--stream`.
    Stream,
    /// Arguments of strict mode: `--strict`.
    Strict,
}

impl Feature {
    /// Every feature, sorted by name.
    pub const ALL: [Self; 7] =
        [Self::Agent, Self::Conversation, Self::Explain, Self::KeepGoing, Self::Pretty, Self::Stream, Self::Strict];

    /// Returns the name, as it is said on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Conversation => "conversation",
            Self::Explain => "explain",
            Self::KeepGoing => "keep-going",
            Self::Pretty => "pretty",
            Self::Stream => "stream",
            Self::Strict => "strict",
        }
    }

    /// Tells whether a case can't be asked without it.
    pub fn is_needed_by(self, case: &Case) -> bool {
        let options = &case.options;
        match self {
            Self::Agent => options.toolset == OwnToolset::Agent,
            Self::Conversation => options.conversation,
            Self::Explain => options.explain,
            Self::KeepGoing => options.keep_going,
            Self::Pretty => options.pretty,
            Self::Stream => case.request.is_stream() && !options.replay,
            Self::Strict => options.strict,
        }
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Feature {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let all = Self::ALL.map(Self::as_str).join(", ");
        let found = Self::ALL.into_iter().find(|feature| feature.as_str() == name);
        found.ok_or_else(|| format!("what can be left out is {all}"))
    }
}
