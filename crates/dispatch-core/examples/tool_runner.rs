//! A runner of typed tools: from the text of a call to a line that says what came of it.
//!
//! It prints the tools' schemas, answers calls good and bad, retries, streams what a call tells while it runs, and closes its session however
//! it ends.
//!
//! Run it with `cargo run -p dispatch-core --example tool_runner`.

#[expect(dead_code, reason = "what it shows by itself is an example of its own; here only its wrapper is used")]
#[path = "retried.rs"]
pub(crate) mod retried;

use std::error::Error;
use std::io::{self, Write};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use backon::ConstantBuilder;
use dispatch_core::json::{Document, JsonPath, Kind, write_value};
use dispatch_core::workspace::{Fraction, MemoryWorkspace, Progress, View};
use dispatch_core::{
    Admitted, Annotations, Code, Detail, ErrorCode, Gates, Json, Registry, Rejection, Stage, ToolCall, ToolFailure,
    ToolResult, tool_fn,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Doubles a value.
#[derive(Deserialize, JsonSchema)]
struct Double {
    /// The value.
    value: i64,
}

/// Adds a step to a value.
#[derive(Deserialize, JsonSchema)]
struct Increment {
    /// The value.
    value: i64,
    /// What is added to it.
    #[serde(default = "one")]
    step: i64,
}

fn one() -> i64 {
    1
}

/// Takes no arguments.
#[derive(Clone, Deserialize, JsonSchema)]
struct NoArgs {}

/// What the arithmetic tools answer.
#[derive(Serialize)]
struct Answer {
    tool: &'static str,
    value: i64,
}

fn registry() -> Result<Registry, Box<dyn Error>> {
    // An overflow is news for the model, not a fault of the tool: an expected failure, with a code of the tool's own.
    let overflow = Code::own("value_out_of_range")?;
    let answer = move |tool, value: Option<i64>| match value {
        Some(value) => Ok(Json(Answer { tool, value })),
        None => Err(ToolFailure::new(overflow.clone(), "the result does not fit in 64 bits")),
    };
    let double = {
        let answer = answer.clone();
        move |args: Double| answer("double", args.value.checked_mul(2))
    };
    let increment = move |args: Increment| answer("increment", args.value.checked_add(args.step));

    let tries = AtomicU32::new(0);
    let connect = move |_: NoArgs| match tries.fetch_add(1, Ordering::Relaxed) {
        0 | 1 => Err(ToolFailure::from(ErrorCode::NotReady)),
        _ => Ok("connected".to_owned()),
    };
    let connect = tool_fn("connect", connect).annotated(Annotations { idempotent: true, ..Annotations::default() });
    // The example does not wait: a host says `std::thread::sleep` here.
    let connect = retried::retried(connect, ConstantBuilder::default().with_max_times(2), |_: Duration| {})?;

    let count = |_: NoArgs, view: &mut View<'_>| {
        for done in 1..=3_u8 {
            view.report(Progress { text: format!("{done} of 3"), fraction: Fraction::new(f64::from(done) / 3.0).ok() });
        }
        Ok("counted".to_owned())
    };

    let registry = Registry::builder()
        .tool(tool_fn("double", double))
        .tool(tool_fn("increment", increment))
        .tool(connect)
        .tool(tool_fn("count", count))
        .tool(tool_fn("crash", crash))
        .build()?;
    Ok(registry)
}

#[expect(clippy::panic, reason = "it shows what becomes of a panic")]
fn crash(_: NoArgs) -> Result<String, ToolFailure> {
    panic!("this text is for the operator: it goes to stderr, by the process's panic hook, and never to the model")
}

/// A session with a model. It is closed when its scope ends: by the last line, by an early return, or by a panic.
struct Session<'o, W: Write> {
    gates: Gates,
    workspace: MemoryWorkspace,
    out: &'o mut W,
}

impl<W: Write> Drop for Session<'_, W> {
    fn drop(&mut self) {
        // If even this can't be written, there is nobody left to tell.
        let _ = writeln!(self.out, "session closed");
    }
}

