//! Searching files for lines.

use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};

use dispatch_core::workspace::{Snapshot, WorkspaceError, WorkspacePath};
use encoding_rs::{Encoding, UTF_8};
use grep_regex::RegexMatcher;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};

use super::crew;
use super::left_out::LeftOut;
use super::lines::{Gathered, Lines, Room};
use super::{named, named_in_lines};

/// How much is shown at the most. What matches is counted all the same.
const ROOM: Room = Room { matches: 1000, bytes: 4 << 20 };

/// How many files are searched alone: sooner than another thread starts.
const ALONE: usize = 3;

/// How far from its beginning on a NUL makes a file one that is not searched. Behind that, what stands before the NUL is searched.
const BINARY_WITHIN: usize = 1 << 16;

/// What lines are searched for, and how many around them are shown.
#[derive(Debug)]
pub(crate) struct Query {
    pub(crate) matcher: RegexMatcher,
    pub(crate) context: usize,
}

/// What a search found.
#[derive(Debug, Default)]
pub(crate) struct Scanned {
    /// The lines that match and those around them.
    pub(crate) text: String,
    /// How many lines match.
    pub(crate) matching: u64,
    /// How many of them are shown.
    pub(crate) shown: u64,
    pub(crate) left_out: LeftOut,
}

/// What was found in one file.
struct Found {
    /// The file's place among all that are searched.
    place: usize,
    lines: Lines,
    /// What is said of the file behind its lines.
    notice: Option<String>,
}

/// What one thread has found.
struct Worker<'s> {
    snapshot: Snapshot<'s>,
    query: &'s Query,
    searcher: Searcher,
    buffer: Vec<u8>,
    found: Vec<Found>,
    /// What may still be shown of what is found.
    ///
    /// A worker takes files in their order. So once it shows as much as is shown of all, nothing that it finds later can be part of that.
    room: Room,
    left_out: LeftOut,
}

/// Searches files, which are sorted.
pub(crate) fn scan(snapshot: Snapshot<'_>, files: &[WorkspacePath], query: &Query) -> Scanned {
    let next = AtomicUsize::new(0);
    let workers = if files.len() <= ALONE { 1 } else { crew::hands() };
    let found = crew::together(workers, || {
        let mut worker = Worker::new(snapshot, query);
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(path) = files.get(place) else { break };
            worker.search(place, path);
        }
        (worker.found, worker.left_out)
    });
    let left_out = found.iter().fold(LeftOut::default(), |all, (_, left_out)| all.and(*left_out));
    let mut found: Vec<Found> = found.into_iter().flat_map(|(found, _)| found).collect();
    found.sort_unstable_by_key(|found| found.place);
    Scanned { left_out, ..joined(found, query.context > 0) }
}

/// Searches one file that was asked for: whatever it is, and an error where it can't be read.
pub(crate) fn scan_file(
    snapshot: Snapshot<'_>,
    path: &WorkspacePath,
    query: &Query,
) -> Result<Scanned, WorkspaceError> {
    let mut worker = Worker::new(snapshot, query);
    snapshot.read_into(path, &mut worker.buffer)?;
    let buffer = std::mem::take(&mut worker.buffer);
    let text = decoded(&buffer);
    let nul = memchr::memchr(0, &text);
    let lines = worker.lines(path, until(nul, &text));
    let found = joined(vec![Found { place: 0, lines, notice: None }], query.context > 0);
    let Some(nul) = nul else { return Ok(found) };
    Ok(match worker.lines(path, &text).matching {
        0 => found,
        matching => found.with_notice(matching, &binary_matches(path, nul)),
    })
}

/// What is shown of a text, by where it has a NUL.
fn until(nul: Option<usize>, text: &[u8]) -> &[u8] {
    match nul {
        Some(nul) if nul < BINARY_WITHIN => &[],
        Some(nul) => text.get(..nul).unwrap_or_default(),
        None => text,
    }
}

