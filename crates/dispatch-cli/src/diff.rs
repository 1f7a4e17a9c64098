//! How two texts differ.

use std::fmt::Write as _;
use std::ops::Range;
use std::str::SplitInclusive;

use similar::{Algorithm, DiffOp, capture_diff, group_diff_ops};

/// Of texts that differ in more than this it is told where they part: to find a shortest difference takes too long.
const DIFFED_BYTES: usize = 1 << 22;

/// So many lines that stay stand around those that change.
const CONTEXT_LINES: usize = 3;

/// Returns how two texts differ, as a unified diff. Each comes with its name; the names are one line.
///
/// Lines end at `\n` alone, as for the tools.
pub(crate) fn unified((old_name, old): (&str, &str), (new_name, new): (&str, &str)) -> String {
    let Middle { old, new, lines_before, is_too_long } = Middle::of(old, new);
    let mut diff = format!("--- {old_name}\n+++ {new_name}\n");
    if is_too_long {
        let line = lines_before + 1;
        return diff + &format!("@@ too long to compare: they part in line {line} @@\n");
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (lines(old).collect(), lines(new).collect());
    for changes in group_diff_ops(changes(&old, &new), CONTEXT_LINES) {
        push_hunk(&mut diff, lines_before, (&old, &new), &changes);
    }
    diff
}

/// What of the lines stays, goes and comes. Those that are shared at both ends stay: among lines that say the same, what comes could else be put behind them.
fn changes(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let head = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (old_rest, new_rest) = (old.get(head..).unwrap_or_default(), new.get(head..).unwrap_or_default());
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(old, new)| old == new).count();
    let (old_end, new_end) = (old.len() - tail, new.len() - tail);
    let mut changes = vec![DiffOp::Equal { old_index: 0, new_index: 0, len: head }];
    changes.extend(capture_diff(Algorithm::Myers, old, head..old_end, new, head..new_end));
    changes.push(DiffOp::Equal { old_index: old_end, new_index: new_end, len: tail });
    changes.retain(|change| !matches!(change, DiffOp::Equal { len: 0, .. }));
    changes
}

fn lines(text: &str) -> SplitInclusive<'_, char> {
    text.split_inclusive('\n')
}

/// Two texts without the lines that they share at their beginnings and ends, but for those that stand around what changes.
struct Middle<'t> {
    old: &'t str,
    new: &'t str,
    lines_before: usize,
    is_too_long: bool,
}

impl<'t> Middle<'t> {
    fn of(old: &'t str, new: &'t str) -> Self {
        let head = shared_head(old.as_bytes(), new.as_bytes());
        let ((_, old_rest), (_, new_rest)) = (old.split_at(head), new.split_at(head));
        let tail = shared_tail(old_rest.as_bytes(), new_rest.as_bytes());
        if old.len() + new.len() - 2 * (head + tail) > DIFFED_BYTES {
            return Self { old: "", new: "", lines_before: lines(&old[..head]).count(), is_too_long: true };
        }
        let start = head - bytes(lines(&old[..head]).rev());
        let context = bytes(lines(&old[old.len() - tail..]));
        let middle = |text: &'t str| &text[start..text.len() - tail + context];
        let lines_before = lines(&old[..start]).count();
        Self { old: middle(old), new: middle(new), lines_before, is_too_long: false }
    }
}

/// The length of the lines that stand around what changes.
fn bytes<'l>(lines: impl Iterator<Item = &'l str>) -> usize {
    lines.take(CONTEXT_LINES).map(str::len).sum()
}

/// How long the lines are that two texts share at the beginning.
fn shared_head(old: &[u8], new: &[u8]) -> usize {
    let shared = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    old.iter().take(shared).rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1)
}

/// How long the lines are that they share at the end.
fn shared_tail(old: &[u8], new: &[u8]) -> usize {
    let shared = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    // Of the line that is shared in part there is no telling. Seen from behind, the last line end is the one that it ends with.
    old.iter().rev().take(shared).rposition(|byte| *byte == b'\n').unwrap_or_default()
}

fn push_hunk(diff: &mut String, lines_before: usize, (old, new): (&[&str], &[&str]), changes: &[DiffOp]) {
    let (Some(first), Some(last)) = (changes.first(), changes.last()) else { return };
    let old_lines = range(lines_before, first.old_range().start..last.old_range().end);
    let new_lines = range(lines_before, first.new_range().start..last.new_range().end);
    // Writing to a string does not fail.
    let _ = writeln!(diff, "@@ -{old_lines} +{new_lines} @@");
    for change in changes {
        if let DiffOp::Equal { .. } = change {
            push_lines(diff, ' ', old.get(change.old_range()));
        } else {
            push_lines(diff, '-', old.get(change.old_range()));
            push_lines(diff, '+', new.get(change.new_range()));
        }
    }
}

