//! What is told of a replay.

use std::io::{self, Write};

use dispatch_core::ToolCall;
use dispatch_core::session::Difference;
use serde_json::{Value, json};

use super::text::{self, one_line};
use crate::args::SessionArgs;
use crate::error::CliError;
use crate::{Ending, output};

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
        let rest = [
            (carried, "differ in the workspace that was left to them"),
            (unknown, "outcome_unknown"),
            (not_compared, "not compared"),
        ];
        let stood_in = match stood_in {
            0 => String::new(),
            _ => {
                format!(
                    "; {stood_in} reached beyond what the log holds, and what was recorded stood in (see --live and --root)"
                )
            }
        };
        counted(self.calls(), (agree, diverge), &rest) + &stood_in
    }

    pub(super) fn summary(self) -> Summary {
        let diverge = self.diverge + self.carried;
        Summary { diverge, has_diverged: self.has_diverged(), for_people: self.to_text(), for_programs: self.to_json() }
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

/// Returns how many calls there are, how many of them agree and diverge, and what became of the rest.
pub(super) fn counted(calls: u64, (agree, diverge): (u64, u64), rest: &[(u64, &str)]) -> String {
    let plural = if calls == 1 { "" } else { "s" };
    let rest = rest.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!(", {count} {what}"));
    format!("{calls} call{plural}: {agree} agree, {diverge} diverge{}", rest.collect::<String>())
}

/// A call that is told of.
pub(super) trait Named {
    fn number(&self) -> u64;
    fn call(&self) -> &ToolCall;
    /// What kind of place it was recorded at, and which.
    fn place(&self) -> (&'static str, Value);
}

/// Returns what names a call to people: `call 2 (line 5), read_file path="a"`.
pub(super) fn head(named: &dyn Named) -> String {
    let (call, (kind, place)) = (named.call(), named.place());
    let place = place.as_str().map_or_else(|| format!("{kind} {place}"), str::to_owned);
    let (number, place, tool) = (named.number(), one_line(&place), one_line(call.tool()));
    format!("call {number} ({place}), {} {}", text::cut(&tool, 64), text::arguments(call))
}

/// Returns what names a call to programs.
pub(super) fn place(named: &dyn Named) -> Value {
    let call = named.call();
    with(json!({"call": named.number(), "id": call.id(), "tool": call.tool()}), [named.place()])
}

/// Returns an object with further members.
pub(super) fn with<const N: usize>(mut object: Value, members: [(&str, Value); N]) -> Value {
    if let Some(object) = object.as_object_mut() {
        object.extend(members.map(|(name, value)| (name.to_owned(), value)));
    }
    object
}

/// A call that came to something else today.
pub(super) trait Diverging {
    fn named(&self) -> &dyn Named;
    fn differences(&self) -> &[Difference];
    /// Returns what is shown to people: diffs.
    fn to_text(&self) -> String;
}

fn divergence_to_json(divergence: &dyn Diverging) -> Value {
    let differences = divergence.differences().iter().map(|difference| {
        let path = difference.path.to_string();
        json!({"path": path, "recorded": difference.recorded, "today": difference.today})
    });
    let told = [("differences", differences.collect()), ("kind", json!("divergence"))];
    with(place(divergence.named()), told)
}

/// Where divergences are told.
pub(super) trait Report {
    /// Tells a divergence, the number of those before it being given.
    fn divergence(&mut self, divergence: &dyn Diverging, before: u64) -> io::Result<()>;
    /// Tells a call of whose outcome nobody knows, and why.
    fn unknown(&mut self, named: &dyn Named, why: &str) -> io::Result<()>;
}

/// What a replay came to.
#[derive(Debug)]
pub(super) struct Summary {
    /// How many divergences there are to be shown.
    pub(super) diverge: u64,
    pub(super) has_diverged: bool,
    pub(super) for_people: String,
    pub(super) for_programs: Value,
}

impl Summary {
    pub(super) fn ending(&self) -> Ending {
        if self.has_diverged { Ending::Failed } else { Ending::Fine }
    }

    fn to_line(&self, args: &SessionArgs) -> String {
        if args.json {
            return text::compact(&self.for_programs);
        }
        let is_hidden = self.has_diverged && self.diverge > 1 && !args.all;
        let hint = if is_hidden { " (the first is shown; --all shows each)" } else { "" };
        format!("{}{hint}", self.for_people)
    }
}

/// Prints what a replay tells, and then what it came to.
///
/// # Errors
///
/// Those of the replay, or when standard output can't be written.
pub(super) fn print(
    args: &SessionArgs,
    replay: impl FnOnce(&mut dyn Report) -> Result<Summary, CliError>,
) -> Result<Ending, CliError> {
    let mut out = output::stdout();
    let summary = if args.json {
        replay(&mut ForPrograms { out: &mut out })
    } else {
        let colour = output::wants_colour(&io::stdout());
        replay(&mut ForPeople { out: &mut out, all: args.all, colour })
    };
    // What was found before it could go no further is of use.
    let summary = summary.or_else(|error| out.flush().map_err(CliError::Unwritable).and(Err(error)))?;
    writeln!(out, "{}", summary.to_line(args)).and_then(|()| out.flush()).map_err(CliError::Unwritable)?;
    Ok(summary.ending())
}

/// For people: diffs.
struct ForPeople<W> {
    out: W,
    all: bool,
    colour: bool,
}

impl<W: Write> Report for ForPeople<W> {
    fn divergence(&mut self, divergence: &dyn Diverging, before: u64) -> io::Result<()> {
        if before > 0 && !self.all {
            return Ok(());
        }
        let shown = divergence.to_text();
        let shown = if self.colour { text::coloured(&shown) } else { shown };
        writeln!(self.out, "{}\n{shown}", head(divergence.named()))
    }

    fn unknown(&mut self, named: &dyn Named, why: &str) -> io::Result<()> {
        writeln!(self.out, "{}\noutcome_unknown: {why}\n", head(named))
    }
}

/// For programs: an object a line.
struct ForPrograms<W> {
    out: W,
}

impl<W: Write> Report for ForPrograms<W> {
    fn divergence(&mut self, divergence: &dyn Diverging, _before: u64) -> io::Result<()> {
        writeln!(self.out, "{}", text::compact(&divergence_to_json(divergence)))
    }

    fn unknown(&mut self, named: &dyn Named, _why: &str) -> io::Result<()> {
        let unknown = with(place(named), [("kind", json!("outcome_unknown"))]);
        writeln!(self.out, "{}", text::compact(&unknown))
    }
}
