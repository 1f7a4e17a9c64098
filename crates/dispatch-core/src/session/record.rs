//! Recording: what was asked is kept before it has any effect, what came of it right after.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use serde_json::{Map, Value};

use super::changed::Changed;
use super::digest::WorkspaceDigest;
use super::header::Header;
use super::seen::Seen;
use super::watched::{Watched, keep_up};
use super::write;
use crate::admission::Clearance;
use crate::gates::Gates;
use crate::json::write_value;
use crate::protocol::Asked;
use crate::result::ToolResult;
use crate::workspace::Workspace;

/// Where the lines of a log go: the host's side of recording.
///
/// A function from a line to whether it was kept is one that knows no facts.
pub trait Journal {
    /// Why a line was not kept.
    type Error;

    /// Keeps a line, given with the line feed that ends it.
    ///
    /// # Errors
    ///
    /// When it could not be kept. The call whose intent it is then does not run.
    fn keep(&mut self, line: &[u8]) -> Result<(), Self::Error>;

    /// Returns what the host knows of this moment, such as the time. It is asked just before the line is made; replay never looks at it.
    fn facts(&mut self, line: LineKind) -> Map<String, Value> {
        let _ = line;
        Map::new()
    }
}

impl<E, F: FnMut(&[u8]) -> Result<(), E>> Journal for F {
    type Error = E;

    fn keep(&mut self, line: &[u8]) -> Result<(), E> {
        self(line)
    }
}

/// What a line of a log is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// What a session begins with.
    Header,
    /// What was asked, before it has any effect.
    Intent,
    /// What came of it.
    Outcome,
}

/// Records a session.
///
/// **A call that is recorded runs only once its intent was kept**: what runs it comes from [`intend`](Self::intend) alone. While a call is under
/// way the recorder is taken: the outcome of each stands right behind its intent, and an outcome that never comes is one that nobody knows.
///
/// ```
/// use std::convert::Infallible;
/// use dispatch_core::session::{Header, Recorder};
/// use dispatch_core::{Gates, ToolCall, json::Document, tools, workspace::MemoryWorkspace};
///
/// let gates = Gates::new(tools::core_registry());
/// let mut workspace = MemoryWorkspace::default();
/// let mut log = Vec::new();
/// let mut recorder = Recorder::begin(&Header::new(&gates, workspace.clone()), |line: &[u8]| {
///     log.extend_from_slice(line);
///     Ok::<_, Infallible>(())
/// })?;
///
/// let call = ToolCall::new("write_file", Document::parse(br#"{"path": "a", "content": ""}"#.to_vec())?);
/// let result = recorder.intend(call)?.run(&gates, &mut workspace);
/// assert_eq!(result.shown().unwrap().text, "File written: a");
///
/// let log = String::from_utf8(log)?;
/// let lines: Vec<_> = log.lines().collect();
/// assert_eq!(lines[1], r#"{"call":{"args":{"path": "a", "content": ""},"tool":"write_file"},"host":{},"intent":1}"#);
/// assert!(lines[2].contains(r#""outcome":1,"result":{"observation":"File written: a","status":"ok","tool":"write_file"},"stage":"ran""#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Recorder<J: Journal> {
    journal: J,
    last: u64,
    digest: WorkspaceDigest,
    /// Whether the log holds of the workspace what was seen of it.
    is_partial: bool,
    line: Vec<u8>,
    trouble: Trouble<J::Error>,
}

/// What the journal has had against a line.
enum Trouble<E> {
    None,
    New(E),
    Told,
}

/// A call that was not recorded, and did not run.
#[derive(Debug)]
pub struct Unrecorded<E> {
    /// What was asked. A host that can do without a record runs it all the same.
    pub asked: Box<Asked>,
    /// What the journal had against it; none where it was told already.
    pub error: Option<E>,
}

impl<E: fmt::Display> fmt::Display for Unrecorded<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the call of `{}` could not be recorded, and did not run", self.asked.call.tool())?;
        self.error.iter().try_for_each(|error| write!(f, ": {error}"))
    }
}

impl<E: fmt::Display + fmt::Debug> std::error::Error for Unrecorded<E> {}

impl<J: Journal> Recorder<J> {
    /// Begins a log with a header.
    ///
    /// # Errors
    ///
    /// Whatever the journal has against the header's line.
    ///
    /// ```
    /// use dispatch_core::session::{Header, Recorder};
    /// use dispatch_core::{Gates, tools, workspace::MemoryWorkspace};
    ///
    /// let header = Header::new(&Gates::new(tools::core_registry()), MemoryWorkspace::default());
    /// assert_eq!(Recorder::begin(&header, |_: &[u8]| Err("the disk is full")).unwrap_err(), "the disk is full");
    /// ```
    pub fn begin(header: &Header, journal: J) -> Result<Self, J::Error> {
        Self::resume(header, 0, journal)
    }

