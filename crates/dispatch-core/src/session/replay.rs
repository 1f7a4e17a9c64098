//! Replay: the calls of a log run again, and compared.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use super::Version;
use super::agreeing::Agreeing;
use super::changed::Changed;
use super::comparison::{Comparison, Difference, How, compare, is_found_without_search, is_hint};
use super::digest::WorkspaceDigest;
use super::header::Header;
use super::read::{Entry, Intent, Outcome, Reader, Waiting};
use super::seen::Seen;
use super::today::{Agreed, Today};
use super::watched::{Led, Scratch, Watched, keep_up, take_in};
use super::write;
use crate::admission::Admitted;
use crate::gates::Gates;
use crate::json::{Document, JsonPath, Node};
use crate::protocol::Asked;
use crate::registry::Registry;
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
    /// What came of the last call. It is made here and stays here: to move it about costs more than to compare it.
    today: Today,
    /// The number of that call, where its outcome is still to be read.
    ahead: Option<u64>,
}

impl Replayer {
    /// Begins a session again: today's tools, narrowed as it was recorded, and the files that there were.
    pub fn new(registry: Registry, header: &Header) -> Self {
        let workspace = header.workspace.clone();
        let digest = WorkspaceDigest::of(&workspace);
        Self {
            gates: header.gates(registry),
            today: Today::begin(0, digest.value()),
            workspace,
            digest,
            is_partial: header.is_partial,
            overlay: None,
            knows_no_links: header.version < Version::LINKS_FOLLOWED,
            runs_all: false,
            line: Vec::new(),
            ahead: None,
        }
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
        let seen = &recorded.seen;
        let searched_for_hint = seen.has_searched && recorded.built_in_code().is_some_and(is_found_without_search);
        if self.ahead.take() != Some(number) {
            let is_held = !seen.is_unsteady && (!seen.has_searched || searched_for_hint);
            self.run(number, entry.intent.asked.clone(), seen, is_held || self.overlay.is_some());
        }
        self.write_line(recorded);
        let mut differences = self.differences(recorded);
        if searched_for_hint && self.overlay.is_none() {
            differences.retain(|difference| !is_hint(&difference.path));
        }
        self.today.compared(differences)
    }

    /// Writes the line that would record the outcome today.
    fn write_line(&mut self, recorded: &Outcome) {
        self.line.clear();
        // Writing to memory does not fail.
        let _ = if self.today.result.is_some() {
            let facts = recorded.line.node().get("host").map_or("{}", Node::raw);
            self.today.write(&mut self.line, &recorded.seen, |out| io::Write::write_all(out, facts.as_bytes()))
        } else {
            self.forget(recorded);
            write::stand_in(&mut self.line, recorded.line.node(), self.today.admitted.as_ref(), self.digest.value())
        };
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
    /// let agreed = replayer.replay_agreeing(&mut reader, outcome).unwrap();
    /// assert_eq!((agreed.number(), agreed.into_comparison().differences.len()), (1, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn replay_agreeing(&mut self, reader: &mut Reader, line: &[u8]) -> Option<Agreed<'_>> {
        // What has effects out there is not run before all is known of it.
        if self.runs_all || self.is_partial || !line.starts_with(OUTCOME_BEGINS) {
            return None;
        }
        let Waiting { number, line: at, intent: Intent { asked, line: intent } } = *reader.take_waiting()?;
        let seen = Seen::default();
        self.run(number, asked, &seen, true);
        if !Agreeing::with(line, |out| self.today.write(out, &seen, Agreeing::pass_facts)) {
            reader.wait_for(at, &intent);
            self.ahead = Some(number);
            return None;
        }
        self.line.clear();
        self.line.extend_from_slice(line);
        reader.step_over(line);
        Some(Agreed { today: &mut self.today })
    }

    /// Judges a call and, if it is to be run, runs it. To be run it needs what it asks the workspace for.
    fn run(&mut self, number: u64, asked: Asked, seen: &Seen, holds_what_it_needs: bool) {
        let (judged, is_set) = asked.admit_and_tell(&self.gates, &mut self.workspace);
        if is_set {
            self.digest = WorkspaceDigest::of(&self.workspace);
        }
        self.today = Today::begin(number, self.digest.value());
        let seen_today = self.overlay.is_some().then(Mutex::default);
        self.today.result = Some(match judged {
            Ok(admitted) if !self.may_run(&admitted, holds_what_it_needs) => {
                self.today.admitted = Some(admitted.call().clone());
                return;
            }
            Ok(admitted) => {
                let (mut scratch, mut led);
                let workspace: &mut dyn Workspace = match &mut self.overlay {
                    Some(files) if self.knows_no_links => {
                        led = Led { files, seen };
                        &mut led
                    }
                    Some(overlay) => overlay,
                    None if self.is_partial => {
                        scratch = Scratch { files: &mut self.workspace, seen };
                        &mut scratch
                    }
                    None => &mut self.workspace,
                };
                let (digest, changed, seen) = (&mut self.digest, &mut self.today.changed, seen_today.as_ref());
                admitted.run(&mut Watched { workspace, digest, changed, keeps_before: true, seen })
            }
            Err(rejection) => rejection.into_result(),
        });
        self.today.seen = seen_today.map(|seen| seen.into_inner().unwrap_or_else(PoisonError::into_inner));
        self.keep_what_is_written();
        take_in(&mut self.workspace, seen, &self.today.changed);
        keep_up(&mut self.digest, self.today.seen.as_ref().unwrap_or(seen), &self.today.changed);
        self.today.workspace = self.digest.value();
    }

    fn may_run(&self, admitted: &Admitted, holds_what_it_needs: bool) -> bool {
        admitted.runs_here() && holds_what_it_needs && (self.runs_all || !admitted.annotations().open_world)
    }

    /// What is written to the host's files stands here as well, for who wants to see it.
    fn keep_what_is_written(&mut self) {
        let Some(overlay) = &self.overlay else { return };
        for change in self.today.changed.iter() {
            let text = WorkspacePath::resolve(&change.path).ok().and_then(|path| overlay.read_text(&path).ok());
            if let Some(text) = text {
                self.workspace.insert(&change.path, &text);
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
        take_in(&mut self.workspace, seen, &Changed::default());
        keep_up(&mut self.digest, seen, &Changed::default());
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

/// No other line of a log that is of this version begins so.
const OUTCOME_BEGINS: &[u8] = b"{\"files\":";
