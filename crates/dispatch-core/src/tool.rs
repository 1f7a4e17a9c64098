//! Tools: a name, typed arguments, a handler.

use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize as _;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::failure::{Detail, ToolFailure};
use crate::json::JsonPath;
use crate::observation::Observation;
use crate::schema;
use crate::workspace::View;

/// A named operation with typed arguments.
///
/// The JSON Schema of the arguments is made from their type: doc comments become descriptions, a field with a default or of type
/// `Option` is optional, unknown fields are refused, and integers carry their type's bounds.
///
/// ```
/// use dispatch_core::{Gates, Registry, Tool, ToolCall, ToolFailure, json::Document};
/// use dispatch_core::workspace::{MemoryWorkspace, View};
///
/// struct Greet;
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
///     fn run(&self, args: GreetArgs, _view: &mut View<'_>) -> Result<String, ToolFailure> {
///         Ok(format!("Hello, {}!", args.name))
///     }
/// }
///
/// let gates = Gates::new(Registry::builder().tool(Greet).build()?);
/// let call = ToolCall::new("greet", Document::parse(br#"{"name": "Ada"}"#.to_vec())?);
/// let result = gates.admit(call).unwrap().run(&mut MemoryWorkspace::default());
/// assert_eq!(result.observation().unwrap().text(), "Hello, Ada!");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Tool: Send + Sync + 'static {
    /// The arguments. Their doc comment is the tool's description.
    type Args: DeserializeOwned + JsonSchema + 'static + Send;
    /// What the handler returns when it succeeded.
    type Output: Into<Observation>;

    /// Returns the name that calls ask for it by. See [`ToolName`].
    fn name(&self) -> &str;

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

/// A tool's name: 1 to 128 of the letters `A-Z`, `a-z`, `0-9`, `_`, `-` and `.`.
///
/// The alphabet and length are those of the [Model Context Protocol](https://modelcontextprotocol.io/specification/2025-11-25/server/tools);
/// providers take less.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ToolName(Box<str>);

/// A text that can't be a tool's name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no tool name: it must be 1 to 128 of the letters A-Z, a-z, 0-9, `_`, `-` and `.`")]
pub struct InvalidToolName(String);

impl ToolName {
    /// Checks a name.
    ///
    /// # Errors
    ///
    /// [`InvalidToolName`] when it has other letters or another length.
    ///
    /// ```
    /// use dispatch_core::ToolName;
    ///
    /// assert_eq!(ToolName::new("read_file")?.as_str(), "read_file");
    /// assert!(ToolName::new("read file").is_err());
    /// # Ok::<(), dispatch_core::InvalidToolName>(())
    /// ```
    pub fn new(name: &str) -> Result<Self, InvalidToolName> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        if (1..=128).contains(&name.len()) && name.bytes().all(allowed) {
            Ok(Self(name.into()))
        } else {
            Err(InvalidToolName(name.to_owned()))
        }
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::borrow::Borrow<str> for ToolName {
    fn borrow(&self) -> &str {
        &self.0
    }
}

/// A handler with its decoded arguments inside: all that is left is to run it.
pub(crate) type Handler = Box<dyn FnOnce(&mut View<'_>) -> Result<Observation, ToolFailure> + Send>;

/// A tool whose types are no longer known. Made from a [`Tool`] by [`erase`].
pub(crate) trait ErasedTool: Send + Sync {
    /// Returns the JSON Schema of the arguments.
    fn schema(&self) -> Value;

    /// Decodes arguments that fit the schema. What their type can't hold all the same is told as their fault.
    fn handler(&self, args: &Value) -> Result<Handler, Detail>;
}

pub(crate) fn erase(tool: impl Tool) -> Box<dyn ErasedTool> {
    Box::new(Typed(Arc::new(tool)))
}

struct Typed<T>(Arc<T>);

impl<T: Tool> ErasedTool for Typed<T> {
    fn schema(&self) -> Value {
        schema::of::<T::Args>()
    }

    fn handler(&self, args: &Value) -> Result<Handler, Detail> {
        let decoded = T::Args::deserialize(args).map_err(|_without_place| undecodable::<T::Args>(args))?;
        let tool = Arc::clone(&self.0);
        Ok(Box::new(move |view| tool.run(decoded, view).map(Into::into)))
    }
}

/// Decodes once more, for the place of the fault: keeping track of it takes time that arguments which fit need not spend.
fn undecodable<Args: DeserializeOwned>(args: &Value) -> Detail {
    use serde_path_to_error::Segment;
    let Err(error) = serde_path_to_error::deserialize::<_, Args>(args) else {
        return Detail { path: JsonPath::root(), message: "these arguments can't be decoded".to_owned() };
    };
    let path = error.path().iter().fold(JsonPath::root(), |path, segment| match segment {
        Segment::Seq { index } => path.index(*index),
        Segment::Map { key } | Segment::Enum { variant: key } => path.member(key),
        Segment::Unknown => path,
    });
    Detail { path, message: error.inner().to_string() }
}
