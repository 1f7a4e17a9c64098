//! An async host that runs the calls of one turn: those that only read side by side, the others in order and alone.
//!
//! The results stand in the calls' order, whichever ended first. Each call is admitted just before it runs: a call that changes something is
//! judged when all before it have ended, and one that stands behind it is judged after it.
//!
//! Run it with `cargo run -p dispatch-core --example async_parallel`.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use dispatch_core::admission::{Known, Permitted, Valid};
use dispatch_core::json::Document;
use dispatch_core::{
    Annotations, Clearance, ErrorCode, Gates, Pending, Registry, Rejection, ToolCall, ToolFailure, ToolResult,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

/// Reads a note.
#[derive(Deserialize, JsonSchema)]
struct ReadNote {
    /// The note's name.
    note: String,
}

/// Adds a line to a note.
#[derive(Deserialize, JsonSchema)]
struct AppendNote {
    /// The note's name.
    note: String,
    /// The line.
    line: String,
}

/// The host's own view of the calls that it runs.
#[derive(Deserialize)]
#[serde(tag = "tool", content = "args", rename_all = "snake_case")]
enum Job {
    ReadNote(ReadNote),
    AppendNote(AppendNote),
}

/// A call of the turn: with its result already, or at work.
enum Slot {
    Ended(Box<ToolResult>),
    AtWork(Pending, JoinHandle<Result<String, ToolFailure>>),
}

/// Answers the calls of one turn. The results stand in the calls' order.
///
/// A host that may drop this future before it ended keeps its tasks in a `tokio::task::JoinSet`, which then stops them.
async fn turn(gates: &Gates, notes: &Arc<Notes>, calls: Vec<ToolCall>) -> Vec<ToolResult> {
    let mut results = Vec::new();
    let mut side_by_side = Vec::new();
    for call in calls {
        match gates.known(call) {
            // One call's refusal does not stop the next.
            Err(unknown) => side_by_side.push(Slot::from(unknown)),
            Ok(reader) if reader.annotations().read_only => side_by_side.push(begin(reader, notes)),
            Ok(other) => {
                // What reads before it must not see what it changes.
                results.extend(all(&mut side_by_side).await);
                results.push(begin(other, notes).result().await);
            }
        }
    }
    results.extend(all(&mut side_by_side).await);
    results
}

/// Leads a call through the gates that are left, and sets it to work.
fn begin(known: Known, notes: &Arc<Notes>) -> Slot {
    let admitted = match known.permitted().and_then(Permitted::valid).map(Valid::cleared) {
        Ok(Clearance::Admitted(admitted)) => admitted,
        // Nobody is here to be asked.
        Ok(Clearance::Ask(awaiting)) => return Slot::from(awaiting.unanswered()),
        Ok(Clearance::Rejected(rejection)) | Err(rejection) => return Slot::from(rejection),
    };
    let (arguments, pending) = admitted.detach();
    match serde_json::from_value(json!({"tool": pending.call().tool(), "args": arguments})) {
        // A task that is spawned runs whether or not somebody awaits it. The pending call stays here: a task that panics can't take it along.
        Ok(job) => Slot::AtWork(pending, tokio::spawn(Arc::clone(notes).run(job))),
        Err(mismatch) => Slot::Ended(Box::new(pending.fail_internally(mismatch.to_string()))),
    }
}

impl Slot {
    async fn result(self) -> ToolResult {
        match self {
            Self::Ended(result) => *result,
            Self::AtWork(pending, work) => match work.await {
                Ok(outcome) => pending.complete(outcome),
                Err(panicked) => pending.fail_internally(panicked.to_string()),
            },
        }
    }
}

impl From<Rejection> for Slot {
    fn from(rejection: Rejection) -> Self {
        Self::Ended(Box::new(rejection.into_result()))
    }
}

/// Awaits calls in their order, all of them being at work already.
async fn all(slots: &mut Vec<Slot>) -> Vec<ToolResult> {
    let mut results = Vec::new();
    for slot in slots.drain(..) {
        results.push(slot.result().await);
    }
    results
}

/// The host's store. A longer note takes longer to read.
struct Notes {
    texts: Mutex<BTreeMap<String, String>>,
    log: Mutex<Vec<String>>,
    opened: Instant,
}

impl Notes {
    async fn run(self: Arc<Self>, job: Job) -> Result<String, ToolFailure> {
        match job {
            Job::ReadNote(ReadNote { note }) => self.read(&note, "read").await,
            Job::AppendNote(AppendNote { note, line }) => {
                let before = self.read(&note, "append to").await?;
                lock(&self.texts).insert(note, before + "," + &line);
                Ok("appended".to_owned())
            }
        }
    }

    async fn read(&self, note: &str, what_for: &str) -> Result<String, ToolFailure> {
        self.log(&format!("{what_for} {note}: begins"));
        let text = lock(&self.texts).get(note).cloned().ok_or(ErrorCode::FileNotFound)?;
        sleep(Duration::from_millis(10) * u32::try_from(text.len()).unwrap_or(u32::MAX)).await;
        self.log(&format!("{what_for} {note}: ends"));
        Ok(text)
    }

    fn log(&self, what: &str) {
        lock(&self.log).push(format!("  at {} ms: {what}", self.opened.elapsed().as_millis()));
    }
}

/// What a task that panicked left behind is whole: it changes the store in one step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

const CALLS: [(&str, &str); 7] = [
    ("read_note", r#"{"note": "long"}"#),
    ("read_note", r#"{"note": 2}"#),
    ("read_note", r#"{"note": "short"}"#),
    ("append_note", r#"{"note": "short", "line": "tea"}"#),
    ("shred_note", r#"{"note": "short"}"#),
    ("read_note", r#"{"note": "long"}"#),
    ("read_note", r#"{"note": "short"}"#),
];

async fn show_turn(gates: &Gates, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let texts = [("long", "bread,milk"), ("short", "rice")].map(|(note, text)| (note.to_owned(), text.to_owned()));
    let notes = Notes { texts: Mutex::new(texts.into()), log: Mutex::default(), opened: Instant::now() };
    let notes = Arc::new(notes);
    let calls = CALLS.iter().zip(1..).map(|((tool, args), number)| {
        Ok(ToolCall::new(*tool, Document::parse((*args).into())?).with_id(format!("c{number}")))
    });
    let results = turn(gates, &notes, calls.collect::<Result<_, Box<dyn Error>>>()?).await;

    writeln!(out, "what the host did")?;
    lock(&notes.log).iter().try_for_each(|line| writeln!(out, "{line}"))?;
    writeln!(out, "what the model gets")?;
    for result in results {
        let id = result.call().id().unwrap_or_default();
        let shown = result.shown().map(|shown| shown.text.into_owned());
        let told = shown.or_else(|| result.error().map(dispatch_core::CallError::text_for_model));
        writeln!(out, "  {id}: {}", told.unwrap_or_default().replace('\n', "; "))?;
    }
    Ok(())
}

pub(crate) fn run(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let registry = Registry::builder()
        .host_run::<ReadNote>("read_note", Annotations::read_only())
        .host_run::<AppendNote>("append_note", Annotations { open_world: false, ..Annotations::default() })
        .build()?;
    // Time is paused, as in the example `async_deadline`: a host leaves that out.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build()?;
    runtime.block_on(show_turn(&Gates::new(registry), out))
}

#[expect(clippy::disallowed_methods, reason = "an example prints; core does not")]
fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout())
}
