//! The walker against a full JSON Schema validator: they must agree on every value.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::types::{Ambiguous, Choices, Collections, Flat, Forest, Nested, Numbers, Overlapping, Whole};
use crate::arguments::walk::judge;
use crate::json::Document;
use crate::schema::{self, Schema};

/// Values that are at the edge of something, or of another type than what they replace.
fn values() -> Vec<Value> {
    let numbers = [
        json!(0),
        json!(-1),
        json!(1),
        json!(1.0),
        json!(-0.0),
        json!(2.5),
        json!(3),
        json!(127),
        json!(128),
        json!(-129),
    ];
    let edges = [
        json!(255),
        json!(256),
        json!(1e2),
        json!(2_147_483_648_u64),
        json!(-2_147_483_649_i64),
        json!(4_294_967_296_u64),
    ];
    let large = [
        json!(i64::MIN),
        json!(1_u64 << 63),
        json!(u64::MAX),
        json!(18_446_744_073_709_551_616.0),
        json!(-1e19),
        json!(1e39),
        json!(-1e300),
    ];
    let words = [
        "", "a", "é", "ab", "fast", "stop", "move", "say", "mark", "sized", "Empty", "Circle", "Nothing", "Name",
        "Low", "1",
    ];
    let structures = [
        json!([]),
        json!([1]),
        json!([1, 1.0]),
        json!([1, 2]),
        json!([[]]),
        json!(["a", 1, true]),
        json!({}),
        json!({"x": 1, "y": 2}),
    ];
    let enums = [
        json!({"kind": "stop"}),
        json!({"kind": "say", "text": ""}),
        json!({"Circle": 1}),
        json!({"Pair": [1, 2]}),
        json!({"t": "Nothing"}),
        json!({"id": 1}),
    ];
    let trees = [json!({"name": "a"}), json!({"name": "a", "parts": []}), json!({"name": "a", "left": null})];
    let others = [json!(null), json!(true), json!(false)];
    let words = words.map(Value::from);
    [&numbers[..], &edges, &large, &words, &structures, &enums, &trees, &others].concat()
}

#[derive(Debug, Clone)]
enum Edit {
    Replace(Value),
    Remove,
    /// Puts in another element, or a member of this name.
    Add(&'static str, Value),
    /// Puts another value of the same whole in its place.
    CopyFrom(Index),
}

const NAMES: &str =
    "x y kind by text times c t w id name left others parts size Circle Box extra retries factor speed a";

fn edits() -> impl Strategy<Value = Vec<(Index, Edit)>> {
    let edit = prop_oneof![
        4 => select(values()).prop_map(Edit::Replace),
        2 => Just(Edit::Remove),
        2 => (select(NAMES.split(' ').collect::<Vec<_>>()), select(values())).prop_map(|(name, value)| Edit::Add(name, value)),
        1 => any::<Index>().prop_map(Edit::CopyFrom),
    ];
    prop::collection::vec((any::<Index>(), edit), 0..4)
}

/// The places of all values in a value, as JSON pointers, itself first.
fn places(value: &Value, here: &str, found: &mut Vec<String>) {
    found.push(here.to_owned());
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| places(item, &format!("{here}/{index}"), found));
        }
        Value::Object(members) => {
            members.iter().for_each(|(name, member)| places(member, &format!("{here}/{name}"), found));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn edited(mut whole: Value, edits: &[(Index, Edit)]) -> Value {
    for (place, edit) in edits {
        let mut found = Vec::new();
        places(&whole, "", &mut found);
        let at = |place: &Index| &found[place.index(found.len())];
        let place = at(place);
        match edit {
            Edit::Replace(value) => *whole.pointer_mut(place).unwrap() = value.clone(),
            Edit::CopyFrom(from) => {
                let copied = whole.pointer(at(from)).unwrap().clone();
                *whole.pointer_mut(place).unwrap() = copied;
            }
            Edit::Add(name, value) => add(whole.pointer_mut(place).unwrap(), name, value.clone()),
            Edit::Remove => remove(&mut whole, place),
        }
    }
    whole
}

fn add(target: &mut Value, name: &str, value: Value) {
    if let Some(items) = target.as_array_mut() {
        items.push(value);
    } else if let Some(members) = target.as_object_mut() {
        members.insert(name.to_owned(), value);
    } else {
        *target = value;
    }
}

fn remove(whole: &mut Value, place: &str) {
    let Some((outer, name)) = place.rsplit_once('/') else {
        return;
    };
    match whole.pointer_mut(outer) {
        Some(Value::Array(items)) => drop(items.remove(name.parse().unwrap())),
        Some(inside) => drop(inside.as_object_mut().unwrap().remove(name)),
        None => {}
    }
}

/// On values around `fitting` the walker and the validator agree, and what both accept is decodable, has the same defaults by both
/// judges, and stays as it is when judged again.
fn agree<T: JsonSchema + DeserializeOwned>(fitting: &str) {
    let text = schema::of::<T>();
    let (walker, validator) = (Schema::compile(&text).unwrap(), jsonschema::draft202012::new(&text).unwrap());
    #[cfg(feature = "json-schema")]
    let external = crate::arguments::external::External::new(&text).unwrap();
    let fitting: Value = serde_json::from_str(fitting).unwrap();
    assert!(validator.is_valid(&fitting));
    let config = ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(edits in edits())| {
        let args = edited(fitting.clone(), &edits);
        let document = Document::parse(args.to_string().into()).unwrap();
        match judge(&walker, document.root()) {
            Ok(arguments) => {
                prop_assert!(validator.is_valid(&args), "accepted {args}");
                #[cfg(feature = "json-schema")]
                prop_assert_eq!(external.judge(document.root()), Ok(arguments.clone()), "filled otherwise");
                let decoded = serde_json::from_value::<T>(arguments.clone());
                prop_assert!(decoded.is_ok(), "{:?}: {args}", decoded.err());
                let again = Document::parse(arguments.to_string().into()).unwrap();
                prop_assert_eq!(judge(&walker, again.root()), Ok(arguments));
            }
            Err(details) => {
                prop_assert!(!details.is_empty());
                prop_assert!(!validator.is_valid(&args), "refused {args}: {}", details[0]);
            }
        }
    });
}

#[test]
fn on_structures() {
    agree::<Nested>(Nested::FITTING);
}

#[test]
fn on_numbers() {
    agree::<Numbers>(Numbers::FITTING);
}

#[test]
fn on_enums() {
    agree::<Choices>(Choices::FITTING);
}

#[test]
fn on_collections() {
    agree::<Collections>(Collections::FITTING);
}

#[test]
fn on_recursive_types() {
    agree::<Forest>(Forest::FITTING);
}

#[test]
fn on_arguments_that_hold_themselves() {
    agree::<Whole>(Whole::FITTING);
}

#[test]
fn on_forms_that_overlap() {
    agree::<Overlapping>(Overlapping::FITTING);
    agree::<Ambiguous>(Ambiguous::FITTING);
}

#[test]
fn on_flattened_structures() {
    agree::<Flat>(Flat::FITTING);
}

#[test]
fn on_native_tools() {
    agree::<crate::tools::ReadFileArgs>(r#"{"path": "a", "offset": 1, "limit": 9007199254740991}"#);
    agree::<crate::tools::WriteFileArgs>(r#"{"path": "a", "content": "b"}"#);
    agree::<crate::tools::PatchFileArgs>(r#"{"path": "a", "old_str": "b", "new_str": "c"}"#);
}
