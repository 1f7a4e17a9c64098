//! What a replacement changed, line by line.
//!
//! **Only the lines that it touches are compared**, however large the file. **A diff is bounded**: in length by [`MOST_BYTES`], in work by
//! [`MOST_COMPARED_LINES`].

use dispatch_core::tools::Passage;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::hunks;

/// A diff ends before it would become longer.
pub(super) const MOST_BYTES: usize = 8192;

/// So many lines are compared in all, to find out which of those that a replacement touches stay. Where there are more, all go and all come.
const MOST_COMPARED_LINES: usize = 1000;

/// So many changes fill a diff: each takes two bytes at the least.
const MOST_SHOWN: usize = MOST_BYTES / 2 + 1;

/// What a replacement changed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Diff {
    /// The number of lines that came.
    pub(super) added: usize,
    /// The number of lines that went.
    pub(super) removed: usize,
    /// The hunks of a unified diff.
    pub(super) text: String,
}

/// Lines that go, and lines that come in their place.
#[derive(Debug)]
pub(super) struct Change<'t> {
    /// Where the lines that go begin in the text before, in bytes.
    pub(super) start: usize,
    pub(super) removed: &'t str,
    pub(super) added: String,
}

impl Change<'_> {
    pub(super) fn end(&self) -> usize {
        self.start + self.removed.len()
    }
}

impl Diff {
    /// Compares a text before a replacement with the one after it. At each place stood a text of `old_len` bytes.
    pub(super) fn of(passage: Passage<'_>, old_len: usize, new: &str) -> Self {
        let Passage { text: before, places, lines_before, .. } = passage;
        let (mut added, mut removed, mut shown, mut lines_left) = (0, 0, Vec::new(), MOST_COMPARED_LINES);
        for places in blocks(before, places, old_len) {
            let (block, after) = replaced(before, places, old_len, new);
            for change in changes(block, &after, &mut lines_left) {
                added += lines(&change.added);
                removed += lines(change.removed);
                if shown.len() < MOST_SHOWN {
                    shown.push(change);
                }
            }
        }
        Self { added, removed, text: hunks::write(before, lines_before, &shown) }
    }
}

pub(super) fn lines(text: &str) -> usize {
    let is_open = !text.is_empty() && !text.ends_with('\n');
    memchr::memchr_iter(b'\n', text.as_bytes()).count() + usize::from(is_open)
}

/// A part of a text, of whole lines.
#[derive(Debug, Clone, Copy)]
struct Block<'t> {
    start: usize,
    text: &'t str,
}

impl<'t> Block<'t> {
    fn part(self, from: usize, to: usize) -> Self {
        Self { start: self.start + from, text: self.text.get(from..to).unwrap_or_default() }
    }

    fn change(self, added: &str) -> Change<'t> {
        Change { start: self.start, removed: self.text, added: added.to_owned() }
    }
}

/// The places, those together that share a line.
fn blocks<'p>(before: &str, places: &'p [usize], old_len: usize) -> impl Iterator<Item = &'p [usize]> {
    let shares_line = move |place: &usize, next: &usize| {
        let between = before.get(place + old_len..*next).unwrap_or_default();
        !between.contains('\n')
    };
    places.chunk_by(shares_line)
}

/// The lines that a replacement at some places touches, and what they become.
fn replaced<'t>(before: &'t str, places: &[usize], old_len: usize, new: &str) -> (Block<'t>, String) {
    let (first, last) = (places.first().copied().unwrap_or_default(), places.last().copied().unwrap_or_default());
    let (start, end) = (line_start(before, first), line_end(before, last + old_len));
    let (mut after, mut kept_from) = (String::new(), start);
    for place in places {
        after += before.get(kept_from..*place).unwrap_or_default();
        after += new;
        kept_from = place + old_len;
    }
    after += before.get(kept_from..end).unwrap_or_default();
    (Block { start, text: before.get(start..end).unwrap_or_default() }, after)
}

/// Where the line begins that a place is in.
fn line_start(text: &str, place: usize) -> usize {
    text.get(..place).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1)
}

/// Where the line that a place is in has ended.
fn line_end(text: &str, place: usize) -> usize {
    text.get(place..).and_then(|rest| rest.find('\n')).map_or(text.len(), |end| place + end + 1)
}

/// Which lines of a block go, and which come.
fn changes<'t>(block: Block<'t>, after: &str, lines_left: &mut usize) -> Vec<Change<'t>> {
    let (head, tail) = shared(block.text, after);
    let block = block.part(head, block.text.len() - tail);
    let after = after.get(head..after.len() - tail).unwrap_or_default();
    let (old_lines, new_lines) = (lines(block.text), lines(after));
    let is_plain = old_lines == 0 || new_lines == 0 || (old_lines == 1 && new_lines == 1);
    if is_plain || old_lines + new_lines > *lines_left {
        return vec![block.change(after)];
    }
    *lines_left -= old_lines + new_lines;
    compared(block, after)
}

/// How many bytes of lines two texts share at their beginning, and at the end of the rest.
fn shared(a: &str, b: &str) -> (usize, usize) {
    fn bytes<'t>(a: impl Iterator<Item = &'t str>, b: impl Iterator<Item = &'t str>) -> usize {
        a.zip(b).take_while(|(a, b)| a == b).map(|(line, _)| line.len()).sum()
    }
    let head = bytes(a.split_inclusive('\n'), b.split_inclusive('\n'));
    let (a, b) = (a.get(head..).unwrap_or_default(), b.get(head..).unwrap_or_default());
    (head, bytes(a.split_inclusive('\n').rev(), b.split_inclusive('\n').rev()))
}

fn compared<'t>(block: Block<'t>, after: &str) -> Vec<Change<'t>> {
    let old: Vec<&str> = block.text.split_inclusive('\n').collect();
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    let ops = capture_diff_slices(Algorithm::Myers, &old, &new);
    let changed = ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. }));
    let change = |op: &DiffOp| {
        let (gone, come) = (op.old_range(), op.new_range());
        let bytes = |lines: &[&str], to: usize| lines.iter().take(to).map(|line| line.len()).sum::<usize>();
        let block = block.part(bytes(&old, gone.start), bytes(&old, gone.end));
        block.change(&new.get(come).unwrap_or_default().concat())
    };
    changed.map(change).collect()
}

#[cfg(test)]
mod tests;
