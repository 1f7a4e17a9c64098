//! Schemas that can't be judged by keep a registry from being built, and name the place.

use std::collections::HashMap;
use std::num::NonZeroI32;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::failure::ToolFailure;
use crate::registry::{Registry, RegistryError};
use crate::schema::Schema;
use crate::tool::Tool;
use crate::workspace::View;

/// A tool that takes these arguments and does nothing.
struct Takes<A>(std::marker::PhantomData<fn(A)>);

impl<A: DeserializeOwned + JsonSchema + Send + 'static> Tool for Takes<A> {
    type Args = A;
    type Output = String;

    fn name(&self) -> &'static str {
        "takes"
    }

    fn run(&self, _: A, _: &mut View<'_>) -> Result<String, ToolFailure> {
        Ok(String::new())
    }
}

/// Returns the place in the schema at which building fails.
fn refused<A: DeserializeOwned + JsonSchema + Send + 'static>() -> String {
    match Registry::builder().tool(Takes::<A>(std::marker::PhantomData)).build() {
        Ok(_) => "built".to_owned(),
        Err(RegistryError::UnsupportedSchema { tool, source }) => {
            assert_eq!(tool.as_str(), "takes");
            source.path().to_string()
        }
        Err(other) => panic!("{other}"),
    }
}

/// Arguments with a field that is told more of than its type.
macro_rules! field {
    ($name:ident: $type:ty $(, $attribute:meta)*) => {
        #[derive(Deserialize, JsonSchema)]
        #[expect(dead_code, reason = "nothing is decoded here")]
        struct $name {
            $(#[$attribute])*
            field: $type,
        }
    };
}

field!(Plain: u8);
field!(Pattern: String, schemars(regex(pattern = "^a")));
field!(MultipleOf: u8, schemars(extend("multipleOf" = 2)));
field!(Contains: Vec<u8>, schemars(extend("contains" = {"const": 1})));
field!(NumberedMap: HashMap<u8, u8>);
field!(NonZero: NonZeroI32);
field!(FlattenedEnum: Either, serde(flatten));
field!(FlattenedStructure: Plain, serde(flatten));
field!(FlattenedMap: HashMap<String, u8>, serde(flatten));

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "nothing is decoded here")]
enum Either {
    This(u8),
    That(u8),
}

#[test]
fn types_with_rules_that_are_not_judged_are_refused() {
    assert_eq!(refused::<Pattern>(), "$.properties.field.pattern");
    assert_eq!(refused::<MultipleOf>(), "$.properties.field.multipleOf");
    assert_eq!(refused::<Contains>(), "$.properties.field.contains");
    assert_eq!(refused::<NumberedMap>(), "$.properties.field.patternProperties");
    assert_eq!(refused::<NonZero>(), "$.properties.field.not");
    assert_eq!(refused::<FlattenedEnum>(), "$");
}

#[test]
fn types_whose_rules_are_all_judged_are_taken() {
    assert_eq!(refused::<Plain>(), "built");
    assert_eq!(refused::<FlattenedStructure>(), "built");
    assert_eq!(refused::<FlattenedMap>(), "built");
}

/// Schemas with the error of reading each.
fn check(cases: &[(Value, &str)]) {
    for (schema, expected) in cases {
        let read = Schema::compile(schema).map_or_else(|error| error.to_string(), |_| "read".to_owned());
        assert_eq!(read, *expected, "{schema}");
    }
}

#[test]
fn keywords_that_are_not_judged_are_refused() {
    let keywords = "pattern multipleOf not if then else allOf dependentRequired dependentSchemas propertyNames contains minContains
        patternProperties unevaluatedProperties unevaluatedItems minProperties maxProperties contentEncoding $anchor $dynamicRef $id unknown";
    for keyword in keywords.split_whitespace() {
        let inside = json!({"type": "array", "items": {keyword: {}}});
        let refused = Schema::compile(&inside).unwrap_err().path().to_string();
        assert!(refused.starts_with("$.items.") || refused.starts_with("$.items['$"), "{keyword}: {refused}");
        let beside = json!({"anyOf": [{}], keyword: {}});
        assert_eq!(Schema::compile(&beside).unwrap_err().path().to_string(), "$", "{keyword}");
    }
}

#[test]
fn schemas_of_no_sense_are_refused() {
    check(&[
        (json!(true), "read"),
        (json!({}), "read"),
        (json!({"title": "a", "format": "b", "examples": [1]}), "read"),
        (json!(3), "the schema at $ can't be judged by: it is neither an object nor a boolean"),
        (json!({"items": []}), "the schema at $.items can't be judged by: it is neither an object nor a boolean"),
        (json!({"type": "text"}), "the schema at $.type can't be judged by: it names no type"),
        (json!({"type": []}), "the schema at $.type can't be judged by: it names no type"),
        (json!({"minimum": "1"}), "the schema at $.minimum can't be judged by: it is no number"),
        (json!({"minLength": -1}), "the schema at $.minLength can't be judged by: it is no count"),
        (json!({"required": [1]}), "the schema at $.required can't be judged by: it holds what is no name"),
        (
            json!({"properties": {"a b": {"pattern": ""}}}),
            "the schema at $.properties['a b'].pattern can't be judged by: this keyword is not judged here",
        ),
        (json!({"anyOf": {}}), "the schema at $.anyOf can't be judged by: it is no array of schemas"),
        (
            json!({"anyOf": [true, {"not": {}}]}),
            "the schema at $.anyOf[1].not can't be judged by: this keyword is not judged here",
        ),
        (
            json!({"$defs": {"a": {"not": {}}}}),
            "the schema at $['$defs'].a.not can't be judged by: this keyword is not judged here",
        ),
        (json!({"$ref": "other.json"}), "the schema at $ can't be judged by: reference `other.json` out of `$defs`"),
    ]);
}

/// A reference that leads nowhere would refuse every value, and one that leads only to itself would never be done.
#[test]
fn references_lead_somewhere() {
    let refused = |schema: Value| Schema::compile(&schema).is_err();
    assert!(refused(json!({"$ref": "#/$defs/none"})));
    assert!(refused(json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}})));
    assert!(refused(json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"anyOf": [{"$ref": "#/$defs/a"}, true]}}})));
    assert!(!refused(json!({"$ref": "#/$defs/a", "$defs": {"a": {"items": {"$ref": "#/$defs/a"}}}})));
    assert!(!refused(json!({"$ref": "#/$defs/a~1b", "$defs": {"a/b": {}}})));
}

#[test]
fn references_inside_lead_somewhere() {
    for schema in [
        json!({"properties": {"a": {"$ref": "#/$defs/none"}}}),
        json!({"items": {"$ref": "#/$defs/none"}}),
        json!({"prefixItems": [{"$ref": "#/$defs/none"}]}),
        json!({"additionalProperties": {"$ref": "#/$defs/none"}}),
        json!({"items": {"anyOf": [true, {"$ref": "#/$defs/none"}]}}),
        json!({"$defs": {"a": {"items": {"$ref": "#/$defs/none"}}}}),
    ] {
        assert!(Schema::compile(&schema).is_err(), "{schema}");
    }
}
