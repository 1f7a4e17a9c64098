//! Nulls that say absent.

use serde_json::json;

use super::*;

fn read(schema: &Value, args: &str) -> String {
    let document = Document::parse_tolerating(args.into(), |_| true).unwrap();
    let read = absent_nulls(schema, document.root());
    read.map_or_else(|| "as it was".to_owned(), |read| read.text().to_owned())
}

fn check(schema: &Value, table: &[(&str, &str)]) {
    for (args, expected) in table {
        assert_eq!(read(schema, args), *expected, "{args}");
    }
}

#[test]
fn nulls_of_optional_fields_go_and_all_else_stays_to_the_letter() {
    let schema = json!({
        "type": "object",
        "properties": {
            "a": {"type": "string"},
            "b": {"type": "integer"},
            "n": {"type": ["integer", "null"]},
            "r": {"type": "string"},
            "any": {},
        },
        "required": ["r"],
    });
    check(
        &schema,
        &[
            (r#"{"a":null}"#, "{}"),
            (r#"{ "a" : null , "b" : 1.0 }"#, r#"{  "b" : 1.0 }"#),
            (r#"{"b": 1e2, "a": null}"#, r#"{"b": 1e2}"#),
            (r#"{"a":null,"b":null,"r":"\u00e9"}"#, r#"{"r":"\u00e9"}"#),
            (r#"{"r":"x","a":null,"n":12345678901234567890123}"#, r#"{"r":"x","n":12345678901234567890123}"#),
            (r#"{"\u0061":null}"#, "{}"),
            (r#"{"n":null,"any":null}"#, "as it was"),
            (r#"{"r":null}"#, "as it was"),
            (r#"{"unknown":null}"#, "as it was"),
            (r#"{"a":null,"a":null}"#, "as it was"),
            (r#"{"a":"x","a":null}"#, "as it was"),
            (r#"{"a":null,"b":1,"b":2}"#, r#"{"b":1,"b":2}"#),
            ("[null]", "as it was"),
            ("null", "as it was"),
        ],
    );
}

#[test]
fn they_go_at_every_level() {
    let inner = json!({"type": "object", "properties": {"k": {"type": "string"}, "l": {"$ref": "#/$defs/L"}}});
    let schema = json!({
        "type": "object",
        "properties": {
            "list": {"type": "array", "items": inner},
            "pair": {"type": "array", "prefixItems": [inner, {"type": "null"}]},
            "maybe": {"anyOf": [inner, {"type": "null"}]},
            "map": {"type": "object", "additionalProperties": inner},
            "both": {"allOf": [inner, {"type": "object"}]},
            "next": {"$ref": "#/$defs/L"},
        },
        "$defs": {"L": {"type": "object", "properties": {"next": {"$ref": "#/$defs/L"}, "v": {"type": "integer"}}, "required": ["v"]}},
    });
    check(
        &schema,
        &[
            (
                r#"{"list":[{"k":null},{"k":"a"},{"k":null,"l":{"next":null,"v":1}}]}"#,
                r#"{"list":[{},{"k":"a"},{"l":{"v":1}}]}"#,
            ),
            (r#"{"pair":[{"k":null},null]}"#, r#"{"pair":[{},null]}"#),
            (r#"{"maybe":{"k":null}}"#, r#"{"maybe":{}}"#),
            (r#"{"maybe":null}"#, "as it was"),
            (r#"{"map":{"x":{"k":null}}}"#, r#"{"map":{"x":{}}}"#),
            (r#"{"both":{"k":null}}"#, r#"{"both":{}}"#),
            (r#"{"list":null,"next":{"v":1,"next":{"next":null,"v":null}}}"#, r#"{"next":{"v":1,"next":{"v":null}}}"#),
        ],
    );
}

#[test]
fn a_tag_says_which_form_was_meant() {
    let schema = json!({
        "type": "object",
        "properties": {"p": {"oneOf": [
            {"type": "object", "properties": {"kind": {"const": "a"}, "x": {"type": "string"}}, "required": ["kind"]},
            {"$ref": "#/$defs/B"},
        ]}},
        "$defs": {"B": {"type": "object", "properties": {"kind": {"const": "b"}, "x": {"type": ["string", "null"]}}, "required": ["kind", "x"]}},
    });
    check(
        &schema,
        &[
            (r#"{"p":{"kind":"a","x":null}}"#, r#"{"p":{"kind":"a"}}"#),
            (r#"{"p":{"kind":"b","x":null}}"#, "as it was"),
            (r#"{"p":{"x":null}}"#, "as it was"),
        ],
    );
}

#[test]
fn a_constant_that_may_be_absent_is_absent_where_it_is_null() {
    let form =
        json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"const": "b"}}, "required": ["a"]});
    let schema = json!({"type": "object", "properties": {"p": {"anyOf": [form, {"type": "null"}]}}});
    check(&schema, &[(r#"{"p":{"a":"x","b":null}}"#, r#"{"p":{"a":"x"}}"#)]);
}

#[test]
fn forms_that_only_ask_for_one_or_the_other_do_not_hide_the_field() {
    let schema = json!({
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
    });
    check(&schema, &[(r#"{"a":null,"b":"x"}"#, r#"{"b":"x"}"#)]);
}

#[test]
fn schemas_that_are_in_themselves_at_once_end() {
    for schema in
        [json!({"$ref": "#"}), json!({"anyOf": [{"$ref": "#"}], "properties": {"a": {"$ref": "#/properties/a"}}})]
    {
        check(&schema, &[(r#"{"a":null,"b":[{"a":null}]}"#, "as it was")]);
    }
}