fn binary_matches(path: &WorkspacePath, nul: usize) -> String {
    format!("{}: binary file matches (found \"\\0\" byte around offset {nul})\n", named(path.as_str()))
}

impl Scanned {
    /// Says behind the lines of a file that more of it is not shown. Where none is shown the notice stands for all that match.
    fn with_notice(self, matching: u64, notice: &str) -> Self {
        let text = self.text + notice;
        if self.matching > 0 { Self { text, ..self } } else { Self { text, matching, shown: matching, ..self } }
    }
}

impl<'s> Worker<'s> {
    fn new(snapshot: Snapshot<'s>, query: &'s Query) -> Self {
        let mut searcher = SearcherBuilder::new();
        // Decoding and the search for NULs are done before: a searcher would do each in its own way for each way of reading.
        searcher.bom_sniffing(false).binary_detection(BinaryDetection::none());
        searcher.line_number(true).before_context(query.context).after_context(query.context);
        let (searcher, left_out) = (searcher.build(), LeftOut::default());
        Self { snapshot, query, searcher, buffer: Vec::new(), found: Vec::new(), room: ROOM, left_out }
    }

    fn search(&mut self, place: usize, path: &WorkspacePath) {
        if let Err(error) = self.snapshot.read_into(path, &mut self.buffer) {
            return self.left_out.count(&error);
        }
        let buffer = std::mem::take(&mut self.buffer);
        self.search_text(place, path, &decoded(&buffer));
        self.buffer = buffer;
    }

    fn search_text(&mut self, place: usize, path: &WorkspacePath, text: &[u8]) {
        let nul = memchr::memchr(0, text);
        let lines = self.lines(path, until(nul, text));
        if lines.matching == 0 {
            self.left_out.binary += u64::from(nul.is_some());
            return;
        }
        let stopped = |nul| {
            let path = named(path.as_str());
            format!(
                "{path}: WARNING: stopped searching binary file after match (found \"\\0\" byte around offset {nul})\n"
            )
        };
        self.room = self.room.less(lines.shown(), lines.text());
        self.found.push(Found { place, lines, notice: nul.map(stopped) });
    }

    fn lines(&mut self, path: &WorkspacePath, text: &[u8]) -> Lines {
        let path = named_in_lines(path.as_str());
        let mut gathered = Gathered::new(&path, self.room);
        // Nothing is read here and the sink refuses nothing. What else could fail was ruled out when the matcher was made.
        let searched = self.searcher.search_slice(&self.query.matcher, text, &mut gathered);
        debug_assert!(searched.is_ok(), "{searched:?}");
        gathered.into_lines()
    }
}

/// The text of a file: without its byte order mark, and UTF-16 that has one as UTF-8.
fn decoded(contents: &[u8]) -> Cow<'_, [u8]> {
    match Encoding::for_bom(contents) {
        None => Cow::Borrowed(contents),
        Some((encoding, mark)) => {
            let text = contents.get(mark..).unwrap_or_default();
            if encoding == UTF_8 {
                return Cow::Borrowed(text);
            }
            Cow::Owned(encoding.decode_without_bom_handling(text).0.into_owned().into_bytes())
        }
    }
}

/// Puts together what is shown of files, which are sorted.
fn joined(found: Vec<Found>, has_context: bool) -> Scanned {
    let mut joined = Scanned::default();
    let mut room = ROOM;
    for Found { mut lines, notice, .. } in found {
        joined.matching += lines.matching;
        lines.cut(room);
        if lines.shown() == 0 {
            continue;
        }
        if has_context && !joined.text.is_empty() {
            joined.text.push_str("--\n");
        }
        room = room.less(lines.shown(), lines.text());
        joined.shown += lines.shown() as u64;
        joined.text.push_str(lines.text());
        joined.text.push_str(&notice.unwrap_or_default());
    }
    joined
}
