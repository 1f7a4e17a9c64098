//! Replay: the calls of a log run again, and compared.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use super::Version;
use super::compared::compare;
use super::digest::{Digest, WorkspaceDigest};
use super::header::Header;
use super::read::{Entry, Intent, Outcome, Reader};
use super::seen::Seen;
use super::watched::{Led, Scratch, Texts, Watched, keep_up};
use super::write;
use crate::admission::Admitted;
use crate::code::ErrorCode;
use crate::gates::Gates;
use crate::json::{Document, JsonPath, MAX_DEPTH, Node, is_json};
use crate::protocol::Asked;
use crate::registry::Registry;
use crate::result::ToolResult;
use crate::workspace::{MemoryWorkspace, Overlay, Workspace, WorkspacePath};

/// Runs the calls of a session again, with today's tools, and compares what comes of them with what was recorded.
///
/// ```
/// use dispatch_core::session::{Header, How, Item, Reader, Recorder, Replayer};
/// use dispatch_core::{Gates, ToolCall, json::Document, tools, workspace::MemoryWorkspace};
///
/// let gates = Gates::new(tools::core_registry());
/// let mut log = Vec::new();
/// let keep = |line: &[u8]| { log.push(String::from_utf8_lossy(line).into_owned()); Ok::<_, std::convert::Infallible>(()) };
/// let mut recorder = Recorder::begin(&Header::new(&gates, MemoryWorkspace::from_iter([("a", "hi")])), keep)?;
/// let call = ToolCall::new("read_file", Document::parse(br#"{"path": "a"}"#.to_vec())?);
/// recorder.intend(call)?.run(&gates, &mut MemoryWorkspace::from_iter([("a", "hi")]));
///
/// // Somebody has changed what was recorded.
/// let log = log.concat().replace("1: hi", "1: ho");
/// let mut reader = Reader::default();
/// let mut replayer = None;
/// for line in log.split_inclusive('\n') {
///     for item in reader.push(line.as_bytes())? {
///         match item {
///             Item::Header(header) => replayer = Some(Replayer::new(tools::core_registry(), &header)),
///             Item::Entry(entry) => {
///                 let comparison = replayer.as_mut().unwrap().replay(&entry);
///                 assert_eq!((comparison.number, comparison.how), (1, How::Ran));
///                 let difference = &comparison.differences[0];
///                 assert_eq!(difference.path.to_string(), "$.result.observation");
///                 assert_eq!((&difference.recorded, &difference.today), (&"1: ho".into(), &"1: hi".into()));
///             }
///         }
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Replayer {
    gates: Gates,
    workspace: MemoryWorkspace,
    digest: WorkspaceDigest,
    /// Whether the log holds of the workspace what was seen of it.
    is_partial: bool,
    /// The host's files, where the calls are run on them.
    overlay: Option<Overlay>,
    /// Whether paths lead on them where the log says, and not where they lead today: one that knows no links has files under the letters of their paths.
    knows_no_links: bool,
    runs_all: bool,
    line: Vec<u8>,
    ahead: Option<Today>,
}

/// What came of a call today. The line that would record it is the replayer's, without the host's facts.
#[derive(Debug)]
struct Today {
    number: u64,
    /// None where the call was judged and is not to be run.
    result: Option<ToolResult>,
    before: Texts,
    /// Where in the line the host's facts are to stand.
    facts_at: usize,
}

/// What came of a call that was replayed, beside what was recorded.
#[derive(Debug)]
pub struct Comparison {
    /// The call's number in the log.
    pub number: u64,
    /// How its outcome of today was found out.
    pub how: How,
    /// Where it differs from what was recorded, in the order of the paths; empty where it does not.
    pub differences: Vec<Difference>,
    /// What the call ended in today, where it ran.
    pub result: Option<ToolResult>,
    /// The files that the call wrote today, each with its text from before; none where there was no such file.
    pub before: BTreeMap<String, Option<String>>,
}

/// How the outcome of a replayed call was found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// The call was judged and, if no gate refused it, run.
    Ran,
    /// The call reaches beyond the workspace: it was judged, and what was recorded stands in for the rest.
    StoodIn,
    /// Nobody knows how the recorded call ended, and it was not run again.
    Unknown,
}