    /// Begins a session in a log that holds some already: with a header of its own, its calls counted on from the last one's number.
    ///
    /// # Errors
    ///
    /// Whatever the journal has against the header's line.
    ///
    /// ```
    /// use dispatch_core::session::{Header, Recorder};
    /// use dispatch_core::{Gates, ToolCall, json::Document, tools, workspace::MemoryWorkspace};
    ///
    /// let gates = Gates::new(tools::core_registry());
    /// let mut last = Vec::new();
    /// let keep = |line: &[u8]| {
    ///     last = line.to_vec();
    ///     Ok::<_, std::convert::Infallible>(())
    /// };
    /// let mut recorder = Recorder::resume(&Header::new(&gates, MemoryWorkspace::default()), 7, keep)?;
    /// let call = ToolCall::new("gone", Document::parse(b"{}".to_vec())?);
    /// recorder.intend(call)?.run(&gates, &mut MemoryWorkspace::default());
    /// assert!(String::from_utf8(last)?.contains(r#""outcome":8"#));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resume(header: &Header, last: u64, mut journal: J) -> Result<Self, J::Error> {
        let host = Value::Object(journal.facts(LineKind::Header));
        let mut line = Vec::new();
        // Writing to memory does not fail, here and below.
        let _ = write::header(&mut line, header, &host);
        journal.keep(&line)?;
        let (digest, is_partial) = (WorkspaceDigest::of(&header.workspace), header.is_partial);
        Ok(Self { journal, last, digest, is_partial, line, trouble: Trouble::None })
    }

    /// Records that a call is about to be judged. What comes back is what can run it.
    ///
    /// # Errors
    ///
    /// [`Unrecorded`], with the call, when the journal did not keep the line, or did not keep one before. Once it has not, nothing more is recorded.
    ///
    /// ```
    /// use dispatch_core::session::{Header, Recorder};
    /// use dispatch_core::{Gates, ToolCall, json::Document, tools, workspace::MemoryWorkspace};
    ///
    /// let mut room = 1;
    /// let full = |_: &[u8]| if room == 0 { Err("the disk is full") } else { room -= 1; Ok(()) };
    /// let header = Header::new(&Gates::new(tools::core_registry()), MemoryWorkspace::default());
    /// let mut recorder = Recorder::begin(&header, full).unwrap();
    /// let call = ToolCall::new("read_file", Document::parse(b"{}".to_vec())?);
    /// let unrecorded = recorder.intend(call).unwrap_err();
    /// assert_eq!(unrecorded.to_string(), "the call of `read_file` could not be recorded, and did not run: the disk is full");
    /// # Ok::<(), dispatch_core::json::Malformed>(())
    /// ```
    pub fn intend(&mut self, asked: impl Into<Asked>) -> Result<Intended<'_, J>, Unrecorded<J::Error>> {
        let asked = asked.into();
        match self.keep_intent(&asked) {
            Ok(()) => Ok(Intended { recorder: self, asked }),
            Err(error) => Err(Unrecorded { asked: Box::new(asked), error }),
        }
    }

    fn keep_intent(&mut self, asked: &Asked) -> Result<(), Option<J::Error>> {
        if !matches!(self.trouble, Trouble::None) {
            return Err(self.take_trouble());
        }
        let host = Value::Object(self.journal.facts(LineKind::Intent));
        self.line.clear();
        let _ = write::intent(&mut self.line, self.last + 1, asked, &host);
        self.journal.keep(&self.line).map_err(|error| {
            self.trouble = Trouble::Told;
            Some(error)
        })?;
        self.last += 1;
        Ok(())
    }

    fn keep_outcome(&mut self, result: &ToolResult, changed: &Changed, seen: &Seen) {
        keep_up(&mut self.digest, seen, changed);
        let host = Value::Object(self.journal.facts(LineKind::Outcome));
        let ended = write::Ended { number: self.last, result, changed, seen, workspace: self.digest.value() };
        self.line.clear();
        let _ = write::outcome(&mut self.line, ended, |out| write_value(out, &host));
        if let Err(error) = self.journal.keep(&self.line) {
            self.trouble = Trouble::New(error);
        }
    }

    /// Takes what the journal had against the outcome of a call that has run. It changed nothing of the call's result; it is told once, here or by
    /// the next [`intend`](Self::intend).
    pub fn take_trouble(&mut self) -> Option<J::Error> {
        match std::mem::replace(&mut self.trouble, Trouble::Told) {
            Trouble::New(error) => Some(error),
            Trouble::Told => None,
            Trouble::None => {
                self.trouble = Trouble::None;
                None
            }
        }
    }

    /// Returns the number of the last call, from 1; 0 where there was none.
    pub fn last_number(&self) -> u64 {
        self.last
    }

    /// Returns the journal.
    pub fn journal(&mut self) -> &mut J {
        &mut self.journal
    }
}

