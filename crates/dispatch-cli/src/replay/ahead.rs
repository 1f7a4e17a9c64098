//! Reading on one thread while the calls run on another: to read a log costs about as much as to run its calls.

use std::mem;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::vec;

use super::log::{Found, Log, Tell};
use crate::error::CliError;

/// How much is read in one go: so little that memory stays bounded, and so much that the threads seldom wait for each other.
const BATCH_ITEMS: usize = 256;
const BATCH_BYTES: u64 = 1 << 20;
const BATCHES: usize = 2;

/// What gives the items of a log.
pub(super) trait Source {
    /// Returns the name that people know the log by.
    fn name(&self) -> &str;

    /// Returns the next item; `None` at the end.
    ///
    /// # Errors
    ///
    /// When the log can't be read.
    fn next(&mut self, tell: Tell<'_>) -> Result<Option<Found>, CliError>;
}

impl Source for Log {
    fn name(&self) -> &str {
        self.name()
    }

    fn next(&mut self, tell: Tell<'_>) -> Result<Option<Found>, CliError> {
        self.next(tell)
    }
}

/// A log that is read by another thread.
pub(super) struct Ahead {
    name: String,
    batches: Receiver<Vec<Read>>,
    batch: vec::IntoIter<Read>,
}

enum Read {
    Found(Found),
    Note(String),
    Failed(CliError),
}

/// Does work on a log that is read ahead. What is not taken of it is not read.
pub(super) fn reading_ahead<T>(log: Log, work: impl FnOnce(&mut Ahead) -> T) -> T {
    let (sender, batches) = mpsc::sync_channel(BATCHES);
    let mut ahead = Ahead { name: log.name().to_owned(), batches, batch: Vec::new().into_iter() };
    thread::scope(|scope| {
        scope.spawn(move || read(log, &sender));
        let done = work(&mut ahead);
        // The reader is to end as well.
        drop(ahead);
        done
    })
}

fn read(mut log: Log, sender: &SyncSender<Vec<Read>>) {
    let (mut batch, mut sent_bytes, mut is_over) = (Vec::new(), 0, false);
    while !is_over {
        let mut notes = Vec::new();
        let next = log.next(&mut |note| notes.push(Read::Note(note.to_owned())));
        batch.append(&mut notes);
        is_over = !matches!(next, Ok(Some(_)));
        batch.extend(next.map_or_else(|error| Some(Read::Failed(error)), |found| found.map(Read::Found)));
        if is_over || batch.len() >= BATCH_ITEMS || log.bytes() - sent_bytes >= BATCH_BYTES {
            sent_bytes = log.bytes();
            if sender.send(mem::take(&mut batch)).is_err() {
                return;
            }
        }
    }
}

impl Source for Ahead {
    fn name(&self) -> &str {
        &self.name
    }

    fn next(&mut self, tell: Tell<'_>) -> Result<Option<Found>, CliError> {
        loop {
            match self.batch.next() {
                Some(Read::Found(found)) => return Ok(Some(found)),
                Some(Read::Failed(error)) => return Err(error),
                Some(Read::Note(note)) => tell(&note),
                None => match self.batches.recv() {
                    Ok(batch) => self.batch = batch.into_iter(),
                    // The end, or a panic over there: that is told where the threads are joined.
                    Err(mpsc::RecvError) => return Ok(None),
                },
            }
        }
    }
}
