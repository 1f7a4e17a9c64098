//! How a log begins and ends, without reading what is between.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use dispatch_core::json::Document;
use dispatch_core::session::{LineKind, Reader, TornKind, is_void_line, judge_line, read_line};
use memchr::memrchr;

use super::LogFileErrorKind;
use crate::input::MOST_BLANK_BYTES;

/// The end of a log.
pub(super) struct Tail {
    pub(super) ending: Ending,
    /// The number of the last call, or 0.
    pub(super) last_call: u64,
}

/// How the last line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// With its `\n`, or there is none.
    Whole,
    /// With all of it but its `\n`: no part of an object's text is an object.
    Unended,
    /// Somewhere before its end. A file system may have left zeros behind it.
    Torn { from: u64, bytes: u64 },
}

/// Reads the first line and as many of the last as it takes.
///
/// # Errors
///
/// When the file can't be read, or is no session log that ends in at most one torn line.
pub(super) fn read(file: &File) -> Result<Tail, LogFileErrorKind> {
    let end = file.metadata()?.len();
    let ending = ending(file, end)?;
    let whole_end = if let Ending::Torn { from, .. } = ending { from } else { end };
    if end > 0 {
        check_first(file, whole_end == 0)?;
    }
    Ok(Tail { ending, last_call: last_call(file, whole_end)? })
}

fn ending(file: &File, end: u64) -> io::Result<Ending> {
    let (mut from, mut is_torn) = (end, false);
    let mut lines = Backwards::from(file, end);
    while let Some(line) = lines.next()? {
        let is_void = is_void_line(&line.bytes);
        if !is_void && line.read().is_ok() {
            let is_unended = from == end && !line.bytes.ends_with(b"\n");
            return Ok(if is_unended { Ending::Unended } else { torn(is_torn, from, end) });
        }
        from = line.start;
        is_torn |= line.read().is_err();
        if !is_void {
            break;
        }
    }
    Ok(torn(is_torn, from, end))
}

fn torn(is_torn: bool, from: u64, end: u64) -> Ending {
    if is_torn { Ending::Torn { from, bytes: end - from } } else { Ending::Whole }
}

/// How a header begins, from which a file that was named by mistake is told.
const HEADER_BEGINS: &[u8] = b"{\"explains\":";

/// A file that was named by mistake is somebody's.
fn check_first(file: &File, is_torn: bool) -> Result<(), LogFileErrorKind> {
    let mut file = BufReader::new(file);
    file.rewind()?;
    skip_white_space(&mut file)?;
    // What does not begin as a line of a log does is not read to the end of its line.
    if !file.fill_buf()?.starts_with(b"{") {
        return Err(LogFileErrorKind::NoLog);
    }
    let mut line = Vec::new();
    file.read_until(b'\n', &mut line)?;
    if is_torn {
        let is_header = line.starts_with(HEADER_BEGINS) || HEADER_BEGINS.starts_with(&line);
        return is_header.then_some(()).ok_or(LogFileErrorKind::NoLog);
    }
    if !line.ends_with(b"\n") {
        line.push(b'\n');
    }
    match Reader::default().push(&line).map(Iterator::count) {
        Ok(0) => Err(LogFileErrorKind::NoLog),
        Ok(_) => Ok(()),
        Err(error) => Err(LogFileErrorKind::Unreadable(error)),
    }
}

/// Skips as much white space as may stand before a header.
fn skip_white_space(file: &mut impl BufRead) -> io::Result<()> {
    let mut left = MOST_BLANK_BYTES;
    loop {
        let buffer = file.fill_buf()?;
        let blank = buffer.iter().take(left).take_while(|byte| byte.is_ascii_whitespace()).count();
        if blank == 0 {
            return Ok(());
        }
        file.consume(blank);
        left -= blank;
    }
}

/// Returns the number of the last call. Where that is not a call of this version, all of the log is read to say what it is.
fn last_call(file: &File, end: u64) -> Result<u64, LogFileErrorKind> {
    match judge_last_call(file, end)? {
        Some(number) => Ok(number),
        None => read_whole(file),
    }
}

