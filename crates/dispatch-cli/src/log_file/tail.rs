//! How a log begins and ends, without reading what is between.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom};

use dispatch_core::json::{Document, Kind};
use dispatch_core::session::{Reader, TornKind, is_void_line, read_line};

use super::LogFileErrorKind;

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
    while let Some(line) = line_before(file, from)? {
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
        Err(error) => Err(LogFileErrorKind::OtherLog(error)),
    }
}

/// Goes back over headers to the last line of a call.
fn last_call(file: &File, mut end: u64) -> Result<u64, LogFileErrorKind> {
    while let Some(line) = line_before(file, end)? {
        match line.read() {
            Ok(None) => end = line.start,
            Ok(Some(document)) if document.root().kind() == Kind::Object => match call_number(&document) {
                Some(number) => return Ok(number),
                None => end = line.start,
            },
            Ok(Some(_)) | Err(_) => return Err(LogFileErrorKind::BadLine { line: count_lines(file, end)? }),
        }
    }
    Ok(0)
}

fn call_number(line: &Document) -> Option<u64> {
    let root = line.root();
    root.get("outcome").or_else(|| root.get("intent"))?.to_json().as_u64()
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

/// Returns the line that ends at `end`, unless the file begins there.
fn line_before(mut file: &File, end: u64) -> io::Result<Option<Line>> {
    let mut line = Line { start: end, bytes: Vec::new() };
    while line.start > 0 {
        let room = CHUNK_BYTES.max(line.bytes.len() as u64).min(line.start);
        let mut chunk = vec![0; usize::try_from(room).map_err(io::Error::other)?];
        file.seek(SeekFrom::Start(line.start - room))?;
        file.read_exact(&mut chunk)?;
        // The `\n` at the very end is the line's own.
        let inner = chunk.len() - usize::from(line.start == end);
        let before = chunk.iter().take(inner).rposition(|&byte| byte == b'\n').map(|place| place + 1);
        let kept = chunk.split_off(before.unwrap_or(0));
        line.start -= kept.len() as u64;
        line.bytes.splice(..0, kept);
        if before.is_some() {
            break;
        }
    }
    Ok((end > 0).then_some(line))
}

fn count_lines(mut file: &File, end: u64) -> io::Result<usize> {
    file.rewind()?;
    let newlines = BufReader::new(file.take(end)).bytes().filter(|byte| matches!(byte, Ok(b'\n')));
    Ok(newlines.count())
}
