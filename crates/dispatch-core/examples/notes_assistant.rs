//! An assistant that reads notes, and the gates it can't get around.
//!
//! A counter in the handlers shows that a call which is refused, at whichever gate, has not come near one: it moves for the accepted call alone.
//!
//! Run it with `cargo run -p dispatch-core --example notes_assistant`.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dispatch_core::json::Document;
use dispatch_core::policy::{Decision, Policy, PolicyError, Proposal};
use dispatch_core::workspace::MemoryWorkspace;
use dispatch_core::{
    Annotations, Code, Gates, Json, Permissions, Registry, ToolCall, ToolFailure, ToolResult, tool_fn,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Clone)]
struct Note {
    owner: &'static str,
    title: &'static str,
    text: &'static str,
}

/// The records, and how often a handler has touched them. Tools and policy share them.
struct Notes {
    records: Mutex<BTreeMap<u64, Note>>,
    handler_runs: AtomicUsize,
}

impl Notes {
    fn given() -> Self {
        let records = [
            (1, Note { owner: "ada", title: "Shopping", text: "milk, bread" }),
            (2, Note { owner: "grace", title: "Diary", text: "a moth in the relay" }),
            (3, Note { owner: "ada", title: "Shopping for the party", text: "candles" }),
        ];
        Self { records: Mutex::new(records.into()), handler_runs: AtomicUsize::new(0) }
    }

    fn records(&self) -> MutexGuard<'_, BTreeMap<u64, Note>> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The way of every handler to the records: it leaves a trace.
    fn handle(&self) -> MutexGuard<'_, BTreeMap<u64, Note>> {
        self.handler_runs.fetch_add(1, Ordering::Relaxed);
        self.records()
    }
}

/// Finds notes by a word in their titles. Titles are for everybody; what a note says is for its owner.
#[derive(Deserialize, JsonSchema)]
struct SearchNotes {
    /// The word, upper and lower case as in the title.
    word: String,
}

/// Reads a note.
#[derive(Deserialize, JsonSchema)]
struct ReadNote {
    /// The note's number.
    id: u64,
}

/// Deletes a note for good.
#[derive(Deserialize, JsonSchema)]
struct DeleteNote {
    /// The note's number.
    id: u64,
}

/// A note is for its owner alone. Who is asking is a fact of the session: the host says it, and no argument can.
struct OwnNotes(Arc<Notes>);

impl Policy for OwnNotes {
    fn judge(&self, call: &Proposal<'_>) -> Result<Decision, PolicyError> {
        // The arguments are valid by now. What can't be decided is refused all the same, and the model does not learn why.
        let id = call.arguments.get("id").and_then(Value::as_u64).ok_or(PolicyError::new("no id in the arguments"))?;
        let user = call.facts.get("user").and_then(Value::as_str).ok_or(PolicyError::new("nobody is asking"))?;
        Ok(match self.0.records().get(&id) {
            Some(note) if note.owner != user => Decision::deny("this note belongs to somebody else"),
            // That there is no such note is for the handler to say.
            Some(_) | None => Decision::Allow,
        })
    }
}

fn registry(notes: &Arc<Notes>) -> Result<Registry, Box<dyn Error>> {
    let no_such_note = ToolFailure::new(Code::own("note_not_found")?, "there is no note of this number");
    let [searched, read, deleted] = [(); 3].map(|()| Arc::clone(notes));

    let search = move |args: SearchNotes| {
        let found = |(id, note): (&u64, &Note)| note.title.contains(&args.word).then(|| json!([id, note.title]));
        Ok(Json(searched.handle().iter().filter_map(found).collect::<Vec<_>>()))
    };
    let not_found = no_such_note.clone();
    let read = move |args: ReadNote| {
        let note = read.handle().get(&args.id).cloned();
        note.map(|note| note.text.to_owned()).ok_or_else(|| not_found.clone())
    };
    let delete = move |args: DeleteNote| {
        let note = deleted.handle().remove(&args.id);
        note.map(|note| format!("deleted {}", note.title)).ok_or_else(|| no_such_note.clone())
    };

    let registry = Registry::builder()
        .tool(tool_fn("search_notes", search).annotated(Annotations::read_only()))
        .tool(tool_fn("read_note", read).annotated(Annotations::read_only()))
        .tool(tool_fn("delete_note", delete))
        .policy_for("read_note", OwnNotes(Arc::clone(notes)))
        .policy_for("delete_note", OwnNotes(Arc::clone(notes)))
        .build()?;
    Ok(registry)
}

/// What the model asks for, and why it is here.
const CALLS: [(&str, &str, &str); 5] = [
    ("accepted", "search_notes", r#"{"word": "Shopping"}"#),
    ("no such tool", "rename_note", r#"{"id": 1, "title": "Errands"}"#),
    ("registered, not permitted", "delete_note", r#"{"id": 1}"#),
    ("more arguments than there are", "read_note", r#"{"id": 1, "as_user": "grace"}"#),
    ("somebody else's note", "read_note", r#"{"id": 2}"#),
];

pub(crate) fn run(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let notes = Arc::new(Notes::given());
    let facts = json!({"user": "ada"}).as_object().cloned().unwrap_or_default();
    // Three independent things: what exists, what may be used, and what policies must know.
    let gates =
        Gates::new(registry(&notes)?).permitting(&Permissions::only(["search_notes", "read_note"])).with_facts(facts);

    for (why, tool, args) in CALLS {
        writeln!(out, "{tool} {args}  ({why})")?;
        let result = answer(&gates, ToolCall::new(tool, Document::parse(args.into())?));
        if let Some(shown) = result.shown() {
            writeln!(out, "  ok: {}", shown.text)?;
        }
        if let Some(error) = result.error() {
            writeln!(out, "  {}", error.text_for_model().replace('\n', "\n  "))?;
        }
        writeln!(out, "  handler runs: {}", notes.handler_runs.load(Ordering::Relaxed))?;
    }
    Ok(())
}

/// Every call has a result, whether it ran or not.
fn answer(gates: &Gates, call: ToolCall) -> ToolResult {
    match gates.admit(call) {
        // The notes are not in the workspace, and the tools touch no files.
        Ok(admitted) => admitted.run(&mut MemoryWorkspace::default()),
        Err(rejection) => rejection.into_result(),
    }
}

#[expect(clippy::disallowed_methods, reason = "an example prints; core does not")]
fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout())
}
