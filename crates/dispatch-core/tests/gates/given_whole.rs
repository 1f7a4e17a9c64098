//! Objects that a schema puts together of several: closed as a whole, and filled from every part.

use serde_json::{Value, json};

use crate::given::{faults, ran};

/// A base with a field `a`, and schemas that put an object together of it and a field `b`.
fn together() -> Vec<Value> {
    let base = json!({"type": "object", "properties": {"a": {"type": "integer", "default": 1}}});
    let more = json!({"properties": {"b": {"type": "integer", "default": 2}}});
    let to_base = json!({"$ref": "#/$defs/base"});
    let with = |mut schema: Value| {
        schema["$defs"] = json!({"base": base});
        schema
    };
    vec![
        with(json!({"allOf": [to_base, more]})),
        with(json!({"allOf": [to_base], "properties": more["properties"]})),
        with(json!({"$ref": "#/$defs/base", "properties": more["properties"]})),
        with(json!({"allOf": [{"allOf": [to_base]}, more]})),
        with(json!({"if": {"required": ["none"]}, "then": false, "else": more, "allOf": [to_base]})),
        with(json!({"anyOf": [{"required": ["none"]}, more], "properties": base["properties"]})),
        with(json!({"$schema": "http://json-schema.org/draft-07/schema#", "allOf": [to_base, more]})),
    ]
}

#[test]
fn an_object_of_several_schemas_is_closed_as_a_whole() {
    for schema in together() {
        let inside = json!({"properties": {"o": {"$ref": "#/$defs/o"}}, "$defs": {"o": schema, "base": schema["$defs"]["base"]}});
        assert_eq!(faults(&schema, r#"{"a":3,"b":4}"#), [] as [&str; 0], "{schema}");
        assert_eq!(faults(&inside, r#"{"o":{"a":3,"b":4}}"#), [] as [&str; 0], "{inside}");
        let told = [faults(&schema, r#"{"a":3,"c":4}"#), faults(&inside, r#"{"o":{"a":3,"c":4}}"#)];
        assert!(
            matches!(&told, [root, inner] if root.len() == 1 && root[0].contains("'c'") && inner[0].contains("'c'")),
            "{told:?}"
        );
    }
}

#[test]
fn an_object_of_several_schemas_is_filled_from_each() {
    for schema in together() {
        assert_eq!(ran(&schema, "{}"), json!({"a": 1, "b": 2}), "{schema}");
        assert_eq!(ran(&schema, r#"{"a":3.0}"#), json!({"a": 3, "b": 2}), "{schema}");
    }
}

/// What both judges know is filled in alike, whichever of them judges.
#[test]
fn defaults_do_not_depend_on_the_judge() {
    let point =
        json!({"type": "object", "properties": {"x": {"type": "integer", "default": 1.0}, "y": {"$ref": "#/$defs/y"}}});
    let own = json!({
        "properties": {
            "one": {"$ref": "#/$defs/point"},
            "maybe": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/point"}]},
            "many": {"items": {"$ref": "#/$defs/point"}, "prefixItems": [{"properties": {"first": {"default": true}}}]},
            "map": {"type": "object", "additionalProperties": {"$ref": "#/$defs/point"}},
            "whole": {"$ref": "#/$defs/point", "default": {"x": 5}},
        },
        "$defs": {"point": point, "y": {"type": "integer", "default": 2}},
    });
    let mut external = own.clone();
    external["properties"]["beyond"] = json!({"pattern": "^a"});
    for args in [
        "{}",
        r#"{"one":{}}"#,
        r#"{"maybe":null}"#,
        r#"{"maybe":{"x":3}}"#,
        r#"{"many":[{},{},{"y":4.0}]}"#,
        r#"{"map":{"a":{},"b":{"x":0}}}"#,
        r#"{"whole":{}}"#,
    ] {
        assert_eq!(ran(&own, args), ran(&external, args), "{args}");
    }
    let all = json!({"x": 1, "y": 2});
    assert_eq!(ran(&own, r#"{"one":{}}"#), json!({"one": all, "whole": {"x": 5}}));
    assert_eq!(ran(&own, r#"{"many":[{},{}]}"#), json!({"many": [{"first": true}, all], "whole": {"x": 5}}));
}

#[test]
fn a_part_that_is_open_opens_the_whole() {
    let open = json!({"allOf": [{"properties": {"a": {}}, "additionalProperties": true}, {"properties": {"b": {}}}]});
    assert_eq!(faults(&open, r#"{"c":1}"#), [] as [&str; 0]);
    let condition =
        json!({"properties": {"a": {"not": {"properties": {"b": {"type": "integer"}}, "required": ["b"]}}}});
    assert_eq!(
        faults(&condition, r#"{"a":{"b":1,"c":1}}"#).len(),
        1,
        "to close what is not to fit would let more through"
    );
}

#[test]
fn a_draft_that_can_not_close_such_an_object_is_refused() {
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "allOf": [{"properties": {"a": {"items": [{"type": "string"}]}}}],
        "properties": {"b": {}},
    });
    let tool = dispatch_core::GivenTool::new("given", "", &schema).unwrap();
    let error = dispatch_core::Registry::builder().given(tool).build().unwrap_err();
    assert!(error.to_string().contains("does not know `unevaluatedProperties`"), "{error}");
}

/// In every draft: older ones leave it to the judge whether it is more.
#[test]
fn a_format_is_an_annotation() {
    let mail = json!({"type": "string", "format": "email"});
    for schema in [
        json!({"properties": {"a": mail}}),
        json!({"properties": {"a": mail, "beyond": {"pattern": "^a"}}}),
        json!({"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"a": mail, "pair": {"items": [true]}}}),
    ] {
        assert_eq!(faults(&schema, r#"{"a":"nobody"}"#), [] as [&str; 0], "{schema}");
    }
}
