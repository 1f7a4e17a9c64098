//! A log that is read line by line.

use std::collections::VecDeque;

use dispatch_core::session::{Agreed, Entry, Header, Item, Reader, Replayer, is_void_line};

use super::ReplayError;
use super::progress::Progress;
use crate::error::CliError;
use crate::input::Lines;

/// A log that is read line by line: no more of it than a call is held.
pub(super) struct Log {
    lines: Lines,
    reader: Reader,
    line: usize,
    found: VecDeque<Item>,
    is_over: bool,
    progress: Progress,
}

/// An item of a log, and the line at which it is complete.
pub(super) struct Found {
    pub(super) line: usize,
    pub(super) item: Item,
}

/// What is told to people beside the report.
pub(super) type Tell<'t> = &'t mut dyn FnMut(&str);

impl Log {
    pub(super) fn new(lines: Lines) -> Self {
        let progress = Progress::of(lines.length());
        Self { lines, reader: Reader::default(), line: 0, found: VecDeque::new(), is_over: false, progress }
    }

    /// Reads without showing how far it is.
    pub(super) fn silent(lines: Lines) -> Self {
        Self { progress: Progress::of(None), ..Self::new(lines) }
    }

    /// Returns the last line as it stands.
    pub(super) fn text(&self) -> &[u8] {
        self.lines.last()
    }

    /// Returns the name that people know the log by.
    pub(super) fn name(&self) -> &str {
        self.lines.name()
    }

    /// Returns the number of the last line, from 1.
    pub(super) fn line(&self) -> usize {
        self.line
    }

    /// Returns the next item; `None` at the end. The last one is the call whose outcome is not there, if there is one.
    ///
    /// # Errors
    ///
    /// When a line can't be read, or the log holds not even a header.
    pub(super) fn next(&mut self, tell: Tell<'_>) -> Result<Option<Found>, CliError> {
        while self.found.is_empty() && !self.is_over {
            self.read(tell)?;
        }
        Ok(self.take())
    }

    /// Returns an item that was read.
    pub(super) fn take(&mut self) -> Option<Found> {
        let line = self.line;
        self.found.pop_front().map(|item| Found { line, item })
    }

    /// Returns whether it was read to its end.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Reads a line, or what is left at the end.
    ///
    /// # Errors
    ///
    /// When the line can't be read, or the log holds not even a header.
    pub(super) fn read(&mut self, tell: Tell<'_>) -> Result<(), CliError> {
        if !self.read_line(tell)? {
            let interrupted = self.finish(tell)?;
            self.found.extend(interrupted.map(Item::Entry));
        }
        Ok(())
    }

    /// Replays the call whose outcome is the next line, if that is what would be recorded of it today, and passes the line over.
    ///
    /// # Errors
    ///
    /// When the line can't be read.
    pub(super) fn next_agreeing<'r>(&mut self, replayer: &'r mut Replayer) -> Result<Option<Agreed<'r>>, CliError> {
        // To look how a log goes on behind each line of many that hold nothing would take its time.
        if is_void_line(self.lines.peek()?) || !self.lines.goes_on() {
            return Ok(None);
        }
        let line = self.lines.last();
        let agreeing = replayer.replay_agreeing(&mut self.reader, line);
        if agreeing.is_some() {
            self.line += 1;
            self.progress.advance(line.len());
            self.lines.next_whole()?;
        }
        Ok(agreeing)
    }

    /// Reads a line, and returns what is complete by now; `None` at the end.
    ///
    /// # Errors
    ///
    /// When the line can't be read.
    pub(super) fn next_line(&mut self, tell: Tell<'_>) -> Result<Option<impl Iterator<Item = Item> + use<>>, CliError> {
        Ok(if self.read_line(tell)? { Some(std::mem::take(&mut self.found).into_iter()) } else { None })
    }

    /// Reads a line, if there is one, and keeps what is complete by now.
    fn read_line(&mut self, tell: Tell<'_>) -> Result<bool, CliError> {
        let Some(line) = self.lines.next_whole()? else { return Ok(false) };
        self.line += 1;
        self.progress.advance(line.len());
        let items = self.reader.push(line).map_err(|error| {
            let name = self.lines.name().to_owned();
            CliError::Unreplayable(ReplayError::BadLine { name, error })
        })?;
        for item in items {
            if let Item::Header(header) = &item {
                tell_version(tell, self.lines.name(), self.line, header);
            }
            self.found.push_back(item);
        }
        Ok(true)
    }

    /// Ends the log: returns the call whose outcome is not there, if the last one is such.
    ///
    /// # Errors
    ///
    /// When the log held not even a header.
    pub(super) fn finish(&mut self, tell: Tell<'_>) -> Result<Option<Box<Entry>>, CliError> {
        self.is_over = true;
        let name = self.name().to_owned();
        let end = std::mem::take(&mut self.reader).finish();
        if let Some(torn) = end.torn {
            tell(&format!("{name}, {torn}"));
        }
        match end.no_session {
            None => Ok(end.interrupted),
            Some(why) => Err(CliError::Unreplayable(ReplayError::NoSession { name, why })),
        }
    }
}

fn tell_version(tell: Tell<'_>, name: &str, line: usize, header: &Header) {
    if let Some(note) = header.version().note() {
        tell(&format!("{name}, line {line}: {note}"));
    }
}