fn push_lines(diff: &mut String, sign: char, lines: Option<&[&str]>) {
    for line in lines.unwrap_or_default() {
        diff.push(sign);
        diff.push_str(line);
        if !line.ends_with('\n') {
            diff.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// Lines, as diff writes them: of none the one that they stand behind.
fn range(lines_before: usize, lines: Range<usize>) -> String {
    let before = lines_before + lines.start;
    match lines.len() {
        0 => format!("{before},0"),
        1 => (before + 1).to_string(),
        count => format!("{},{count}", before + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &str, new: &str, hunks: &str) {
        assert_eq!(unified(("a", old), ("b", new)), format!("--- a\n+++ b\n{hunks}"), "{old:?} {new:?}");
    }

    #[test]
    fn lines_end_at_line_feeds_alone() {
        check("one\rtwo\r\nthree\n", "one\r2\r\nthree\n", "@@ -1,2 +1,2 @@\n-one\rtwo\r\n+one\r2\r\n three\n");
        let bare = "@@ -1 +1 @@\n-a\r\n+a\r\n\\ No newline at end of file\n";
        check("a\r\n", "a\r", bare);
    }

    #[test]
    fn what_has_no_lines_stands_behind_one() {
        check("", "a\n", "@@ -0,0 +1 @@\n+a\n");
        check("a\nb\n", "", "@@ -1,2 +0,0 @@\n-a\n-b\n");
        check("a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
    }

    #[test]
    fn changes_that_are_far_apart_have_hunks_of_their_own() {
        let text = |first: &str, last: &str| format!("{first}\n{}{last}\n", "-\n".repeat(7));
        let hunks = "@@ -1,4 +1,4 @@\n-a\n+b\n -\n -\n -\n@@ -6,4 +6,4 @@\n -\n -\n -\n-a\n+b\n";
        check(&text("a", "a"), &text("b", "b"), hunks);
    }

    /// Every text of a few lines, with and without an end to the last.
    fn texts() -> Vec<String> {
        let mut texts = vec![String::new()];
        for line in 0..7 {
            let longer = |text: &String| ["a\n", "b\n", "a"].map(|line| format!("{text}{line}"));
            let last = texts.iter().filter(|text| lines(text).count() == line && !text.ends_with(['a', 'b']));
            texts.extend(last.flat_map(longer).collect::<Vec<_>>());
        }
        texts
    }

    /// Makes the changes of a diff.
    fn applied(old: &str, diff: &str) -> String {
        let (mut left, mut new, mut at, mut around) = (lines(old), String::new(), 0, None);
        let open = diff.replace("\n\\ No newline at end of file\n", "\0");
        for line in open.split_inclusive(['\n', '\0']).skip(2) {
            let line = line.trim_end_matches('\0');
            if let Some(range) = line.strip_prefix("@@ -") {
                assert!(around.is_none_or(|around| around == CONTEXT_LINES), "{diff}");
                around = Some(0);
                let (start, count) = range.split_once(' ').unwrap().0.split_once(',').unwrap_or((range, "1"));
                let start: usize = start.split(' ').next().unwrap().parse().unwrap();
                let before = start - usize::from(count != "0");
                new.extend(left.by_ref().take(before - at));
                at = before;
                continue;
            }
            let (sign, text) = line.split_at(1);
            around = around.map(|around| if sign == " " { around + 1 } else { 0 });
            if sign != "+" {
                assert_eq!(left.next(), Some(text));
                at += 1;
            }
            if sign != "-" {
                new += text;
            }
        }
        let left: String = left.collect();
        assert!(left.is_empty() || around.is_none_or(|around| around == CONTEXT_LINES), "{diff}");
        new + &left
    }

    #[test]
    fn a_diff_makes_one_text_of_the_other() {
        let texts = texts();
        for (old, new) in texts.iter().flat_map(|old| texts.iter().map(move |new| (old, new))) {
            let diff = unified(("a", old), ("b", new));
            assert_eq!(&applied(old, &diff), new, "{old:?} {new:?} {diff}");
        }
    }

    #[test]
    fn only_what_differs_can_be_too_long() {
        let long = "a line\n".repeat(DIFFED_BYTES);
        let text = |middle: &str| format!("{long}{middle}\n{long}");
        assert!(unified(("a", &text("old")), ("b", &text("new"))).contains("\n-old\n+new\n a line\n"));
        let (old, new) = ("old\n".repeat(DIFFED_BYTES / 4), "new\n");
        check(&format!("a\n{old}"), &format!("a\n{new}"), "@@ too long to compare: they part in line 2 @@\n");
    }
}
