//! What is found piece by piece is held to what the whole text has.

use proptest::prelude::*;

use super::*;
use crate::workspace::WorkspaceError;

/// A file that gives so many bytes at once.
struct Pieces<'b>(&'b [u8], usize);

impl OpenFile for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, WorkspaceError> {
        let (piece, rest) = self.0.split_at(self.0.len().min(self.1).min(buffer.len()));
        buffer[..piece.len()].copy_from_slice(piece);
        self.0 = rest;
        Ok(piece.len())
    }

    fn version(&self) -> Version {
        assert_eq!(self.0, b"", "asked before the end");
        Version::new(b"the state")
    }
}

fn places(text: &str, old: &str) -> Vec<usize> {
    let starts = text.char_indices().map(|(start, _)| start);
    starts.filter(|start| text[*start..].starts_with(old)).collect()
}

/// The lines that an edit at a place touches, with so many around them, and where they begin.
fn lines_around(text: &str, place: usize, old_len: usize, context_lines: usize) -> (usize, &str) {
    let before: Vec<&str> = text[..place].split('\n').rev().take(context_lines + 1).collect();
    let start = place - before.iter().map(|line| line.len()).sum::<usize>() - (before.len() - 1);
    let behind = text[place + old_len..].split_inclusive('\n').take(context_lines + 1);
    (start, &text[start..place + old_len + behind.map(str::len).sum::<usize>()])
}

#[track_caller]
fn check(held: Held, piece: usize, text: &str, old: &str, context_lines: usize) {
    let sought = seek_holding(held, &mut Pieces(text.as_bytes(), piece), old, context_lines);
    let places = places(text, old);
    let Some(sought) = sought else {
        let is_held = held.old >= text.len().max(old.len()) && held.new >= text.len();
        assert!(!is_held || places.len() != 1 || old.is_empty(), "missed");
        return;
    };
    let [place] = places[..] else { panic!("found one of {places:?}") };
    let (start, lines) = lines_around(text, place, old.len(), context_lines);
    let Passage { text: shown, places, lines_before } = sought.passage();
    assert_eq!((shown, places), (lines, &[place - start][..]));
    assert_eq!(lines_before, text[..start].matches('\n').count());
    assert_eq!((sought.start, sought.file_length), (length(place), length(text.len())));
    assert_eq!(sought.version, Version::new(b"the state"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4000) })]

    #[test]
    fn what_is_held_of_a_file_changes_nothing(
        text in "[abé\n]{0,40}",
        old in "[abé\n]{0,6}",
        held in (1_usize..50, 0_usize..50).prop_map(|(new, old)| Held { new, old }),
        piece in 1_usize..50,
        context_lines in 0_usize..4,
    ) {
        check(held, piece, &text, &old, context_lines);
    }

    #[test]
    fn a_file_that_is_no_text_is_left_to_who_says_so(
        text in "[abé\n]{1,40}",
        at in any::<prop::sample::Index>(),
        bad in prop::sample::select(vec![0xff, 0x80, 0xc3]),
        held in (1_usize..50, 1_usize..50).prop_map(|(new, old)| Held { new, old }),
    ) {
        let mut bytes = text.into_bytes();
        bytes.insert(at.index(bytes.len() + 1), bad);
        prop_assume!(std::str::from_utf8(&bytes).is_err());
        prop_assert!(seek_holding(held, &mut Pieces(&bytes, 7), "a", 0).is_none());
    }
}

#[test]
fn lines_that_are_not_kept_take_the_whole_file() {
    let long = "x".repeat(HELD.old + HELD.new);
    let seek = |text: String| seek(&mut Pieces(text.as_bytes(), usize::MAX), "needle", 1).is_some();
    assert!(seek(format!("{long}\na\nneedle\nb\n{long}")));
    assert!(!seek(format!("{long}\nneedle\nb\n")));
    assert!(!seek(format!("a\nneedle\n{long}")));
}
