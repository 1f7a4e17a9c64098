//! Changes, written as the hunks of a unified diff.

use super::diff::{Change, MOST_BYTES, lines};

/// So many lines that stay stand around those that change.
pub(super) const CONTEXT_LINES: usize = 3;

const LEFT_OUT: &str = "[... the rest of the diff is left out ...]\n";

/// Writes changes of a text, in their order, until there is no more room. So many lines of the file stand before the text.
pub(super) fn write(before: &str, lines_before: usize, changes: &[Change<'_>]) -> String {
    let counted = (0, lines_before);
    let mut hunks = Hunks { before, out: String::new(), is_full: false, counted, added: 0, removed: 0 };
    for changes in changes.chunk_by(|change, next| is_near(before, change, next)) {
        hunks.hunk(changes);
    }
    if hunks.is_full {
        hunks.out.push_str(LEFT_OUT);
    }
    hunks.out
}

/// Whether no line between two changes would be left out.
fn is_near(before: &str, change: &Change<'_>, next: &Change<'_>) -> bool {
    let between = before.get(change.end()..next.start).unwrap_or_default();
    between.split_inclusive('\n').take(2 * CONTEXT_LINES + 1).count() <= 2 * CONTEXT_LINES
}

struct Hunks<'t> {
    before: &'t str,
    out: String,
    is_full: bool,
    /// A place, and how many lines stand before it.
    counted: (usize, usize),
    /// The lines that came and went by now.
    added: usize,
    removed: usize,
}

impl<'t> Hunks<'t> {
    fn hunk(&mut self, changes: &[Change<'t>]) {
        let (Some(first), Some(last)) = (changes.first(), changes.last()) else { return };
        if self.is_full {
            return;
        }
        let (start, end) = (self.context_before(first.start), self.context_behind(last.end()));
        self.header(start, end, changes);
        let mut place = start;
        for changes in changes.chunk_by(|change, next| change.end() == next.start) {
            let next = changes.first().map_or(place, |change| change.start);
            self.lines(' ', self.part(place, next));
            for change in changes {
                self.lines('-', change.removed);
            }
            for change in changes {
                self.lines('+', &change.added);
            }
            place = changes.last().map_or(place, Change::end);
        }
        self.lines(' ', self.part(place, end));
    }

    fn header(&mut self, start: usize, end: usize, changes: &[Change<'_>]) {
        let (place, before) = self.counted;
        let first = before + lines(self.part(place, start));
        self.counted = (start, first);
        let old_lines = lines(self.part(start, end));
        let removed: usize = changes.iter().map(|change| lines(change.removed)).sum();
        let added: usize = changes.iter().map(|change| lines(&change.added)).sum();
        let old = range(first, old_lines);
        let new = range(first + self.added - self.removed, old_lines + added - removed);
        self.added += added;
        self.removed += removed;
        self.push(&format!("@@ -{old} +{new} @@\n"));
    }

    fn lines(&mut self, sign: char, text: &str) {
        for line in text.split_inclusive('\n') {
            let end = if line.ends_with('\n') { "" } else { "\n\\ No newline at end of file\n" };
            self.push(&format!("{sign}{line}{end}"));
            if self.is_full {
                return;
            }
        }
    }

    fn push(&mut self, text: &str) {
        self.is_full |= self.out.len() + text.len() > MOST_BYTES;
        if !self.is_full {
            self.out.push_str(text);
        }
    }

    fn part(&self, from: usize, to: usize) -> &'t str {
        self.before.get(from..to).unwrap_or_default()
    }

    fn context_before(&self, place: usize) -> usize {
        let lines = self.part(0, place).split_inclusive('\n').rev().take(CONTEXT_LINES);
        place - lines.map(str::len).sum::<usize>()
    }

    fn context_behind(&self, place: usize) -> usize {
        let lines = self.part(place, self.before.len()).split_inclusive('\n').take(CONTEXT_LINES);
        place + lines.map(str::len).sum::<usize>()
    }
}

/// Lines from one on, `before` being the number of those that stand before it: as diff writes them.
fn range(before: usize, lines: usize) -> String {
    match lines {
        0 => format!("{before},0"),
        1 => (before + 1).to_string(),
        lines => format!("{},{lines}", before + 1),
    }
}
