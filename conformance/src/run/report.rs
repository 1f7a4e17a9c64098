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
use crate::run::fault::Fault;
use crate::run::selection::Waived;
use crate::run::verdict::{self, Outcome, Tally, Verdict};

pub use json::json;
pub use junit::junit;
pub use markdown::markdown;
pub use people::people;

/// Holds all that a report tells.
#[derive(Debug)]
pub struct Report<'r> {
    /// The words that start this program once more, where it was started: `conformance`, or `cargo run` and what belongs to it.
    pub start: &'r [String],
    /// The command that was put to the test, as it was given.
    pub command: &'r str,
    /// The options beside it that change what becomes of a case, word by word: for running one alone as it was run here.
    pub options: &'r [String],
    /// The version of the suite, or `unreleased` for all cases there are.
    pub suite: &'r str,
    /// The page of the rules.
    pub rules: &'r Rules,
    /// What became of each case, in their order.
    pub outcomes: &'r [Outcome<'r>],
    /// How many cases were [asked again](crate::run::asked::Asked::again), each alone.
    pub asked_again: usize,
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

    /// Says of how many cases a shared process was forgiven, where it was of any.
    fn asked_again_in_words(&self) -> Option<String> {
        let told = |again| {
            format!(
                "{again} cases were asked again, each alone: a process that they shared did not give a line for each"
            )
        };
        (self.asked_again > 0).then(|| told(self.asked_again))
    }

    /// Returns the command that runs a case alone.
    fn alone(&self, case: &Case) -> String {
        let name = case.full_name();
        let (start, options) = (self.start.iter().map(String::as_str), self.options.iter().map(String::as_str));
        let words = start.chain(["run", "--command", self.command]).chain(options).chain(["--exact", &name]);
        // A command was split into words before: nothing in it can't be quoted.
        shlex::try_join(words).unwrap_or_default()
    }
}

/// Says what is wrong, each fault on lines of its own.
fn told(faults: &[Fault]) -> String {
    let told: Vec<String> = faults.iter().map(|fault| shown(fault.to_string().trim_end())).collect();
    told.join("\n")
}

/// Writes a text so that no letter of it does anything: it may be a program's own.
fn shown(text: &str) -> String {
    text.split('\n').map(|line| harmless(&escaped(line))).collect::<Vec<_>>().join("\n")
}

/// Escapes what a terminal obeys, and what turns the order of letters.
fn escaped(line: &str) -> String {
    let escaped = |c: char| match c {
        c if c.is_control() => c.escape_default().to_string(),
        '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => c.escape_default().to_string(),
        c => c.to_string(),
    };
    line.chars().map(escaped).collect()
}

/// Puts a mark into a line that CI would take for a command: one that begins with `::`, or holds `##[` or `##vso[`.
fn harmless(line: &str) -> String {
    let line = if line.contains('[') { line.replace("##", "#\\#") } else { line.to_owned() };
    if line.trim_start().starts_with("::") { format!("| {}", line.trim_start()) } else { line }
}

#[cfg(test)]
mod tests;
