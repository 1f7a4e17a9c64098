//! Tools that give what is no plain text.

use dispatch_core::workspace::View;
use dispatch_core::{Image, Observation, Part, Tool, ToolFailure};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::NoArgs;

/// Gives a text and an image.
#[derive(Debug)]
pub(super) struct Picture;

impl Tool for Picture {
    type Args = NoArgs;
    type Output = Observation;

    fn name(&self) -> &'static str {
        "picture"
    }

    fn run(&self, _: NoArgs, _: &mut View<'_>) -> Result<Observation, ToolFailure> {
        let image = Image { media_type: "image/png".to_owned(), base64: "iVBORw0KGgo=".to_owned() };
        Ok(Observation::text("shot").with(Part::Image(image)))
    }
}

/// Says how often to measure.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MeasureArgs {
    /// An optional argument with a default, which by its own schema is not null.
    #[serde(default = "once")]
    times: u8,
}

fn once() -> u8 {
    1
}

/// Gives an object.
#[derive(Debug)]
pub(super) struct Measure;

impl Tool for Measure {
    type Args = MeasureArgs;
    type Output = Observation;

    fn name(&self) -> &'static str {
        "measure"
    }

    fn run(&self, args: MeasureArgs, _: &mut View<'_>) -> Result<Observation, ToolFailure> {
        Ok(Observation::json(json!({"answer": 42 * u32::from(args.times)})))
    }
}