/// A difference between what was recorded and what came of the same call today.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Where in the outcome: `$.stage`, `$.result.observation`, `$.files['a.txt']`, `$.workspace` and so on.
    pub path: JsonPath,
    /// What was recorded; null where nothing was.
    pub recorded: Value,
    /// What came today; null where nothing did.
    pub today: Value,
}

impl Replayer {
    /// Begins a session again: today's tools, narrowed as it was recorded, and the files that there were.
    pub fn new(registry: Registry, header: &Header) -> Self {
        let workspace = header.workspace.clone();
        let digest = WorkspaceDigest::of(&workspace);
        let (gates, is_partial) = (header.gates(registry), header.is_partial);
        let knows_no_links = header.version < Version::LINKS_FOLLOWED;
        let (overlay, runs_all, line, ahead) = (None, false, Vec::new(), None);
        Self { gates, workspace, digest, is_partial, overlay, knows_no_links, runs_all, line, ahead }
    }

    /// Runs the calls on files of the host's, in place of those that the log holds. They stay as they are: what the calls write is kept here. What looked
    /// through a directory that the log holds only in part can then be run again. It has no use where the log holds all.
    ///
    /// ```
    /// use dispatch_core::session::{Header, Replayer};
    /// use dispatch_core::workspace::{MemoryWorkspace, Overlay};
    /// use dispatch_core::{Gates, tools};
    ///
    /// let header = Header::new(&Gates::new(tools::core_registry()), MemoryWorkspace::default()).of_directory();
    /// let files = MemoryWorkspace::from_iter([("a.txt", "as it is today")]);
    /// let replayer = Replayer::new(tools::core_registry(), &header).on(Overlay::new(Box::new(files)));
    /// assert_eq!(replayer.workspace().files().count(), 0);
    /// ```
    #[must_use]
    pub fn on(self, files: Overlay) -> Self {
        Self { overlay: self.is_partial.then_some(files), ..self }
    }

    /// Returns the files of the host's with what the calls wrote: for the next session of the same log.
    pub fn into_overlay(self) -> Option<Overlay> {
        self.overlay
    }

    /// Runs also what reaches beyond the workspace. It has effects out there, and may end otherwise each time.
    #[must_use]
    pub fn running_all(self) -> Self {
        Self { runs_all: true, ..self }
    }

    /// Returns the files as they are after the last call. Of a session over a directory they are those that the log holds, and those that were written.
    pub fn workspace(&self) -> &MemoryWorkspace {
        &self.workspace
    }

    /// Returns the line that would record the outcome of the last call today, with its line feed. The host's facts are those that were recorded. It is
    /// empty where nobody knows.
    pub fn outcome_line(&self) -> &[u8] {
        &self.line
    }

    /// Judges the next call, runs it, and compares.
    pub fn replay(&mut self, entry: &Entry) -> Comparison {
        let number = entry.number;
        let Some(recorded) = &entry.outcome else {
            self.line.clear();
            let (differences, before) = (Vec::new(), BTreeMap::new());
            return Comparison { number, how: How::Unknown, differences, result: None, before };
        };
        let ahead = self.ahead.take().filter(|today| today.number == number);
        let seen = &recorded.seen;
        let searched_for_hint = seen.has_searched && recorded.built_in_code().is_some_and(is_found_without_search);
        let may_search = searched_for_hint || self.overlay.is_some();
        let today = ahead.unwrap_or_else(|| self.run(number, entry.intent.asked.clone(), seen, may_search));
        if today.result.is_some() {
            let facts = recorded.line.node().get("host").map_or("{}", Node::raw);
            self.add_facts(&today, facts.as_bytes());
        } else {
            self.forget(recorded);
            // Writing to memory does not fail, here and below.
            let _ = write::stand_in(&mut self.line, recorded.line.node(), self.digest.value());
        }
        let mut differences = self.differences(recorded);
        if searched_for_hint && self.overlay.is_none() {
            differences.retain(|difference| !is_hint(&difference.path));
        }
        today.compared(differences)
    }

