//! A text that could start at more than one place: how many, and where.

use super::{MOST_LISTED, listed};

pub(super) fn hint(text: &str, old: &str) -> String {
    let Places { count, mut lines } = places(text.as_bytes(), old.as_bytes());
    lines.dedup();
    let word = if let [_] = *lines { "line" } else { "lines" };
    let numbers: Vec<String> = lines.iter().map(usize::to_string).collect();
    if count > MOST_LISTED {
        return format!(
            "it could start at {count} places, the first {MOST_LISTED} on {word} {}",
            listed(&numbers, "and")
        );
    }
    format!("it could start at {count} places, on {word} {}", listed(&numbers, "and"))
}

/// The places at which a text could start.
#[derive(Debug, PartialEq, Eq)]
struct Places {
    count: usize,
    /// The lines of the first of them, from 1.
    lines: Vec<usize>,
}

/// Finds all places, overlapping ones too, in time that grows with the text and not with how often it repeats itself (Knuth, Morris, Pratt).
fn places(text: &[u8], old: &[u8]) -> Places {
    let borders = borders(old);
    let mut found = Places { count: 0, lines: Vec::new() };
    let (mut matched, mut line, mut counted_to) = (0, 1, 0);
    for (at, byte) in text.iter().enumerate() {
        matched = longest_prefix(old, &borders, matched, *byte);
        if matched == old.len() && found.lines.len() < MOST_LISTED {
            let start = at + 1 - old.len();
            line += newlines(text.get(counted_to..start));
            counted_to = start;
            found.lines.push(line);
        }
        found.count += usize::from(matched == old.len());
    }
    found
}

/// How much of `old` ends in this byte, when so much of it ended before.
fn longest_prefix(old: &[u8], borders: &[usize], mut matched: usize, byte: u8) -> usize {
    while old.get(matched) != Some(&byte) {
        match matched.checked_sub(1).and_then(|last| borders.get(last)) {
            Some(border) => matched = *border,
            None => return 0,
        }
    }
    matched + 1
}

/// For every prefix of a text: how much of its beginning is its end too, itself left out.
fn borders(old: &[u8]) -> Vec<usize> {
    let mut borders = Vec::with_capacity(old.len());
    let mut border = 0;
    for (at, byte) in old.iter().enumerate() {
        border = if at == 0 { 0 } else { longest_prefix(old, &borders, border, *byte) };
        borders.push(border);
    }
    borders
}

fn newlines(text: Option<&[u8]>) -> usize {
    memchr::memchr_iter(b'\n', text.unwrap_or_default()).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, old: &str, expected: &str) {
        assert_eq!(hint(text, old), expected);
    }

    #[test]
    fn places_are_counted_and_their_lines_named() {
        check("a\nb\na\n", "a", "it could start at 2 places, on lines 1 and 3");
        check("aaa", "aa", "it could start at 2 places, on line 1");
        check("x\n\n\n\n", "\n\n", "it could start at 3 places, on lines 1, 2 and 3");
    }

    #[test]
    fn of_many_places_the_first_are_named() {
        let expected = "it could start at 12 places, the first 10 on lines 1, 2, 3, 4, 5, 6, 7, 8, 9 and 10";
        check(&"a\n".repeat(12), "a", expected);
        check(&"a".repeat(1000), "a", "it could start at 1000 places, the first 10 on line 1");
    }

    proptest! {
        #[test]
        fn they_are_those_that_a_plain_search_finds(text in "[ab\n]{0,40}", old in "[ab\n]{1,4}") {
            let starts: Vec<usize> = (0..text.len()).filter(|at| text[*at..].starts_with(&old)).collect();
            let lines = starts.iter().take(MOST_LISTED).map(|at| 1 + text[..*at].matches('\n').count()).collect();
            prop_assert_eq!(places(text.as_bytes(), old.as_bytes()), Places { count: starts.len(), lines });
        }
    }
}
