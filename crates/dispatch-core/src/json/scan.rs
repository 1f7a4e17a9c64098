//! The scan: one pass over a text that checks everything and indexes what it finds.

use std::borrow::Cow;
use std::collections::HashSet;

use super::malformed::Fault;
use super::{JsonPath, Kind, MAX_DEPTH, Number, Segment};

/// A value or a key in the text. The entries of a text stand in the order in which they begin; a container's contents follow it.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) kind: Kind,
    /// The bytes of the value, quotes and brackets included.
    pub(super) start: usize,
    pub(super) end: usize,
    /// The entry that follows this one and all its contents.
    pub(super) next: usize,
    /// Of a string: it holds escapes, so that its text is not what stands between its quotes.
    pub(super) escaped: bool,
    /// Of a key: the same key stands before it in the same object.
    pub(super) repeated: bool,
}

/// Objects of up to this many keys are searched for a repeated one without help of a set.
const FEW_KEYS: usize = 12;

/// Where a text stops being JSON, and why.
pub(super) type Stop = (usize, Fault);

/// Indexes a text, or says where it stops being JSON. Of several faults the first in the text is told.
pub(super) fn scan(text: &str, tolerates: &dyn Fn(&JsonPath) -> bool) -> Result<Vec<Entry>, Stop> {
    let mut scanner = Scanner { text, at: 0, entries: Vec::with_capacity(24), tolerates };
    scanner.skip_white();
    if scanner.peek().is_none() {
        return Err((scanner.at, Fault::NoValue));
    }
    scanner.value(&Place::Root, 0)?;
    scanner.skip_white();
    match scanner.peek() {
        None => Ok(scanner.entries),
        Some(_) => Err((scanner.at, Fault::TrailingData)),
    }
}

/// Returns the text of a string, given its entry.
pub(super) fn decode<'t>(text: &'t str, string: &Entry) -> Option<Cow<'t, str>> {
    if string.escaped {
        return serde_json::from_str(text.get(string.start..string.end)?).ok().map(Cow::Owned);
    }
    text.get(string.start + 1..string.end - 1).map(Cow::Borrowed)
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    entries: Vec<Entry>,
    tolerates: &'t dyn Fn(&JsonPath) -> bool,
}

/// Where a value stands, as a chain of steps outwards: into a member by its key's entry, or into an element by its index. A path is made of
/// it only for a key that stands twice.
#[derive(Clone, Copy)]
enum Place<'p> {
    Root,
    Member(&'p Place<'p>, usize),
    Element(&'p Place<'p>, usize),
}

impl Place<'_> {
    fn outer(&self) -> Option<&Self> {
        match self {
            Self::Root => None,
            Self::Member(outer, _) | Self::Element(outer, _) => Some(outer),
        }
    }
}

/// What reads a container's contents: given its entry, its place, and the depth of what is in it.
type ReadContents<'t> = fn(&mut Scanner<'t>, usize, &Place<'_>, usize) -> Result<(), Stop>;

/// The keys of the object being read: how many, and once there are more than [`FEW_KEYS`], which.
#[derive(Default)]
struct SeenKeys<'t> {
    count: usize,
    set: Option<HashSet<Cow<'t, str>>>,
}

