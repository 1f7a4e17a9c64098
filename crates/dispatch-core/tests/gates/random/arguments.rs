//! Texts that nearly fit a schema: made by it, with a fault here and there.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

use super::tools::SCHEMAS;

type Text = BoxedStrategy<String>;

/// Arguments for a tool; of one that is not there, any.
pub(super) fn nearly_fitting(tool: &str) -> Text {
    SCHEMAS.get(tool).map_or_else(|| anything().boxed(), |schema| value(schema, schema, 3))
}

/// Text for a schema: mostly what fits, sometimes anything. `depth` bounds recursion.
fn value(schema: &Value, root: &Value, depth: u32) -> Text {
    prop_oneof![40 => fitting(schema, root, depth), 1 => anything()].boxed()
}

fn fitting(schema: &Value, root: &Value, depth: u32) -> Text {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let pointer = reference.trim_start_matches('#');
        return match root.pointer(pointer) {
            Some(target) if depth > 0 => value(target, root, depth - 1),
            _ => anything().boxed(),
        };
    }
    let branches = ["anyOf", "oneOf"].iter().find_map(|keyword| schema.get(*keyword)?.as_array());
    if let Some(branches) = branches {
        return any_of(branches.iter().map(|branch| value(branch, root, depth)).collect());
    }
    let listed =
        schema.get("enum").and_then(Value::as_array).cloned().or(schema.get("const").map(|only| vec![only.clone()]));
    if let Some(listed) = listed {
        return select(listed.iter().map(Value::to_string).collect::<Vec<_>>()).boxed();
    }
    let types =
        schema.get("type").map_or(&[][..], |types| types.as_array().map_or(std::slice::from_ref(types), Vec::as_slice));
    if types.is_empty() {
        return anything().boxed();
    }
    any_of(types.iter().filter_map(Value::as_str).map(|name| of_type(name, schema, root, depth)).collect())
}

fn any_of(texts: Vec<Text>) -> Text {
    proptest::strategy::Union::new(texts).boxed()
}

fn of_type(name: &str, schema: &Value, root: &Value, depth: u32) -> Text {
    match name {
        "null" => Just("null".to_owned()).boxed(),
        "boolean" => select(&["true", "false"][..]).prop_map(str::to_owned).boxed(),
        "string" => prop::collection::vec(letter(), 0..5).prop_map(|letters| quoted(&letters.concat())).boxed(),
        "array" => array(schema, root, depth),
        "object" => object(schema, root, depth),
        _ => number(schema),
    }
}

fn letter() -> impl Strategy<Value = &'static str> {
    select(&["a", "b", "a.txt", "/", "é", "😀", r"\n", r"\u0061", ".."][..])
}

fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

/// Numbers around the schema's bounds, spelled in several ways.
fn number(schema: &Value) -> Text {
    let bounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
    let around = |keyword: &&str| {
        let bound = schema.get(*keyword)?;
        let neighbours = bound.as_i64().into_iter().flat_map(|n| [n.saturating_sub(1), n.saturating_add(1)]);
        Some(neighbours.map(|n| n.to_string()).chain([bound.to_string()]).collect::<Vec<_>>())
    };
    let mut numbers: Vec<String> = bounds.iter().filter_map(around).flatten().collect();
    numbers.extend(["0", "1", "7", "1.5", "-0", "1e1", "18446744073709551616", "-1e300"].map(str::to_owned));
    (select(numbers), select(&["", "", "", ".0", "e0", "0", ".5"][..]))
        .prop_map(|(number, spelling)| spelled(&number, spelling))
        .boxed()
}

/// The number with a tail, where that is a number still.
fn spelled(number: &str, tail: &str) -> String {
    let is_plain = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    if is_plain && !(tail == "0" && number.trim_start_matches('-') == "0") {
        format!("{number}{tail}")
    } else {
        number.to_owned()
    }
}

fn array(schema: &Value, root: &Value, depth: u32) -> Text {
    if let Some(first) = schema.get("prefixItems").and_then(Value::as_array) {
        let items: Vec<Text> = first.iter().map(|item| value(item, root, depth)).collect();
        return (items, select(&["", "", "", ",1"][..]))
            .prop_map(|(items, more)| format!("[{}{more}]", items.join(",")))
            .boxed();
    }
    let item = schema.get("items").map_or_else(|| anything().boxed(), |items| value(items, root, depth));
    prop::collection::vec(item, 0..4).prop_map(|items| format!("[{}]", items.join(","))).boxed()
}

fn object(schema: &Value, root: &Value, depth: u32) -> Text {
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    let member = |(name, schema): (&String, &Value)| {
        let often = match schema {
            Value::Bool(false) => 0.02,
            _ if required.contains(&name.as_str()) => 0.98,
            _ => 0.3,
        };
        let name = quoted(name);
        prop::option::weighted(often, value(schema, root, depth).prop_map(move |value| format!("{name}:{value}")))
    };
    let members: Vec<_> = properties.iter().map(member).collect();
    let other = match schema.get("additionalProperties") {
        Some(Value::Object(_)) => (0.7, value(&schema["additionalProperties"], root, depth)),
        Some(Value::Bool(true)) => (0.5, anything().boxed()),
        _ => (0.02, anything().boxed()),
    };
    let other = prop::option::weighted(other.0, other.1.prop_map(|value| format!("\"other\":{value}")));
    let twice = prop::option::weighted(0.03, any::<prop::sample::Index>());
    (members, other, twice).prop_map(|(members, other, twice)| joined(members, other, twice)).boxed()
}

fn joined(members: Vec<Option<String>>, other: Option<String>, twice: Option<prop::sample::Index>) -> String {
    let mut members: Vec<String> = members.into_iter().flatten().chain(other).collect();
    let again = twice.filter(|_| !members.is_empty()).map(|twice| twice.get(&members).clone());
    members.extend(again);
    format!("{{{}}}", members.join(", "))
}

/// JSON of any kind.
fn anything() -> impl Strategy<Value = String> {
    let all = [
        "null",
        "true",
        "0",
        "1.5",
        "1e300",
        "\"\"",
        "\"1\"",
        "\"a\"",
        "[]",
        "[1,1.0]",
        "{}",
        r#"{"x":1}"#,
        r#"{"x":1,"y":2}"#,
        r#"{"x":1,"x":1}"#,
        r#"[[{"a":{"b":1,"b":2}}]]"#,
        r#"{"kind":"stop"}"#,
        r#"{"kind":"say","text":7}"#,
        r#"{"next":null}"#,
    ];
    select(all.map(str::to_owned).to_vec())
}