    /// Takes the next line of a log in the reader's place, where it is letter by letter what would record today's outcome of the call that waits for
    /// it: it then need not be read. Otherwise the line is the reader's to take, and the call one for [`replay`](Self::replay), which does not run it again.
    ///
    /// More must stand behind the line than zeros and line feeds. The last one may be [torn](super::End::torn), and a call without an outcome is not run.
    ///
    /// ```
    /// use dispatch_core::session::{Header, Item, Reader, Recorder, Replayer};
    /// use dispatch_core::{Gates, ToolCall, json::Document, tools, workspace::MemoryWorkspace};
    ///
    /// let gates = Gates::new(tools::core_registry());
    /// let mut log = Vec::new();
    /// let keep = |line: &[u8]| { log.push(line.to_vec()); Ok::<_, std::convert::Infallible>(()) };
    /// let mut recorder = Recorder::begin(&Header::new(&gates, MemoryWorkspace::default()), keep)?;
    /// let call = ToolCall::new("gone", Document::parse(b"{}".to_vec())?);
    /// recorder.intend(call)?.run(&gates, &mut MemoryWorkspace::default());
    ///
    /// let [header, intent, outcome] = log.as_slice() else { panic!("a header and a call") };
    /// let mut reader = Reader::default();
    /// let Some(Item::Header(header)) = reader.push(header)?.next() else { panic!("a header") };
    /// let mut replayer = Replayer::new(tools::core_registry(), &header);
    /// assert!(replayer.replay_agreeing(&mut reader, intent).is_none());
    /// assert_eq!(reader.push(intent)?.count(), 0);
    /// let comparison = replayer.replay_agreeing(&mut reader, outcome).unwrap();
    /// assert!(comparison.number == 1 && comparison.differences.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn replay_agreeing(&mut self, reader: &mut Reader, line: &[u8]) -> Option<Comparison> {
        // What has effects out there is not run before all is known of it.
        if self.runs_all || self.is_partial || !line.starts_with(OUTCOME_BEGINS) {
            return None;
        }
        let Entry { number, line: at, intent: Intent { asked, line: intent }, .. } = *reader.take_waiting()?;
        let today = self.run(number, asked, &Seen::default(), false);
        let Some(facts) = self.facts_in(&today, line) else {
            reader.wait_for(number, at, &intent);
            self.ahead = Some(today);
            return None;
        };
        self.add_facts(&today, facts);
        reader.step_over(line);
        Some(today.compared(Vec::new()))
    }

    /// Judges a call and, if it is to be run, runs it and writes its outcome's line, but for the host's facts.
    fn run(&mut self, number: u64, asked: Asked, seen: &Seen, may_search: bool) -> Today {
        self.line.clear();
        let (judged, is_set) = asked.admit_and_tell(&self.gates, &mut self.workspace);
        if is_set {
            self.digest = WorkspaceDigest::of(&self.workspace);
        }
        let (mut changed, mut before, seen_today) = (BTreeMap::new(), BTreeMap::new(), Mutex::default());
        let result = match judged {
            Ok(admitted) if !self.may_run(&admitted, !seen.has_searched || may_search) => {
                return Today { number, result: None, before, facts_at: 0 };
            }
            Ok(admitted) => {
                let mut scratch = Scratch::new(&mut self.workspace, seen);
                let mut led;
                let (workspace, seen): (&mut dyn Workspace, _) = match &mut self.overlay {
                    Some(files) if self.knows_no_links => {
                        led = Led { files, seen };
                        (&mut led, Some(&seen_today))
                    }
                    Some(overlay) => (overlay, Some(&seen_today)),
                    None if self.is_partial => (&mut scratch, None),
                    None => (&mut *scratch.files, None),
                };
                let (digest, changed, before) = (&mut self.digest, &mut changed, Some(&mut before));
                admitted.run(&mut Watched { workspace, digest, changed, before, seen })
            }
            Err(rejection) => rejection.into_result(),
        };
        let seen_today = seen_today.into_inner().unwrap_or_else(PoisonError::into_inner);
        let seen = if self.overlay.is_some() { &seen_today } else { seen };
        self.keep_what_is_written(&changed);
        keep_up(&mut self.digest, seen, &changed);
        let ended = write::Ended { number, result: &result, changed: &changed, seen, workspace: self.digest.value() };
        let facts_at = write::outcome(&mut self.line, ended, "").unwrap_or_default();
        Today { number, result: Some(result), before, facts_at }
    }

    /// Returns the host's facts in a line that is today's in all else. Longer ones may be nested too deep for their line.
    fn facts_in<'l>(&self, today: &Today, line: &'l [u8]) -> Option<&'l [u8]> {
        today.result.as_ref()?;
        let (before, after) = self.line.split_at_checked(today.facts_at)?;
        let facts = line.strip_prefix(before)?.strip_suffix(after)?;
        (facts.len() < MAX_DEPTH && is_json(facts)).then_some(facts)
    }

    fn add_facts(&mut self, today: &Today, facts: &[u8]) {
        self.line.splice(today.facts_at..today.facts_at, facts.iter().copied());
    }

    fn may_run(&self, admitted: &Admitted, holds_what_it_needs: bool) -> bool {
        admitted.runs_here() && holds_what_it_needs && (self.runs_all || !admitted.annotations().open_world)
    }

    /// What is written to the host's files stands here as well, for who wants to see it.
    fn keep_what_is_written(&mut self, changed: &BTreeMap<String, Digest>) {
        let Some(overlay) = &self.overlay else { return };
        for path in changed.keys() {
            let text = WorkspacePath::resolve(path).ok().and_then(|path| overlay.read_text(&path).ok());
            if let Some(text) = text {
                self.workspace.insert(path, &text);
            }
        }
    }

    /// What a call did that was not run again is not known: neither are the files that it wrote.
    fn forget(&mut self, recorded: &Outcome) {
        if !self.is_partial {
            return;
        }
        let seen = &recorded.seen;
        let files = recorded.line.node().get("files");
        let written: BTreeSet<_> = files.into_iter().flat_map(Node::members).map(|member| member.name).collect();
        let _ = Scratch::new(&mut self.workspace, seen);
        keep_up(&mut self.digest, seen, &BTreeMap::new());
        for path in written {
            self.workspace.remove(&path);
            self.digest.remove(&path);
        }
    }

    fn differences(&self, recorded: &Outcome) -> Vec<Difference> {
        if self.line.strip_suffix(b"\n") == Some(recorded.line().as_bytes()) {
            return Vec::new();
        }
        let recorded = recorded.line.node();
        match Document::parse(self.line.clone()) {
            Ok(today) => compare(recorded, today.root()),
            // What can't be read back is not what was recorded.
            Err(malformed) => {
                let today = Value::String(malformed.to_string());
                vec![Difference { path: JsonPath::root(), recorded: recorded.to_json(), today }]
            }
        }
    }
}

/// Whether a failure is found at the place that was asked for, or in the arguments alone: what was searched then was for its hint.
fn is_found_without_search(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::FileNotFound
            | ErrorCode::OldStrNotFound
            | ErrorCode::AmbiguousMatch
            | ErrorCode::NoChange
            | ErrorCode::LineOutOfRange
            | ErrorCode::PathOutsideWorkspace
            | ErrorCode::IsADirectory
            | ErrorCode::NotADirectory
            | ErrorCode::NotText
            | ErrorCode::FileTooLarge
            | ErrorCode::InvalidPattern
    )
}

/// What of a failed call's result tells what is near: a search, of which what was recorded stands in.
fn is_hint(path: &JsonPath) -> bool {
    ["details", "message"].iter().any(|member| path.starts_with(&["result", member]))
}

/// No other line of a log that is of this version begins so.
const OUTCOME_BEGINS: &[u8] = b"{\"files\":";

impl Today {
    fn compared(self, differences: Vec<Difference>) -> Comparison {
        let Self { number, result, before, .. } = self;
        let how = if result.is_some() { How::Ran } else { How::StoodIn };
        Comparison { number, how, differences, result, before }
    }
}
