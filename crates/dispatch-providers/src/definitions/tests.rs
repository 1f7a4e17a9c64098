//! Definitions out and in.

#![expect(clippy::needless_pass_by_value, reason = "schemas are written where they are passed")]

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
            let tools = provider
                .tools_in(&json!({"tools": definitions.value}))
                .or_else(|_| provider.tools_in(&definitions.value));
            drop(tools.unwrap());
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

#[test]
fn definitions_are_read_as_they_are_sent() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    for (provider, sent) in [
        (
            Provider::Anthropic,
            json!({"tools": [{"name": "t", "input_schema": schema}, {"type": "web_search_20250305", "name": "web_search"}]}),
        ),
        (Provider::Anthropic, json!([{"type": "custom", "name": "t", "input_schema": schema}])),
        (
            Provider::OpenAiChat,
            json!([{"type": "function", "function": {"name": "t", "parameters": schema}}, {"type": "custom"}]),
        ),
        (
            Provider::OpenAiResponses,
            json!([{"type": "function", "name": "t", "description": null, "parameters": schema}, {"type": "web_search"}]),
        ),
        (
            Provider::Gemini,
            json!({"tools": [{"codeExecution": {}}, {"function_declarations": [{"name": "t", "parameters_json_schema": schema}]}]}),
        ),
        (
            Provider::Bedrock,
            json!({"toolConfig": {"tools": [{"toolSpec": {"name": "t", "inputSchema": {"json": schema}}}, {"cachePoint": {}}]}}),
        ),
        (
            Provider::Gemini,
            json!({"toolConfig": {}, "tools": [{"functionDeclarations": [{"name": "t", "parametersJsonSchema": schema}]}]}),
        ),
        (
            Provider::Mcp,
            json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "t", "inputSchema": schema}]}}),
        ),
    ] {
        let tools = provider.tools_in(&sent).unwrap();
        assert_eq!(tools.len(), 1, "{sent}");
        assert_eq!((tools[0].name.as_str(), &tools[0].input_schema), ("t", &schema), "{sent}");
    }
}

#[test]
fn hints_of_mcp_are_read() {
    let tools = json!([{"name": "t", "inputSchema": {}, "annotations": {"readOnlyHint": true, "title": "T"}}]);
    let annotations = Provider::Mcp.tools_in(&tools).unwrap()[0].annotations;
    assert_eq!(annotations, Annotations { read_only: true, ..Annotations::default() });
}

#[test]
fn what_is_no_definition_is_told_with_its_place() {
    let lines = [
        (Provider::Anthropic, json!({})),
        (Provider::Anthropic, json!({"tools": {}})),
        (Provider::Anthropic, json!([{"name": "t"}])),
        (Provider::Anthropic, json!([{"name": 7, "input_schema": {}}])),
        (Provider::OpenAiChat, json!([{"type": "function", "function": {}}])),
        (Provider::Bedrock, json!({"toolConfig": {"tools": [{"toolSpec": {"name": "t", "inputSchema": {}}}]}})),
        (Provider::Gemini, json!([{"functionDeclarations": [{"name": "t"}, {}]}])),
        (Provider::Mcp, json!([{"name": "t", "inputSchema": {}, "annotations": {"readOnlyHint": "yes"}}])),
    ];
    let told = lines.map(|(provider, value)| format!("{}\n", provider.tools_in(&value).unwrap_err()));
    insta::assert_snapshot!(told.concat(), @r#"
    $: missing member `tools`
    $.tools: expected an array
    $[0]: missing member `input_schema`
    $[0].name: expected a string
    $[0].function: missing member `name`
    $.toolConfig.tools[0].toolSpec.inputSchema: missing member `json`
    $[0].functionDeclarations[1]: missing member `name`
    $[0].annotations.readOnlyHint: expected a boolean
    "#);
}

#[test]
fn gemini_schemas_become_json_schema() {
    let read = openapi::read(&json!({
        "type": "OBJECT",
        "properties": {
            "nullable": {"type": "BOOLEAN"},
            "any": {"any_of": [{"type": "STRING"}, {"type": "INTEGER"}], "nullable": true},
            "list": {"type": "ARRAY", "items": {"type": "NUMBER", "nullable": true}, "min_items": "2", "maxItems": 3},
            "kind": {"type": "STRING", "format": "enum", "enum": ["A"], "nullable": true, "example": "A"},
            "numbered": {"type": 5, "items": {"type": 1}},
        },
        "propertyOrdering": ["kind", "list"],
        "required": ["kind"],
    }));
    insta::assert_snapshot!(read.to_string(), @r##"{"properties":{"any":{"anyOf":[{"type":"string"},{"type":"integer"},{"type":"null"}]},"kind":{"enum":["A",null],"examples":["A"],"type":["string","null"]},"list":{"items":{"type":["number","null"]},"maxItems":3,"minItems":2,"type":"array"},"nullable":{"type":"boolean"},"numbered":{"items":{"type":"string"},"type":"array"}},"required":["kind"],"type":"object"}"##);
}
