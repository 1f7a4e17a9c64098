//! Tools whose runs are told through `tracing`.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, OnceLock};

use serde_json::Value;
use tracing::Span;
use tracing::field::Empty;

use super::{Annotations, ErasedTool, Handler, Tool, ToolName};
use crate::code::{Code, ErrorCode};
use crate::failure::{CallError, Detail, ToolFailure};
use crate::schema::{self, UnsupportedSchema};
use crate::workspace::View;

/// The value of `gen_ai.operation.name`, and the name of the span.
const EXECUTE_TOOL: &str = "execute_tool";

/// Wraps a tool so that each of its runs is told through [`tracing`]: a span around the handler, and in it one event before and one after.
///
/// The wrapper is a tool with the same name, arguments, output and annotations. Names and values are those of OpenTelemetry's conventions for
/// the [execution of tools](https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/execute-tool.md) (status:
/// development), so that a subscriber which exports spans needs no table of its own:
///
/// | field | value | on |
/// | --- | --- | --- |
/// | `gen_ai.operation.name` | `execute_tool`, which is the span's name too | span, events |
/// | `gen_ai.tool.name` | the tool's name | span, events |
/// | `gen_ai.tool.call.id` | the call's id, if it has one | span, events |
/// | `gen_ai.tool.description`, `gen_ai.tool.type` | the arguments type's doc comment; `function` | span |
/// | `error.type` | the code of a failure; for a panic `internal_error`, which is what the dispatcher makes of it | span, event after |
/// | `otel.name`, `otel.kind`, `otel.status_code` | `execute_tool {gen_ai.tool.name}`; `internal`; `ERROR` where there is an `error.type` | span |
///
/// The last row is for the crate `tracing-opentelemetry`: a span of `tracing` has a fixed name. All are told at the level of information.
///
/// Deliberately not told: arguments, output and texts of failures. They may be large, and nobody else's business. Not seen from here: calls that
/// were refused, for which no handler ran, and what became of the output afterwards.
///
/// The tools of a whole registry, of whatever kind, are wrapped by [`RegistryBuilder::traced`](crate::RegistryBuilder::traced).
///
/// ```
/// use dispatch_core::{Gates, Registry, ToolCall, json::Document, tools, traced};
/// use dispatch_core::workspace::MemoryWorkspace;
/// # use std::sync::Mutex;
/// # static LOG: Mutex<Vec<u8>> = Mutex::new(Vec::new());
/// # struct Log;
/// # impl std::io::Write for Log {
/// #     fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> { LOG.lock().unwrap().write(bytes) }
/// #     fn flush(&mut self) -> std::io::Result<()> { Ok(()) }
/// # }
///
/// let gates = Gates::new(Registry::builder().tool(traced(tools::ReadFile)).build()?);
/// let args = Document::parse(br#"{"path": "gone.txt"}"#.to_vec())?;
/// let admitted = gates.admit(ToolCall::new("read_file", args).with_id("c1"))?;
///
/// let subscriber = tracing_subscriber::fmt().without_time().with_ansi(false).with_writer(|| Log).finish();
/// tracing::subscriber::with_default(subscriber, || admitted.run(&mut MemoryWorkspace::default()));
///
/// let log = String::from_utf8(LOG.lock().unwrap().clone())?;
/// let [before, after] = log.lines().collect::<Vec<_>>()[..] else { panic!("{log}") };
/// assert!(before.contains(r#"execute_tool{otel.name="execute_tool read_file""#));
/// assert!(before.contains(r#"gen_ai.tool.name="read_file" gen_ai.tool.call.id="c1""#));
/// assert!(after.ends_with(r#"error.type="file_not_found""#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn traced<T: Tool>(tool: T) -> Traced<T> {
    Traced { tool, description: OnceLock::new() }
}

/// A tool whose runs are told. Made by [`traced`].
#[derive(Debug, Clone)]
pub struct Traced<T> {
    tool: T,
    /// Made when somebody first listens: it takes the whole schema.
    description: OnceLock<Option<String>>,
}

impl<T: Tool> Tool for Traced<T> {
    type Args = T::Args;
    type Output = T::Output;

    fn name(&self) -> &str {
        self.tool.name()
    }

    fn annotations(&self) -> Annotations {
        self.tool.annotations()
    }

