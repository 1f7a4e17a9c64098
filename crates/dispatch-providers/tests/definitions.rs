//! Definitions keep their meaning: a schema that went out and came back takes the same arguments, but for the losses that were told.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a fault here is a test that fails")]

use std::collections::BTreeMap;

use dispatch_core::json::Document;
use dispatch_core::{Annotations, Registry, ToolCall, ToolName, ToolSpec};
use dispatch_providers::{Definitions, Loss, Provider, Strictness};
use proptest::prelude::*;
use serde_json::{Value, json};

fn spec(input_schema: Value) -> ToolSpec {
    let (name, annotations) = (ToolName::new("t").unwrap(), Annotations::default());
    ToolSpec { name, description: String::new(), input_schema, annotations }
}

fn accepts(schema: &Value, value: &Value) -> bool {
    jsonschema::options().build(schema).unwrap().is_valid(value)
}

fn back(provider: Provider, definitions: &Definitions) -> Value {
    let mut tools = provider.tools_in(&definitions.value).unwrap();
    assert_eq!(tools.len(), 1);
    tools.remove(0).input_schema
}

/// Whether a loss lets more through, and nothing less.
fn widens(loss: &Loss) -> bool {
    ["left out", "anyOf", "minimum", "maximum"].contains(&loss.became.as_str()) || loss.became.starts_with("without ")
}

/// Small schemas of what argument types give, with references into `$defs`.
fn schemas() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(json!({"type": "string"})),
        Just(json!({"type": "string", "minLength": 1, "maxLength": 2})),
        Just(json!({"type": "string", "enum": ["a", "bc"]})),
        Just(json!({"type": ["string", "null"], "enum": ["a", null]})),
        Just(json!({"const": "a"})),
        Just(json!({"const": 1})),
        Just(json!({"type": "integer", "minimum": 0, "exclusiveMaximum": 2})),
        Just(json!({"type": "number", "exclusiveMinimum": 0})),
        Just(json!({"type": "boolean"})),
        Just(json!({"type": "null"})),
        Just(json!({"type": ["integer", "null"]})),
        Just(json!({"type": ["string", "integer"], "minLength": 1, "minimum": 1})),
        Just(json!({"$ref": "#/$defs/leaf"})),
        Just(json!({"$ref": "#/$defs/pair"})),
    ];
    let inner = scalar.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            (inner.clone(), 0..2u8)
                .prop_map(|(items, least)| json!({"type": "array", "items": items, "minItems": least})),
            objects(inner.clone()),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| json!({"anyOf": [a, b]})),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| json!({"oneOf": [a, b]})),
            inner.clone().prop_map(|a| json!({"anyOf": [a, {"type": "null"}]})),
            inner.prop_map(|a| json!({"allOf": [a]})),
        ]
    });
    objects(inner).prop_map(|mut root| {
        root["$defs"] = json!({
            "leaf": {"type": "string", "maxLength": 1},
            "pair": {"type": "object", "properties": {"a": {"$ref": "#/$defs/leaf"}, "b": {"type": "integer"}}, "required": ["a"], "additionalProperties": false},
        });
        root
    })
}

fn objects(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    let property = ("[abc]", inner, any::<bool>());
    (prop::collection::vec(property, 1..4), any::<bool>()).prop_map(|(properties, is_closed)| {
        let required: Vec<&String> =
            properties.iter().filter(|(.., required)| *required).map(|(name, ..)| name).collect();
        let required: std::collections::BTreeSet<_> = required.into_iter().collect();
        let named: BTreeMap<&String, &Value> = properties.iter().map(|(name, schema, _)| (name, schema)).collect();
        let mut object = json!({"type": "object", "properties": named, "required": required});
        if is_closed {
            object["additionalProperties"] = false.into();
        }
        object
    })
}

fn values() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(json!(null)),
        Just(json!(true)),
        Just(json!("")),
        Just(json!("a")),
        Just(json!("bcd")),
        Just(json!(0)),
        Just(json!(1)),
        Just(json!(2)),
        Just(json!(0.5)),
        Just(json!(-1)),
    ];
    scalar.prop_recursive(3, 16, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map("[abcd]", inner, 0..4).prop_map(|members| json!(members)),
        ]
    })
}

/// Values that a schema makes likely, and some that it doesn't.
fn value_for(schema: &Value, root: &Value, choose: &mut impl FnMut(usize) -> usize, depth: usize) -> Value {
    let leaves =
        [json!(null), json!("a"), json!("bc"), json!(1), json!(0), json!(0.5), json!(true), json!({}), json!([])];
    if depth > 6 || choose(12) == 0 {
        return leaves[choose(leaves.len())].clone();
    }
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        return value_for(root.pointer(&reference[1..]).unwrap(), root, choose, depth + 1);
    }
    for keyword in ["anyOf", "oneOf", "allOf"] {
        if let Some(branches) = schema.get(keyword).and_then(Value::as_array) {
            return value_for(&branches[choose(branches.len())], root, choose, depth + 1);
        }
    }
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        let mut members = serde_json::Map::new();
        for (name, schema) in properties {
            if choose(5) > 0 {
                members.insert(name.clone(), value_for(schema, root, choose, depth + 1));
            }
        }
        return members.into();
    }
    if let Some(items) = schema.get("items") {
        return (0..choose(3)).map(|_| value_for(items, root, choose, depth + 1)).collect();
    }
    if let Some(only) = schema.get("const") {
        return only.clone();
    }
    leaves[choose(leaves.len())].clone()
}

