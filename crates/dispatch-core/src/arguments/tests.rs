//! Arguments of many types, judged: all that is wrong, where, and in which words.

mod all_errors;
mod differential;
mod types;

use schemars::JsonSchema;

use super::walk::judge;
use super::*;
use crate::json::Document;
use crate::schema;
use types::{Choices, Collections, Forest, Nested, Numbers};

/// What is told of arguments.
fn told<T: JsonSchema>(args: &str) -> Vec<String> {
    let schema = Schema::compile(&schema::of::<T>()).unwrap();
    let document = Document::parse_tolerating(args.into(), |_| true).unwrap();
    match judge(&schema, document.root()) {
        Ok(_) => Vec::new(),
        Err(details) => details.iter().map(ToString::to_string).collect(),
    }
}

/// Puts each value in place of a member's and checks what is told.
fn check<T: JsonSchema>(fitting: &str, cases: &[(&str, &str, &[&str])]) {
    let members = Document::parse(fitting.into()).unwrap();
    assert!(told::<T>(fitting).is_empty(), "{fitting}");
    for (name, value, expected) in cases {
        let member = |member: crate::json::Member<'_>| {
            let value = if member.name == *name { value } else { member.value.raw() };
            format!("{:?}: {value}", member.name)
        };
        let members: Vec<_> = members.root().members().map(member).collect();
        let told = told::<T>(&format!("{{{}}}", members.join(", ")));
        assert_eq!(told, *expected, "{name}: {value}");
    }
}

