//! What a call that ran gives back.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use crate::json::write_value;
use crate::operator_text::OperatorText;

/// What a call that ran gives back, whole: a list of parts.
///
/// ```
/// use dispatch_core::{Observation, Part};
///
/// let observation = Observation::text("two matches").with(Part::Json(serde_json::json!({"b": 1, "a": 2})));
/// assert_eq!(observation.to_text(), "two matches\n{\"a\":2,\"b\":1}");
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Observation {
    parts: Vec<Part>,
}

/// A part of an [`Observation`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Part {
    /// Text.
    Text(String),
    /// A JSON value. As text it is compact, its keys sorted.
    Json(Value),
    /// An image.
    Image(Image),
}

/// An image, as providers' APIs take it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// The media type, such as `image/png`.
    pub media_type: String,
    /// The image's bytes in base64.
    pub base64: String,
}

impl Observation {
    /// Makes an observation of one text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { parts: vec![Part::Text(text.into())] }
    }

    /// Makes an observation of one JSON value.
    pub fn json(value: Value) -> Self {
        Self { parts: vec![Part::Json(value)] }
    }

    /// Returns this observation with one more part.
    #[must_use]
    pub fn with(mut self, part: Part) -> Self {
        self.parts.push(part);
        self
    }

    /// Returns the parts in their order.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Returns the observation as one text: its parts, with a newline between them.
    ///
    /// An image is told by its media type. Its base64 is never poured into text.
    pub fn to_text(&self) -> Cow<'_, str> {
        text_of(&self.parts)
    }
}

/// Returns parts as one text.
pub(crate) fn text_of(parts: &[Part]) -> Cow<'_, str> {
    match parts {
        [] => Cow::Borrowed(""),
        [only] => only.to_text(),
        parts => Cow::Owned(parts.iter().map(Part::to_text).collect::<Vec<_>>().join("\n")),
    }
}

impl Part {
    pub(crate) fn as_image(&self) -> Option<&Image> {
        match self {
            Self::Image(image) => Some(image),
            Self::Text(_) | Self::Json(_) => None,
        }
    }

    pub(crate) fn to_text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::Image(image) => Cow::Owned(format!("[{}]", image.media_type)),
            Self::Json(value) => {
                let mut text = Vec::with_capacity(128);
                // Writing to memory does not fail.
                let _ = write_value(&mut text, value);
                Cow::Owned(String::from_utf8(text).unwrap_or_default())
            }
        }
    }
}

/// What a handler may return when it succeeded.
///
/// Text is a [`String`]; a value that is to be sent as JSON is wrapped in [`Json`]; an [`Observation`] has parts of any kind.
pub trait ToolOutput {
    /// Makes an observation of the output.
    ///
    /// # Errors
    ///
    /// [`UnserialisableOutput`] when it can't be sent. The call then failed, and had no effect on the workspace.
    fn into_observation(self) -> Result<Observation, UnserialisableOutput>;
}

/// Output that can't be sent: the handler's fault. The text is for the operator.
///
/// ```
/// use dispatch_core::{Observation, ToolOutput, UnserialisableOutput};
///
/// struct Celsius(f64);
///
/// impl ToolOutput for Celsius {
///     fn into_observation(self) -> Result<Observation, UnserialisableOutput> {
///         if self.0 < -273.15 {
///             return Err(UnserialisableOutput::new(format!("{} is colder than anything", self.0)));
///         }
///         Ok(Observation::text(format!("{} °C", self.0)))
///     }
/// }
///
/// assert_eq!(Celsius(20.5).into_observation()?.to_text(), "20.5 °C");
/// assert!(Celsius(-300.0).into_observation().is_err());
/// # Ok::<(), UnserialisableOutput>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the handler returned what can't be serialised: {}", .0.as_str())]
pub struct UnserialisableOutput(OperatorText);

impl UnserialisableOutput {
    /// Makes an error from a text that says what is wrong with the output, for the operator alone: the model never sees it.
    pub fn new(operator_text: impl Into<OperatorText>) -> Self {
        Self(operator_text.into())
    }
}

/// Output that is sent as JSON.
///
/// ```
/// use dispatch_core::{Json, ToolOutput};
///
/// #[derive(serde::Serialize)]
/// struct Sum {
///     value: i64,
/// }
///
/// assert_eq!(Json(Sum { value: 3 }).into_observation()?.to_text(), r#"{"value":3}"#);
///
/// let map_without_text_keys = std::collections::BTreeMap::from([((1, 2), 3)]);
/// assert!(Json(map_without_text_keys).into_observation().is_err());
/// # Ok::<(), dispatch_core::UnserialisableOutput>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Json<T>(pub T);

impl ToolOutput for String {
    fn into_observation(self) -> Result<Observation, UnserialisableOutput> {
        Ok(Observation::text(self))
    }
}

impl ToolOutput for Observation {
    fn into_observation(self) -> Result<Observation, UnserialisableOutput> {
        Ok(self)
    }
}

impl<T: Serialize> ToolOutput for Json<T> {
    fn into_observation(self) -> Result<Observation, UnserialisableOutput> {
        let value = serde_json::to_value(self.0).map_err(|error| UnserialisableOutput::new(error.to_string()))?;
        Ok(Observation::json(value))
    }
}
