//! Reading a log, line by line.

use std::fmt;

use serde_json::Value;

use super::error::{LogError, LogErrorKind};
use super::header::Header;
use super::line::{Torn, is_void_line, read_line};
use super::record::LineKind;
use super::seen::Seen;
use super::{Version, members, shape};
use crate::code::ErrorCode;
use crate::json::{Document, Fragment, Node};
use crate::protocol::Asked;
use crate::stage::Stage;

/// Reads a log, given line by line, and holds no more of it than one call.
///
/// ```
/// use dispatch_core::session::{Header, Item, Reader, Recorder};
/// use dispatch_core::{Gates, ToolCall, json::Document, tools, workspace::MemoryWorkspace};
///
/// let gates = Gates::new(tools::core_registry());
/// let mut lines = Vec::new();
/// let keep = |line: &[u8]| { lines.push(line.to_vec()); Ok::<_, std::convert::Infallible>(()) };
/// let mut recorder = Recorder::begin(&Header::new(&gates, MemoryWorkspace::default()), keep)?;
/// let call = ToolCall::new("gone", Document::parse(b"{}".to_vec())?);
/// recorder.intend(call)?.run(&gates, &mut MemoryWorkspace::default());
///
/// let mut reader = Reader::default();
/// let mut items = Vec::new();
/// for line in &lines {
///     items.extend(reader.push(line)?);
/// }
/// let [Item::Header(_), Item::Entry(entry)] = items.as_slice() else { panic!("a header and a call") };
/// assert_eq!((entry.number, entry.code().as_deref()), (1, Some("unknown_tool")));
/// assert!(reader.finish().torn.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Reader {
    lines: usize,
    bytes: u64,
    version: Option<Version>,
    last_number: u64,
    open: Option<Box<Waiting>>,
    suspect: Option<Torn>,
    holds_more_than_zeros: bool,
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// A call whose outcome is to come.
#[derive(Debug, Clone)]
pub(super) struct Waiting {
    pub(super) number: u64,
    pub(super) line: usize,
    pub(super) intent: Intent,
}

impl Waiting {
    fn ended(self, outcome: Option<Outcome>) -> Box<Entry> {
        let Self { number, line, intent } = self;
        Box::new(Entry { number, line, intent, outcome })
    }
}

/// What a log consists of.
#[derive(Debug)]
pub enum Item {
    /// A session begins. The first item of a log is one; another follows where a later session was recorded in the same log.
    Header(Box<Header>),
    /// A call.
    Entry(Box<Entry>),
}

/// A recorded call: what was asked, and what came of it.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The call's number in the log, from 1.
    pub number: u64,
    /// The line of its intent, from 1.
    pub line: usize,
    /// What was asked.
    pub intent: Intent,
    /// What came of it. None where the program ended before the outcome was kept: nobody knows it.
    pub outcome: Option<Outcome>,
}

/// What was asked, as it was recorded before it had any effect.
#[derive(Debug, Clone)]
pub struct Intent {
    pub(super) asked: Asked,
    pub(super) line: Fragment,
}

/// What came of a call, as it was recorded.
#[derive(Debug, Clone)]
pub struct Outcome {
    pub(super) stage: Option<Stage>,
    pub(super) seen: Seen,
    pub(super) line: Fragment,
}

/// How a log ended.
#[derive(Debug)]
#[non_exhaustive]
pub struct End {
    /// The last call, where its outcome is not there.
    pub interrupted: Option<Box<Entry>>,
    /// The last line, where it was not written whole.
    pub torn: Option<Torn>,
    /// The number of the last call; 0 where there is none.
    pub last_number: u64,
    /// Why there is nothing to replay, where there was not even a header.
    pub no_session: Option<NoSession>,
}

/// Why a log holds no session. As text it says so, and what to do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoSession {
    /// Nothing was ever written to it but white space.
    Empty,
    /// It holds zeros, as a file system leaves them where a write was lost.
    Zeros,
    /// Its header was not written whole.
    TornHeader,
}

impl fmt::Display for NoSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "it is empty. Give a log that something was recorded to",
            Self::Zeros => "it is made of zeros, as a crash of the machine may leave it. Take it from a copy, or record the session anew",
            Self::TornHeader => "its header was not written whole, and no call ran before that. Record the session anew",
        })
    }
}

