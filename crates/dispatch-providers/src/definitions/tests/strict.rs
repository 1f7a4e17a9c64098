//! Definitions out, in strict mode.

use super::*;

#[test]
fn strict_tools_say_so() {
    let spec = spec("t", json!({"type": "object"}));
    let lines = Provider::ALL.iter().map(|provider| match provider.definitions([&spec], Strictness::Strict) {
        Ok(definitions) => format!("{}\n", definitions.value),
        Err(error) => format!("{error:?}\n"),
    });
    insta::assert_snapshot!(lines.collect::<String>(), @r#"
    [{"description":"Does it.","input_schema":{"additionalProperties":false,"properties":{},"required":[],"type":"object"},"name":"t","strict":true}]
    [{"function":{"description":"Does it.","name":"t","parameters":{"additionalProperties":false,"properties":{},"required":[],"type":"object"},"strict":true},"type":"function"}]
    [{"description":"Does it.","name":"t","parameters":{"additionalProperties":false,"properties":{},"required":[],"type":"object"},"strict":true,"type":"function"}]
    NoStrictMode(Gemini)
    {"tools":[{"toolSpec":{"description":"Does it.","inputSchema":{"json":{"additionalProperties":false,"properties":{},"required":[],"type":"object"}},"name":"t","strict":true}}]}
    NoStrictMode(Mcp)
    "#);
}

/// <https://github.com/langchain-ai/langchain/issues/39306>
#[test]
fn strict_mode_goes_through_all_levels() {
    let schema = json!({
        "type": "object",
        "properties": {
            "a": {"type": "string"},
            "o": {"type": "object", "properties": {"s": {"type": "string"}}},
            "l": {"type": "array", "items": {"type": "object", "properties": {"k": {"type": "integer"}}, "required": []}},
        },
        "required": ["a"],
    });
    insta::assert_snapshot!(openai(schema), @r#"{"additionalProperties":false,"properties":{"a":{"type":"string"},"l":{"items":{"additionalProperties":false,"properties":{"k":{"type":["integer","null"]}},"required":["k"],"type":"object"},"type":["array","null"]},"o":{"additionalProperties":false,"properties":{"s":{"type":["string","null"]}},"required":["s"],"type":["object","null"]}},"required":["a","l","o"],"type":"object"}"#);
}

#[test]
fn optional_values_may_be_null_whatever_they_are() {
    let optional = |property: Value| openai(json!({"type": "object", "properties": {"p": property}}));
    let lines = [
        json!({"type": "string", "enum": ["a"]}),
        json!({"const": "a", "description": "One."}),
        json!({"type": ["string", "null"]}),
        json!({"type": ["string", "integer"]}),
        json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
        json!({"anyOf": [{"type": "string"}, {"type": "integer"}], "description": "Either."}),
        json!({"type": "null"}),
        json!({"oneOf": [{"type": "string"}, {"type": "integer"}]}),
    ];
    insta::assert_snapshot!(lines.map(|line| optional(line) + "\n").concat(), @r#"
    {"additionalProperties":false,"properties":{"p":{"enum":["a",null],"type":["string","null"]}},"required":["p"],"type":"object"}
    {"additionalProperties":false,"properties":{"p":{"anyOf":[{"const":"a","type":"string"},{"type":"null"}],"description":"One."}},"required":["p"],"type":"object"}
    {"additionalProperties":false,"properties":{"p":{"type":["string","null"]}},"required":["p"],"type":"object"}
    {"additionalProperties":false,"properties":{"p":{"type":["string","integer","null"]}},"required":["p"],"type":"object"}
    {"additionalProperties":false,"properties":{"p":{"anyOf":[{"type":"string"},{"type":"null"}]}},"required":["p"],"type":"object"}
    {"additionalProperties":false,"properties":{"p":{"anyOf":[{"type":"string"},{"type":"integer"},{"type":"null"}],"description":"Either."}},"required":["p"],"type":"object"}
    {"additionalProperties":false,"properties":{"p":{"type":"null"}},"required":["p"],"type":"object"}
    {"additionalProperties":false,"properties":{"p":{"anyOf":[{"type":"string"},{"type":"integer"},{"type":"null"}]}},"required":["p"],"type":"object"}
    t: $.properties.p: oneOf: anyOf
    "#);
}

#[test]
fn what_can_not_be_strict_is_refused_by_name() {
    let lines = [
        with(json!({})),
        with(json!(true)),
        with(json!({"type": "object"})),
        with(json!({"type": "object", "additionalProperties": {"type": "string"}})),
        with(json!({"type": "array"})),
        json!({"type": "object", "additionalProperties": true}),
        with(json!({"$ref": "https://example.com/schema.json"})),
        json!({"type": "string"}),
        json!({"$ref": "#/$defs/gone"}),
    ];
    insta::assert_snapshot!(lines.map(|schema| openai(schema) + "\n").concat(), @r#"
    tool `t`: $.properties.p: a value that may be anything has no strict form
    tool `t`: $.properties.p: a value that may be anything has no strict form
    tool `t`: $.properties.p: an object with names of any kind has no strict form
    tool `t`: $.properties.p: an object with names of any kind has no strict form
    tool `t`: $.properties.p.items: a value that may be anything has no strict form
    tool `t`: $: an object with names of any kind has no strict form
    tool `t`: $.properties.p: a value that may be anything has no strict form
    tool `t`: $: the arguments of a tool are an object
    tool `t`: $: the reference leads nowhere
    "#);
}

#[test]
fn strict_keywords_that_are_not_taken_are_told() {
    let schema = with(json!({
        "type": ["string", "integer", "array"],
        "minLength": 1,
        "pattern": "^(?!x)",
        "format": "uuid",
        "maximum": 9,
        "minItems": 2,
        "default": "a",
        "items": {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": true},
    }));
    insta::assert_snapshot!(openai(schema.clone()), @r#"
    {"additionalProperties":false,"properties":{"p":{"format":"uuid","items":{"additionalProperties":false,"properties":{"a":{"type":["string","null"]}},"required":["a"],"type":"object"},"maximum":9,"minItems":2,"type":["string","integer","array"]}},"required":["p"],"type":"object"}
    t: $.properties.p: default: left out
    t: $.properties.p: minLength: left out
    t: $.properties.p: pattern: left out
    t: $.properties.p.items: additionalProperties: false
    "#);
    insta::assert_snapshot!(anthropic(schema), @r#"
    {"additionalProperties":false,"properties":{"p":{"default":"a","format":"uuid","items":{"additionalProperties":false,"properties":{"a":{"type":["string","null"]}},"required":["a"],"type":"object"},"type":["string","integer","array"]}},"required":["p"],"type":"object"}
    t: $.properties.p: maximum: left out
    t: $.properties.p: minItems: left out
    t: $.properties.p: minLength: left out
    t: $.properties.p: pattern: left out
    t: $.properties.p.items: additionalProperties: false
    "#);
}
