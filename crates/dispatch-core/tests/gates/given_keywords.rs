//! The keywords that are judged without help: each lets through what fits, and nothing else.

use serde_json::{Value, json};

use crate::given::faults;

/// A schema for the field `a`, values that fit, and values that don't.
fn keywords() -> Vec<(Value, &'static [&'static str], &'static [&'static str])> {
    vec![
        (json!(true), &["null", "1", "{}"], &[]),
        (json!(false), &[], &["null", "1", "{}"]),
        (json!({"type": "null"}), &["null"], &["0", "false"]),
        (json!({"type": "boolean"}), &["true", "false"], &["0", "\"true\"", "null"]),
        (json!({"type": "integer"}), &["1", "-1", "1.0", "1e2", "-0", "1e300"], &["1.5", "\"1\"", "true", "[1]"]),
        (json!({"type": "number"}), &["1", "1.5", "1e-9"], &["\"1\"", "null"]),
        (json!({"type": ["string", "null"]}), &["\"\"", "null"], &["0", "[]"]),
        (json!({"const": 1}), &["1", "1.0", "10e-1"], &["2", "\"1\"", "true"]),
        (json!({"const": {"x": [1.0]}}), &[r#"{"x":[1]}"#], &[r#"{"x":[1],"y":1}"#, "{}"]),
        (json!({"enum": ["a", null, 2]}), &["\"a\"", "null", "2.0"], &["\"A\"", "0", "\"2\""]),
        (json!({"minimum": 2}), &["2", "2.5", "\"1\""], &["1", "1.9", "-3"]),
        (json!({"maximum": 2.5}), &["2", "2.5"], &["3", "2.6", "1e300"]),
        (json!({"exclusiveMinimum": 2}), &["3", "2.1"], &["2", "2.0", "1"]),
        (json!({"exclusiveMaximum": 2}), &["1", "1.9"], &["2", "2.0", "3"]),
        (json!({"minimum": i64::MIN, "maximum": u64::MAX}), &["18446744073709551615"], &["18446744073709551616"]),
        (json!({"minLength": 2}), &["\"éé\"", "\"😀😀\"", "1"], &["\"a\"", "\"😀\"", "\"\""]),
        (json!({"maxLength": 1}), &["\"é\"", r#""\u00e9""#, "[1,2]"], &["\"ab\"", r#""e\u0301""#]),
        (json!({"minItems": 1}), &["[0]", "{}"], &["[]"]),
        (json!({"maxItems": 1}), &["[0]", "[]"], &["[0,0]"]),
        (json!({"uniqueItems": true}), &["[1,\"1\",true]", "[]"], &["[1,1.0]", r#"[{"x":1},{"x":1e0}]"#]),
        (json!({"items": {"type": "integer"}}), &["[]", "[1,2]", "1"], &["[1,\"2\"]", "[null]"]),
        (json!({"prefixItems": [{"type": "null"}], "items": false}), &["[null]", "[]"], &["[1]", "[null,null]"]),
        (
            json!({"properties": {"x": {"type": "null"}}}),
            &[r#"{"x":null}"#, "{}", "1"],
            &[r#"{"x":1}"#, r#"{"y":null}"#],
        ),
        (json!({"required": ["x"]}), &[r#"{"x":1}"#, r#"{"x":1,"y":1}"#, "[]"], &["{}", r#"{"y":1}"#]),
        (json!({"additionalProperties": {"type": "null"}}), &["{}", r#"{"y":null}"#], &[r#"{"y":1}"#]),
        (json!({"anyOf": [{"type": "null"}, {"minimum": 5}]}), &["null", "5", "\"\""], &["4"]),
        (json!({"oneOf": [{"type": "integer"}, {"minimum": 5}]}), &["4", "5.5"], &["5", "4.5"]),
        (json!({"$ref": "#/$defs/word"}), &["\"a\""], &["1"]),
    ]
}

#[test]
fn every_keyword_of_ours_is_enforced() {
    for (schema, fits, breaks) in keywords() {
        let schema = json!({"properties": {"a": schema}, "$defs": {"word": {"type": "string"}}});
        for value in fits {
            assert_eq!(faults(&schema, &format!(r#"{{"a":{value}}}"#)), [] as [&str; 0], "{schema} {value}");
        }
        for value in breaks {
            let told = faults(&schema, &format!(r#"{{"a":{value}}}"#));
            assert!(
                !told.is_empty() && told.iter().all(|fault| fault.starts_with("$.a")),
                "{schema} {value}: {told:?}"
            );
        }
    }
}

/// The table above judges by another validator too, so that it is not ours alone that says what a keyword means.
#[test]
fn every_row_means_what_another_validator_says() {
    for (schema, fits, breaks) in keywords() {
        let closed = json!({"properties": {"a": schema}, "$defs": {"word": {"type": "string"}}});
        let told = dispatch_core::GivenTool::new("given", "", &closed).unwrap();
        let registry = dispatch_core::Registry::builder().given(told).build().unwrap();
        let validator = jsonschema::validator_for(&registry.spec("given").unwrap().input_schema).unwrap();
        let fits_there = |value: &&str| {
            let args = crate::support::call("given", &format!(r#"{{"a":{value}}}"#));
            validator.is_valid(&args.args().as_json().unwrap().node().to_json())
        };
        assert!(fits.iter().all(fits_there) && !breaks.iter().any(fits_there), "{closed}");
    }
}
