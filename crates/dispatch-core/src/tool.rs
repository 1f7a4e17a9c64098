//! Tools: a name, typed arguments, a handler.

mod erased;
mod function;
mod given;
mod name;
#[cfg(feature = "tracing")]
mod traced;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

pub(crate) use erased::{ErasedTool, Handler, decode, erase, host_run};
pub use function::{FunctionTool, ToolFunction, tool_fn};
pub use given::{GivenTool, GivenToolError};
pub use name::{InvalidToolName, ToolName};
#[cfg(feature = "tracing")]
pub(crate) use traced::TracedErased;
#[cfg(feature = "tracing")]
pub use traced::{Traced, traced};

use crate::failure::ToolFailure;
use crate::observation::ToolOutput;
use crate::workspace::View;

/// A named operation with typed arguments.
///
/// The JSON Schema of the arguments is made from their type: doc comments become descriptions, a field with a default or of type
/// `Option` is optional, unknown fields are refused, and integers carry their type's bounds.
///
/// A tool that is one function need not be a type: see [`tool_fn`].
///
/// ```
/// use dispatch_core::{Annotations, Gates, Registry, Tool, ToolCall, ToolFailure, json::Document};
/// use dispatch_core::workspace::{MemoryWorkspace, View};
///
/// struct Greet {
///     greeting: String,
/// }
///
/// /// Greets somebody.
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct GreetArgs {
///     /// Whom to greet.
///     name: String,
/// }
///
/// impl Tool for Greet {
///     type Args = GreetArgs;
///     type Output = String;
///
///     fn name(&self) -> &str {
///         "greet"
///     }
///
///     fn annotations(&self) -> Annotations {
///         Annotations::read_only()
///     }
///
///     fn run(&self, args: GreetArgs, _view: &mut View<'_>) -> Result<String, ToolFailure> {
///         Ok(format!("{}, {}!", self.greeting, args.name))
///     }
/// }
///
/// let registry = Registry::builder().tool(Greet { greeting: "Hello".to_owned() }).build()?;
/// let call = ToolCall::new("greet", Document::parse(br#"{"name": "Ada"}"#.to_vec())?);
/// let result = Gates::new(registry).admit(call)?.run(&mut MemoryWorkspace::default());
/// assert_eq!(result.shown().unwrap().text, "Hello, Ada!");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Tool: Send + Sync + 'static {
    /// The arguments. Their doc comment is the tool's description.
    type Args: DeserializeOwned + JsonSchema + Send + 'static;
    /// What the handler returns when it succeeded: text, [`Json`](crate::Json), or an [`Observation`](crate::Observation).
    type Output: ToolOutput;

    /// Returns the name that calls ask for it by. See [`ToolName`].
    fn name(&self) -> &str;

    /// Returns what the tool does, for the model: for a tool that knows more than its arguments' doc comment can say.
    fn description(&self) -> Option<String> {
        None
    }

    /// Returns what the tool does to its surroundings. A tool that declares nothing counts as dangerous.
    ///
    /// It is asked once, when the tool is added to a registry.
    fn annotations(&self) -> Annotations {
        Annotations::default()
    }

    /// Runs the tool: the only code that has effects.
    ///
    /// What it writes through `view` takes effect as a whole when it returns `Ok`, and not at all otherwise. It may panic: that
    /// gives [`ErrorCode::InternalError`](crate::ErrorCode::InternalError) and leaves the workspace as it was.
    ///
    /// # Errors
    ///
    /// A [`ToolFailure`], which is news for the model.
    fn run(&self, args: Self::Args, view: &mut View<'_>) -> Result<Self::Output, ToolFailure>;
}

/// What a tool does to its surroundings.
///
/// The names and meanings are those of the hints of the
/// [Model Context Protocol](https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations), and so are the defaults: the
/// dangerous side of each.
///
/// ```
/// use dispatch_core::Annotations;
///
/// let undeclared = Annotations::default();
/// assert!(!undeclared.read_only && undeclared.destructive && !undeclared.idempotent && undeclared.open_world);
/// let reader = Annotations::read_only();
/// assert!(reader.read_only && !reader.destructive && reader.idempotent && !reader.open_world);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "four independent hints, as the protocol has them")]
pub struct Annotations {
    /// The tool changes nothing.
    pub read_only: bool,
    /// The tool may destroy what is there, where it is not read-only.
    pub destructive: bool,
    /// To call the tool again with the same arguments changes nothing further.
    pub idempotent: bool,
    /// The tool reaches beyond a closed world such as the workspace.
    pub open_world: bool,
}

impl Annotations {
    /// Returns the annotations of a tool that changes nothing and reaches for nothing outside.
    pub const fn read_only() -> Self {
        Self { read_only: true, destructive: false, idempotent: true, open_world: false }
    }

    /// Returns the hints as JSON, under MCP's names.
    pub fn to_json(self) -> serde_json::Value {
        serde_json::json!({
            "destructiveHint": self.destructive,
            "idempotentHint": self.idempotent,
            "openWorldHint": self.open_world,
            "readOnlyHint": self.read_only,
        })
    }
}

impl Default for Annotations {
    fn default() -> Self {
        Self { read_only: false, destructive: true, idempotent: false, open_world: true }
    }
}
