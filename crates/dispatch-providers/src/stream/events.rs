//! [Server-sent events](https://html.spec.whatwg.org/multipage/server-sent-events.html): lines of fields, a blank line after each event.

use std::borrow::Cow;

use dispatch_core::json::{Document, Node};

use super::Trouble;
use crate::conversation::is_in_arguments;
use crate::fault::Fault;

/// An event with its data, and where in the stream each line of it stands.
#[derive(Debug, Default)]
pub(super) struct Event<'s> {
    name: &'s [u8],
    data: Cow<'s, [u8]>,
    /// The bytes of the data and of the stream at which each line of it begins.
    lines: Vec<(usize, usize)>,
    /// Whether the stream ended before the blank line that ends the event.
    is_cut: bool,
}

/// Splits a stream into its events that have data.
pub(super) fn events(stream: &[u8]) -> impl Iterator<Item = Event<'_>> {
    let mut lines = Lines { stream, at: 0 };
    std::iter::from_fn(move || {
        let mut event = Event::default();
        for (start, line) in lines.by_ref() {
            if !line.is_empty() {
                event.field(start, line);
            } else if event.lines.is_empty() {
                event = Event::default();
            } else {
                return Some(event);
            }
        }
        event.is_cut = true;
        (!event.lines.is_empty()).then_some(event)
    })
}

impl<'s> Event<'s> {
    fn field(&mut self, start: usize, line: &'s [u8]) {
        let colon = line.iter().position(|byte| *byte == b':').unwrap_or(line.len());
        let (name, rest) = line.split_at(colon);
        let value = rest.strip_prefix(b":").unwrap_or(rest);
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match name {
            b"data" => self.line(start + line.len() - value.len(), value),
            b"event" => self.name = value,
            _ => {}
        }
    }

    fn line(&mut self, start: usize, value: &'s [u8]) {
        if self.lines.is_empty() {
            self.data = Cow::Borrowed(value);
        } else {
            let data = self.data.to_mut();
            data.push(b'\n');
            data.extend_from_slice(value);
        }
        self.lines.push((self.data.len() - value.len(), start));
    }

    pub(super) fn is_named(&self, name: &str) -> bool {
        self.name == name.as_bytes()
    }

    pub(super) fn is_done(&self) -> bool {
        self.data.trim_ascii() == b"[DONE]"
    }

    /// Reads the data. Blank data says nothing, and neither does data that was cut off: that the stream was is told at its end.
    pub(super) fn data(&self) -> Result<Option<Document>, Trouble> {
        if self.data.trim_ascii().is_empty() {
            return Ok(None);
        }
        match Document::parse_tolerating(self.data.to_vec(), is_in_arguments) {
            Ok(document) => Ok(Some(document)),
            Err(_) if self.is_cut => Ok(None),
            Err(malformed) => {
                let offset = self.offset_in_stream(malformed.position().offset);
                Err(Trouble { message: malformed.to_string(), offset })
            }
        }
    }

    /// Places a fault of the data in the stream.
    pub(super) fn trouble(&self, fault: Fault, data: &Document) -> Trouble {
        let (message, path) = fault.into_parts();
        let offset = data.root().locate(&path).map_or(0, |node: Node<'_>| node.span().start);
        Trouble { message, offset: self.offset_in_stream(offset) }
    }

    fn offset_in_stream(&self, offset: usize) -> usize {
        let after = self.lines.partition_point(|(in_data, _)| *in_data <= offset);
        let line = after.checked_sub(1).and_then(|line| self.lines.get(line));
        line.map_or(0, |(in_data, in_stream)| in_stream + offset - in_data)
    }
}

/// The lines of a stream with the bytes at which they begin. They end at `\n`, `\r` or both.
struct Lines<'s> {
    stream: &'s [u8],
    at: usize,
}

impl<'s> Iterator for Lines<'s> {
    type Item = (usize, &'s [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.at;
        let rest = self.stream.get(start..).filter(|rest| !rest.is_empty())?;
        let len = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
        let (line, end) = rest.split_at(len);
        self.at += len + if end.starts_with(b"\r\n") { 2 } else { 1 };
        Some((start, line))
    }
}
