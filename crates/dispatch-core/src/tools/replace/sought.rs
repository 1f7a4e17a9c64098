//! A text that is sought in a file which is read piece by piece.

use std::ops::Range;

use memchr::{memchr_iter, memmem, memrchr_iter};

use super::Passage;
use crate::workspace::{OpenFile, Patch, Version};

/// How many bytes are held of a file.
#[derive(Debug, Clone, Copy)]
struct Held {
    /// So many are read at once.
    new: usize,
    /// So many are kept of those before: a text that is longer, and lines around the place that are longer, take the whole file to be held.
    old: usize,
}

/// All together they stay in the processor's cache.
const HELD: Held = Held { new: 128 << 10, old: 16 << 10 };

/// The one place in a file at which a text stands.
#[derive(Debug)]
pub(super) struct Sought {
    pub(super) version: Version,
    /// Where in the file it begins, in bytes.
    start: u64,
    old_length: u64,
    file_length: u64,
    lines: String,
    place: usize,
    lines_before: usize,
}

impl Sought {
    pub(super) fn replaced_by(&self, new: &str) -> Patch {
        Patch::new(self.start, self.old_length, new.to_owned(), self.file_length)
    }

    pub(super) fn passage(&self) -> Passage<'_> {
        let Self { lines, place, lines_before, .. } = self;
        Passage { text: lines, places: std::slice::from_ref(place), lines_before: *lines_before }
    }
}

/// Seeks a text that stands in a file once, places that overlap counted. None where it does not, where the file is no text, and where not enough of it is kept
/// at a time.
pub(super) fn seek(file: &mut dyn OpenFile, old: &str, context_lines: usize) -> Option<Sought> {
    seek_holding(HELD, file, old, context_lines)
}

fn seek_holding(held: Held, file: &mut dyn OpenFile, old: &str, context_lines: usize) -> Option<Sought> {
    if old.is_empty() || old.len() > held.old {
        return None;
    }
    let mut window = Window::new(held);
    let (finder, mut found) = (memmem::Finder::new(old), None::<Found>);
    loop {
        let new = window.read(file)?;
        if new.is_empty() {
            break;
        }
        if let Some(found) = &mut found {
            found.take(window.bytes.get(new)?);
        }
        while let Some(place) = window.find(&finder) {
            if found.is_some() {
                return None;
            }
            found = Some(Found::at(&window, place, old.len(), context_lines)?);
        }
        window.searched_but(old.len() - 1);
        if found.as_ref().is_some_and(|found| found.lines.len() > held.new) {
            return None;
        }
    }
    let found = found.filter(|_| window.is_text())?;
    let lines = String::from_utf8(found.lines).ok()?;
    let Found { start, place, lines_before, .. } = found;
    let (old_length, file_length) = (length(old.len()), window.end());
    Some(Sought { version: file.version(), start, old_length, file_length, lines, place, lines_before })
}

/// The part of a file that is held at a time.
struct Window {
    held: Held,
    bytes: Vec<u8>,
    filled: usize,
    /// How many bytes, and how many lines, stand before it.
    bytes_before: u64,
    lines_before: usize,
    /// Up to where it was found to be text.
    valid: usize,
    /// From where a text that is sought may begin.
    searched: usize,
}

impl Window {
    fn new(held: Held) -> Self {
        let bytes = vec![0; held.old + held.new];
        Self { held, bytes, filled: 0, bytes_before: 0, lines_before: 0, valid: 0, searched: 0 }
    }

    /// Reads more, and returns where that stands: nowhere at the end. None where it can't be read, or is no text.
    fn read(&mut self, file: &mut dyn OpenFile) -> Option<Range<usize>> {
        self.make_room();
        let new = self.filled;
        let read = file.read(self.bytes.get_mut(new..)?).ok()?;
        self.filled += read;
        self.validate()?;
        Some(new..self.filled)
    }

    fn make_room(&mut self) {
        let dropped = self.filled.saturating_sub(self.held.old);
        if dropped > 0 {
            self.lines_before += line_feeds(self.bytes.get(..dropped).unwrap_or_default());
            self.bytes_before += length(dropped);
            self.bytes.copy_within(dropped..self.filled, 0);
            for index in [&mut self.filled, &mut self.valid, &mut self.searched] {
                *index = index.saturating_sub(dropped);
            }
        }
    }

    /// A character that is cut by the end of what was read is left for later.
    fn validate(&mut self) -> Option<()> {
        let new = self.bytes.get(self.valid..self.filled)?;
        if new.is_ascii() {
            // Of the two questions this is the quicker one.
            self.valid = self.filled;
            return Some(());
        }
        match std::str::from_utf8(new) {
            Ok(_) => self.valid = self.filled,
            Err(error) if error.error_len().is_none() => self.valid += error.valid_up_to(),
            Err(_) => return None,
        }
        Some(())
    }

    fn is_text(&self) -> bool {
        self.valid == self.filled
    }

    /// Where a text begins that was not found before.
    fn find(&mut self, finder: &memmem::Finder<'_>) -> Option<usize> {
        let place = self.searched + finder.find(self.bytes.get(self.searched..self.filled)?)?;
        self.searched = place + 1;
        Some(place)
    }

    /// All was searched, but for a text whose beginning are the last bytes.
    fn searched_but(&mut self, last: usize) {
        self.searched = self.searched.max(self.filled.saturating_sub(last));
    }

    fn end(&self) -> u64 {
        self.bytes_before + length(self.filled)
    }
}

/// A place at which the text stands, and the lines around it.
struct Found {
    start: u64,
    place: usize,
    lines_before: usize,
    lines: Vec<u8>,
    /// How many line ends behind the place are still to come.
    to_come: usize,
}

impl Found {
    /// None where the lines begin before what is kept.
    fn at(window: &Window, place: usize, old_len: usize, context_lines: usize) -> Option<Self> {
        let (before, from) = window.bytes.get(..window.filled)?.split_at_checked(place)?;
        let (old, behind) = from.split_at_checked(old_len)?;
        // The line that the place is in begins behind the first line end before it.
        let begin = match memrchr_iter(b'\n', before).nth(context_lines) {
            Some(end) => end + 1,
            None if window.bytes_before == 0 => 0,
            None => return None,
        };
        let (skipped, context) = before.split_at_checked(begin)?;
        let mut found = Self {
            start: window.bytes_before + length(place),
            place: context.len(),
            lines_before: window.lines_before + line_feeds(skipped),
            lines: [context, old].concat(),
            to_come: context_lines.saturating_add(1),
        };
        found.take(behind);
        Some(found)
    }

    /// Takes the next bytes of the file, as far as they belong to the lines.
    fn take(&mut self, bytes: &[u8]) {
        if self.to_come == 0 {
            return;
        }
        let ends: Vec<usize> = memchr_iter(b'\n', bytes).take(self.to_come).collect();
        self.to_come -= ends.len();
        let taken = ends.last().filter(|_| self.to_come == 0).map_or(bytes.len(), |end| end + 1);
        self.lines.extend_from_slice(bytes.get(..taken).unwrap_or_default());
    }
}

fn line_feeds(bytes: &[u8]) -> usize {
    memchr_iter(b'\n', bytes).count()
}

fn length(bytes: usize) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
