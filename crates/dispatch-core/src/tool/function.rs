//! Tools that are one function.

use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::{Annotations, Tool};
use crate::failure::ToolFailure;
use crate::observation::ToolOutput;
use crate::workspace::View;

/// Makes a tool of a function: of its arguments alone, or of its arguments and a [`View`].
///
/// ```
/// use dispatch_core::{Json, Registry, ToolFailure, tool_fn};
/// use dispatch_core::workspace::View;
///
/// /// Adds a step to a value.
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Increment {
///     value: i64,
///     #[serde(default = "one")]
///     step: i64,
/// }
///
/// fn one() -> i64 {
///     1
/// }
///
/// fn increment(args: Increment) -> Result<Json<i64>, ToolFailure> {
///     Ok(Json(args.value.saturating_add(args.step)))
/// }
///
/// /// Counts the lines of a file.
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct CountLines {
///     path: String,
/// }
///
/// fn count_lines(args: CountLines, view: &mut View<'_>) -> Result<Json<usize>, ToolFailure> {
///     Ok(Json(view.read_text(&args.path)?.lines().count()))
/// }
///
/// let registry = Registry::builder()
///     .tool(tool_fn("increment", increment))
///     .tool(tool_fn("count_lines", count_lines))
///     .build()?;
/// assert_eq!(registry.spec("increment").unwrap().description, "Adds a step to a value.");
/// # Ok::<(), dispatch_core::RegistryError>(())
/// ```
pub fn tool_fn<F, Form>(name: impl Into<String>, function: F) -> FunctionTool<F, Form>
where
    F: ToolFunction<Form>,
{
    FunctionTool { name: name.into(), annotations: Annotations::default(), function, form: PhantomData }
}

/// A tool that is one function. Made by [`tool_fn`].
#[derive(Debug)]
pub struct FunctionTool<F, Form> {
    name: String,
    annotations: Annotations,
    function: F,
    form: PhantomData<fn() -> Form>,
}

impl<F, Form> FunctionTool<F, Form> {
    /// Declares what the tool does to its surroundings.
    #[must_use]
    pub fn annotated(mut self, annotations: Annotations) -> Self {
        self.annotations = annotations;
        self
    }
}

impl<F: ToolFunction<Form>, Form: 'static> Tool for FunctionTool<F, Form> {
    type Args = F::Args;
    type Output = F::Output;

    fn name(&self) -> &str {
        &self.name
    }

    fn annotations(&self) -> Annotations {
        self.annotations
    }

    fn run(&self, args: F::Args, view: &mut View<'_>) -> Result<F::Output, ToolFailure> {
        self.function.call(args, view)
    }
}

/// A function that can be a tool. `Form` tells its two forms apart, and is inferred.
pub trait ToolFunction<Form>: Send + Sync + 'static {
    /// The arguments. Their doc comment is the tool's description.
    type Args: DeserializeOwned + JsonSchema + Send + 'static;
    /// What the function returns when it succeeded.
    type Output: ToolOutput;

    /// Calls the function.
    ///
    /// # Errors
    ///
    /// The function's own.
    fn call(&self, args: Self::Args, view: &mut View<'_>) -> Result<Self::Output, ToolFailure>;
}

impl<F, Args, Output> ToolFunction<(Args,)> for F
where
    F: Fn(Args) -> Result<Output, ToolFailure> + Send + Sync + 'static,
    Args: DeserializeOwned + JsonSchema + Send + 'static,
    Output: ToolOutput,
{
    type Args = Args;
    type Output = Output;

    fn call(&self, args: Args, _view: &mut View<'_>) -> Result<Output, ToolFailure> {
        self(args)
    }
}

impl<F, Args, Output> ToolFunction<(Args, View<'static>)> for F
where
    F: Fn(Args, &mut View<'_>) -> Result<Output, ToolFailure> + Send + Sync + 'static,
    Args: DeserializeOwned + JsonSchema + Send + 'static,
    Output: ToolOutput,
{
    type Args = Args;
    type Output = Output;

    fn call(&self, args: Args, view: &mut View<'_>) -> Result<Output, ToolFailure> {
        self(args, view)
    }
}
