//! `dispatch replay LOG`: the calls of sessions, run again and compared.

use std::io;
use std::path::Path;

use dispatch_core::session::{Comparison, Entry, How, Item};

use super::ReplayError;
use super::divergence::Divergence;
use super::log::{Found, Log, Tell};
use super::report::{self, Counts, Report};
use super::rerun::Rerun;
use crate::args::ReplayArgs;
use crate::error::CliError;
use crate::toolset::Toolsets;
use crate::{Ending, files, operator};

/// Replays a log, and shows what diverges.
///
/// # Errors
///
/// When the log can't be read or replayed, or what is asked for not written.
pub(super) fn run(args: &ReplayArgs, toolsets: &Toolsets, mut log: Log) -> Result<Ending, CliError> {
    let (directory, args) = (&args.directory, &args.session);
    let mut rerun = Rerun::new(toolsets, args.live).on(directory);
    let part = Part { from: args.from, until: args.until };
    let ending =
        report::print(args, |report| replay(&mut log, part, &mut rerun, report, &mut tell).map(Counts::summary))?;
    write_workspace(args.workspace_out.as_deref(), &rerun)?;
    Ok(ending)
}

/// Tells people something beside the report.
pub(super) fn tell(line: &str) {
    operator::tell(line);
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
    /// Whether a call is before the first that is compared.
    pub(super) fn begins_after(self, number: u64) -> bool {
        self.from.is_some_and(|from| number < from)
    }

    pub(super) fn ends_with(self, number: u64) -> bool {
        self.until.is_some_and(|until| number >= until)
    }

    /// Nothing compared must not look like nothing diverging.
    pub(super) fn expect_reached(self, name: &str, last: u64) -> Result<(), CliError> {
        let asked = [("--from", self.from), ("--until", self.until)];
        let beyond =
            asked.into_iter().find_map(|(option, number)| Some((option, number.filter(|asked| *asked > last)?)));
        beyond.map_or(Ok(()), |(option, number)| {
            let name = name.to_owned();
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
    log: &mut Log,
    part: Part,
    rerun: &mut Rerun,
    report: &mut dyn Report,
    tell: Tell<'_>,
) -> Result<Counts, CliError> {
    let mut judge = Judge { part, rerun, report, counts: Counts::default(), last: 0 };
    while !part.ends_with(judge.last) {
        match log.take() {
            Some(found) => judge.take(found, log.name(), tell)?,
            None if log.is_over() => break,
            None => judge.read(log, tell)?,
        }
    }
    part.expect_reached(log.name(), judge.last)?;
    Ok(judge.counts)
}

struct Judge<'j> {
    part: Part,
    rerun: &'j mut Rerun,
    report: &'j mut dyn Report,
    counts: Counts,
    /// The number of the last call.
    last: u64,
}

impl Judge<'_> {
    /// Takes the next line of the log. A call that agrees letter by letter is through by that.
    fn read(&mut self, log: &mut Log, tell: Tell<'_>) -> Result<(), CliError> {
        let Some(number) = self.rerun.replay_agreeing(log, tell)? else { return log.read(tell) };
        self.last = number;
        if !self.passes_by(number) {
            self.counts.agree += 1;
        }
        Ok(())
    }

    fn take(&mut self, found: Found, name: &str, tell: Tell<'_>) -> Result<(), CliError> {
        match found.item {
            Item::Header(header) => self.rerun.begin(&header, name, found.line, tell),
            Item::Entry(entry) => self.judge(&entry, tell),
        }
    }

    /// Runs a call and compares.
    fn judge(&mut self, entry: &Entry, tell: Tell<'_>) -> Result<(), CliError> {
        self.last = entry.number;
        let comparison = self.rerun.replay(entry, tell);
        comparison.map_or(Ok(()), |comparison| self.count(entry, &comparison)).map_err(CliError::Unwritable)
    }

    /// Whether a call is one of those before the ones that are compared. It is then counted.
    fn passes_by(&mut self, number: u64) -> bool {
        let passes_by = self.part.begins_after(number);
        self.counts.not_compared += u64::from(passes_by);
        passes_by
    }

    fn count(&mut self, entry: &Entry, comparison: &Comparison) -> io::Result<()> {
        if self.passes_by(entry.number) {
            return Ok(());
        }
        if comparison.how == How::Unknown {
            self.counts.unknown += 1;
            return self.report.unknown(entry, "the program ended before it was recorded");
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
}