impl<'t> Scanner<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_white(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    /// Steps over white space and this byte, and says whether it was there.
    fn take(&mut self, byte: u8) -> bool {
        self.skip_white();
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn expected(&self, what: &'static str, within: &'static str) -> Stop {
        let fault = if self.peek().is_none() { Fault::Unfinished(within) } else { Fault::Expected(what) };
        (self.at, fault)
    }

    fn value(&mut self, place: &Place<'_>, depth: usize) -> Result<(), Stop> {
        match self.peek() {
            Some(b'"') => self.string().map(drop),
            Some(b'{') => self.container(Kind::Object, place, depth, Self::object),
            Some(b'[') => self.container(Kind::Array, place, depth, Self::array),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true", Kind::True),
            Some(b'f') => self.word("false", Kind::False),
            Some(b'n') => self.word("null", Kind::Null),
            _ => Err((self.at, Fault::Expected("a JSON value"))),
        }
    }

    fn leaf(&mut self, kind: Kind, start: usize, escaped: bool) -> usize {
        let index = self.entries.len();
        self.entries.push(Entry { kind, start, end: self.at, next: index + 1, escaped, repeated: false });
        index
    }

    fn word(&mut self, word: &'static str, kind: Kind) -> Result<(), Stop> {
        let start = self.at;
        for byte in word.bytes() {
            if self.peek() != Some(byte) {
                return Err(self.expected("`true`, `false` or `null`", "a word"));
            }
            self.at += 1;
        }
        self.leaf(kind, start, false);
        Ok(())
    }

    fn container(
        &mut self,
        kind: Kind,
        place: &Place<'_>,
        depth: usize,
        contents: ReadContents<'t>,
    ) -> Result<(), Stop> {
        let (index, start) = (self.entries.len(), self.at);
        if depth + 1 >= MAX_DEPTH {
            return Err((start, Fault::TooDeep));
        }
        self.entries.push(Entry { kind, start, end: start, next: index + 1, escaped: false, repeated: false });
        self.at += 1;
        contents(self, index, place, depth + 1)?;
        let (end, next) = (self.at, self.entries.len());
        if let Some(entry) = self.entries.get_mut(index) {
            (entry.end, entry.next) = (end, next);
        }
        Ok(())
    }

    fn array(&mut self, _index: usize, place: &Place<'_>, depth: usize) -> Result<(), Stop> {
        if self.take(b']') {
            return Ok(());
        }
        for index in 0.. {
            self.skip_white();
            if self.peek().is_none() {
                return Err((self.at, Fault::Unfinished("an array")));
            }
            self.value(&Place::Element(place, index), depth)?;
            if self.take(b']') {
                break;
            }
            if !self.take(b',') {
                return Err(self.expected("`,` or `]`", "an array"));
            }
        }
        Ok(())
    }

    fn object(&mut self, index: usize, place: &Place<'_>, depth: usize) -> Result<(), Stop> {
        if self.take(b'}') {
            return Ok(());
        }
        let mut seen = SeenKeys::default();
        let mut key_wanted = "a key or `}`";
        loop {
            self.skip_white();
            if self.peek() != Some(b'"') {
                return Err(self.expected(key_wanted, "an object"));
            }
            let key = self.string()?;
            self.judge_key(index, place, key, &mut seen)?;
            if !self.take(b':') {
                return Err(self.expected("`:` after a key", "an object"));
            }
            self.skip_white();
            if self.peek().is_none() {
                return Err((self.at, Fault::Unfinished("an object")));
            }
            self.value(&Place::Member(place, key), depth)?;
            if self.take(b'}') {
                return Ok(());
            }
            if !self.take(b',') {
                return Err(self.expected("`,` or `}`", "an object"));
            }
            key_wanted = "a key after the comma";
        }
    }

    /// Marks a key that stands in its object for the second time, or stops there when that is not tolerated.
    fn judge_key(&mut self, object: usize, place: &Place<'_>, key: usize, seen: &mut SeenKeys<'t>) -> Result<(), Stop> {
        if !self.is_repeated(object, key, seen) {
            return Ok(());
        }
        let text = self.key_text(key).into_owned();
        let tolerated = (self.tolerates)(&self.path(place));
        match self.entries.get_mut(key) {
            Some(entry) if tolerated => entry.repeated = true,
            Some(entry) => return Err((entry.start, Fault::DuplicateKey(text))),
            None => {}
        }
        Ok(())
    }

    fn is_repeated(&self, object: usize, key: usize, seen: &mut SeenKeys<'t>) -> bool {
        seen.count += 1;
        if seen.count <= FEW_KEYS {
            return self.keys_before(object, key).any(|other| self.are_equal(other, key));
        }
        let set = seen.set.get_or_insert_with(|| self.keys_before(object, key).map(|key| self.key_text(key)).collect());
        !set.insert(self.key_text(key))
    }

    /// Compares two keys: letter by letter where neither holds escapes.
    fn are_equal(&self, a: usize, b: usize) -> bool {
        match (self.entries.get(a), self.entries.get(b)) {
            (Some(a), Some(b)) if !a.escaped && !b.escaped => {
                let bytes = self.text.as_bytes();
                bytes.get(a.start..a.end) == bytes.get(b.start..b.end)
            }
            _ => self.key_text(a) == self.key_text(b),
        }
    }

    fn keys_before(&self, object: usize, key: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(object + 1), |key| Some(self.entries.get(key + 1)?.next))
            .take_while(move |earlier| *earlier < key)
    }

    fn key_text(&self, key: usize) -> Cow<'t, str> {
        self.entries.get(key).and_then(|key| decode(self.text, key)).unwrap_or_default()
    }

    fn path(&self, place: &Place<'_>) -> JsonPath {
        let segment = |place: &Place<'_>| match place {
            Place::Root => None,
            Place::Member(_, key) => Some(Segment::Member(self.key_text(*key).into_owned())),
            Place::Element(_, index) => Some(Segment::Index(*index)),
        };
        let mut segments: Vec<_> =
            std::iter::successors(Some(place), |place| place.outer()).filter_map(segment).collect();
        segments.reverse();
        segments.into_iter().collect()
    }

    fn string(&mut self) -> Result<usize, Stop> {
        let start = self.at;
        let mut escaped = false;
        self.at += 1;
        loop {
            self.at += plain_len(self.text.as_bytes().get(self.at..).unwrap_or_default());
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    self.escape()?;
                }
                Some(control) => return Err((self.at, Fault::ControlCharacter(control))),
                None => return Err((self.at, Fault::Unfinished("a string"))),
            }
        }
        self.at += 1;
        Ok(self.leaf(Kind::String, start, escaped))
    }

    fn escape(&mut self) -> Result<(), Stop> {
        let rest = self.text.as_bytes().get(self.at + 1..).unwrap_or_default();
        match rest {
            [b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => self.at += 2,
            [b'u', digits @ ..] => self.at += self.unicode_escape_len(digits)?,
            [] => return Err((self.text.len(), Fault::Unfinished("a string"))),
            [..] => return Err((self.at, Fault::Escape)),
        }
        Ok(())
    }

    /// Returns the length of the `\uXXXX` that stands here, or of two that make a pair.
    fn unicode_escape_len(&self, digits: &[u8]) -> Result<usize, Stop> {
        let unit = match hex_unit(digits) {
            Some(unit) => unit,
            None if digits.len() < 4 && digits.iter().all(u8::is_ascii_hexdigit) => {
                return Err((self.text.len(), Fault::Unfinished("a string")));
            }
            None => return Err((self.at, Fault::Escape)),
        };
        let low =
            |rest: &[u8]| matches!(rest, [b'\\', b'u', low @ ..] if matches!(hex_unit(low), Some(0xdc00..=0xdfff)));
        match unit {
            0xd800..=0xdbff if digits.get(4..).is_some_and(low) => Ok(12),
            0xd800..=0xdfff => Err((self.at, Fault::LoneSurrogate)),
            _ => Ok(6),
        }
    }

    fn number(&mut self) -> Result<(), Stop> {
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        let leading_zero = self.peek() == Some(b'0');
        let digits = self.digits()?;
        if leading_zero && digits > 1 {
            return Err((self.at - digits + 1, Fault::Expected("no digit after a leading zero")));
        }
        let fraction = self.peek() == Some(b'.');
        if fraction {
            self.at += 1;
            self.digits()?;
        }
        let exponent = matches!(self.peek(), Some(b'e' | b'E'));
        if exponent {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            self.digits()?;
        }
        // Nothing shorter can leave the range of a double.
        if exponent || digits > 300 {
            let literal = self.text.get(start..self.at).unwrap_or_default();
            Number::parse(literal).ok_or((start, Fault::NumberOutOfRange))?;
        }
        self.leaf(Kind::Number, start, false);
        Ok(())
    }

    fn digits(&mut self) -> Result<usize, Stop> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start {
            return Err(self.expected("a digit", "a number"));
        }
        Ok(self.at - start)
    }
}

