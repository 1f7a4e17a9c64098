//! Which of several texts are most like a wanted one.
//!
//! **For hints alone**: nothing is ever chosen, found or run because it is like something else.

use crate::gates::Gates;
use crate::tool::ToolName;

/// The largest number of texts that are named as near.
const MOST: usize = 3;

/// So many characters of a text are compared, from its beginning: longer lines and paths are data, which nobody types.
const COMPARED_CHARS: usize = 200;

/// So many pairs of characters are compared in all: enough for tens of thousands of lines or paths, and done in a tenth of a second.
const MOST_STEPS: usize = 1 << 24;

/// What comparing two texts costs beside their pairs of characters.
const STEPS_A_TEXT: usize = 256;

/// The likeness from which on a text is near: half of the characters are where they should be.
const NEAR: usize = 500;

/// What is so much less like than the nearest is not named beside it.
const FAR_BEHIND: usize = 200;

/// The likeness of a text to itself.
pub(crate) const SAME: usize = 1000;

/// Gathers what is most like something, with a bounded amount of work.
#[derive(Debug)]
pub(crate) struct Nearest<T> {
    /// With their likeness, the most alike first.
    found: Vec<(usize, T)>,
    steps_left: usize,
}

impl<T> Nearest<T> {
    pub(crate) fn new() -> Self {
        Self { found: Vec::new(), steps_left: MOST_STEPS }
    }

    /// Returns how alike two texts are, from 0 to 1000. Case doesn't count. Once the work is used up, everything is unlike.
    pub(crate) fn likeness(&mut self, a: &str, b: &str) -> usize {
        let (a, b) = (comparable(a), comparable(b));
        let (a_chars, b_chars) = (a.chars().count(), b.chars().count());
        let longer = a_chars.max(b_chars);
        // So many must be put in or taken out at the least.
        let can_be_near = scaled(longer - a_chars.abs_diff(b_chars), longer) >= NEAR;
        let steps = if can_be_near { STEPS_A_TEXT + a_chars * b_chars } else { STEPS_A_TEXT };
        self.steps_left = self.steps_left.saturating_sub(steps);
        if self.is_used_up() || !can_be_near {
            return 0;
        }
        scaled(longer.saturating_sub(strsim::osa_distance(&a, &b)), longer)
    }

    /// Takes something in, if it is near and among the nearest. Of things that are equally alike, those that came first stay.
    pub(crate) fn offer(&mut self, likeness: usize, thing: impl FnOnce() -> T) {
        let place = self.found.partition_point(|(other, _)| *other >= likeness);
        if likeness >= NEAR && place < MOST {
            self.found.insert(place, (likeness, thing()));
            self.found.truncate(MOST);
        }
    }

    /// Returns whether no more work is left: what came since was not compared.
    pub(crate) fn is_used_up(&self) -> bool {
        self.steps_left == 0
    }

    /// Returns what was found, the most alike first.
    pub(crate) fn into_found(self) -> impl Iterator<Item = T> {
        let least = self.found.first().map_or(0, |(most, _)| most.saturating_sub(FAR_BEHIND));
        self.found.into_iter().take_while(move |(likeness, _)| *likeness > least).map(|(_, thing)| thing)
    }
}

/// A part of a whole, scaled to [`SAME`]. Two empty texts are the same.
fn scaled(part: usize, whole: usize) -> usize {
    (part * SAME).checked_div(whole).unwrap_or(SAME)
}

fn comparable(text: &str) -> String {
    text.chars().take(COMPARED_CHARS).flat_map(char::to_lowercase).collect()
}

impl Gates {
    /// Returns the names of the tools that are permitted here and most like a name, the nearest first: at most three.
    ///
    /// For a text that tells of an unknown tool. A name that is not permitted is never among them, however near.
    ///
    /// ```
    /// use dispatch_core::{Gates, Permissions, tools};
    ///
    /// let gates = Gates::new(tools::core_registry());
    /// assert_eq!(gates.nearest_permitted("ReadFile"), ["read_file"]);
    /// assert_eq!(gates.nearest_permitted("write"), ["write_file"]);
    /// assert!(gates.nearest_permitted("drop_table").is_empty());
    /// let gates = gates.permitting(&Permissions::only(["patch_file"]));
    /// assert!(gates.nearest_permitted("write").is_empty());
    /// ```
    pub fn nearest_permitted(&self, name: &str) -> Vec<&str> {
        let mut nearest = Nearest::new();
        let names = self.registry().names().map(ToolName::as_str);
        for permitted in names.filter(|name| self.permissions().permit(name)) {
            let likeness = nearest.likeness(name, permitted).max(likeness_of_part(name, permitted));
            nearest.offer(likeness, || permitted);
        }
        nearest.into_found().collect()
    }
}

/// Of two names one of which is a part of the other, as `read` is of `read_file`: they are near, if only just.
fn likeness_of_part(a: &str, b: &str) -> usize {
    let shorter = a.len().min(b.len());
    if shorter >= 3 && (a.contains(b) || b.contains(a)) { NEAR } else { 0 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(wanted: &str, texts: &[&str], expected: &[&str]) {
        let mut nearest = Nearest::new();
        for text in texts {
            let likeness = nearest.likeness(wanted, text);
            nearest.offer(likeness, || *text);
        }
        assert_eq!(nearest.into_found().collect::<Vec<_>>(), expected, "{wanted:?}");
    }

    #[test]
    fn the_most_alike_come_first_and_of_equals_the_first() {
        check(
            "abcdefgh",
            &["abcdefxx", "abcdefgx", "xbcdefgh", "abcdefgh", "z"],
            &["abcdefgh", "abcdefgx", "xbcdefgh"],
        );
    }

    #[test]
    fn what_is_far_behind_the_nearest_is_left_out() {
        check("abcd", &["abcd", "abcx", "abxx"], &["abcd"]);
        check("abcdefgh", &["abcdexxx", "abcdefxx"], &["abcdefxx", "abcdexxx"]);
    }

    #[test]
    fn half_of_the_characters_are_enough_and_case_does_not_count() {
        check("abcd", &["ABzz", "azzz", "abcdefgh", "abcdefghi", ""], &["ABzz", "abcdefgh"]);
        check("", &["", "a"], &[""]);
        check("éà", &["éx", "Éà"], &["Éà"]);
    }

    #[test]
    fn two_letters_that_changed_places_are_one_difference() {
        check("ab", &["ba"], &["ba"]);
    }

    #[test]
    fn work_is_bounded() {
        let long = "x".repeat(COMPARED_CHARS * 1000);
        let mut nearest = Nearest::<()>::new();
        let compared = (0..10_000).take_while(|_| nearest.likeness(&long, &long) == SAME).count();
        assert_eq!(compared, MOST_STEPS / (STEPS_A_TEXT + COMPARED_CHARS * COMPARED_CHARS));
        assert!(nearest.is_used_up());
    }

    proptest! {
        #[test]
        fn likeness_is_total_bounded_and_mutual(a: String, b: String) {
            let mut nearest = Nearest::<()>::new();
            let likeness = nearest.likeness(&a, &b);
            prop_assert!(likeness <= SAME);
            prop_assert_eq!(likeness, nearest.likeness(&b, &a));
            prop_assert_eq!(nearest.likeness(&a, &a), SAME);
        }
    }
}
