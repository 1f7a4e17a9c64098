//! Texts that are JSON, nearly JSON, or made of its pieces.

use std::fmt;

use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Pieces of JSON, and of what is nearly JSON, with `~` between them.
const PIECES: &[u8] = b"{~}~[~]~:~,~\"~\"a\"~\"a\":~\"b\":1~\"\\u0061\":~\\~\\n~\\u~\\u00e9~\\ud83d~\\ude00~\\\"~true~false~null~nul~0~-0~1~12~-~.\
    ~.5~e~E+2~1e400~18446744073709551615~-9223372036854775809~1.0~ ~\n~\t~\x01~\xc3\xa9~\xef\xbb\xbf~\xff~\xc3";

fn piece() -> impl Strategy<Value = &'static [u8]> {
    select(PIECES.split(|byte| *byte == b'~').collect::<Vec<_>>())
}

/// A text that a failing test prints so that it can be read.
#[derive(Clone)]
pub(super) struct Text(pub(super) Vec<u8>);

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b\"{}\"", self.0.escape_ascii())
    }
}

pub(super) fn soup() -> impl Strategy<Value = Text> {
    prop::collection::vec(piece(), 0..12).prop_map(|pieces| Text(pieces.concat()))
}

const NUMBERS: &str = "-0 -0.0 1.0 1e2 1E+2 9007199254740993.0 18446744073709551616 1e19 2.50 1e-400";

fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<i64>().prop_map(|n| n.to_string()),
        any::<u64>().prop_map(|n| n.to_string()),
        any::<f64>().prop_filter("finite", |n| n.is_finite()).prop_map(|n| format!("{n:e}")),
        words(NUMBERS),
    ]
}

/// One of several words.
fn words(words: &'static str) -> impl Strategy<Value = String> {
    select(words.split(' ').collect::<Vec<_>>()).prop_map(str::to_owned)
}

fn string() -> impl Strategy<Value = String> {
    let letters = words(r#"a b c key é 😀 \u0020 \n \" \\ \/ \u0061 \u00e9 \ud83d\ude00 \u0000 \u001f ' $"#);
    prop::collection::vec(letters, 1..7).prop_map(|letters| format!("\"{}\"", letters.concat()))
}

/// JSON text with white space, escapes and number forms of all kinds. A key can stand twice.
fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![words("null true false"), number(), string()];
    leaf.prop_recursive(5, 40, 8, |value| {
        let items = prop::collection::vec((white(), value.clone(), white()), 0..8);
        let members = prop::collection::vec((string(), white(), value), 0..18);
        prop_oneof![
            items.prop_map(|items| {
                let items: Vec<_> = items.into_iter().map(|(before, item, after)| before + &item + &after).collect();
                format!("[{}]", items.join(","))
            }),
            members.prop_map(|members| {
                let member = |(key, white, value)| format!("{white}{key}{white}:{white}{value}");
                format!("{{{}}}", members.into_iter().map(member).collect::<Vec<_>>().join(","))
            }),
        ]
    })
}

fn white() -> impl Strategy<Value = String> {
    select(vec!["", "", " ", "\n", "\r\n\t"]).prop_map(str::to_owned)
}

/// JSON text with a few bytes replaced, taken out or put in.
pub(super) fn nearly_json() -> impl Strategy<Value = Text> {
    let edits = prop::collection::vec((any::<Index>(), piece(), 0..3usize), 0..3);
    (json(), edits).prop_map(|(text, edits)| {
        let mut bytes = text.into_bytes();
        for (place, piece, removed) in edits {
            let start = place.index(bytes.len() + 1);
            let end = (start + removed).min(bytes.len());
            bytes.splice(start..end, piece.iter().copied());
        }
        Text(bytes)
    })
}