type Items = std::iter::Flatten<std::array::IntoIter<Option<Item>, 2>>;

impl Reader {
    /// Takes the next line, with the line feed that ends it; the last one may lack it. Gives what is complete by now.
    ///
    /// # Errors
    ///
    /// A [`LogError`] that names the line. Of a line that is not JSON it is known only by the next one: as the last of a log it is merely
    /// [torn](End::torn).
    ///
    /// ```
    /// use dispatch_core::session::Reader;
    ///
    /// let error = Reader::default().push(b"{\"op\":\"dispatch\"}\n").err().unwrap();
    /// assert_eq!(error.to_string(), "line 1: not the header of a session: give a log that was recorded by this program");
    /// ```
    pub fn push(&mut self, line: &[u8]) -> Result<impl Iterator<Item = Item> + use<>, LogError> {
        let (number, start) = (self.lines + 1, self.bytes);
        self.step_over(line);
        if self.version.is_none() {
            self.holds_more_than_zeros |= !is_void_line(line) && !line.trim_ascii().is_empty();
        }
        self.expect_nothing_torn(line)?;
        if number == 1 && line.starts_with(BYTE_ORDER_MARK) {
            return Err(self.error(number, LogErrorKind::ByteOrderMark));
        }
        if self.suspect.is_some() {
            return Ok(none());
        }
        match read_line(line) {
            Ok(Some(document)) => self.read(&document).map_err(|kind| self.error(number, kind)),
            Ok(None) => Ok(none()),
            Err(kind) => {
                self.suspect = Some(Torn { line: number, intact_bytes: start, kind });
                Ok(none())
            }
        }
    }

    /// Counts a line.
    pub(super) fn step_over(&mut self, line: &[u8]) {
        self.lines += 1;
        self.bytes += u64::try_from(line.len()).unwrap_or(u64::MAX);
    }

    /// Gives away the call whose outcome is to come. A later version may have other lines before it: there it is not known what comes.
    pub(super) fn take_waiting(&mut self) -> Option<Box<Waiting>> {
        let is_certain = self.suspect.is_none() && !self.is_lenient();
        self.open.take_if(|_| is_certain)
    }

    /// Goes on waiting for the outcome of a call that was given away.
    pub(super) fn wait_for(&mut self, line: usize, intent: &Fragment) {
        self.open = shape::intent(intent.document(), line).ok();
    }

    fn is_lenient(&self) -> bool {
        self.version.is_some_and(Version::is_later)
    }

    fn error(&self, line: usize, kind: LogErrorKind) -> LogError {
        LogError::new(line, kind, self.version.is_none())
    }

    /// Behind a torn line there may be zeros, and nothing else.
    fn expect_nothing_torn(&mut self, line: &[u8]) -> Result<(), LogError> {
        match self.suspect.take_if(|_| !is_void_line(line)) {
            Some(torn) => Err(self.error(torn.line, LogErrorKind::Damaged(torn.kind))),
            None => Ok(()),
        }
    }

    fn read(&mut self, document: &Document) -> Result<Items, LogErrorKind> {
        let root = document.root();
        match (LineKind::of(root), self.version) {
            (Some(LineKind::Header), _) => self.read_header(document),
            (_, None) => Err(LogErrorKind::NoHeader),
            (Some(LineKind::Intent), _) => self.read_intent(document),
            (Some(LineKind::Outcome), _) => self.read_outcome(document),
            (None, _) if self.is_lenient() => Ok(none()),
            (None, _) => Err(shape::no_such_line(root).into()),
        }
    }

    fn read_header(&mut self, document: &Document) -> Result<Items, LogErrorKind> {
        let version = shape::version(document.root())?;
        if version.major != Version::CURRENT.major {
            return Err(LogErrorKind::OtherVersion(version));
        }
        let document = members::HEADER.known(document, version.is_later())?;
        let header = shape::header(document.root(), version)?;
        self.version = Some(version);
        Ok([self.take_open(), Some(Item::Header(Box::new(header)))].into_iter().flatten())
    }

    fn read_intent(&mut self, document: &Document) -> Result<Items, LogErrorKind> {
        let document = members::INTENT.known(document, self.is_lenient())?;
        let waiting = shape::intent(&document, self.lines)?;
        if self.open.is_some() || waiting.number != self.last_number + 1 {
            return Err(self.out_of_order(format!("intent {}", waiting.number)));
        }
        self.last_number = waiting.number;
        self.open = Some(waiting);
        Ok(none())
    }

