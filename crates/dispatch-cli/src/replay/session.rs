//! `dispatch replay LOG`: the calls of sessions, run again and compared.

use std::io::{self, Write as _};
use std::path::Path;

use dispatch_core::session::{Comparison, Entry, How, Item};

use super::ReplayError;
use super::ahead::{Source, reading_ahead};
use super::divergence::Divergence;
use super::log::{Found, Log, Tell};
use super::report::{Counts, ForPeople, ForPrograms, Report};
use super::rerun::Rerun;
use super::text;
use crate::args::SessionArgs;
use crate::error::CliError;
use crate::toolset::Toolsets;
use crate::{Ending, files, output};

/// Replays a log, and shows what diverges.
///
/// # Errors
///
/// When the log can't be read or replayed, or what is asked for not written.
pub(super) fn run(args: &SessionArgs, toolsets: &Toolsets, log: Log) -> Result<Ending, CliError> {
    let mut rerun = Rerun::new(toolsets, args.live);
    let part = Part { from: args.from, until: args.until };
    let mut out = output::stdout();
    let counts = if args.json {
        let mut report = ForPrograms { out: &mut out };
        reading_ahead(log, |log| replay(log, part, &mut rerun, &mut report, &mut tell))
    } else {
        let colour = output::wants_colour(&io::stdout());
        let mut report = ForPeople { out: &mut out, all: args.all, colour };
        reading_ahead(log, |log| replay(log, part, &mut rerun, &mut report, &mut tell))
    };
    // What was found before it could go no further is of use.
    let counts = counts.or_else(|error| out.flush().map_err(CliError::Unwritable).and(Err(error)))?;
    let hidden = counts.has_diverged() && counts.diverge + counts.carried > 1 && !args.all;
    let summary = if args.json { text::compact(&counts.to_json()) } else { counts.to_text() };
    let hint = if hidden && !args.json { " (the first is shown; --all shows each)" } else { "" };
    writeln!(out, "{summary}{hint}").and_then(|()| out.flush()).map_err(CliError::Unwritable)?;
    write_workspace(args.workspace_out.as_deref(), &rerun)?;
    Ok(ending(&counts))
}

pub(super) fn ending(counts: &Counts) -> Ending {
    if counts.has_diverged() { Ending::Failed } else { Ending::Fine }
}

/// Tells people something beside the report.
pub(super) fn tell(line: &str) {
    // There is nobody left to tell that stderr is closed.
    let _ = writeln!(io::stderr(), "dispatch: {}", text::one_line(line));
}

fn write_workspace(file: Option<&Path>, rerun: &Rerun) -> Result<(), CliError> {
    rerun.workspace().map_or(Ok(()), |workspace| files::write_workspace(file, workspace))
}

/// Which calls are compared: from one on, and until another, at which it stops.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Part {
    pub(super) from: Option<u64>,
    pub(super) until: Option<u64>,
}

impl Part {
    fn ends_with(self, number: u64) -> bool {
        self.until.is_some_and(|until| number >= until)
    }

    /// Nothing compared must not look like nothing diverging.
    fn expect_reached(self, log: &dyn Source, last: u64) -> Result<(), CliError> {
        let asked = [("--from", self.from), ("--until", self.until)];
        let beyond =
            asked.into_iter().find_map(|(option, number)| Some((option, number.filter(|asked| *asked > last)?)));
        beyond.map_or(Ok(()), |(option, number)| {
            let name = log.name().to_owned();
            Err(CliError::Unreplayable(ReplayError::NoSuchCall { name, option, number, last }))
        })
    }
}

/// Replays a log, or the part of it that is asked for.
///
/// # Errors
///
/// When the log can't be read or replayed, has not the calls that are asked for, or the report can't be written.
pub(super) fn replay(
    log: &mut dyn Source,
    part: Part,
    rerun: &mut Rerun,
    report: &mut dyn Report,
    tell: Tell<'_>,
) -> Result<Counts, CliError> {
    let mut judge = Judge { part, rerun, report, counts: Counts::default() };
    while let Some(Found { line, item }) = log.next(tell)? {
        match item {
            Item::Header(header) => judge.rerun.begin(&header, log.name(), line, tell)?,
            Item::Entry(entry) if judge.judge(&entry)? => return judge.close(log, entry.number),
            Item::Entry(_) => {}
        }
    }
    let last = judge.counts.calls();
    judge.close(log, last)
}

struct Judge<'j> {
    part: Part,
    rerun: &'j mut Rerun,
    report: &'j mut dyn Report,
    counts: Counts,
}

impl Judge<'_> {
    /// Runs a call and compares. Tells whether it was the last one that is asked for.
    fn judge(&mut self, entry: &Entry) -> Result<bool, CliError> {
        if let Some(comparison) = self.rerun.replay(entry) {
            self.count(entry, &comparison).map_err(CliError::Unwritable)?;
        }
        Ok(self.part.ends_with(entry.number))
    }

    fn count(&mut self, entry: &Entry, comparison: &Comparison) -> io::Result<()> {
        if self.part.from.is_some_and(|from| entry.number < from) {
            self.counts.not_compared += 1;
            return Ok(());
        }
        if comparison.how == How::Unknown {
            self.counts.unknown += 1;
            return self.report.unknown(entry);
        }
        self.counts.stood_in += u64::from(comparison.how == How::StoodIn);
        if comparison.differences.is_empty() {
            self.counts.agree += 1;
            return Ok(());
        }
        self.diverge(entry, comparison)
    }

    fn diverge(&mut self, entry: &Entry, comparison: &Comparison) -> io::Result<()> {
        let Some(workspace) = self.rerun.workspace() else { return Ok(()) };
        let line = std::str::from_utf8(self.rerun.outcome_line()).unwrap_or_default().trim_end();
        let divergence = Divergence { entry, comparison, line, workspace };
        let before = self.counts.diverge + self.counts.carried;
        self.report.divergence(&divergence, before)?;
        let is_carried = before > 0 && divergence.is_workspace_alone();
        *(if is_carried { &mut self.counts.carried } else { &mut self.counts.diverge }) += 1;
        Ok(())
    }

    fn close(self, log: &dyn Source, last: u64) -> Result<Counts, CliError> {
        self.part.expect_reached(log, last)?;
        Ok(self.counts)
    }
}
