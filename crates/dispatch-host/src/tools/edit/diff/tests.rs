//! A diff is held to what it says: applied to the text before, it gives the text after.

use proptest::prelude::*;

use super::*;

fn passage<'p>(text: &'p str, places: &'p [usize]) -> Passage<'p> {
    Passage { text, places, lines_before: 0 }
}

/// The diff of a replacement everywhere.
fn diff(before: &str, old: &str, new: &str) -> Diff {
    let places: Vec<usize> = before.match_indices(old).map(|(place, _)| place).collect();
    Diff::of(passage(before, &places), old.len(), new)
}

#[track_caller]
fn check(before: &str, old: &str, new: &str, expected: &str) {
    assert_eq!(diff(before, old, new).text, expected, "{before:?}: {old:?} -> {new:?}");
}

#[test]
fn the_lines_around_a_change_stand_beside_it() {
    check("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "5", "five", "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
    check("a\n", "a", "b", "@@ -1 +1 @@\n-a\n+b\n");
}

#[test]
fn only_the_lines_that_differ_are_told() {
    check("a\nb\nc\n", "a\nb\nc\n", "a\nB\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
    check("a\nb\n", "a\n", "a\nx\n", "@@ -1,2 +1,3 @@\n a\n+x\n b\n");
    check("a\nb\n", "a\n", "", "@@ -1,2 +1 @@\n-a\n b\n");
    check("a\n", "a\n", "", "@@ -1 +0,0 @@\n-a\n");
    check("a\nb\nc\nd\n", "a\nb\nc", "A\nb\nC", "@@ -1,4 +1,4 @@\n-a\n+A\n b\n-c\n+C\n d\n");
}

#[test]
fn a_final_newline_that_is_missing_is_marked() {
    check("a", "a", "b", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n");
    check("a\nb", "a", "A", "@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n");
    check("a\n", "a\n", "a", "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n");
}

#[test]
fn changes_that_are_far_apart_have_hunks_of_their_own() {
    let text = |first: &str, last: &str| format!("{first}\n{}{last}\n", "-\n".repeat(6));
    assert_eq!(diff(&text("x", "x"), "x", "y").text.matches("@@ -").count(), 1);
    let farther = format!("x\n{}x\nx\nz\n", "-\n".repeat(7));
    check(
        &farther,
        "x\n",
        "y\ny\n",
        "@@ -1,4 +1,5 @@\n-x\n+y\n+y\n -\n -\n -\n@@ -6,6 +7,8 @@\n -\n -\n -\n-x\n-x\n+y\n+y\n+y\n+y\n z\n",
    );
}

#[test]
fn lines_are_counted_beyond_what_is_shown() {
    let before = "x\n-\n".repeat(100_000);
    let diff = diff(&before, "x", "y\ny");
    assert_eq!((diff.added, diff.removed), (200_000, 100_000));
    assert!(diff.text.len() <= MOST_BYTES + 50, "{}", diff.text.len());
    assert!(diff.text.ends_with("[... the rest of the diff is left out ...]\n"));
}

#[test]
fn a_line_that_is_longer_than_a_diff_is_left_out() {
    let before = "x".repeat(MOST_BYTES);
    assert_eq!(diff(&before, "x", "y").text, "@@ -1 +1 @@\n[... the rest of the diff is left out ...]\n");
}

#[test]
fn work_is_bounded() {
    let lines = |word: &str| {
        (0..MOST_COMPARED_LINES).fold(String::new(), |lines, number| lines + word + &number.to_string() + "\n")
    };
    let shared = "shared\n";
    let (old, new) = ([&lines("a"), shared, "a\n"].concat(), [&lines("b"), shared, "b\n"].concat());
    let diff = Diff::of(passage(&old, &[0]), old.len(), &new);
    // The line that both have counts as one that went and came.
    assert_eq!((diff.added, diff.removed), (MOST_COMPARED_LINES + 2, MOST_COMPARED_LINES + 2));
}

/// Applies a unified diff: a second reading of what its hunks mean.
fn apply(before: &str, diff: &str) -> String {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let (mut after, mut next) = (String::new(), 0);
    let mut lines = diff.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        if let Some(header) = line.strip_prefix("@@ -") {
            let (old_range, new_range) = header.split_once(" +").unwrap();
            let first = lines_before(old_range);
            after.extend(old[next..first].iter().copied());
            next = first;
            assert_eq!(lines_before(new_range), after.split_inclusive('\n').count(), "{line}");
            continue;
        }
        let (sign, text) = line.split_at(1);
        let is_cut = lines.next_if(|line| line.starts_with('\\')).is_some();
        let text = if is_cut { text.strip_suffix('\n').unwrap() } else { text };
        if sign != "+" {
            assert_eq!(old[next], text);
            next += 1;
        }
        if sign != "-" {
            after.push_str(text);
        }
    }
    after.extend(old[next..].iter().copied());
    after
}

/// How many lines stand before a range.
fn lines_before(range: &str) -> usize {
    let range = range.split(' ').next().unwrap();
    let (first, count) = range.split_once(',').unwrap_or((range, "1"));
    let first: usize = first.parse().unwrap();
    if count == "0" { first } else { first - 1 }
}

proptest! {
    #[test]
    fn a_diff_leads_from_the_text_before_to_the_one_after(
        before in "[ab\n]{0,60}",
        old in "[ab\n]{1,3}",
        new in "[abc\n]{0,5}",
    ) {
        prop_assume!(old != new && before.contains(&old));
        let after = before.replace(&old, &new);
        let diff = diff(&before, &old, &new);
        prop_assert_eq!(apply(&before, &diff.text), after, "{}", diff.text);
        let signs = |sign: char| diff.text.lines().filter(|line| line.starts_with(sign)).count();
        prop_assert_eq!((diff.added, diff.removed), (signs('+'), signs('-')));
    }
}
