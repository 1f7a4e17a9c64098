//! Results: what every call ends in, paired with it.

use std::borrow::Cow;

use crate::call::ToolCall;
use crate::code::{Code, ErrorCode};
use crate::failure::CallError;
use crate::limits::Limits;
use crate::observation::{Image, Observation, Part, text_of};
use crate::stage::Stage;

/// What a call ended in: an observation or an error, with the call itself.
#[derive(Debug, Clone)]
pub struct ToolResult {
    call: ToolCall,
    outcome: Result<Observation, CallError>,
    showing: Showing,
    refused_at: Option<Stage>,
}

/// How much of a result is shown.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Showing {
    pub(crate) limits: Limits,
    /// Whether execution failures are explained.
    pub(crate) explains: bool,
}

/// An observation as it is shown to the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown<'r> {
    /// The text, within the limit.
    pub text: Cow<'r, str>,
    /// The length of the whole observation in bytes, where it was cut.
    pub truncated_from: Option<usize>,
}

/// A part of an observation as it is shown to the model. See [`ToolResult::shown_parts`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShownPart<'r> {
    /// Text, never empty.
    Text(Cow<'r, str>),
    /// An image.
    Image(&'r Image),
}

const INTERRUPTED: &str = "The call was interrupted. Nobody knows how far it came: its effects may have happened.";

impl ToolResult {
    pub(crate) fn new(call: ToolCall, outcome: Result<Observation, CallError>, showing: Showing) -> Self {
        Self { call, outcome, showing, refused_at: None }
    }

    /// The result of a call that a gate refused.
    pub(crate) fn rejected(stage: Stage, call: ToolCall, error: CallError, showing: Showing) -> Self {
        Self { call, outcome: Err(error), showing, refused_at: Some(stage) }
    }

    /// Makes the result of a call that was interrupted: nothing of how it ended was kept, and it is not to be run again to find out.
    ///
    /// It is the same each time, so that a record that is mended twice is mended once.
    ///
    /// ```
    /// use dispatch_core::{ToolCall, ToolResult, json::Document};
    ///
    /// let result = ToolResult::interrupted(ToolCall::new("deploy", Document::parse(b"{}".to_vec())?).with_id("c1"));
    /// assert_eq!(result.call().id(), Some("c1"));
    /// assert_eq!(
    ///     result.error().unwrap().text_for_model(),
    ///     "outcome_unknown: The call was interrupted. Nobody knows how far it came: its effects may have happened."
    /// );
    /// # Ok::<(), dispatch_core::json::Malformed>(())
    /// ```
    pub fn interrupted(call: ToolCall) -> Self {
        let message = Some(INTERRUPTED.to_owned());
        let error = CallError { message, ..CallError::from(Code::from(ErrorCode::OutcomeUnknown)) };
        Self::new(call, Err(error), Showing::default())
    }

    /// Returns the call that this is the result of, as it came.
    pub fn call(&self) -> &ToolCall {
        &self.call
    }

    /// Returns what became of the call: the whole observation, or why it gave none.
    ///
    /// # Errors
    ///
    /// The call's own, of which a model may be told [so much](CallError::text_for_model).
    ///
    /// ```
    /// use dispatch_core::workspace::MemoryWorkspace;
    /// use dispatch_core::{Gates, ToolCall, json::Document, tools};
    ///
    /// let gates = Gates::new(tools::core_registry());
    /// let call = ToolCall::new("read_file", Document::parse(br#"{"path": "a.txt"}"#.to_vec())?);
    /// let read = |mut workspace: MemoryWorkspace| gates.admit(call.clone()).map(|admitted| admitted.run(&mut workspace));
    /// assert_eq!(read(MemoryWorkspace::from_iter([("a.txt", "hi")]))?.outcome().unwrap().to_text(), "1: hi");
    /// let gone = read(MemoryWorkspace::default())?;
    /// assert_eq!(gone.outcome().unwrap_err().code.as_str(), "file_not_found");
    /// assert!(!gone.is_rejection());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn outcome(&self) -> Result<&Observation, &CallError> {
        self.outcome.as_ref()
    }

    /// Puts another observation in place of the one that the call gave. Of a call that gave none, nothing changes.
    ///
    /// For a host that tells of a call what its handler does not know, such as what it would have changed.
    ///
    /// ```
    /// use dispatch_core::workspace::MemoryWorkspace;
    /// use dispatch_core::{Gates, Observation, ToolCall, json::Document, tools};
    ///
    /// let gates = Gates::new(tools::core_registry());
    /// let call = ToolCall::new("write_file", Document::parse(br#"{"path": "a", "content": ""}"#.to_vec())?);
    /// let (result, changes) = gates.admit(call)?.preview(&MemoryWorkspace::default());
    /// let told = result.with_observation(Observation::text(format!("{} file would change", changes.files().count())));
    /// assert_eq!(told.shown().unwrap().text, "1 file would change");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_observation(self, observation: Observation) -> Self {
        Self { outcome: self.outcome.map(|_given| observation), ..self }
    }

    /// Returns whether a gate refused the call. It then had no effect at all.
    pub fn is_rejection(&self) -> bool {
        self.refused_at.is_some()
    }

    /// Returns the gate that refused the call, if one did.
    ///
    /// ```
    /// use dispatch_core::{Gates, Stage, ToolCall, json::Document, tools};
    ///
    /// let call = ToolCall::new("read_file", Document::parse(b"{}".to_vec())?);
    /// let rejection = Gates::new(tools::core_registry()).admit(call).unwrap_err();
    /// assert_eq!(rejection.into_result().refused_at(), Some(Stage::Valid));
    /// # Ok::<(), dispatch_core::json::Malformed>(())
    /// ```
    pub fn refused_at(&self) -> Option<Stage> {
        self.refused_at
    }

    /// Returns how much of it is shown.
    pub(crate) fn limits(&self) -> Limits {
        self.showing.limits
    }

    /// Returns the whole observation of a call that succeeded.
    pub fn observation(&self) -> Option<&Observation> {
        self.outcome.as_ref().ok()
    }

    /// Returns the observation as it is shown to the model: within the limits that were in force.
    ///
    /// An effect already done is not turned into an error because its output was long.
    pub fn shown(&self) -> Option<Shown<'_>> {
        let whole = self.observation()?.to_text();
        let whole_bytes = whole.len();
        let text = match whole {
            Cow::Borrowed(whole) => self.showing.limits.cut(whole),
            Cow::Owned(whole) if whole_bytes <= self.showing.limits.max_output_len() => Cow::Owned(whole),
            Cow::Owned(whole) => Cow::Owned(self.showing.limits.cut(&whole).into_owned()),
        };
        let truncated_from = (text.len() < whole_bytes).then_some(whole_bytes);
        Some(Shown { text, truncated_from })
    }

    /// Returns the observation as it is shown to a model that takes images: text and images apart, in their order.
    ///
    /// The limits bound the text alone. Where it was cut, nothing says any longer between which words an image stood: the text that is left comes
    /// first then, and the images after it.
    ///
    /// ```
    /// use dispatch_core::{Image, Json, Observation, Part, Registry, ShownPart, Gates, ToolCall, json::Document, tool_fn};
    /// use dispatch_core::workspace::MemoryWorkspace;
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Screenshot {}
    ///
    /// let image = Image { media_type: "image/png".to_owned(), base64: "iVBORw0KGgo=".to_owned() };
    /// let shot = Observation::text("the page").with(Part::Image(image.clone()));
    /// let gates = Gates::new(Registry::builder().tool(tool_fn("shoot", move |_: Screenshot| Ok(shot.clone()))).build()?);
    /// let call = ToolCall::new("shoot", Document::parse(b"{}".to_vec())?);
    /// let result = gates.admit(call)?.run(&mut MemoryWorkspace::default());
    /// assert_eq!(result.shown().unwrap().text, "the page\n[image/png]");
    /// assert_eq!(result.shown_parts().unwrap(), [ShownPart::Text("the page".into()), ShownPart::Image(&image)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shown_parts(&self) -> Option<Vec<ShownPart<'_>>> {
        let shown = self.shown()?;
        let parts = self.observation()?.parts();
        let images = parts.iter().filter_map(Part::as_image).map(ShownPart::Image);
        if shown.truncated_from.is_some() {
            return Some(std::iter::once(ShownPart::Text(shown.text)).chain(images).collect());
        }
        let runs = parts.chunk_by(|one, next| one.as_image().is_none() && next.as_image().is_none());
        Some(runs.filter_map(ShownPart::of_run).collect())
    }

    /// Returns whether the session's execution failures are to be explained: with a text and details for the model, whatever their code.
    pub fn explains(&self) -> bool {
        self.showing.explains
    }

    /// Returns why the call gave no observation.
    pub fn error(&self) -> Option<&CallError> {
        self.outcome.as_ref().err()
    }
}

impl<'r> ShownPart<'r> {
    /// Makes a part of an image, or of parts without one. Of no text there is nothing to show.
    fn of_run(run: &'r [Part]) -> Option<Self> {
        match run {
            [Part::Image(image)] => Some(Self::Image(image)),
            texts => Some(text_of(texts)).filter(|text| !text.is_empty()).map(Self::Text),
        }
    }
}
