//! Writing JSON text whose bytes do not depend on how a build was configured.

use std::io;

use serde_json::Value;

use super::scan::plain_len;
use super::{Kind, Node};

/// Writes a string with the escapes that JSON demands and no others: the short forms where there are such, else `\u00xx`.
///
/// `serde_json` does the same, a byte at a time.
pub(crate) fn write_string(out: &mut impl io::Write, text: &str) -> io::Result<()> {
    out.write_all(b"\"")?;
    let mut rest = text.as_bytes();
    while let Some((plain, [byte, after @ ..])) = rest.split_at_checked(plain_len(rest)) {
        out.write_all(plain)?;
        write_escape(out, *byte)?;
        rest = after;
    }
    out.write_all(rest)?;
    out.write_all(b"\"")
}

fn write_escape(out: &mut impl io::Write, byte: u8) -> io::Result<()> {
    let short = match byte {
        b'"' | b'\\' => byte,
        0x08 => b'b',
        b'\t' => b't',
        b'\n' => b'n',
        0x0c => b'f',
        b'\r' => b'r',
        _ => return write!(out, "\\u{byte:04x}"),
    };
    out.write_all(&[b'\\', short])
}

/// Writes a value compactly, the keys of its objects sorted by code point.
///
/// `serde_json` would write them in the order of its map, which any crate of a build may change with a feature.
///
/// # Errors
///
/// Whatever `out` has against it.
///
/// ```
/// use dispatch_core::json::write_value;
///
/// let mut text = Vec::new();
/// write_value(&mut text, &serde_json::json!({"b": [1, null], "a": "é"}))?;
/// assert_eq!(String::from_utf8(text)?, r#"{"a":"é","b":[1,null]}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_value(out: &mut impl io::Write, value: &Value) -> io::Result<()> {
    match value {
        Value::Object(members) => {
            let write_member = |out: &mut _, (key, value): (&String, &Value)| {
                write_string(out, key)?;
                io::Write::write_all(out, b":")?;
                write_value(out, value)
            };
            if members.keys().is_sorted() {
                return write_sequence(out, *b"{}", members, write_member);
            }
            let mut sorted: Vec<_> = members.iter().collect();
            sorted.sort_by_key(|(key, _)| key.as_str());
            write_sequence(out, *b"{}", sorted, write_member)
        }
        Value::Array(items) => write_sequence(out, *b"[]", items, |out, item| write_value(out, item)),
        Value::String(text) => write_string(out, text),
        Value::Null | Value::Bool(_) | Value::Number(_) => serde_json::to_writer(out, value).map_err(io::Error::from),
    }
}

fn write_sequence<W: io::Write, T>(
    out: &mut W,
    [open, close]: [u8; 2],
    items: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut W, T) -> io::Result<()>,
) -> io::Result<()> {
    out.write_all(&[open])?;
    for (place, item) in items.into_iter().enumerate() {
        if place > 0 {
            out.write_all(b",")?;
        }
        write(out, item)?;
    }
    out.write_all(&[close])
}

pub(super) fn write_indented(out: &mut impl io::Write, node: Node<'_>, depth: usize) -> io::Result<()> {
    match node.kind() {
        Kind::Array if node.elements().next().is_some() => {
            write_lines(out, *b"[]", depth, node.elements(), |out, element| write_indented(out, element, depth + 1))
        }
        Kind::Object if node.members().next().is_some() => {
            write_lines(out, *b"{}", depth, node.members(), |out, member| {
                write_string(out, &member.name)?;
                out.write_all(b": ")?;
                write_indented(out, member.value, depth + 1)
            })
        }
        Kind::Array => out.write_all(b"[]"),
        Kind::Object => out.write_all(b"{}"),
        Kind::Null | Kind::True | Kind::False | Kind::Number | Kind::String => out.write_all(node.raw().as_bytes()),
    }
}

fn write_lines<W: io::Write, T>(
    out: &mut W,
    [open, close]: [u8; 2],
    depth: usize,
    items: impl Iterator<Item = T>,
    mut write: impl FnMut(&mut W, T) -> io::Result<()>,
) -> io::Result<()> {
    let new_line = |out: &mut W, depth: usize| write!(out, "\n{:1$}", "", 2 * depth);
    out.write_all(&[open])?;
    for (place, item) in items.enumerate() {
        out.write_all(if place > 0 { b"," } else { b"" })?;
        new_line(out, depth + 1)?;
        write(out, item)?;
    }
    new_line(out, depth)?;
    out.write_all(&[close])
}

/// An object that is being written. Its members must come sorted.
pub(crate) struct Object<'o, W> {
    out: &'o mut W,
    separator: &'static [u8],
}

impl<'o, W: io::Write> Object<'o, W> {
    pub(crate) fn open(out: &'o mut W) -> io::Result<Self> {
        out.write_all(b"{")?;
        Ok(Self { out, separator: b"" })
    }

    /// Writes a member whose key is one of ours, and needs no escapes.
    #[inline]
    pub(crate) fn value(&mut self, key: &'static str, write: impl FnOnce(&mut W) -> io::Result<()>) -> io::Result<()> {
        self.out.write_all(self.separator)?;
        self.separator = b",";
        self.out.write_all(b"\"")?;
        self.out.write_all(key.as_bytes())?;
        self.out.write_all(b"\":")?;
        write(self.out)
    }

    /// Writes a member whose key is any.
    pub(crate) fn value_at(&mut self, key: &str, write: impl FnOnce(&mut W) -> io::Result<()>) -> io::Result<()> {
        self.out.write_all(self.separator)?;
        self.separator = b",";
        write_string(self.out, key)?;
        self.out.write_all(b":")?;
        write(self.out)
    }

    #[inline]
    pub(crate) fn string(&mut self, key: &'static str, text: &str) -> io::Result<()> {
        self.value(key, |out| write_string(out, text))
    }

    #[inline]
    pub(crate) fn optional_string(&mut self, key: &'static str, text: Option<&str>) -> io::Result<()> {
        text.map_or(Ok(()), |text| self.string(key, text))
    }

    pub(crate) fn close(self) -> io::Result<()> {
        self.out.write_all(b"}")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(text: &str) -> String {
        let mut out = Vec::new();
        write_string(&mut out, text).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_string_has_the_escapes_that_serde_json_gives_it() {
        for letter in ('\0'..='\u{ff}').chain(['\u{2028}', '\u{ffff}', '🦀']) {
            for text in [format!("{letter}"), format!("before{letter}"), format!("{letter}{letter} after")] {
                assert_eq!(written(&text), serde_json::to_string(&text).unwrap());
            }
        }
    }

    proptest! {
        #[test]
        fn a_string_is_written_as_serde_json_writes_it(text in "(\\PC|[\\x00-\\x7f]){0,40}") {
            prop_assert_eq!(written(&text), serde_json::to_string(&text).unwrap());
        }
    }
}
