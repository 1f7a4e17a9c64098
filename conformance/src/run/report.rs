//! What became of the cases, told: to people, to CI, and to programs.
//!
//! **The same answers give the same report**: it holds no time, no duration and no path of the machine.

mod json;
mod junit;
mod markdown;
mod people;

use crate::case::Case;
use crate::level::Level;
use crate::rules::Rules;
use crate::run::asked::Fault;
use crate::run::selection::Waived;
use crate::run::verdict::{self, Outcome, Tally, Verdict};

pub use json::json;
pub use junit::junit;
pub use markdown::markdown;
pub use people::people;

/// Holds all that a report tells.
#[derive(Debug)]
pub struct Report<'r> {
    /// The command that was put to the test, as it was given.
    pub command: &'r str,
    /// The options beside it that say how it is run, word by word: for running a case alone as it was run here.
    pub options: &'r [String],
    /// The version of the suite, or `unreleased` for all cases there are.
    pub suite: &'r str,
    /// The page of the rules.
    pub rules: &'r Rules,
    /// What became of each case, in their order.
    pub outcomes: &'r [Outcome<'r>],
    /// What the program does not claim.
    pub waived: &'r Waived,
    /// Whether whole levels were asked, so that they can be reached.
    pub is_of_whole_levels: bool,
}

impl<'r> Report<'r> {
    /// Tells whether some cases were run, or failed without it.
    pub fn has_asked(&self) -> bool {
        self.tally().asked() > 0
    }

    /// Tells whether some cases were run, and none failed but those that are listed.
    pub fn is_success(&self) -> bool {
        self.has_asked() && self.tally().failed == 0
    }

    /// Returns the highest level that is reached.
    pub fn reached(&self) -> Option<Level> {
        if self.is_of_whole_levels { verdict::reached(self.outcomes) } else { None }
    }

    fn tally(&self) -> Tally {
        Tally::of(self.outcomes)
    }

    /// Returns the tallies of the levels of which cases were selected.
    fn levels(&self) -> Vec<(Level, Tally)> {
        let tallies = Level::ALL.map(|level| (level, Tally::of_level(self.outcomes, level)));
        tallies.into_iter().filter(|(_, tally)| *tally != Tally::default()).collect()
    }

    fn failures(&self) -> impl Iterator<Item = (&'r Case, &'r [Fault])> {
        self.outcomes.iter().filter_map(|outcome| match &outcome.verdict {
            Verdict::Failed(faults) => Some((outcome.case, faults.as_slice())),
            Verdict::Passed | Verdict::KnownFailure(_) | Verdict::NotApplicable(_) => None,
        })
    }

    /// Says the rule of a case: its heading, and where it stands.
    fn rule(&self, case: &Case) -> String {
        let title = self.rules.title(&case.rule).unwrap_or_default();
        format!("{title} (docs/protocol.md#{})", case.rule)
    }

    /// Says in a line which level is reached.
    fn reached_in_words(&self) -> String {
        let without = if self.waived.is_empty() { String::new() } else { format!(", without {}", self.waived) };
        match self.reached() {
            _ if !self.is_of_whole_levels => "level reached: not told, for some of its cases were left out".to_owned(),
            Some(level) => format!("level reached: {level}{without}"),
            None => format!("level reached: none{without}"),
        }
    }

    /// Returns the command that runs a case alone.
    fn alone(&self, case: &Case) -> String {
        let name = case.full_name();
        let options = self.options.iter().map(String::as_str);
        let words =
            ["conformance", "run", "--command", self.command].into_iter().chain(options).chain(["--exact", &name]);
        // A command was split into words before: nothing in it can't be quoted.
        shlex::try_join(words).unwrap_or_default()
    }
}

/// Says what is wrong, each fault on lines of its own.
fn told(faults: &[Fault]) -> String {
    let told: Vec<String> = faults.iter().map(|fault| fault.to_string().trim_end().to_owned()).collect();
    told.join("\n")
}

#[cfg(test)]
mod tests;
