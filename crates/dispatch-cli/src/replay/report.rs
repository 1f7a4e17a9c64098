//! What is told of a replay.

use std::io::{self, Write};

use dispatch_core::session::Entry;
use serde_json::{Value, json};

use super::divergence::{Divergence, head, place, with};
use super::text;

/// How many calls ended how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) agree: u64,
    pub(super) diverge: u64,
    /// Those in which nothing but the workspace as a whole differs, once a call before has left it otherwise.
    pub(super) carried: u64,
    /// Those without an outcome.
    pub(super) unknown: u64,
    /// Those that reach beyond the workspace and were not run again: they are among those above.
    pub(super) stood_in: u64,
    pub(super) not_compared: u64,
}

impl Counts {
    pub(super) fn has_diverged(&self) -> bool {
        self.diverge > 0
    }

    pub(super) fn calls(&self) -> u64 {
        self.agree + self.diverge + self.carried + self.unknown + self.not_compared
    }

    /// Returns the counts as a line for people.
    pub(super) fn to_text(self) -> String {
        let Self { agree, diverge, carried, unknown, stood_in, not_compared } = self;
        let (calls, plural) = (self.calls(), if self.calls() == 1 { "" } else { "s" });
        let rest = [
            (carried, "differ in the workspace that was left to them"),
            (unknown, "outcome_unknown"),
            (not_compared, "not compared"),
        ];
        let rest = rest.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!(", {count} {what}"));
        let rest: String = rest.collect();
        let stood_in = match stood_in {
            0 => String::new(),
            _ => {
                format!("; {stood_in} reached beyond the workspace, and what was recorded stood in (--live runs them)")
            }
        };
        format!("{calls} call{plural}: {agree} agree, {diverge} diverge{rest}{stood_in}")
    }

    /// Returns the counts as an object.
    pub(super) fn to_json(self) -> Value {
        json!({
            "agree": self.agree,
            "calls": self.calls(),
            "diverge": self.diverge,
            "kind": "summary",
            "not_compared": self.not_compared,
            "outcome_unknown": self.unknown,
            "stood_in": self.stood_in,
            "workspace_alone": self.carried,
        })
    }
}

/// Where divergences are told.
pub(super) trait Report {
    /// Tells a divergence, the number of those before it being given.
    fn divergence(&mut self, divergence: &Divergence<'_>, before: u64) -> io::Result<()>;
    /// Tells a call without an outcome.
    fn unknown(&mut self, entry: &Entry) -> io::Result<()>;
}

/// For people: diffs.
pub(super) struct ForPeople<W> {
    pub(super) out: W,
    pub(super) all: bool,
    pub(super) colour: bool,
}

impl<W: Write> Report for ForPeople<W> {
    fn divergence(&mut self, divergence: &Divergence<'_>, before: u64) -> io::Result<()> {
        if before > 0 && !self.all {
            return Ok(());
        }
        let shown = divergence.to_text();
        let shown = if self.colour { text::coloured(&shown) } else { shown };
        writeln!(self.out, "{}\n{shown}", head(divergence.entry))
    }

    fn unknown(&mut self, entry: &Entry) -> io::Result<()> {
        writeln!(self.out, "{}\noutcome_unknown: the program ended before it was recorded\n", head(entry))
    }
}

/// For programs: an object a line.
pub(super) struct ForPrograms<W> {
    pub(super) out: W,
}

impl<W: Write> Report for ForPrograms<W> {
    fn divergence(&mut self, divergence: &Divergence<'_>, _before: u64) -> io::Result<()> {
        writeln!(self.out, "{}", text::compact(&divergence.to_json()))
    }

    fn unknown(&mut self, entry: &Entry) -> io::Result<()> {
        let unknown = with(place(entry), [("kind", json!("outcome_unknown"))]);
        writeln!(self.out, "{}", text::compact(&unknown))
    }
}