    fn run(&self, args: T::Args, view: &mut View<'_>) -> Result<T::Output, ToolFailure> {
        let of_arguments = || description(&schema::of::<T::Args>());
        let span = span(self.name(), view.call_id(), || self.description.get_or_init(of_arguments).as_deref());
        let code = |failure: &ToolFailure| CallError::from(failure.clone()).code;
        told(self.name(), view.call_id(), &span, code, || self.tool.run(args, view))
    }
}

/// A tool of any kind whose runs are told: one whose types are no longer known, or that never had any.
pub(crate) struct TracedErased(Arc<Erased>);

struct Erased {
    name: ToolName,
    tool: Box<dyn ErasedTool>,
    description: OnceLock<Option<String>>,
}

impl TracedErased {
    pub(crate) fn new(name: ToolName, tool: Box<dyn ErasedTool>) -> Self {
        Self(Arc::new(Erased { name, tool, description: OnceLock::new() }))
    }
}

impl Erased {
    fn description(&self) -> Option<&str> {
        self.description.get_or_init(|| description(&self.tool.schema())).as_deref()
    }
}

impl ErasedTool for TracedErased {
    fn schema(&self) -> Value {
        self.0.tool.schema()
    }

    fn annotations(&self) -> Annotations {
        self.0.tool.annotations()
    }

    fn check(&self, schema: &Value) -> Result<(), UnsupportedSchema> {
        self.0.tool.check(schema)
    }

    fn handler(&self, arguments: &Value) -> Result<Option<Handler>, Detail> {
        let Some(handler) = self.0.tool.handler(arguments)? else { return Ok(None) };
        let tool = Arc::clone(&self.0);
        Ok(Some(Box::new(move |view| {
            let (name, id) = (tool.name.as_str(), view.call_id());
            let code = |error: &CallError| error.code.clone();
            told(name, id, &span(name, id, || tool.description()), code, || handler(view))
        })))
    }
}

fn description(schema: &Value) -> Option<String> {
    Some(schema.get("description")?.as_str()?.to_owned()).filter(|description| !description.is_empty())
}

/// Runs a handler within a span, and tells when it begins and how it ends.
///
/// A panic is told as well, and then goes on its way: what to make of it is for the dispatcher.
fn told<T, E>(
    name: &str,
    id: Option<&str>,
    span: &Span,
    code: impl FnOnce(&E) -> Code,
    run: impl FnOnce() -> Result<T, E>,
) -> Result<T, E> {
    let _entered = span.enter();
    tell_start(name, id);
    let outcome = catch_unwind(AssertUnwindSafe(run));
    let error = match &outcome {
        Ok(Ok(_)) => None,
        Ok(Err(failure)) => Some(code(failure)),
        Err(_panic) => Some(ErrorCode::InternalError.into()),
    };
    tell_end(name, id, error.as_ref(), span);
    outcome.unwrap_or_else(|panic| resume_unwind(panic))
}

/// Opens the span of one run. Its description is made where somebody listens.
fn span<'d>(name: &str, id: Option<&str>, description: impl FnOnce() -> Option<&'d str>) -> Span {
    tracing::info_span!(
        EXECUTE_TOOL,
        otel.name = format!("{EXECUTE_TOOL} {name}"),
        otel.kind = "internal",
        otel.status_code = Empty,
        gen_ai.operation.name = EXECUTE_TOOL,
        gen_ai.tool.name = name,
        gen_ai.tool.call.id = id,
        gen_ai.tool.description = description(),
        gen_ai.tool.type = "function",
        error.type = Empty,
    )
}

fn tell_start(name: &str, id: Option<&str>) {
    tracing::info!(
        gen_ai.operation.name = EXECUTE_TOOL,
        gen_ai.tool.name = name,
        gen_ai.tool.call.id = id,
        "execute_tool started"
    );
}

fn tell_end(name: &str, id: Option<&str>, error: Option<&Code>, span: &Span) {
    let error = error.map(Code::as_str);
    if let Some(error) = error {
        span.record("error.type", error).record("otel.status_code", "ERROR");
    }
    tracing::info!(
        gen_ai.operation.name = EXECUTE_TOOL,
        gen_ai.tool.name = name,
        gen_ai.tool.call.id = id,
        error.type = error,
        "execute_tool ended"
    );
}
