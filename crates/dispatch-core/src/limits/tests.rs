//! The cut, against its description carried out step by step on bytes.

use proptest::prelude::*;

use super::*;
use crate::call::ToolCall;
use crate::json::Document;
use crate::observation::Observation;
use crate::result::{Showing, ToolResult};

/// The description, as plainly as it can be said.
fn described(text: &[u8], limit: usize) -> Vec<u8> {
    let m = text.len();
    if m <= limit {
        return text.to_vec();
    }
    let reserve = format!("\n[... {m} bytes of {m} omitted ...]\n").len();
    if limit < reserve {
        return prefix_within(text, limit).to_vec();
    }
    let room = limit - reserve;
    let mut tail = last_five_lines(text);
    if tail.len() > room / 2 {
        tail = suffix_within(text, room / 2);
        if let Some(newline) = (0..tail.len() / 2).find(|at| tail[*at] == b'\n') {
            tail = &tail[newline + 1..];
        }
    }
    let mut head = prefix_within(text, room - tail.len());
    if let Some(newline) = (head.len() / 2..head.len()).rfind(|at| head[*at] == b'\n') {
        head = &head[..=newline];
    }
    let n = m - head.len() - tail.len();
    let mut shown = head.to_vec();
    if !head.is_empty() && head[head.len() - 1] != b'\n' {
        shown.push(b'\n');
    }
    shown.extend(format!("[... {n} bytes of {m} omitted ...]\n").bytes());
    shown.extend(tail);
    shown
}

fn is_boundary(text: &[u8], at: usize) -> bool {
    at == text.len() || text[at] & 0b1100_0000 != 0b1000_0000
}

fn prefix_within(text: &[u8], length: usize) -> &[u8] {
    &text[..(0..=length).rev().find(|at| is_boundary(text, *at)).unwrap()]
}

fn suffix_within(text: &[u8], length: usize) -> &[u8] {
    &text[(text.len() - length..=text.len()).find(|at| is_boundary(text, *at)).unwrap()..]
}

fn last_five_lines(text: &[u8]) -> &[u8] {
    let lines: Vec<_> = text.split_inclusive(|byte| *byte == b'\n').collect();
    let length: usize = lines.iter().rev().take(5).map(|line| line.len()).sum();
    &text[text.len() - length..]
}

/// Texts of short and long lines, of letters of every length in UTF-8.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec!["\n", "a", "bc", "é", "€", "😀", "\r\n", "[... "]).prop_map(str::to_owned),
        2 => (0..40usize, prop::sample::select(vec!["x", "é", "€", "😀", "\n"])).prop_map(|(times, letter)| letter.repeat(times)),
        1 => (0..9usize, 0..30usize).prop_map(|(lines, length)| ("y".repeat(length) + "\n").repeat(lines)),
    ];
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

fn cut(text: &str, limit: usize) -> Cow<'_, str> {
    Limits::output_bytes(limit as u64).unwrap().cut(text)
}

fn shown(text: &str, limit: usize) -> (String, Option<usize>) {
    let args = Document::parse(b"{}".to_vec()).unwrap();
    let limits = Limits::output_bytes(limit as u64).unwrap();
    let result =
        ToolResult::new(ToolCall::new("t", args), Ok(Observation::text(text)), Showing { limits, explains: false });
    let shown = result.shown().unwrap();
    (shown.text.into_owned(), shown.truncated_from)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_cut_is_the_described_one_at_every_limit(text in texts()) {
        for limit in 1..text.len() + 2 {
            let cut = cut(&text, limit);
            prop_assert_eq!(cut.as_bytes(), described(text.as_bytes(), limit), "{:?} at {}", &cut, limit);
            prop_assert!(cut.len() <= limit);
            prop_assert_eq!(&Limits::output_bytes(limit as u64).unwrap().cut(&cut), &cut);
        }
    }

    #[test]
    fn a_result_tells_that_its_observation_was_cut_just_when_it_was(text in texts(), limit in 1..300usize) {
        let (shown, truncated_from) = shown(&text, limit);
        prop_assert_eq!(&shown, &cut(&text, limit));
        prop_assert_eq!(truncated_from, (text.len() > limit).then_some(text.len()));
    }
}

#[test]
fn cuts_to_read() {
    let numbered = (1..=30).map(|n| format!("line {n}\n")).collect::<Vec<_>>().concat();
    for (text, limit, expected) in [
        ("", 1, ""),
        ("é", 1, ""),
        ("aé", 2, "a"),
        ("€uro", 4, "€u"),
        (&numbered, 35, "line 1\nline 2\nline 3\nline 4\nline 5\n"),
        // From here on there is room for the marker, and then for more.
        (&numbered, 36, "[... 231 bytes of 231 omitted ...]\n"),
        (&numbered, 46, "line \n[... 221 bytes of 231 omitted ...]\ne 30\n"),
        (&numbered, 60, "line 1\nline 2\n[... 209 bytes of 231 omitted ...]\nline 30\n"),
    ] {
        assert_eq!(cut(text, limit), expected, "{limit}");
    }
}

#[test]
fn limits_are_from_1_to_2_to_the_53_less_1() {
    for (bytes, taken) in [(0, false), (1, true), ((1 << 53) - 1, true), (1 << 53, false), (u64::MAX, false)] {
        assert_eq!(Limits::output_bytes(bytes).is_ok(), taken, "{bytes}");
    }
}