#[test]
fn structures() {
    check::<Nested>(
        Nested::FITTING,
        &[
            ("place", "null", &["$.place: expected object, found null"]),
            ("place", "[1, 2]", &["$.place: expected object, found array"]),
            ("place", r#"{"x": 1, "y": 2, "z": 3}"#, &["$.place: unknown field `z`"]),
            ("place", "{}", &["$.place: missing field `x`", "$.place: missing field `y`"]),
            (
                "places",
                r#"[{"x": 1}, 3, {"x": 1, "y": 2}]"#,
                &["$.places[0]: missing field `y`", "$.places[1]: expected object, found integer"],
            ),
            ("home", "7", &["$.home: expected object or null, found integer"]),
            ("home", r#"{"x": 1, "y": 2, "z": 3}"#, &["$.home: unknown field `z`"]),
            ("home", "null", &[]),
            (
                "tags",
                r#"["a", 1, null]"#,
                &["$.tags[1]: expected string, found integer", "$.tags[2]: expected string, found null"],
            ),
            ("tags", "null", &[]),
            ("retries", "null", &["$.retries: expected integer, found null"]),
            ("factor", "null", &["$.factor: expected integer, found null"]),
            ("way", "null", &["$.way: expected string, found null"]),
            ("speed", "\"slow\"", &[r#"$.speed: expected "fast" or "very_careful", found "slow""#]),
            ("odd name", "\"true\"", &["$['odd name']: expected boolean, found string"]),
        ],
    );
    assert_eq!(told::<Nested>("[]"), ["$: expected object, found array"]);
}

#[test]
fn repeated_fields() {
    check::<Nested>(
        Nested::FITTING,
        &[(
            "place",
            r#"{"x": 1, "z": {"a": 1, "a": 2}, "y": "1", "x": 2.5}"#,
            &[
                "$.place: unknown field `z`",
                "$.place.z: duplicate field `a`",
                "$.place.y: expected integer, found string",
                "$.place: duplicate field `x`",
                "$.place.x: expected integer, found number",
            ],
        )],
    );
    check::<Choices>(
        Choices::FITTING,
        &[
            (
                "action",
                r#"{"kind": "say", "text": "a", "text": 1}"#,
                &["$.action: duplicate field `text`", "$.action.text: expected string, found integer"],
            ),
            ("target", r#"{"id": 1, "id": 2}"#, &["$.target: duplicate field `id`"]),
            ("shape", r#"{"Circle": 1, "Circle": 2}"#, &["$.shape: duplicate field `Circle`"]),
        ],
    );
    check::<Collections>(
        Collections::FITTING,
        &[
            ("map", r#"{"a": 1, "a": 2}"#, &["$.map: duplicate field `a`"]),
            ("anything", r#"[{"a": {"b": 1, "b": 2}}]"#, &["$.anything[0].a: duplicate field `b`"]),
        ],
    );
}

#[test]
fn numbers_and_letters() {
    check::<Numbers>(
        Numbers::FITTING,
        &[
            ("i8", "128", &["$.i8: expected at most 127, found 128"]),
            ("i16", "-32769", &["$.i16: expected at least -32768, found -32769"]),
            ("i32", "2147483648", &["$.i32: expected at most 2147483647, found 2147483648"]),
            ("i64", "9223372036854775808", &["$.i64: expected at most 9223372036854775807, found 9223372036854775808"]),
            ("i64", "1e300", &["$.i64: expected at most 9223372036854775807, found 1e300"]),
            ("isize", "-1e19", &["$.isize: expected at least -9223372036854775808, found -1e19"]),
            ("u16", "-1", &["$.u16: expected at least 0, found -1"]),
            ("u32", "5000000000", &["$.u32: expected at most 4294967295, found 5000000000"]),
            (
                "u64",
                "18446744073709551616",
                &["$.u64: expected at most 18446744073709551615, found 18446744073709551616"],
            ),
            ("u8", "1.5", &["$.u8: expected integer, found number"]),
            ("u8", "true", &["$.u8: expected integer, found boolean"]),
            ("f32", "1e39", &["$.f32: expected at most 3.4028234663852886e+38, found 1e39"]),
            ("f64", "\"1\"", &["$.f64: expected number, found string"]),
            ("non_zero", "0", &["$.non_zero: expected at least 1, found 0"]),
            ("small", "\"1\"", &["$.small: expected integer or null, found string"]),
            ("small", "-1", &["$.small: expected at least 0, found -1"]),
            ("char", "\"\"", &["$.char: expected at least 1 character, found 0"]),
            ("char", "\"ab\"", &["$.char: expected at most 1 character, found 2"]),
            ("char", "\"\\ud83d\\ude00\"", &[]),
            ("u64", "1.0", &[]),
            ("u8", "25.5e1", &[]),
            ("i8", "-0", &[]),
            ("f32", "3", &[]),
        ],
    );
}

#[test]
fn enums() {
    let none_of = |count: usize| format!("this object fits none of the {count} forms that are allowed here");
    let (none_of_3, none_of_4) = (none_of(3), none_of(4));
    check::<Choices>(
        Choices::FITTING,
        &[
            ("action", "3", &["$.action: expected object, found integer"]),
            ("action", "{}", &[&format!("$.action: {none_of_4}")]),
            ("action", r#"{"kind": "fly"}"#, &[&format!("$.action: {none_of_4}")]),
            ("action", r#"{"kind": "move"}"#, &["$.action: missing field `by`"]),
            (
                "action",
                r#"{"by": {"x": 1}, "far": 1, "kind": "move"}"#,
                &["$.action.by: missing field `y`", "$.action: unknown field `far`"],
            ),
            ("action", r#"{"kind": "mark", "x": "1", "y": 2}"#, &["$.action.x: expected integer, found string"]),
            ("maybe_action", r#"{"kind": "say"}"#, &["$.maybe_action: missing field `text`"]),
            ("maybe_action", "null", &[]),
            ("shape", "\"Full\"", &[]),
            ("target", "true", &["$.target: expected integer, string, object or array, found boolean"]),
            ("target", r#"{"id": 256}"#, &[&format!("$.target: {none_of_4}")]),
            ("adjacent", r#"{"t": "Name"}"#, &["$.adjacent: missing field `c`"]),
            ("adjacent", r#"{"c": {}, "t": "Size"}"#, &["$.adjacent.c: missing field `w`"]),
            ("adjacent", r#"{"c": {}}"#, &[&format!("$.adjacent: {none_of_3}")]),
            ("level", "3", &["$.level: expected string, found integer"]),
            ("maybe_level", "null", &[]),
            ("maybe_target", "2", &[]),
        ],
    );
}

#[test]
fn collections() {
    check::<Collections>(
        Collections::FITTING,
        &[
            (
                "map",
                r#"{"a": "x", "odd key": 128}"#,
                &["$.map.a: expected integer, found string", "$.map['odd key']: expected at most 127, found 128"],
            ),
            ("modes", r#"{"slow": 1}"#, &["$.modes: unknown field `slow`"]),
            ("points", r#"{"it's": {"x": 1}}"#, &[r"$.points['it\'s']: missing field `y`"]),
            ("set", "[1, 2, 1.0]", &["$.set: expected no element twice"]),
            ("tuple", "[]", &["$.tuple: expected at least 3 items, found 0"]),
            ("tuple", r#"["a", 1, null, 2]"#, &["$.tuple: expected at most 3 items, found 4"]),
            ("tuple", r#"["a", 1, 2]"#, &["$.tuple[2]: expected boolean or null, found integer"]),
            ("array", "[1, 2]", &["$.array: expected at least 3 items, found 2"]),
            (
                "grid",
                r#"[[1], 2, ["a"]]"#,
                &["$.grid[1]: expected array, found integer", "$.grid[2][0]: expected number, found string"],
            ),
            ("object", "[]", &["$.object: expected object, found array"]),
            ("unit", "false", &["$.unit: expected null, found boolean"]),
        ],
    );
}

#[test]
fn recursive_types() {
    check::<Forest>(
        Forest::FITTING,
        &[
            (
                "first",
                r#"{"name": "a", "left": {"name": "b", "left": {"nam": 1}}}"#,
                &["$.first.left.left: unknown field `nam`", "$.first.left.left: missing field `name`"],
            ),
            (
                "trees",
                r#"[{"name": "a", "others": [{"name": 1}]}]"#,
                &["$.trees[0].others[0].name: expected string, found integer"],
            ),
        ],
    );
}

#[test]
fn listed_values_are_compared_as_json() {
    let schema = serde_json::json!({"enum": [1, [1, 2], {"a": {"b": [null]}}, "1", false]});
    let schema = Schema::compile(&schema).unwrap();
    for (value, fits) in [
        ("1", true),
        ("1.0", true),
        ("[1e0, 2]", true),
        (r#"{"a": {"b": [null]}}"#, true),
        ("\"\\u0031\"", true),
        ("false", true),
        ("true", false),
        ("[1]", false),
        ("[1, 2, 3]", false),
        ("[2, 1]", false),
        (r#"{"a": {"b": []}}"#, false),
        (r#"{"a": {"b": [null]}, "c": 1}"#, false),
        ("{}", false),
        ("null", false),
    ] {
        let document = Document::parse(value.into()).unwrap();
        assert_eq!(judge(&schema, document.root()).is_ok(), fits, "{value}");
    }
}

/// Numbers are what they mean, defaults are filled in, and what may be absent stays so.
#[test]
fn what_comes_out_is_what_will_run() {
    let schema = Schema::compile(&schema::of::<Nested>()).unwrap();
    let args = r#"{"places": [{"y": 1e1, "x": -0.0}], "place": {"x": 1.0, "y": 2}, "tags": null, "odd name": false}"#;
    let document = Document::parse(args.into()).unwrap();
    let expected = serde_json::json!({
        "place": {"x": 1, "y": 2}, "places": [{"x": 0, "y": 10}], "tags": null, "odd name": false,
        "retries": 0, "factor": 2, "speed": "fast", "way": "very_careful",
    });
    assert_eq!(judge(&schema, document.root()), Ok(expected));
}
