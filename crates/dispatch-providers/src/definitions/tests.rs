//! Definitions out.

#![expect(clippy::needless_pass_by_value, reason = "schemas are written where they are passed")]

mod import;
mod strict;

use dispatch_core::{Annotations, ToolName};
use serde_json::json;

use super::*;

fn spec(name: &str, input_schema: Value) -> ToolSpec {
    let annotations = Annotations::read_only();
    ToolSpec { name: ToolName::new(name).unwrap(), description: "Does it.".to_owned(), input_schema, annotations }
}

/// The schema of a tool, compactly, and after it the losses.
fn out(provider: Provider, strictness: Strictness, schema: Value) -> String {
    match provider.definitions([&spec("t", schema)], strictness) {
        Ok(definitions) => {
            assert!(provider.tools_in(&definitions.value).is_ok());
            let tool = match provider {
                Provider::Gemini => definitions.value[0]["functionDeclarations"][0]["parameters"].to_string(),
                Provider::OpenAiChat => definitions.value[0]["function"]["parameters"].to_string(),
                Provider::OpenAiResponses => definitions.value[0]["parameters"].to_string(),
                Provider::Anthropic => definitions.value[0]["input_schema"].to_string(),
                Provider::Bedrock => definitions.value["tools"][0]["toolSpec"]["inputSchema"]["json"].to_string(),
                Provider::Mcp => definitions.value["tools"][0]["inputSchema"].to_string(),
            };
            let losses = definitions.losses.iter().map(|loss| format!("\n{loss}"));
            std::iter::once(tool).chain(losses).collect()
        }
        Err(error) => error.to_string(),
    }
}

fn gemini(schema: Value) -> String {
    out(Provider::Gemini, Strictness::Advisory, schema)
}

fn openai(schema: Value) -> String {
    out(Provider::OpenAiChat, Strictness::Strict, schema)
}

fn anthropic(schema: Value) -> String {
    out(Provider::Anthropic, Strictness::Strict, schema)
}

/// An object with one property.
fn with(property: Value) -> Value {
    json!({"type": "object", "properties": {"p": property}, "required": ["p"]})
}