/// Goes back over headers and the last outcome to its intent, and to what that stands behind. A later version may have lines that are not known here.
fn judge_last_call(file: &File, end: u64) -> io::Result<Option<u64>> {
    let mut lines = Backwards::from(file, end);
    let (mut outcome, mut intent) = (None, None);
    while let Some(line) = lines.next()? {
        match (judge_line(&line.bytes), outcome, intent) {
            (Some((LineKind::Header, _)), None, None) => {}
            (Some((LineKind::Outcome, number)), None, None) => outcome = Some(number),
            // Another call could not be counted.
            (Some((LineKind::Intent, u64::MAX)), ..) => return Ok(None),
            (Some((LineKind::Intent, number)), of, None) if of.is_none_or(|of| of == number) => intent = Some(number),
            (Some((LineKind::Header, _)), _, Some(_)) => return Ok(intent),
            (Some((LineKind::Outcome, before)), _, Some(number)) => {
                return Ok(intent.filter(|_| before.checked_add(1) == Some(number)));
            }
            (None, ..) if line.read().is_ok_and(|held| held.is_none()) => {}
            _ => return Ok(None),
        }
    }
    Ok(Some(0).filter(|_| outcome.is_none() && intent.is_none()))
}

fn read_whole(mut file: &File) -> Result<u64, LogFileErrorKind> {
    file.rewind()?;
    let (mut lines, mut reader) = (BufReader::new(file), Reader::default());
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line)? > 0 {
        reader.push(&line).map(drop).map_err(LogFileErrorKind::Unreadable)?;
        line.clear();
    }
    Ok(reader.finish().last_number)
}

/// A line with the `\n` that ends it, if one does.
struct Line {
    start: u64,
    bytes: Vec<u8>,
}

impl Line {
    /// What is torn is decided where logs are read.
    fn read(&self) -> Result<Option<Document>, TornKind> {
        read_line(&self.bytes)
    }
}

const CHUNK_BYTES: u64 = 1 << 16;

/// The lines of a file, from the last to the first. Each byte is read once, however many lines there are.
struct Backwards<F> {
    file: F,
    /// Where what was read begins.
    start: u64,
    /// What was read and is still to be given.
    read: Vec<u8>,
}

impl<F: Read + Seek> Backwards<F> {
    /// Begins with the line that ends at `end`.
    fn from(file: F, end: u64) -> Self {
        Self { file, start: end, read: Vec::new() }
    }

    fn next(&mut self) -> io::Result<Option<Line>> {
        // The `\n` at the very end is the line's own.
        let mut unsearched = self.read.len().saturating_sub(1);
        loop {
            let before = self.read.get(..unsearched).and_then(|read| memrchr(b'\n', read)).map(|place| place + 1);
            if before.is_some() || self.start == 0 {
                let bytes = self.read.split_off(before.unwrap_or(0));
                let start = self.start + self.read.len() as u64;
                return Ok(Some(Line { start, bytes }).filter(|line| !line.bytes.is_empty()));
            }
            let known = self.read.len();
            self.read_more()?;
            unsearched = self.read.len() - known.max(1);
        }
    }

    fn read_more(&mut self) -> io::Result<()> {
        let room = CHUNK_BYTES.max(self.read.len() as u64).min(self.start);
        let mut read = vec![0; usize::try_from(room).map_err(io::Error::other)?];
        self.file.seek(SeekFrom::Start(self.start - room))?;
        self.file.read_exact(&mut read)?;
        read.append(&mut self.read);
        (self.start, self.read) = (self.start - room, read);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// A file that counts what is read of it.
    struct Counted(Cursor<Vec<u8>>, u64);

    impl Read for Counted {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let read = self.0.read(buffer)?;
            self.1 += read as u64;
            Ok(read)
        }
    }

    impl Seek for Counted {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.0.seek(to)
        }
    }

    #[test]
    fn lines_are_read_from_the_last_on_and_no_byte_twice() {
        let empty = vec![b'\n'; 200_000];
        let long = [b"a\n".to_vec(), vec![b'x'; 300_000], b"\nend".to_vec()].concat();
        for text in [&b""[..], b"\n", b"a", b"a\n", b"\n\na\n\nbc", &empty, &long] {
            let mut lines = Backwards::from(Counted(Cursor::new(text.to_vec()), 0), text.len() as u64);
            let mut found = Vec::new();
            while let Some(line) = lines.next().unwrap() {
                assert!(text[usize::try_from(line.start).unwrap()..].starts_with(&line.bytes));
                found.push(line.bytes);
            }
            found.reverse();
            assert_eq!(found, text.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>());
            assert_eq!(lines.file.1, text.len() as u64);
        }
    }
}
