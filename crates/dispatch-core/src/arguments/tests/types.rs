//! Argument types of every kind that a tool may have, each with arguments that fit.

#![expect(dead_code, reason = "what is decoded here is not used")]
#![expect(clippy::unnecessary_wraps, reason = "a default has the type of its field")]

mod odd;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::num::NonZeroU32;

use schemars::JsonSchema;
use serde::Deserialize;

pub(super) use odd::{Ambiguous, Flat, Overlapping, Sets, Whole};

/// Structures, and what is optional.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Nested {
    place: Point,
    places: Vec<Point>,
    home: Option<Point>,
    tags: Option<Vec<String>>,
    #[serde(default)]
    retries: u8,
    #[serde(default = "two")]
    factor: Option<u8>,
    #[serde(default)]
    speed: Mode,
    #[serde(default = "careful")]
    way: Option<Mode>,
    #[serde(rename = "odd name")]
    odd: bool,
}

fn two() -> Option<u8> {
    Some(2)
}

fn careful() -> Option<Mode> {
    Some(Mode::VeryCareful)
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct Point {
    x: i32,
    /// Down.
    y: i32,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash, Deserialize, serde::Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Mode {
    #[default]
    Fast,
    VeryCareful,
}

impl Nested {
    pub(super) const FITTING: &str = r#"{"place": {"x": 1, "y": -2}, "places": [{"x": 0, "y": 0}, {"x": 1, "y": 1}], "home": {"x": 3, "y": 4},
        "tags": ["a", "b"], "retries": 3, "factor": 4, "speed": "very_careful", "way": "fast", "odd name": true}"#;
}

/// Numbers of every width, and letters.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Numbers {
    i8: i8,
    i16: i16,
    i32: i32,
    i64: i64,
    isize: isize,
    u8: u8,
    u16: u16,
    u32: u32,
    u64: u64,
    usize: usize,
    f32: f32,
    f64: f64,
    non_zero: NonZeroU32,
    small: Option<u8>,
    char: char,
}

impl Numbers {
    pub(super) const FITTING: &str = r#"{"i8": -128, "i16": 32767, "i32": -2147483648, "i64": 9223372036854775807, "isize": 0, "u8": 255,
        "u16": 65535, "u32": 4294967295, "u64": 18446744073709551615, "usize": 1, "f32": 0.5, "f64": 1e300, "non_zero": 1, "small": null,
        "char": "é"}"#;
}

/// Enums in each of serde's forms.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Choices {
    action: Action,
    shape: Figure,
    target: Target,
    adjacent: Adjacent,
    level: Level,
    maybe_level: Option<Level>,
    maybe_action: Option<Action>,
    maybe_target: Option<Target>,
}

/// Told apart by a tag inside.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Action {
    Stop,
    Move { by: Point, slowly: Option<bool> },
    Say { text: String, times: Option<u8> },
    Mark(Point),
}

/// Told apart by a name around.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) enum Figure {
    /// Nothing.
    Empty,
    Circle(f32),
    Pair(i8, i8),
    Box {
        width: u8,
        height: u8,
    },
    /// Everything.
    Full,
}

/// Told apart by what fits.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Target {
    Number(i64),
    Name(String),
    Of { id: u8 },
    Many(Vec<u8>),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
pub(super) enum Adjacent {
    Nothing,
    Name(String),
    Size { w: u8 },
}

/// A word, each with a text.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) enum Level {
    /// Not much.
    Low,
    /// A lot.
    High,
}

impl Choices {
    pub(super) const FITTING: &str = r#"{"action": {"kind": "move", "by": {"x": 1, "y": 2}}, "shape": {"Box": {"width": 1, "height": 2}},
        "target": {"id": 1}, "adjacent": {"t": "Size", "c": {"w": 1}}, "level": "Low", "maybe_level": "High",
        "maybe_action": {"kind": "mark", "x": 1, "y": 2}, "maybe_target": [1, 2]}"#;
}

/// Collections.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Collections {
    map: HashMap<String, i8>,
    modes: HashMap<Mode, i8>,
    points: BTreeMap<String, Point>,
    set: BTreeSet<u8>,
    tuple: (String, u8, Option<bool>),
    array: [i8; 3],
    grid: Vec<Vec<f32>>,
    anything: serde_json::Value,
    object: serde_json::Map<String, serde_json::Value>,
    unit: (),
}

impl Collections {
    pub(super) const FITTING: &str = r#"{"map": {"a": 1, "odd key": 2}, "modes": {"fast": 1}, "points": {"p": {"x": 1, "y": 2}}, "set": [1, 2, 3],
        "tuple": ["a", 1, null], "array": [1, 2, 3], "grid": [[1, 0.5], []], "anything": {"a": [1.0]}, "object": {"b": 2e0}, "unit": null}"#;
}

/// A structure within itself.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Forest {
    trees: Vec<Tree>,
    first: Option<Box<Tree>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Tree {
    name: String,
    left: Option<Box<Tree>>,
    #[serde(default)]
    others: Vec<Tree>,
}

impl Forest {
    pub(super) const FITTING: &str = r#"{"trees": [{"name": "a", "left": {"name": "b"}, "others": [{"name": "c", "left": null}]}],
        "first": {"name": "d", "others": []}}"#;
}
