//! Schemas that use more of JSON Schema than argument types give: judged in full with the feature `json-schema`, and refused without.

#[cfg(feature = "json-schema")]
use crate::given::{faults, ran};
use serde_json::{Value, json};

/// A schema with the keyword, arguments that fit, and arguments that don't with the place of their fault.
fn keywords() -> Vec<(Value, &'static str, &'static str, &'static str)> {
    let of_a = |schema: Value| json!({"type": "object", "properties": {"a": schema}});
    vec![
        (of_a(json!({"pattern": "^[a-z]+$"})), r#"{"a":"abc"}"#, r#"{"a":"Abc"}"#, "$.a"),
        (of_a(json!({"multipleOf": 3})), r#"{"a":9.0}"#, r#"{"a":10}"#, "$.a"),
        (of_a(json!({"not": {"type": "null"}})), r#"{"a":0}"#, r#"{"a":null}"#, "$.a"),
        (of_a(json!({"contains": {"const": 1}})), r#"{"a":[0,1]}"#, r#"{"a":[0]}"#, "$.a"),
        (of_a(json!({"minProperties": 1})), r#"{"a":{"b":0}}"#, r#"{"a":{}}"#, "$.a"),
        (of_a(json!({"propertyNames": {"maxLength": 1}})), r#"{"a":{"b":0}}"#, r#"{"a":{"bc":0}}"#, "$.a"),
        (of_a(json!({"allOf": [{"minimum": 1}, {"maximum": 2}]})), r#"{"a":2}"#, r#"{"a":3}"#, "$.a"),
        (of_a(json!({"if": {"minimum": 5}, "then": {"maximum": 6}})), r#"{"a":4}"#, r#"{"a":7}"#, "$.a"),
        (json!({"patternProperties": {"^x-": {"type": "integer"}}}), r#"{"x-a":1}"#, r#"{"x-a":"1"}"#, "$['x-a']"),
        (
            json!({"properties": {"a": {}, "b": {}}, "dependentRequired": {"a": ["b"]}}),
            r#"{"a":1,"b":1}"#,
            r#"{"a":1}"#,
            "$",
        ),
        (
            json!({"allOf": [{"properties": {"a": {}}}], "properties": {"b": {}}, "unevaluatedProperties": false}),
            r#"{"a":1,"b":1}"#,
            r#"{"c":1}"#,
            "$",
        ),
    ]
}

#[cfg(feature = "json-schema")]
#[test]
fn every_keyword_is_enforced() {
    for (schema, fits, breaks, place) in keywords() {
        assert_eq!(faults(&schema, fits), [] as [&str; 0], "{schema}");
        let told = faults(&schema, breaks);
        assert!(!told.is_empty() && told.iter().all(|fault| fault.starts_with(&format!("{place}: "))), "{told:?}");
    }
}

#[cfg(not(feature = "json-schema"))]
#[test]
fn every_keyword_that_is_not_judged_fails_the_building() {
    for (schema, _, _, place) in keywords() {
        let tool = dispatch_core::GivenTool::new("given", "", &schema).unwrap();
        let built = dispatch_core::Registry::builder().given(tool).build();
        let error = built.err().unwrap_or_else(|| panic!("{schema} was built"));
        let told = error.to_string();
        assert!(told.starts_with("tool `given`: the schema at $"), "{place}: {told}");
    }
}

#[cfg(feature = "json-schema")]
fn beyond() -> Value {
    json!({
        "type": "object",
        "properties": {
            "id": {"type": "string", "pattern": "^[0-9]+$"},
            "inner": {
                "type": "object",
                "properties": {"mode": {"type": "string", "default": "fast"}, "n": {"type": "integer", "default": 1}},
            },
            "list": {"type": "array", "items": {"type": "object", "properties": {"on": {"type": "boolean", "default": true}}}},
            "level": {"type": "integer", "default": 3},
        },
        "required": ["id"],
    })
}

#[cfg(feature = "json-schema")]
#[test]
fn defaults_are_filled_in_and_numbers_normalised() {
    let asked = r#"{"id":"7","inner":{"n":2.0},"list":[{},{"on":false}]}"#;
    let expected = json!({
        "id": "7", "level": 3, "inner": {"mode": "fast", "n": 2}, "list": [{"on": true}, {"on": false}],
    });
    assert_eq!(ran(&beyond(), asked), expected);
}

#[cfg(feature = "json-schema")]
#[test]
fn unknown_and_repeated_fields_are_refused_all_the_same() {
    for (args, place) in [
        (r#"{"id":"7","extra":1}"#, "$"),
        (r#"{"id":"7","inner":{"extra":1}}"#, "$.inner"),
        (r#"{"id":"7","list":[{"extra":1}]}"#, "$.list[0]"),
        (r#"{"id":"7","inner":{"n":1,"n":1}}"#, "$.inner"),
        (r#"{"id":"7","id":"8"}"#, "$"),
        ("{}", "$"),
        (r#"{"id":"x"}"#, "$.id"),
        ("7", "$"),
    ] {
        let told = faults(&beyond(), args);
        assert_eq!(told.len(), 1, "{args}: {told:?}");
        assert!(told[0].starts_with(&format!("{place}: ")), "{args}: {told:?}");
    }
}

#[cfg(feature = "json-schema")]
#[test]
fn every_fault_is_told() {
    let told = faults(&beyond(), r#"{"id":"x","level":"1","inner":{"mode":1,"n":1,"n":2},"extra":1}"#);
    let mut places: Vec<_> = told.iter().filter_map(|fault| fault.split_once(": ")).map(|(place, _)| place).collect();
    places.sort_unstable();
    assert_eq!(places, ["$", "$.id", "$.inner", "$.inner.mode", "$.level"]);
}

#[cfg(feature = "json-schema")]
#[test]
fn a_schema_of_an_older_draft_means_what_it_meant() {
    let tuple = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"pair": {"items": [{"type": "string"}, {"type": "integer"}], "additionalItems": false}},
    });
    assert_eq!(faults(&tuple, r#"{"pair":["a",1]}"#), [] as [&str; 0]);
    assert_eq!(faults(&tuple, r#"{"pair":[1,1]}"#).len(), 1);
    assert_eq!(faults(&tuple, r#"{"pair":["a",1,1]}"#).len(), 1);
    let exclusive = json!({
        "$schema": "http://json-schema.org/draft-04/schema#",
        "properties": {"n": {"minimum": 1, "exclusiveMinimum": true}},
    });
    assert_eq!(faults(&exclusive, r#"{"n":2}"#), [] as [&str; 0]);
    assert_eq!(faults(&exclusive, r#"{"n":1}"#).len(), 1);
}

#[cfg(feature = "json-schema")]
#[test]
fn a_schema_that_is_none_or_stands_elsewhere_is_refused() {
    for schema in [
        json!({"properties": {"a": {"type": "text"}}}),
        json!({"properties": {"a": {"pattern": "("}}}),
        json!({"properties": {"a": {"$ref": "https://example.com/schema.json"}}}),
        json!({"properties": {"a": {"$ref": "file:///etc/hostname"}}}),
        json!({"properties": {"a": {"$ref": "#/$defs/none"}}}),
        json!({"properties": {"a": {"multipleOf": 0}}}),
    ] {
        let tool = dispatch_core::GivenTool::new("given", "", &schema).unwrap();
        assert!(dispatch_core::Registry::builder().given(tool).build().is_err(), "{schema}");
    }
}
