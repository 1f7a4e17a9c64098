//! `dispatch replay --accept`: the past, with today's outcomes in it.
//!
//! **Nothing but outcomes changes, and of those only what differs**: all other lines, and what the host said of a call, stand letter by letter.

use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use dispatch_core::session::{Difference, Entry, Header, How, Item};

use super::ReplayError;
use super::log::Log;
use super::rerun::Rerun;
use super::session::tell;
use super::text::one_line;
use crate::args::ReplayArgs;
use crate::error::CliError;
use crate::input::Input;
use crate::toolset::Toolsets;
use crate::{Ending, files, output};

/// Writes a log with today's outcomes.
///
/// # Errors
///
/// When the log can't be read or replayed, or the other not be written. Both files are then as they were.
pub(super) fn run(args: &ReplayArgs, file: &Path, toolsets: &Toolsets, log: Log) -> Result<Ending, CliError> {
    if file == Path::new("-") {
        return Err(CliError::Unreplayable(ReplayError::NoFile));
    }
    let (_lock, log, target) = if args.accept.in_place {
        let (lock, log) = lock(file)?;
        (Some(lock), log, file.to_owned())
    } else {
        (None, log, accepted(file))
    };
    let mut accepting =
        Accepting { rerun: Rerun::new(toolsets, args.session.live), log, calls: 0, accepted: 0, left: 0 };
    write(file, &target, &mut accepting)?;
    let (Accepting { calls, accepted, left, .. }, target) = (accepting, one_line(&target.display().to_string()));
    let agree = calls - accepted - left;
    let left = if left == 0 { String::new() } else { format!(", {left} left as recorded") };
    let plural = if calls == 1 { "" } else { "s" };
    let mut out = output::stdout();
    writeln!(out, "{calls} call{plural}: {agree} agree, {accepted} accepted{left}; written to {target}")
        .and_then(|()| out.flush())
        .map_err(CliError::Unwritable)?;
    Ok(Ending::Fine)
}

fn accepted(file: &Path) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(".accepted");
    PathBuf::from(name)
}

/// Who records to the log has it locked, and would go on writing to a file that is not there any longer. What is read is what was locked, which must not
/// have been replaced since it was opened: otherwise what somebody put in its place would be lost.
fn lock(file: &Path) -> Result<(File, Log), CliError> {
    let name = file.display().to_string();
    let unreadable = |source| CliError::Unreadable { name: name.clone(), source };
    let lock = File::open(file).map_err(unreadable)?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(CliError::Unreplayable(ReplayError::InUse { name })),
        Err(TryLockError::Error(source)) => return Err(unreadable(source)),
    }
    if !files::is_still_at(&lock, file).map_err(unreadable)? {
        return Err(CliError::Unreplayable(ReplayError::Replaced { name }));
    }
    let log = lock.try_clone().map_err(unreadable)?;
    Ok((lock, Log::new(Input::of(log, name).lines())))
}

fn write(log: &Path, target: &Path, accepting: &mut Accepting) -> Result<(), CliError> {
    let mut failed = None;
    let written = files::write_whole_like(log, target, |out| {
        let Err(error) = accepting.write(out) else { return Ok(()) };
        if let CliError::Unwritable(source) = error {
            return Err(source);
        }
        failed = Some(error);
        Err(io::Error::other("the log can't be replayed"))
    });
    let unwritable = |source| CliError::UnwritableFile { name: target.display().to_string(), source };
    failed.map_or(written.map_err(unwritable), Err)
}

struct Accepting {
    rerun: Rerun,
    log: Log,
    calls: u64,
    accepted: u64,
    left: u64,
}

impl Accepting {
    fn write(&mut self, out: &mut dyn Write) -> Result<(), CliError> {
        while let Some(items) = self.log.next_line(&mut tell)? {
            let mut is_accepted = false;
            for item in items {
                match item {
                    Item::Header(header) => self.begin(&header)?,
                    Item::Entry(entry) => is_accepted = self.differs(&entry),
                }
            }
            let line = if is_accepted { self.rerun.outcome_line() } else { self.log.text() };
            out.write_all(line).map_err(CliError::Unwritable)?;
        }
        self.calls += u64::from(self.log.finish(&mut tell)?.is_some());
        Ok(())
    }

    fn begin(&mut self, header: &Header) -> Result<(), CliError> {
        if header.version().is_later() {
            let (name, line) = (self.log.name().to_owned(), self.log.line());
            return Err(CliError::Unreplayable(ReplayError::LaterFormat { name, line }));
        }
        self.rerun.begin(header, self.log.name(), self.log.line(), &mut tell)
    }

    /// Runs a call again. One without an outcome does not get one, nor one that today comes to its handler and is not run: nobody knows it.
    fn differs(&mut self, entry: &Entry) -> bool {
        self.calls += 1;
        let Some(comparison) = self.rerun.replay(entry, &mut tell) else { return false };
        let of_stage = |difference: &Difference| difference.path.to_string() == "$.stage";
        let is_unknown = comparison.how == How::StoodIn && comparison.differences.iter().any(of_stage);
        if is_unknown {
            tell(&format!(
                "call {} is not run, and what it would come to is not known: it stays as recorded",
                comparison.number
            ));
        }
        let is_accepted = !is_unknown && !comparison.differences.is_empty();
        self.accepted += u64::from(is_accepted);
        self.left += u64::from(is_unknown);
        is_accepted
    }
}
