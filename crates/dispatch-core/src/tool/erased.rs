//! Tools whose types are no longer known.

use std::marker::PhantomData;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Annotations, Tool};
use crate::failure::{CallError, Detail};
use crate::json::JsonPath;
use crate::observation::{Observation, ToolOutput as _};
use crate::schema::{self, UnsupportedSchema};
use crate::workspace::View;

/// A handler with its decoded arguments inside: all that is left is to run it.
pub(crate) type Handler = Box<dyn FnOnce(&mut View<'_>) -> Result<Observation, CallError> + Send>;

/// A tool as the registry holds it.
pub(crate) trait ErasedTool: Send + Sync {
    /// Returns the JSON Schema of the arguments, with the tool's description as its own.
    fn schema(&self) -> Value;

    fn annotations(&self) -> Annotations;

    /// Checks what the schema alone can't show to be wrong.
    fn check(&self, _schema: &Value) -> Result<(), UnsupportedSchema> {
        Ok(())
    }

    /// Decodes arguments that fit the schema. What their type can't hold all the same is told as their fault.
    ///
    /// A tool that its host runs has no handler.
    fn handler(&self, arguments: &Value) -> Result<Option<Handler>, Detail>;
}

pub(crate) fn erase(tool: impl Tool) -> Box<dyn ErasedTool> {
    Box::new(Typed(Arc::new(tool)))
}

struct Typed<T>(Arc<T>);

impl<T: Tool> ErasedTool for Typed<T> {
    fn schema(&self) -> Value {
        let mut schema = schema::of::<T::Args>();
        if let Some((description, schema)) = self.0.description().zip(schema.as_object_mut()) {
            schema.insert("description".to_owned(), description.into());
        }
        schema
    }

    fn annotations(&self) -> Annotations {
        self.0.annotations()
    }

    fn check(&self, schema: &Value) -> Result<(), UnsupportedSchema> {
        schema::check_told(schema)
    }

    fn handler(&self, arguments: &Value) -> Result<Option<Handler>, Detail> {
        let decoded = decode::<T::Args>(arguments)?;
        let tool = Arc::clone(&self.0);
        Ok(Some(Box::new(move |view| Ok(tool.run(decoded, view)?.into_observation()?))))
    }
}

/// A tool of which only name and arguments are declared here, and that its host runs.
pub(crate) fn host_run<Args>(annotations: Annotations) -> Box<dyn ErasedTool>
where
    Args: DeserializeOwned + JsonSchema + 'static,
{
    Box::new(HostRun::<Args> { annotations, args: PhantomData })
}

struct HostRun<Args> {
    annotations: Annotations,
    args: PhantomData<fn() -> Args>,
}

impl<Args: DeserializeOwned + JsonSchema + 'static> ErasedTool for HostRun<Args> {
    fn schema(&self) -> Value {
        schema::of::<Args>()
    }

    fn annotations(&self) -> Annotations {
        self.annotations
    }

    fn handler(&self, arguments: &Value) -> Result<Option<Handler>, Detail> {
        decode::<Args>(arguments).map(|_fits| None)
    }
}

/// Decodes arguments. What their type can't hold is told with its place.
pub(crate) fn decode<Args: DeserializeOwned>(arguments: &Value) -> Result<Args, Detail> {
    Args::deserialize(arguments).or_else(|_without_place| decode_for_place(arguments))
}

/// Decodes once more, for the place of the fault: keeping track of it takes time that arguments which fit need not spend.
fn decode_for_place<Args: DeserializeOwned>(arguments: &Value) -> Result<Args, Detail> {
    use serde_path_to_error::Segment;
    serde_path_to_error::deserialize(arguments).map_err(|error: serde_path_to_error::Error<serde_json::Error>| {
        let path = error.path().iter().fold(JsonPath::root(), |path, segment| match segment {
            Segment::Seq { index } => path.index(*index),
            Segment::Map { key } | Segment::Enum { variant: key } => path.member(key),
            Segment::Unknown => path,
        });
        Detail { path, message: error.inner().to_string() }
    })
}