fn hex_unit(digits: &[u8]) -> Option<u32> {
    digits.first_chunk::<4>()?.iter().try_fold(0, |unit, digit| Some(unit << 4 | char::from(*digit).to_digit(16)?))
}

/// Returns how many bytes of a string stand before the first that ends it or needs a look. They stand in JSON as they are.
pub(super) fn plain_len(bytes: &[u8]) -> usize {
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let found = bytes_that_need_a_look(u64::from_le_bytes(*word));
        if found != 0 {
            return 8 * index + found.trailing_zeros() as usize / 8;
        }
    }
    // What fills up the last word is found at the latest.
    let mut word = [b'"'; 8];
    word.iter_mut().zip(rest).for_each(|(place, byte)| *place = *byte);
    8 * words.len() + bytes_that_need_a_look(u64::from_le_bytes(word)).trailing_zeros() as usize / 8
}

/// Judges eight bytes at once: the lowest bit that is set is the high bit of the first quote, backslash or control character among them.
///
/// Subtracting 1 from a byte borrows from its high bit when the byte is 0 and had none; a borrow can only mislead above the first.
const fn bytes_that_need_a_look(word: u64) -> u64 {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = ONES << 7;
    let quote = word ^ (ONES * b'"' as u64);
    let backslash = word ^ (ONES * b'\\' as u64);
    let quotes = quote.wrapping_sub(ONES) & !quote;
    let backslashes = backslash.wrapping_sub(ONES) & !backslash;
    let controls = word.wrapping_sub(ONES * 0x20) & !word;
    (quotes | backslashes | controls) & HIGH
}

#[cfg(test)]
mod tests;