/// A simple source of choices, the same each time.
fn chooser(mut state: u64) -> impl FnMut(usize) -> usize {
    move |options| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % options
    }
}

/// Reads arguments as strict mode writes them, by the way that a host has: a turn and its registry.
fn read_strictly(schema: &Value, args: &Value) -> Value {
    let tool = dispatch_core::GivenTool::new("t", "", schema).unwrap();
    let registry = Registry::builder().given(tool).build_deferred().unwrap();
    let message =
        json!({"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "t", "input": args}]});
    let conversation = Provider::Anthropic.read(message.to_string().into_bytes()).unwrap();
    let turn = conversation.turn().unwrap().unwrap().read_strictly(&registry);
    let [call] = turn.calls() else { panic!("there is one call") };
    assert!(call.raw().contains("tool_use"), "the text of the call is kept");
    call.args().as_json().unwrap().node().to_json()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn what_went_out_and_came_back_takes_the_same(schema in schemas(), value in values(), seed in any::<u64>()) {
        let likely: Vec<Value> = (0..8).map(|n| value_for(&schema, &schema, &mut chooser(seed ^ n), 0)).collect();
        for provider in Provider::ALL {
            let definitions = provider.definitions([&spec(schema.clone())], Strictness::Advisory).unwrap();
            let returned = back(*provider, &definitions);
            for value in likely.iter().chain([&value]).filter(|value| value.is_object()) {
                let (before, after) = (accepts(&schema, value), accepts(&returned, value));
                let agree = before == after || (after && !definitions.losses.is_empty());
                prop_assert!(agree || !definitions.losses.iter().all(widens), "{provider}: {value}: {schema} {returned}");
            }
        }
    }

    #[test]
    fn what_strict_mode_lets_through_is_right_once_read(schema in schemas(), seed in any::<u64>()) {
        for provider in [Provider::OpenAiChat, Provider::Anthropic] {
            let Ok(definitions) = provider.definitions([&spec(schema.clone())], Strictness::Strict) else { continue };
            let strict = back(provider, &definitions);
            for n in 0..8 {
                let value = value_for(&strict, &strict, &mut chooser(seed ^ n), 0);
                if value.is_object() && accepts(&strict, &value) && definitions.losses.is_empty() {
                    let read = read_strictly(&schema, &value);
                    prop_assert!(accepts(&schema, &read), "{value} {read}: {schema} {strict}");
                }
            }
        }
    }

    #[test]
    fn strict_mode_can_say_all_that_is_right(schema in schemas(), seed in any::<u64>()) {
        let Ok(definitions) = Provider::OpenAiChat.definitions([&spec(schema.clone())], Strictness::Strict) else { return Ok(()) };
        let strict = back(Provider::OpenAiChat, &definitions);
        prop_assert!(is_closed(&strict), "{strict}");
        for n in 0..8 {
            let value = value_for(&schema, &schema, &mut chooser(seed ^ n), 0);
            if value.is_object() && accepts(&strict, &value) {
                prop_assert!(!definitions.losses.is_empty() || accepts(&schema, &read_strictly(&schema, &value)));
            }
        }
    }
}

/// Whether every object is closed, and requires all that it knows.
fn is_closed(schema: &Value) -> bool {
    let closed = match schema.get("properties").and_then(Value::as_object) {
        None => true,
        Some(properties) if schema.get("type").is_some() => {
            schema["additionalProperties"] == false
                && schema["required"].as_array().unwrap().len() == properties.len()
                && properties.values().all(is_closed)
        }
        Some(properties) => properties.values().all(is_closed),
    };
    let inner = ["items"].iter().filter_map(|keyword| schema.get(*keyword));
    let listed = schema.get("anyOf").and_then(Value::as_array).into_iter().flatten();
    let named = schema.get("$defs").and_then(Value::as_object).into_iter().flat_map(serde_json::Map::values);
    closed && inner.chain(listed).chain(named).all(is_closed)
}

#[test]
fn a_call_that_is_read_strictly_is_still_the_same_call() {
    let document = Document::parse(br#"{"a":null}"#.to_vec()).unwrap();
    let call = ToolCall::new("t", document);
    assert_eq!(call.clone().with_args(dispatch_core::Args::from_text("{}")).identity(), call.identity());
}