impl<W: Write> Session<'_, W> {
    fn answer(&mut self, text: &str) -> io::Result<()> {
        match read_call(text) {
            Ok(call) => match self.gates.admit(call) {
                Ok(admitted) => self.run(admitted),
                Err(rejection) => self.refuse(&rejection),
            },
            Err(faults) => faults.iter().try_for_each(|fault| writeln!(self.out, "rejected {fault}")),
        }
    }

    fn refuse(&mut self, rejection: &Rejection) -> io::Result<()> {
        let error = rejection.error();
        match rejection.stage() {
            Stage::Known => writeln!(self.out, "unknown tool {}", rejection.call().tool()),
            // All that is wrong, each with its place.
            Stage::Valid if !error.details.is_empty() => {
                error.details.iter().try_for_each(|detail| writeln!(self.out, "rejected args {detail}"))
            }
            Stage::Permitted | Stage::Valid | Stage::Cleared => {
                writeln!(self.out, "rejected {}", error.text_for_model())
            }
        }
    }

    fn run(&mut self, admitted: Admitted) -> io::Result<()> {
        writeln!(self.out, "call {}", admitted.call().tool())?;
        let result = self.stream(admitted)?;
        if let Some(shown) = result.shown() {
            writeln!(self.out, "result {}", shown.text)?;
        }
        if let Some(error) = result.error() {
            writeln!(self.out, "failed {}", error.text_for_model())?;
        }
        Ok(())
    }

    /// Runs the call in a child task. What it tells meanwhile comes through a queue, and is printed as it comes.
    #[expect(clippy::disallowed_methods, reason = "core starts no thread; its host may")]
    fn stream(&mut self, admitted: Admitted) -> io::Result<ToolResult> {
        // The queue holds one event: a child that tells faster than we print has to wait.
        let (events, queue) = mpsc::sync_channel(1);
        thread::scope(|scope| {
            let workspace = &mut self.workspace;
            // The child owns the sending end. When it ends the queue does, and with it the loop below. If we stop listening, it goes on unheard.
            let child = scope.spawn(move || admitted.run_listening(workspace, &mut |event| drop(events.send(event))));
            queue.into_iter().try_for_each(|event: Progress| writeln!(self.out, "event {}", event.text))?;
            // A handler's panic is caught in core and becomes a result. Any other is ours, and goes on its way.
            child.join().or_else(|panic| resume_unwind(panic))
        })
    }
}

/// Reads a call: `{"tool": "...", "args": {...}}`. Tells all that is wrong with it, in the words that core has for arguments.
fn read_call(text: &str) -> Result<ToolCall, Vec<Detail>> {
    let fault = |path: JsonPath, message: String| Detail { path, message };
    // A key twice in the arguments is the model's fault, and told with the rest of what is wrong with them.
    let document = Document::parse_tolerating(text.into(), |path| path.starts_with(&["args"]));
    let document = document.map_err(|malformed| {
        let place = malformed.position();
        vec![fault(JsonPath::root(), format!("{malformed}, at line {} column {}", place.line, place.column))]
    })?;
    let root = document.root();
    if root.kind() != Kind::Object {
        return Err(vec![fault(JsonPath::root(), format!("expected object, found {}", root.type_name()))]);
    }
    let (mut tool, mut args, mut faults) = (None, None, Vec::new());
    for member in root.members() {
        match (member.name.as_ref(), member.value.as_str()) {
            ("tool", Some(name)) => tool = Some(name.into_owned()),
            ("tool", None) => {
                let message = format!("expected string, found {}", member.value.type_name());
                faults.push(fault(JsonPath::root().member("tool"), message));
            }
            ("args", _) => args = Some(member.value.to_fragment()),
            (other, _) => faults.push(fault(JsonPath::root(), format!("unknown field `{other}`"))),
        }
    }
    let missing = ["tool", "args"].into_iter().filter(|name| root.get(name).is_none());
    faults.extend(missing.map(|name| fault(JsonPath::root(), format!("missing field `{name}`"))));
    match (tool, args) {
        (Some(tool), Some(args)) if faults.is_empty() => Ok(ToolCall::from_parts(None, tool, args, root.to_fragment())),
        _ => Err(faults),
    }
}

const CALLS: [&str; 11] = [
    r#"{"tool": "double", "args": {"value": 21}}"#,
    r#"{"tool": "increment", "args": {"value": 42}}"#,
    r#"{"tool": "increment", "args": {"value": 42, "step": 8}}"#,
    r#"{"tool": "double", "args": {"value": "x"}}"#,
    r#"{"tool": "double", "args": {"value": 21, "extra": true}}"#,
    r#"{"tool": "missing", "args": {}}"#,
    r#"{"args": {"value": 21}}"#,
    // Fails twice before it succeeds, and the model is none the wiser.
    r#"{"tool": "connect", "args": {}}"#,
    r#"{"tool": "count", "args": {}}"#,
    // An expected failure has a code and a text. A panic has neither, and the session goes on after it.
    r#"{"tool": "double", "args": {"value": 9223372036854775807}}"#,
    r#"{"tool": "crash", "args": {}}"#,
];

pub(crate) fn run(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let registry = registry()?;
    for spec in registry.names().filter_map(|name| registry.spec(name.as_str())) {
        write!(out, "tool {} ", spec.name)?;
        write_value(out, &spec.input_schema)?;
        writeln!(out)?;
    }
    let mut session = Session { gates: Gates::new(registry), workspace: MemoryWorkspace::default(), out };
    CALLS.iter().try_for_each(|call| session.answer(call))?;
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "an example prints; core does not")]
fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout())
}
