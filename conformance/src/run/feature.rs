//! What an implementation may leave out, and say so.

use std::fmt;
use std::str::FromStr;

use crate::case::Case;
use crate::yaml::OwnToolset;

/// Names an option of the command that a program may lack. Whatever else the cases ask for belongs to a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// The toolset `agent`, and logs of its calls.
    Agent,
    /// A whole conversation as the answer: `--conversation`.
    Conversation,
    /// Failures that are explained: `--explain`.
    Explain,
    /// A stream that goes on behind a failure: `--keep-going`.
    KeepGoing,
    /// Responses for people: `--pretty`.
    Pretty,
    /// Logs and conversations run again: `replay`.
    Replay,
    /// A request a line: `--stream`.
    Stream,
    /// Arguments of strict mode: `--strict`.
    Strict,
}

impl Feature {
    /// Every feature, sorted by name.
    pub const ALL: [Self; 8] = [
        Self::Agent,
        Self::Conversation,
        Self::Explain,
        Self::KeepGoing,
        Self::Pretty,
        Self::Replay,
        Self::Stream,
        Self::Strict,
    ];

    /// Returns the name, as it is said on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Conversation => "conversation",
            Self::Explain => "explain",
            Self::KeepGoing => "keep-going",
            Self::Pretty => "pretty",
            Self::Replay => "replay",
            Self::Stream => "stream",
            Self::Strict => "strict",
        }
    }

    /// Tells whether a case can't be asked without it.
    pub fn is_needed_by(self, case: &Case) -> bool {
        let options = &case.options;
        match self {
            // A log says by itself which tools it asks for.
            Self::Agent => options.toolset == OwnToolset::Agent || case.area == "agent",
            Self::Conversation => options.conversation,
            Self::Explain => options.explain,
            Self::KeepGoing => options.keep_going,
            Self::Pretty => options.pretty,
            Self::Replay => options.replay,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Request;
    use crate::testing::case;
    use crate::yaml::Options;

    /// The features that a case with these options needs.
    fn needed(area: &str, request: Request, options: Options) -> String {
        let case = Case { area: area.into(), request, options, ..case("any") };
        let needed: Vec<_> =
            Feature::ALL.iter().filter(|feature| feature.is_needed_by(&case)).map(Feature::to_string).collect();
        needed.join(" ")
    }

    #[test]
    fn a_case_needs_what_it_asks_for() {
        let (one, lines) = (|| Request::One(Vec::new()), || Request::Stream(Vec::new()));
        let none = Options::default;
        assert_eq!(needed("gates", one(), none()), "");
        assert_eq!(needed("gates", lines(), Options { keep_going: true, ..none() }), "keep-going stream");
        assert_eq!(
            needed("gates", one(), Options { toolset: OwnToolset::Agent, explain: true, ..none() }),
            "agent explain"
        );
        assert_eq!(
            needed("gates", one(), Options { conversation: true, strict: true, ..none() }),
            "conversation strict"
        );
        assert_eq!(needed("gates", one(), Options { pretty: true, ..none() }), "pretty");
    }

    #[test]
    fn a_log_is_no_stream_and_says_by_itself_which_tools_it_asks_for() {
        let log = || Options { replay: true, ..Options::default() };
        assert_eq!(needed("sessions", Request::Stream(Vec::new()), log()), "replay");
        assert_eq!(needed("agent", Request::Stream(Vec::new()), log()), "agent replay");
    }

    #[test]
    fn every_feature_is_read_by_its_name() {
        for feature in Feature::ALL {
            assert_eq!(feature.to_string().parse(), Ok(feature));
        }
    }
}
