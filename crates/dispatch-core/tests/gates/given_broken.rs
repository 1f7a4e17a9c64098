//! Schemas that nobody can judge by: refused with the feature `json-schema` and without.

use dispatch_core::workspace::View;
use dispatch_core::{GivenTool, GivenToolError, Registry, RegistryError, ToolFailure, tool_fn};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// What building a registry with a tool of this schema says.
fn built(schema: &Value) -> String {
    let tool = GivenTool::new("given", "", schema).unwrap();
    Registry::builder().given(tool).build().map_or_else(|error| error.to_string(), |_| "built".to_owned())
}

/// Checks that building fails at this place.
fn refused_at(schema: &Value, place: &str) {
    let told = built(schema);
    assert!(told.starts_with(&format!("tool `given`: the schema at {place} can't be judged by: ")), "{schema}: {told}");
}

/// A schema with a keyword in it that only a full validator judges.
fn beyond(mut schema: Value) -> Value {
    schema["properties"]["beyond"] = json!({"type": "string", "pattern": "^a"});
    schema
}

#[test]
fn a_reference_leads_somewhere() {
    let nowhere = json!({"$ref": "#/$defs/none"});
    for (schema, place) in [
        (nowhere.clone(), "$"),
        (json!({"properties": {"a": nowhere}}), "$.properties.a"),
        (json!({"properties": {"a": {"items": nowhere}}}), "$.properties.a.items"),
        (json!({"properties": {"a": {"prefixItems": [nowhere]}}}), "$.properties.a.prefixItems[0]"),
        (json!({"properties": {"a": {"additionalProperties": nowhere}}}), "$.properties.a.additionalProperties"),
        (json!({"properties": {"a": {"anyOf": [{"type": "null"}, nowhere]}}}), "$.properties.a.anyOf[1]"),
        (json!({"properties": {"a": {"not": nowhere}}}), "$.properties.a.not"),
        (json!({"$defs": {"a": {"allOf": [nowhere]}}}), "$['$defs'].a.allOf[0]"),
        (json!({"definitions": {"a": {"$ref": "#/definitions/b"}}}), "$.definitions.a"),
        (json!({"properties": {"a": {"$ref": "#anchor"}}}), "$.properties.a"),
        (json!({"properties": {"a": {"$ref": "#/%zz"}}}), "$.properties.a"),
    ] {
        refused_at(&schema, place);
        refused_at(&beyond(schema), place);
    }
}

#[test]
fn a_reference_leads_to_more_than_itself() {
    for schema in [
        json!({"$ref": "#"}),
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}),
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/b"}]}, "b": {"$ref": "#/$defs/a"}}}),
        json!({"properties": {"a": {"allOf": [{"$ref": "#/properties/a"}]}}}),
        json!({"properties": {"a": {"not": {"$ref": "#/properties/a"}}}}),
        json!({"properties": {"a": {"if": true, "then": {"$ref": "#/properties/a"}}}}),
        json!({"definitions": {"a": {"oneOf": [{"type": "null"}, {"$ref": "#/definitions/a"}]}}}),
        json!({"properties": {"a": {"$anchor": "here", "$ref": "#here"}}}),
    ] {
        assert!(built(&schema).ends_with("a reference in it leads only to itself"), "{schema}: {}", built(&schema));
        let with_more = beyond(schema);
        assert!(built(&with_more).ends_with("a reference in it leads only to itself"), "{with_more}");
    }
}

