//! Tools with arguments of every kind that types give.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use dispatch_core::workspace::View;
use dispatch_core::{GivenTool, Json, Observation, Registry, RegistryBuilder, ToolFailure, tool_fn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::support::{Counter, note};

/// The names of the tools that are there.
pub(crate) const NAMES: &[&str] = &["given", "note", "rich"];

/// Arguments of many types.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub(crate) struct Rich {
    flag: bool,
    #[serde(default)]
    tiny: i8,
    #[serde(default)]
    large: u64,
    #[serde(default)]
    #[schemars(range(min = -0.5, max = 1.5))]
    ratio: f32,
    #[serde(default)]
    mode: Mode,
    note: Option<String>,
    point: Option<Point>,
    #[serde(default)]
    #[schemars(length(max = 2))]
    points: Vec<Point>,
    action: Option<Action>,
    target: Option<Target>,
    #[serde(default)]
    labels: BTreeMap<String, i64>,
    pair: Option<(i8, String)>,
    list: Option<Box<List>>,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
struct Point {
    x: i32,
    y: i32,
}

#[derive(Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Mode {
    #[default]
    Fast,
    VeryCareful,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Action {
    Stop,
    Move { by: Point },
    Say { text: String, times: Option<u8> },
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
enum Target {
    Number(i64),
    Name(String),
    Place(Point),
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
struct List {
    next: Option<Box<List>>,
}

/// The schema of the tool that came from outside.
fn given() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "minLength": 1, "maxLength": 3},
            "age": {"type": ["integer", "null"], "minimum": 0, "exclusiveMaximum": 150, "default": 18},
            "kind": {"enum": ["a", 1, null, {"x": 1}]},
            "only": {"const": 1.0},
            "unique": {"type": "array", "items": {"type": "integer"}, "uniqueItems": true, "minItems": 1},
            "one": {"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 10}]},
            "open": {"type": "object", "properties": {"a": {"type": "integer", "default": 7}}, "additionalProperties": true},
            "none": false,
        },
        "required": ["name"],
    })
}

/// The schemas of their arguments, as the registry tells them.
pub(crate) static SCHEMAS: LazyLock<BTreeMap<String, Value>> = LazyLock::new(|| {
    let registry = registry(&Counter::default()).build().unwrap();
    let schema = |name: &&str| ((*name).to_owned(), registry.spec(name).unwrap().input_schema);
    NAMES.iter().map(schema).collect()
});

/// The tools. What runs is written into a file; every third run that could fails after that.
pub(crate) fn registry(runs: &Counter) -> RegistryBuilder {
    let (of_rich, of_given) = (runs.clone(), runs.clone());
    let rich = move |args: Rich, view: &mut View<'_>| {
        of_rich.count();
        let text = serde_json::to_string(&args).unwrap();
        finish(view, &text)?;
        Ok(Json(args))
    };
    let given = GivenTool::new("given", "", &given()).unwrap().run_by(move |arguments, view| {
        of_given.count();
        finish(view, &arguments.to_string())?;
        Ok(Observation::json(arguments))
    });
    Registry::builder().tool(tool_fn("rich", rich)).tool(note(runs)).given(given)
}

fn finish(view: &mut View<'_>, text: &str) -> Result<(), ToolFailure> {
    view.write("a.txt", text.to_owned())?;
    if text.len().is_multiple_of(3) { Err(dispatch_core::ErrorCode::Conflict.into()) } else { Ok(()) }
}
