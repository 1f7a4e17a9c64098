//! The lines of one file that match, as they are shown.

use std::fmt::Write as _;
use std::io;

use grep_searcher::{Searcher, Sink, SinkContext, SinkContextKind, SinkMatch};

/// How many bytes of a line are shown at the most.
const LONGEST_LINE: usize = 500;

/// What is shown of a file, and how many of its lines match.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// Lines as `path:line:text` and, around those that match, `path-line-text`. Between lines that don't adjoin stands `--`.
    text: String,
    /// Where in the text each match begins, the lines before it that are shown for its sake included.
    starts: Vec<usize>,
    pub(super) matching: u64,
}

/// How much may still be shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    pub(super) matches: usize,
    /// A match is shown that begins within so many bytes.
    pub(super) bytes: usize,
}

impl Room {
    /// What is left once lines are shown.
    pub(super) fn less(self, matches: usize, text: &str) -> Self {
        Self { matches: self.matches.saturating_sub(matches), bytes: self.bytes.saturating_sub(text.len()) }
    }

    fn has_none_for(self, matches: usize, start: usize) -> bool {
        matches >= self.matches || start >= self.bytes
    }
}

impl Lines {
    /// How many of the lines that match are shown.
    pub(super) fn shown(&self) -> usize {
        self.starts.len()
    }

    /// What is shown.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Leaves out what there is no room for.
    pub(super) fn cut(&mut self, room: Room) {
        let mut starts = self.starts.iter().enumerate();
        let first_out = starts.find(|(matches, start)| room.has_none_for(*matches, **start));
        if let Some((matches, start)) = first_out {
            self.text.truncate(*start);
            self.starts.truncate(matches);
        }
    }
}

/// Gathers the lines of a file while it is searched.
pub(super) struct Gathered<'p> {
    path: &'p str,
    room: Room,
    lines: Lines,
    /// Where the lines begin that are shown for the sake of the next match.
    before_next: Option<usize>,
    /// Whether there was a match for which there was no room. Those that follow are counted.
    is_full: bool,
}

impl<'p> Gathered<'p> {
    pub(super) fn new(path: &'p str, room: Room) -> Self {
        Self { path, room, lines: Lines::default(), before_next: None, is_full: false }
    }

    pub(super) fn into_lines(self) -> Lines {
        self.lines
    }

    fn show_match(&mut self, found: &SinkMatch<'_>) {
        let start = self.before_next.take().unwrap_or(self.lines.text.len());
        self.is_full = self.room.has_none_for(self.lines.shown(), start);
        if self.is_full {
            self.lines.text.truncate(start);
        } else {
            self.lines.starts.push(start);
            self.push(':', found.line_number(), found.bytes());
        }
    }

    fn push(&mut self, separator: char, number: Option<u64>, line: &[u8]) {
        let number = number.unwrap_or_default();
        // Writing to a string does not fail.
        let _ = write!(self.lines.text, "{}{separator}{number}{separator}", self.path);
        push_line(&mut self.lines.text, line.strip_suffix(b"\n").unwrap_or(line));
    }
}

impl Sink for Gathered<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        self.lines.matching += 1;
        if !self.is_full {
            self.show_match(found);
        }
        Ok(true)
    }

    fn context(&mut self, _: &Searcher, context: &SinkContext<'_>) -> io::Result<bool> {
        if !self.is_full {
            if *context.kind() == SinkContextKind::Before {
                self.before_next.get_or_insert(self.lines.text.len());
            }
            self.push('-', context.line_number(), context.bytes());
        }
        Ok(true)
    }

    fn context_break(&mut self, _: &Searcher) -> io::Result<bool> {
        if !self.is_full {
            self.before_next.get_or_insert(self.lines.text.len());
            self.lines.text.push_str("--\n");
        }
        Ok(true)
    }
}

/// Shows a line, or its beginning and how much of it is missing. Bytes that are no UTF-8 are shown as U+FFFD.
fn push_line(text: &mut String, line: &[u8]) {
    let shown = line.get(..boundary(line, LONGEST_LINE)).unwrap_or(line);
    text.push_str(&String::from_utf8_lossy(shown));
    let omitted = line.len() - shown.len();
    if omitted > 0 {
        // Writing to a string does not fail.
        let _ = write!(text, "[... {omitted} bytes of {} omitted ...]", line.len());
    }
    text.push('\n');
}

/// The last place within a line's first bytes at which no character is cut.
fn boundary(line: &[u8], most: usize) -> usize {
    if line.len() <= most {
        return line.len();
    }
    let continues = |place: &usize| line.get(*place).is_some_and(|byte| byte & 0b1100_0000 == 0b1000_0000);
    // A character has four bytes at the most: where more continue, they are no UTF-8.
    (most.saturating_sub(3)..=most).rev().find(|place| !continues(place)).unwrap_or(most)
}