#[test]
fn definitions_may_stand_under_their_older_name() {
    let word = json!({"$ref": "#/definitions/word"});
    let schema = json!({"properties": {"a": word}, "definitions": {"word": {"type": "string", "default": "b"}}});
    assert_eq!(crate::given::ran(&schema, "{}"), json!({"a": "b"}));
    assert_eq!(crate::given::faults(&schema, r#"{"a":1}"#), ["$.a: expected string, found integer"]);
}

#[test]
fn a_default_fits_the_schema_that_it_stands_in() {
    let misfit = json!({"type": "integer", "default": "x"});
    for (schema, place) in [
        (json!({"properties": {"a": misfit}}), "$.properties.a"),
        (json!({"properties": {"a": {"properties": {"b": misfit}}}}), "$.properties.a.properties.b"),
        (json!({"properties": {"a": {"items": misfit}}}), "$.properties.a.items"),
        (json!({"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": misfit}}), "$['$defs'].a"),
        (
            json!({"properties": {"a": {"$ref": "#/$defs/a", "default": 1.5}}, "$defs": {"a": {"type": "integer"}}}),
            "$.properties.a",
        ),
        (
            json!({"properties": {"a": {"anyOf": [{"type": "null"}, {"type": "string"}], "default": 1}}}),
            "$.properties.a",
        ),
        (json!({"properties": {"a": {"properties": {"b": {}}, "default": {"c": 1}}}}), "$.properties.a"),
        (json!({"properties": {"a": {"enum": ["a", "b"], "default": "c"}}}), "$.properties.a"),
        (json!({"default": []}), "$"),
    ] {
        refused_at(&schema, &format!("{place}.default"));
        if cfg!(feature = "json-schema") {
            refused_at(&beyond(schema), &format!("{place}.default"));
        }
    }
    let fits = json!({"properties": {"a": {"type": "integer", "default": 1.0}, "b": {"type": ["string", "null"], "default": null}}});
    assert_eq!(crate::given::ran(&fits, "{}"), json!({"a": 1, "b": null}));
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "no handler ever sees them")]
struct TooMany {
    #[serde(default = "ten")]
    #[schemars(range(max = 5))]
    count: u8,
}

fn ten() -> u8 {
    10
}

#[test]
fn a_default_of_a_type_fits_what_is_told_of_it() {
    let tool = tool_fn("given", |_: TooMany, _: &mut View<'_>| Ok::<_, ToolFailure>(String::new()));
    let error = Registry::builder().tool(tool).build().unwrap_err();
    assert!(
        matches!(&error, RegistryError::UnsupportedSchema { source, .. } if source.path().to_string() == "$.properties.count.default")
    );
    let expected = "tool `given`: the schema at $.properties.count.default can't be judged by: the default does not fit: \
        $: expected at most 5, found 10";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn arguments_are_an_object_whatever_the_schema_says() {
    for schema in
        [json!({}), json!({"$ref": "#/$defs/a", "$defs": {"a": true}}), json!({"anyOf": [{"type": "integer"}, true]})]
    {
        assert_eq!(crate::given::faults(&schema, "7"), ["$: expected object, found integer"], "{schema}");
        assert_eq!(crate::given::faults(&schema, "[{}]"), ["$: expected object, found array"], "{schema}");
    }
    for schema in [json!({"type": "integer"}), json!({"type": ["string", "null"]})] {
        refused_at(&schema, "$.type");
    }
    let or_null = json!({"type": ["object", "null"]});
    assert_eq!(crate::given::faults(&or_null, "null"), ["$: expected object, found null"]);
    let number = tool_fn("given", |_: u8, _: &mut View<'_>| Ok::<_, ToolFailure>(String::new()));
    assert!(Registry::builder().tool(number).build().is_err());
}

/// A schema of so many levels: objects in `items`.
fn nested(levels: usize) -> Value {
    let around = |inside| Value::Object([("items".to_owned(), inside)].into_iter().collect());
    (1..levels).fold(json!({}), |inside, _| around(inside))
}

#[test]
fn a_schema_is_nested_no_deeper_than_a_text_could_be() {
    let error = |schema: &Value| GivenTool::new("given", "", schema).unwrap_err();
    for levels in [128, 3000] {
        // To drop such a value is what takes the most stack.
        let schema = std::mem::ManuallyDrop::new(nested(levels));
        assert!(matches!(error(&schema), GivenToolError::Member { member: "input_schema", .. }));
    }
    assert_eq!(built(&json!({"properties": {"a": nested(125)}})), "built");
    let chain = (0..300).map(|step| (step.to_string(), json!({"$ref": format!("#/$defs/{}", step + 1)})));
    let mut definitions: serde_json::Map<_, _> = chain.collect();
    definitions.insert("300".to_owned(), json!(true));
    let told = built(&json!({"$ref": "#/$defs/0", "$defs": definitions}));
    assert!(told.ends_with("128 references in a row"), "{told}");
}
