//! Tools that no product would have: each shows one thing about the dispatcher around it.

mod guarded;
mod shown;

use std::collections::BTreeMap;
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dispatch_core::workspace::View;
use dispatch_core::{Code, ErrorCode, Registry, RegistryError, Tool, ToolFailure, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The text of every panic here. It must never reach the model.
pub const PANIC_TEXT: &str = "the text of a panic";

/// The operator's text of every failure here. It must never reach the model.
pub const OPERATOR_TEXT: &str = "a text for the operator";

/// The tools that count their runs: whatever refuses a call of theirs can be seen to have done so.
pub const COUNTING: [&str; 3] = ["count", "guarded", "typed"];

/// Counts how often a handler ran. A clone counts on.
#[derive(Debug, Clone, Default)]
pub struct Counter(Arc<AtomicUsize>);

impl Counter {
    /// Returns how often it was counted up.
    pub fn get(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }

    fn count(&self) -> usize {
        self.0.fetch_add(1, Ordering::SeqCst) + 1
    }
}

/// Builds the product's own tools and those of this module.
///
/// # Errors
///
/// A tool's schema can't be judged by: the dispatcher knows less than it should.
pub fn registry(counter: Counter) -> Result<Registry, RegistryError> {
    Registry::builder()
        .tool(tools::ReadFile)
        .tool(tools::WriteFile)
        .tool(tools::PatchFile)
        .tool(Count(counter.clone()))
        .tool(Panic)
        .tool(GiveUp)
        .tool(WriteThenFail)
        .tool(WriteThenPanic)
        .tool(Typed(counter.clone()))
        .tool(shown::Picture)
        .tool(shown::Measure)
        .tool(guarded::Guarded(counter))
        .policy_for("guarded", guarded::guard)
        .build()
}

/// Takes no arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct NoArgs {}

/// Counts that it ran, and writes the count into the file `count`.
#[derive(Debug)]
struct Count(Counter);

impl Tool for Count {
    type Args = NoArgs;
    type Output = String;

    fn name(&self) -> &'static str {
        "count"
    }

    fn run(&self, _: NoArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
        let count = self.0.count();
        view.write("count", count.to_string())?;
        Ok(format!("Counted: {count}"))
    }
}

/// Panics.
#[derive(Debug)]
struct Panic;

impl Tool for Panic {
    type Args = NoArgs;
    type Output = String;

    fn name(&self) -> &'static str {
        "panic"
    }

    fn run(&self, _: NoArgs, _: &mut View<'_>) -> Result<String, ToolFailure> {
        unwind()
    }
}

/// Unwinds as a panic does, without what the panic hook would print into the tests' output.
fn unwind() -> ! {
    panic::resume_unwind(Box::new(PANIC_TEXT))
}

/// Names a file and its new text.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct WriteArgs {
    /// The file's path, relative to the workspace.
    path: String,
    /// The whole new text.
    content: String,
}

/// Writes a file, and then fails: `io_error`.
#[derive(Debug)]
struct WriteThenFail;

impl Tool for WriteThenFail {
    type Args = WriteArgs;
    type Output = String;

    fn name(&self) -> &'static str {
        "write_then_fail"
    }

    fn run(&self, args: WriteArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
        view.write(&args.path, args.content)?;
        Err(ToolFailure::from(ErrorCode::IoError).with_operator_text(OPERATOR_TEXT))
    }
}

/// Fails with a code of its own, `gave_up`, and a text for the model.
#[derive(Debug)]
struct GiveUp;

impl Tool for GiveUp {
    type Args = NoArgs;
    type Output = String;

    fn name(&self) -> &'static str {
        "give_up"
    }

    fn run(&self, _: NoArgs, _: &mut View<'_>) -> Result<String, ToolFailure> {
        let failure = match Code::own("gave_up") {
            Ok(code) => ToolFailure::new(code, "The tool gave up."),
            Err(_) => ErrorCode::IoError.into(),
        };
        Err(failure.with_operator_text(OPERATOR_TEXT))
    }
}

/// Writes a file, and then panics.
#[derive(Debug)]
struct WriteThenPanic;

impl Tool for WriteThenPanic {
    type Args = WriteArgs;
    type Output = String;

    fn name(&self) -> &'static str {
        "write_then_panic"
    }

    fn run(&self, args: WriteArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
        view.write(&args.path, args.content)?;
        unwind()
    }
}

/// Gives its arguments back as JSON, members in the order below, those that are absent left out.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub struct TypedArgs {
    /// The one that is required.
    flag: bool,
    /// A small integer.
    #[serde(default)]
    tiny: i8,
    /// A large one.
    #[serde(default)]
    large: u64,
    /// A number.
    #[serde(default)]
    ratio: f32,
    /// One of a few words.
    #[serde(default)]
    mode: Mode,
    /// A text that may be absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// A structure that may be absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    point: Option<Point>,
    /// Any number of structures.
    #[serde(default)]
    points: Vec<Point>,
    /// What to do: one of several shapes, told apart by `kind`.
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<Action>,
    /// A number or a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<Target>,
    /// Numbers under names of the caller's choice.
    #[serde(default)]
    labels: BTreeMap<String, i64>,
}

/// Names a point.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
struct Point {
    /// To the right.
    x: i32,
    /// Down.
    y: i32,
}

/// Chooses how.
#[derive(Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Mode {
    #[default]
    Fast,
    VeryCareful,
}

/// Says what to do.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Action {
    Stop,
    Move { by: Point },
    Say { text: String, times: Option<u8> },
}

/// Names something by number or by name.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
enum Target {
    Number(i64),
    Name(String),
}

/// Counts that it ran, and gives its arguments back.
#[derive(Debug)]
struct Typed(Counter);

impl Tool for Typed {
    type Args = TypedArgs;
    type Output = String;

    fn name(&self) -> &'static str {
        "typed"
    }

    fn run(&self, args: TypedArgs, _: &mut View<'_>) -> Result<String, ToolFailure> {
        self.0.count();
        serde_json::to_string(&args)
            .map_err(|error| ToolFailure::from(ErrorCode::IoError).with_operator_text(error.to_string()))
    }
}
