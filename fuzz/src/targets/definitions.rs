//! Tool definitions, in the shape of each provider.

use dispatch_core::ToolSpec;
use dispatch_providers::{Provider, Strictness};
use serde_json::Value;

use super::{Check, hold};

/// What is read can be written for every provider, or is refused by name.
pub(super) fn check(provider: Provider, input: &[u8]) -> Check {
    let Ok(value) = serde_json::from_slice::<Value>(input) else { return Ok(()) };
    let tools = match provider.tools_in(&value) {
        Ok(tools) => tools,
        Err(error) => return hold(!error.to_string().is_empty(), || "a failure says nothing".to_owned()),
    };
    let specs = tools.into_iter().filter_map(|tool| tool.into_spec().ok());
    specs.flat_map(|spec| Provider::ALL.iter().map(move |to| (spec.clone(), *to))).try_for_each(|(spec, to)| {
        comes_back(&spec, to, Strictness::Advisory)?;
        comes_back(&spec, to, Strictness::Strict)
    })
}

/// What was written is read as one tool, of the same name and description.
fn comes_back(spec: &ToolSpec, to: Provider, strictness: Strictness) -> Check {
    let Ok(written) = to.definitions([spec], strictness) else { return Ok(()) };
    let read = to.tools_in(&written.value).map_err(|error| format!("{to}: {error}: {}", written.value))?;
    let is_same =
        matches!(read.as_slice(), [tool] if tool.name == spec.name.as_str() && tool.description == spec.description);
    hold(is_same, || format!("{to}: {spec:?} became {}", written.value))
}
