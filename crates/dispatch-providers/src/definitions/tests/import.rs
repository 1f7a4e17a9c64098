//! Definitions in.

use super::*;

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
