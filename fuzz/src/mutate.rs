//! Small changes to a text.

use std::ops::Range;

use dispatch_core::json::{Document, Node};

use crate::corpus::Corpus;
use crate::random::Random;

/// The longest text that is made. Longer ones find nothing else, and take long.
const LONGEST_BYTES: usize = 1 << 16;

/// What a line with an event begins with.
const DATA: &[u8] = b"data:";

/// Pieces of JSON, and of what is nearly JSON.
const PIECES: &[&[u8]] = &[
    b"{",
    b"}",
    b"[",
    b"]",
    b":",
    b",",
    b"\"",
    b"\\",
    b"\\u",
    b"\\ud83d",
    b"\\ude00",
    b"\\u0061",
    b"\\u0000",
    b"null",
    b"true",
    b"nul",
    b"0",
    b"-0",
    b"1.0",
    b"1e2",
    b"-",
    b".5",
    b"e",
    b"1e400",
    b"18446744073709551615",
    b"18446744073709551616",
    b"-9223372036854775809",
    b"9007199254740993",
    b" ",
    b"\n",
    b"\r",
    b"\t",
    b"\x00",
    b"\x1f",
    b"\x7f",
    b"\xc3\xa9",
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\xef\xbb\xbf",
    b"\xe2\x80\xa8",
    b"\"a\":",
    b"\"path\":",
    b"\"op\":\"dispatch\",",
    b"../",
    b"/",
    b"~",
    b"c:",
    b"a.txt",
    b"data: ",
    b"\n\n",
    b"[DONE]",
    b"\"type\":",
    b"\"$ref\":\"#\"",
];

/// Makes a text of one of these, by a few small changes.
pub fn mutate(from: &[Vec<u8>], corpus: &Corpus, random: &mut Random) -> Vec<u8> {
    let mut text = random.pick(from).cloned().unwrap_or_default();
    // Some stay as they are: what must hold holds for them too.
    for _ in 0..random.below(5) {
        change(&mut text, corpus, random);
        text.truncate(LONGEST_BYTES);
    }
    text
}

fn change(text: &mut Vec<u8>, corpus: &Corpus, random: &mut Random) {
    match random.below(10) {
        0 => flip(text, random),
        1 => drop(text.splice(range(text, random, 1), [])),
        2 => drop(text.splice(range(text, random, 16), [])),
        3 => repeat(text, random),
        4 | 5 => {
            let (at, piece) = (range(text, random, 2), random.pick(PIECES).copied().unwrap_or_default());
            drop(text.splice(at, piece.iter().copied()));
        }
        6 => nest(text, random),
        _ => exchange_value(text, corpus, random),
    }
}

fn flip(text: &mut [u8], random: &mut Random) {
    let (place, bit) = (random.below(text.len()), random.below(8));
    if let Some(byte) = text.get_mut(place) {
        *byte ^= 1 << bit;
    }
}

/// A range of up to so many bytes.
fn range(text: &[u8], random: &mut Random, longest: usize) -> Range<usize> {
    let start = random.below(text.len() + 1);
    let end = start + random.below(longest + 1);
    start..end.min(text.len())
}

/// Puts a part of the text there once more.
fn repeat(text: &mut Vec<u8>, random: &mut Random) {
    let part = range(text, random, 64);
    let again = text.get(part.clone()).unwrap_or_default().repeat(1 + random.below(3));
    drop(text.splice(part.end..part.end, again));
}

/// Puts many brackets around a part of the text.
fn nest(text: &mut Vec<u8>, random: &mut Random) {
    let levels = [1, 2, 123, 124, 125, 126, 127, 128, 2000];
    let levels = random.pick(&levels).copied().unwrap_or_default();
    let (open, close): (&[u8], &[u8]) = if random.below(2) == 0 { (b"[", b"]") } else { (b"{\"a\":", b"}") };
    let part = value(text, random).unwrap_or_else(|| range(text, random, 16));
    let inside = text.get(part.clone()).unwrap_or_default().to_vec();
    drop(text.splice(part, [open.repeat(levels), inside, close.repeat(levels)].concat()));
}

/// Puts another value in the place of one, or behind it as a further member.
fn exchange_value(text: &mut Vec<u8>, corpus: &Corpus, random: &mut Random) {
    let other = random.pick(&corpus.values).cloned().unwrap_or_default();
    match value(text, random) {
        Some(place) if random.below(4) == 0 => {
            let name =
                random.pick(&[&b"\"path\""[..], b"\"a\"", b"\"workspace\"", b"\"id\""]).copied().unwrap_or_default();
            drop(text.splice(place.end..place.end, [b",", name, b":", &other].concat()));
        }
        Some(place) => drop(text.splice(place, other)),
        None => drop(text.splice(range(text, random, 8), other)),
    }
}

/// The place of some value in the text, where that is JSON, or in one of its lines, where it is a stream.
fn value(text: &[u8], random: &mut Random) -> Option<Range<usize>> {
    let line = data(text, random).unwrap_or(0..text.len());
    let document = Document::parse_tolerating(text.get(line.clone())?.to_vec(), |_| true).ok()?;
    let mut places = Vec::new();
    collect(document.root(), &mut places);
    random.pick(&places).map(|place| line.start + place.start..line.start + place.end)
}

/// The place of what some event of a stream says.
fn data(text: &[u8], random: &mut Random) -> Option<Range<usize>> {
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split(|byte| *byte == b'\n') {
        if line.starts_with(DATA) {
            lines.push(start + DATA.len()..start + line.len());
        }
        start += line.len() + 1;
    }
    random.pick(&lines).cloned()
}

fn collect(node: Node<'_>, places: &mut Vec<Range<usize>>) {
    places.push(node.span());
    node.elements().for_each(|element| collect(element, places));
    node.members().for_each(|member| collect(member.value, places));
}