    fn read_outcome(&mut self, document: &Document) -> Result<Items, LogErrorKind> {
        let document = members::OUTCOME.known(document, self.is_lenient())?;
        let (number, outcome) = shape::outcome(&document)?;
        match self.open.take_if(|open| open.number == number) {
            Some(waiting) => Ok([Some(Item::Entry(waiting.ended(Some(outcome)))), None].into_iter().flatten()),
            None => Err(self.out_of_order(format!("outcome {number}"))),
        }
    }

    fn out_of_order(&self, found: String) -> LogErrorKind {
        let expected = match &self.open {
            Some(open) => format!("outcome {}", open.number),
            None => format!("intent {}", self.last_number + 1),
        };
        LogErrorKind::OutOfOrder { found, expected }
    }

    fn take_open(&mut self) -> Option<Item> {
        self.open.take().map(|waiting| Item::Entry(waiting.ended(None)))
    }

    /// Ends the log.
    pub fn finish(self) -> End {
        let no_session = match (&self.suspect, self.holds_more_than_zeros) {
            (None, _) => NoSession::Empty,
            (Some(_), false) => NoSession::Zeros,
            (Some(_), true) => NoSession::TornHeader,
        };
        End {
            interrupted: self.open.map(|waiting| waiting.ended(None)),
            torn: self.suspect,
            last_number: self.last_number,
            no_session: self.version.is_none().then_some(no_session),
        }
    }
}

fn none() -> Items {
    [None, None].into_iter().flatten()
}

impl Entry {
    /// Returns the code that the call ended with; none where it gave an observation. That of a call whose outcome is not there is `outcome_unknown`.
    pub fn code(&self) -> Option<String> {
        match &self.outcome {
            Some(outcome) => outcome.code(),
            None => Some(crate::code::ErrorCode::OutcomeUnknown.as_str().to_owned()),
        }
    }
}

impl Intent {
    /// Returns what was asked.
    pub fn asked(&self) -> &Asked {
        &self.asked
    }

    /// Returns what the host knew of that moment.
    pub fn host(&self) -> Value {
        host(&self.line)
    }

    /// Returns the line, without its line feed and without what is unknown here of a later version.
    pub fn line(&self) -> &str {
        self.line.raw()
    }
}

impl Outcome {
    /// Returns the gate that refused the call; none where it ran.
    pub fn refused_at(&self) -> Option<Stage> {
        self.stage
    }

    /// Returns the code that the call ended with; none where it gave an observation.
    pub fn code(&self) -> Option<String> {
        Some(self.result()?.get("error")?.as_str()?.into_owned())
    }

    pub(super) fn built_in_code(&self) -> Option<ErrorCode> {
        ErrorCode::named(&self.code()?)
    }

    /// Returns the text of the observation, whole; that of an observation with images is its JSON.
    pub fn observation(&self) -> Option<String> {
        let observation = self.result()?.get("observation")?;
        Some(observation.as_str().map_or_else(|| observation.raw().to_owned(), std::borrow::Cow::into_owned))
    }

    /// Returns the result as it was recorded.
    pub fn result(&self) -> Option<Node<'_>> {
        self.line.node().get("result")
    }

    /// Returns what the model was shown, where that was not all.
    pub fn shown(&self) -> Option<Node<'_>> {
        self.line.node().get("shown")
    }

    /// Returns the files that the call changed, each with its digest; null where it was removed.
    pub fn files(&self) -> Value {
        self.line.node().get("files").map_or(Value::Null, Node::to_json)
    }

    /// Returns the digest of the workspace after the call.
    pub fn workspace(&self) -> Option<String> {
        Some(self.line.node().get("workspace")?.as_str()?.into_owned())
    }

    /// Returns what the host knew of that moment.
    pub fn host(&self) -> Value {
        host(&self.line)
    }

    /// Returns the line, without its line feed and without what is unknown here of a later version.
    pub fn line(&self) -> &str {
        self.line.raw()
    }
}

fn host(line: &Fragment) -> Value {
    line.node().get("host").map_or(Value::Null, Node::to_json)
}