#[test]
fn each_provider_writes_a_tool_in_its_own_way() {
    let spec = spec("t", json!({"type": "object", "properties": {}}));
    let lines = Provider::ALL.iter().map(|provider| {
        let definitions = provider.definitions([&spec], Strictness::Advisory).unwrap();
        assert_eq!(definitions.losses, []);
        format!("{}\n", definitions.value)
    });
    insta::assert_snapshot!(lines.collect::<String>(), @r#"
    [{"description":"Does it.","input_schema":{"properties":{},"type":"object"},"name":"t"}]
    [{"function":{"description":"Does it.","name":"t","parameters":{"properties":{},"type":"object"}},"type":"function"}]
    [{"description":"Does it.","name":"t","parameters":{"properties":{},"type":"object"},"strict":false,"type":"function"}]
    [{"functionDeclarations":[{"description":"Does it.","name":"t","parameters":{"properties":{},"type":"OBJECT"}}]}]
    {"tools":[{"toolSpec":{"description":"Does it.","inputSchema":{"json":{"properties":{},"type":"object"}},"name":"t"}}]}
    {"tools":[{"annotations":{"destructiveHint":false,"idempotentHint":true,"openWorldHint":false,"readOnlyHint":true},"description":"Does it.","inputSchema":{"properties":{},"type":"object"},"name":"t"}]}
    "#);
}

/// <https://github.com/openai/codex/issues/8174>
#[test]
fn names_that_a_provider_does_not_take_are_refused() {
    let long = "a".repeat(70);
    let tried = ["calendar.respondToEvent", long.as_str(), "9lives", "-x", "_x"];
    let takes = |provider: &Provider, name| {
        provider.definitions([&spec(name, json!({}))], Strictness::Advisory).is_ok().then_some(name.split_at(2).0)
    };
    let lines = Provider::ALL.iter().map(|provider| {
        let names: Vec<_> = tried.iter().filter_map(|name| takes(provider, name)).collect();
        format!("{provider:?}: {}\n", names.join(" "))
    });
    insta::assert_snapshot!(lines.collect::<String>(), @r#"
    Anthropic: 9l -x _x
    OpenAiChat: 9l -x _x
    OpenAiResponses: 9l -x _x
    Gemini: ca _x
    Bedrock: 9l -x _x
    Mcp: ca aa 9l -x _x
    "#);
    let error = Provider::OpenAiChat.definitions([&spec("a.b", json!({}))], Strictness::Advisory).unwrap_err();
    assert!(matches!(&error, DefinitionError::Name { tool, .. } if tool.as_str() == "a.b"), "{error}");
}

/// <https://github.com/NousResearch/hermes-agent/issues/99438>
#[test]
fn references_are_put_in_before_keywords_are_looked_at() {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {"task": {"$ref": "#/$defs/T"}, "default": {"type": "string"}},
        "required": ["task"],
        "additionalProperties": false,
        "$defs": {"T": {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}},
    });
    insta::assert_snapshot!(gemini(schema), @r#"
    {"properties":{"default":{"type":"STRING"},"task":{"properties":{"title":{"type":"STRING"}},"required":["title"],"type":"OBJECT"}},"required":["task"],"type":"OBJECT"}
    t: $: additionalProperties: left out
    "#);
}

/// <https://github.com/PrefectHQ/fastmcp/issues/4306>
#[test]
fn recursion_is_cut_kept_or_refused() {
    let schema = json!({
        "type": "object",
        "properties": {"v": {"$ref": "#/$defs/J"}},
        "$defs": {"J": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/$defs/J"}}]}},
    });
    insta::assert_snapshot!(gemini(schema.clone()), @r#"
    {"properties":{"v":{"anyOf":[{"type":"STRING"},{"items":{"anyOf":[{"type":"STRING"},{"type":"NUMBER"},{"type":"BOOLEAN"},{"type":"OBJECT"},{"items":{"anyOf":[{"type":"STRING"},{"type":"NUMBER"},{"type":"BOOLEAN"},{"type":"OBJECT"}],"nullable":true},"type":"ARRAY"}],"nullable":true},"type":"ARRAY"}]}},"type":"OBJECT"}
    t: $.properties.v.anyOf[1].items: $ref: any value but arrays in arrays
    "#);
    insta::assert_snapshot!(openai(schema.clone()), @r##"{"$defs":{"J":{"anyOf":[{"type":"string"},{"items":{"$ref":"#/$defs/J"},"type":"array"}]}},"additionalProperties":false,"properties":{"v":{"anyOf":[{"type":"string"},{"items":{"$ref":"#/$defs/J"},"type":"array"},{"type":"null"}]}},"required":["v"],"type":"object"}"##);
    insta::assert_snapshot!(anthropic(schema.clone()), @"tool `t`: $.properties.v.anyOf[1].items: a schema within itself has no strict form here");
    let whole = out(Provider::Anthropic, Strictness::Advisory, schema.clone());
    assert_eq!(whole, schema.to_string());
}

#[test]
fn a_schema_that_is_in_itself_at_once_ends() {
    for schema in [
        with(json!({"$ref": "#/properties/p"})),
        json!({"$ref": "#"}),
        json!({"allOf": [{"$ref": "#"}]}),
        json!({"type": "object", "properties": {"p": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}),
        json!({"type": "object", "properties": {"p": {"$ref": "#"}}}),
    ] {
        for provider in Provider::ALL {
            let _ = provider.definitions([&spec("t", schema.clone())], Strictness::Advisory);
            let _ = provider.definitions([&spec("t", schema.clone())], Strictness::Strict);
        }
    }
    insta::assert_snapshot!(openai(json!({"type": "object", "properties": {"p": {"$ref": "#"}}})), @r##"{"additionalProperties":false,"properties":{"p":{"anyOf":[{"$ref":"#"},{"type":"null"}]}},"required":["p"],"type":"object"}"##);
}

#[test]
fn references_that_double_at_each_step_are_refused_by_name() {
    let mut definitions = serde_json::Map::new();
    for step in 0..40 {
        let next = json!({"$ref": format!("#/$defs/d{}", step + 1)});
        definitions.insert(format!("d{step}"), json!({"type": "object", "properties": {"a": next, "b": next}}));
    }
    definitions.insert("d40".to_owned(), json!({"type": "string"}));
    let schema = json!({"type": "object", "properties": {"p": {"$ref": "#/$defs/d0"}}, "$defs": definitions});
    assert!(gemini(schema.clone()).starts_with("tool `t`: $.properties.p"));
    assert!(openai(schema).ends_with("the schema grows too large where its references are put in"));
}

#[test]
fn gemini_has_its_own_words() {
    let lines = [
        json!({"type": ["string", "null"]}),
        json!({"type": ["string", "integer"], "minLength": 1, "maximum": 9, "description": "Either."}),
        json!({"anyOf": [{"type": "string"}, {"type": "null"}], "description": "A text."}),
        json!({"oneOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]}),
        json!({"const": "a"}),
        json!({"const": 3}),
        json!({"const": null}),
        json!({"enum": ["a", "b", null]}),
        json!({"type": ["string", "null"], "enum": ["a"]}),
        json!({"enum": ["a", ""]}),
        json!({"enum": ["a", 1]}),
        json!({"type": "integer", "exclusiveMinimum": 0, "format": "uint64"}),
        json!({"type": "number", "exclusiveMaximum": 1, "multipleOf": 0.1}),
        json!({"type": "string", "format": "date-time", "pattern": "^x"}),
        json!({"type": "array"}),
        json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": false}),
        json!({"type": "object", "additionalProperties": {"type": "string"}}),
        json!({"minLength": 1}),
        json!({"allOf": [{"type": "string"}, {"enum": ["alpha"]}]}),
        json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}),
        json!({"type": "object", "properties": {}, "required": ["gone"]}),
        json!(false),
    ];
    insta::assert_snapshot!(lines.map(|property| gemini(with(property)) + "\n").concat(), @r#"
    {"properties":{"p":{"nullable":true,"type":"STRING"}},"required":["p"],"type":"OBJECT"}
    {"properties":{"p":{"anyOf":[{"minLength":1,"type":"STRING"},{"maximum":9,"type":"INTEGER"}],"description":"Either."}},"required":["p"],"type":"OBJECT"}
    {"properties":{"p":{"description":"A text.","nullable":true,"type":"STRING"}},"required":["p"],"type":"OBJECT"}
    {"properties":{"p":{"anyOf":[{"type":"STRING"},{"type":"INTEGER"}],"nullable":true}},"required":["p"],"type":"OBJECT"}
    t: $.properties.p: oneOf: anyOf
    {"properties":{"p":{"enum":["a"],"type":"STRING"}},"required":["p"],"type":"OBJECT"}
    {"properties":{"p":{"type":"INTEGER"}},"required":["p"],"type":"OBJECT"}
    t: $.properties.p: const: left out
    {"properties":{"p":{"type":"NULL"}},"required":["p"],"type":"OBJECT"}
    {"properties":{"p":{"enum":["a","b"],"nullable":true,"type":"STRING"}},"required":["p"],"type":"OBJECT"}
    {"properties":{"p":{"enum":["a"],"type":"STRING"}},"required":["p"],"type":"OBJECT"}
    {"properties":{"p":{"type":"STRING"}},"required":["p"],"type":"OBJECT"}
    t: $.properties.p: enum: left out
    {"properties":{"p":{"anyOf":[{"type":"STRING"},{"type":"INTEGER"}]}},"required":["p"],"type":"OBJECT"}
    t: $.properties.p: enum: left out
    {"properties":{"p":{"minimum":1,"type":"INTEGER"}},"required":["p"],"type":"OBJECT"}
    t: $.properties.p: format: left out
    {"properties":{"p":{"maximum":1,"type":"NUMBER"}},"required":["p"],"type":"OBJECT"}
    t: $.properties.p: exclusiveMaximum: maximum
    t: $.properties.p: multipleOf: left out
    {"properties":{"p":{"format":"date-time","pattern":"^x","type":"STRING"}},"required":["p"],"type":"OBJECT"}
    {"properties":{"p":{"items":{"anyOf":[{"type":"STRING"},{"type":"NUMBER"},{"type":"BOOLEAN"},{"type":"OBJECT"},{"items":{"anyOf":[{"type":"STRING"},{"type":"NUMBER"},{"type":"BOOLEAN"},{"type":"OBJECT"}],"nullable":true},"type":"ARRAY"}],"nullable":true},"type":"ARRAY"}},"required":["p"],"type":"OBJECT"}
    t: $.properties.p.items: type: any value but arrays in arrays
    {"properties":{"p":{"items":{"anyOf":[{"type":"STRING"},{"type":"INTEGER"}]},"type":"ARRAY"}},"required":["p"],"type":"OBJECT"}
    t: $.properties.p: prefixItems: elements of any of these kinds
    {"properties":{"p":{"properties":{},"type":"OBJECT"}},"required":["p"],"type":"OBJECT"}
    t: $.properties.p: additionalProperties: left out
    {"properties":{"p":{"minLength":1,"type":"STRING"}},"required":["p"],"type":"OBJECT"}
    t: $.properties.p: type: string
    {"properties":{"p":{"enum":["alpha"],"type":"STRING"}},"required":["p"],"type":"OBJECT"}
    {"properties":{"p":{"anyOf":[{"properties":{"a":{"type":"STRING"},"b":{"type":"STRING"}},"required":["a"],"type":"OBJECT"},{"properties":{"a":{"type":"STRING"},"b":{"type":"STRING"}},"required":["b"],"type":"OBJECT"}]}},"required":["p"],"type":"OBJECT"}
    {"properties":{"p":{"properties":{},"type":"OBJECT"}},"required":["p"],"type":"OBJECT"}
    t: $.properties.p: required: without gone
    {"properties":{"p":{"anyOf":[{"type":"STRING"},{"type":"NUMBER"},{"type":"BOOLEAN"},{"type":"OBJECT"},{"items":{"anyOf":[{"type":"STRING"},{"type":"NUMBER"},{"type":"BOOLEAN"},{"type":"OBJECT"}],"nullable":true},"type":"ARRAY"}],"nullable":true}},"required":["p"],"type":"OBJECT"}
    t: $.properties.p: false: any value but arrays in arrays
    "#);
}

#[test]
fn a_union_at_the_root_is_offered_as_one_object() {
    let schema = json!({
        "oneOf": [
            {"type": "object", "properties": {"kind": {"const": "a"}, "x": {"type": "string"}}, "required": ["kind", "x"]},
            {"$ref": "#/$defs/B"},
        ],
        "$defs": {"B": {"type": "object", "properties": {"kind": {"const": "b"}, "x": {"type": "string"}}, "required": ["kind"]}},
    });
    insta::assert_snapshot!(out(Provider::Anthropic, Strictness::Advisory, schema.clone()), @r#"
    {"$defs":{"B":{"properties":{"kind":{"const":"b"},"x":{"type":"string"}},"required":["kind"],"type":"object"}},"properties":{"kind":{"anyOf":[{"const":"a"},{"const":"b"}]},"x":{"type":"string"}},"required":["kind"],"type":"object"}
    t: $: oneOf: the properties of all forms together
    "#);
    insta::assert_snapshot!(out(Provider::Mcp, Strictness::Advisory, schema), @r##"{"$defs":{"B":{"properties":{"kind":{"const":"b"},"x":{"type":"string"}},"required":["kind"],"type":"object"}},"oneOf":[{"properties":{"kind":{"const":"a"},"x":{"type":"string"}},"required":["kind","x"],"type":"object"},{"$ref":"#/$defs/B"}],"type":"object"}"##);
}

#[test]
fn openai_wants_to_know_what_an_array_holds() {
    let schema =
        json!({"type": "object", "properties": {"items": {"type": "array"}, "type": {"type": ["array", "null"]}}});
    insta::assert_snapshot!(out(Provider::OpenAiResponses, Strictness::Advisory, schema), @r#"{"properties":{"items":{"items":{},"type":"array"},"type":{"items":{},"type":["array","null"]}},"type":"object"}"#);
}

#[test]
fn losses_are_sorted_by_tool_and_place() {
    let ten: Vec<Value> = (0..11).map(|_| json!({"type": "string", "format": "uri"})).collect();
    let schema = |losing: Value| json!({"type": "object", "properties": {"p": {"anyOf": losing}}, "additionalProperties": false});
    let (b, a) = (spec("b", schema(json!([{"type": "integer", "multipleOf": 2}]))), spec("a", schema(json!(ten))));
    let definitions = Provider::Gemini.definitions([&b, &a], Strictness::Advisory).unwrap();
    let lines: Vec<String> = definitions.losses.iter().map(ToString::to_string).collect();
    assert_eq!(lines[0], "a: $: additionalProperties: left out");
    assert_eq!(lines[3], "a: $.properties.p.anyOf[2]: format: left out");
    assert_eq!(lines[11], "a: $.properties.p.anyOf[10]: format: left out");
    assert_eq!(lines[13], "b: $.properties.p.anyOf[0]: multipleOf: left out");
}