impl<J: Journal> fmt::Debug for Recorder<J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorder").field("last", &self.last).finish_non_exhaustive()
    }
}

/// A call whose intent was kept: what can run it. Dropped, it was never run, and the log says that nobody knows.
#[must_use = "the log says that this call is about to run"]
pub struct Intended<'r, J: Journal> {
    recorder: &'r mut Recorder<J>,
    asked: Asked,
}

impl<'r, J: Journal> Intended<'r, J> {
    /// Leads the call through the gates, runs it, and records what came of it.
    ///
    /// Trouble with recording it changes no result: [`Recorder::take_trouble`].
    pub fn run(self, gates: &Gates, workspace: &mut dyn Workspace) -> ToolResult {
        let Self { recorder, asked } = self;
        let (judged, is_set) = asked.admit_and_tell(gates, workspace);
        if let Some(workspace) = workspace.as_memory().filter(|_| is_set) {
            recorder.digest = WorkspaceDigest::of(workspace);
        }
        let mut open = Open::new(recorder);
        let result = match judged {
            Ok(admitted) => admitted.run(&mut open.watch(workspace)),
            Err(rejection) => rejection.into_result(),
        };
        open.close(&result);
        result
    }

    /// Leads the call through the gates, for a host that asks somebody, has a workspace of its own, or runs the call elsewhere.
    ///
    /// A workspace that the request brings is the host's to set, before.
    ///
    /// ```
    /// use std::convert::Infallible;
    /// use dispatch_core::session::{Header, Recorder};
    /// use dispatch_core::{Clearance, Gates, ToolCall, json::Document, tools, workspace::MemoryWorkspace};
    ///
    /// let gates = Gates::new(tools::core_registry());
    /// let mut lines = 0;
    /// let keep = |_: &[u8]| { lines += 1; Ok::<_, Infallible>(()) };
    /// let mut recorder = Recorder::begin(&Header::new(&gates, MemoryWorkspace::default()), keep)?;
    /// let call = ToolCall::new("read_file", Document::parse(br#"{"path": "a"}"#.to_vec())?);
    /// let (cleared, open) = recorder.intend(call)?.judge(&gates);
    /// let Clearance::Admitted(admitted) = cleared else { panic!("nothing is against it") };
    /// let (_arguments, pending) = admitted.detach();
    /// let result = pending.complete(Ok("read elsewhere".to_owned()));
    /// open.close(&result);
    /// assert_eq!(lines, 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn judge(self, gates: &Gates) -> (Clearance, Open<'r, J>) {
        let Self { recorder, asked } = self;
        let cleared = gates.narrowed(asked.permissions.as_ref(), asked.limits).judge(asked.call);
        (cleared, Open::new(recorder))
    }
}

impl<J: Journal> fmt::Debug for Intended<'_, J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Intended").field("asked", &self.asked).finish_non_exhaustive()
    }
}

/// An outcome that is to come. Dropped, nobody knows it.
#[must_use = "the log waits for an outcome"]
pub struct Open<'r, J: Journal> {
    recorder: &'r mut Recorder<J>,
    changed: Changed,
    seen: Mutex<Seen>,
}

impl<'r, J: Journal> Open<'r, J> {
    fn new(recorder: &'r mut Recorder<J>) -> Self {
        Self { recorder, changed: Changed::default(), seen: Mutex::default() }
    }

    /// Returns the workspace to run the call on: what is changed in it is recorded.
    pub fn watch<'w>(&'w mut self, workspace: &'w mut dyn Workspace) -> Watched<'w> {
        let seen = self.recorder.is_partial.then_some(&self.seen);
        Watched { workspace, digest: &mut self.recorder.digest, changed: &mut self.changed, keeps_before: false, seen }
    }

    /// Records what came of the call.
    pub fn close(self, result: &ToolResult) {
        let seen = self.seen.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.recorder.keep_outcome(result, &self.changed, &seen);
    }
}

impl<J: Journal> fmt::Debug for Open<'_, J> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Open").field("changed", &self.changed).finish_non_exhaustive()
    }
}
