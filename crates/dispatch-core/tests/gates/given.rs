//! Tools whose schema came at run time: judged as typed ones are.

use std::sync::Arc;
use std::sync::Mutex;

use dispatch_core::policy::{Decision, PolicyError, Proposal};
use dispatch_core::{GivenTool, GivenToolError, Observation, Registry, RegistryError, Stage};
use serde_json::{Value, json};

use crate::support::{Desk, Judge, allow, call};

/// Gates around a given tool `given` that writes its arguments into the file `args`, with one policy.
pub(crate) fn desk(schema: &Value, policy: Judge) -> Desk {
    let tool = GivenTool::new("given", "A tool that came from outside.", schema).unwrap();
    Desk::of(&[policy], |builder, runs| {
        let runs = runs.clone();
        builder.given(tool.run_by(move |arguments, view| {
            runs.count();
            view.write("args", arguments.to_string())?;
            Ok(Observation::json(arguments))
        }))
    })
}

/// What is wrong with the arguments, a line each; nothing where they run.
pub(crate) fn faults(schema: &Value, args: &str) -> Vec<String> {
    let seen = desk(schema, allow).ask("given", args);
    match seen.result.error() {
        None => {
            assert_eq!(seen.sum(), ("ok", 1, 1, false), "{args}");
            Vec::new()
        }
        Some(error) => {
            assert_eq!(seen.sum(), ("invalid_arguments", 0, 0, true), "{args}");
            error.details.iter().map(ToString::to_string).collect()
        }
    }
}

/// What runs of these arguments.
pub(crate) fn ran(schema: &Value, args: &str) -> Value {
    let seen = desk(schema, allow).ask("given", args);
    let observation = seen.result.observation().unwrap_or_else(|| panic!("{args}: {:?}", seen.error()));
    serde_json::from_str(&observation.to_text()).unwrap()
}

fn person() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "minLength": 1},
            "age": {"type": "integer", "minimum": 0, "default": 18},
            "address": {
                "type": "object",
                "properties": {"city": {"type": "string"}, "country": {"type": "string", "default": "FR"}},
                "required": ["city"],
            },
            "tags": {"type": "array", "items": {"type": "object", "properties": {"tag": {"type": "string"}}}},
        },
        "required": ["name"],
    })
}

#[test]
fn every_fault_is_told_with_its_place() {
    for (args, expected) in [
        (r#"{"name":"Ada"}"#, [].as_slice()),
        ("{}", &["$: missing field `name`"]),
        ("null", &["$: expected object, found null"]),
        (
            r#"{"name":7,"age":"7"}"#,
            &["$.name: expected string, found integer", "$.age: expected integer, found string"],
        ),
        (r#"{"name":""}"#, &["$.name: expected at least 1 character, found 0"]),
        (r#"{"name":"Ada","name":"Bob"}"#, &["$: duplicate field `name`"]),
        (r#"{"name":"Ada","extra":1}"#, &["$: unknown field `extra`"]),
        (
            r#"{"name":"Ada","address":{"town":"Paris"}}"#,
            &["$.address: unknown field `town`", "$.address: missing field `city`"],
        ),
        (r#"{"name":"Ada","tags":[{"tag":"a"},{"tog":"a"}]}"#, &["$.tags[1]: unknown field `tog`"]),
    ] {
        assert_eq!(faults(&person(), args), expected, "{args}");
    }
}

#[test]
fn defaults_are_filled_in_at_every_depth_and_nothing_else_is() {
    assert_eq!(ran(&person(), r#"{"name":"Ada"}"#), json!({"name": "Ada", "age": 18}));
    let asked = r#"{"address":{"city":"Paris"},"age":1e0,"name":"\u0041da","tags":[{}]}"#;
    let expected = json!({"name": "Ada", "age": 1, "address": {"city": "Paris", "country": "FR"}, "tags": [{}]});
    assert_eq!(ran(&person(), asked), expected);
}

#[test]
fn fields_are_unknown_where_the_schema_names_some_and_says_nothing_else() {
    let named = json!({"type": "object", "properties": {"a": {}}});
    assert_eq!(faults(&named, r#"{"b":1}"#), ["$: unknown field `b`"]);
    for says in [json!(true), json!({}), json!({"type": "integer"})] {
        let open = json!({"type": "object", "properties": {"a": {}}, "additionalProperties": says});
        assert_eq!(faults(&open, r#"{"b":1}"#), [] as [&str; 0], "{says}");
    }
    let of_a_type = json!({"properties": {"a": {}}, "additionalProperties": {"type": "integer"}});
    assert_eq!(faults(&of_a_type, r#"{"b":"1"}"#), ["$.b: expected integer, found string"]);
    let none_named = json!({"type": "object", "properties": {"map": {"type": "object"}}});
    assert_eq!(faults(&none_named, r#"{"map":{"any":1}}"#), [] as [&str; 0]);
    let definitions = json!({"$defs": {"a": named}, "properties": {"x": {"$ref": "#/$defs/a"}}});
    assert_eq!(faults(&definitions, r#"{"x":{"b":1}}"#), ["$.x: unknown field `b`"]);
}

#[test]
fn a_root_that_names_no_field_takes_none() {
    for closed in [json!({}), json!({"type": "object"}), json!({"type": "object", "properties": {}})] {
        assert_eq!(faults(&closed, "{}"), [] as [&str; 0], "{closed}");
        assert_eq!(faults(&closed, r#"{"a":1}"#), ["$: unknown field `a`"], "{closed}");
    }
    for open in [json!(true), json!({}), json!({"type": "integer"})] {
        let open = json!({"type": "object", "additionalProperties": open});
        assert_eq!(faults(&open, r#"{"a":1}"#), [] as [&str; 0], "{open}");
    }
}

#[test]
fn a_definition_is_closed_where_it_stands_alone() {
    let schema = json!({
        "properties": {"a": {"$ref": "#/$defs/point"}, "b": {"anyOf": [{"$ref": "#/$defs/point"}, {"type": "null"}]}},
        "$defs": {"point": {"properties": {"x": {"type": "integer"}}}},
    });
    assert_eq!(faults(&schema, r#"{"a":{"x":1},"b":null}"#), [] as [&str; 0]);
    assert_eq!(faults(&schema, r#"{"a":{"y":1}}"#), ["$.a: unknown field `y`"]);
    assert_eq!(faults(&schema, r#"{"b":{"y":1}}"#), ["$.b: unknown field `y`"]);
}

#[test]
fn the_schema_that_is_told_is_the_one_that_judges() {
    let registry = Registry::builder().given(GivenTool::new("given", "It.", &person()).unwrap()).build().unwrap();
    let spec = registry.spec("given").unwrap();
    assert_eq!(spec.input_schema["additionalProperties"], json!(false));
    assert_eq!(spec.input_schema["properties"]["address"]["additionalProperties"], json!(false));
    let again = GivenTool::from_json(&spec.to_json()).unwrap();
    assert_eq!(Registry::builder().given(again).build().unwrap().spec("given"), Some(spec));
}

#[test]
fn a_policy_judges_what_will_run() {
    fn adults_alone(call: &Proposal<'_>) -> Result<Decision, PolicyError> {
        let age = call.arguments["age"].as_u64().ok_or(PolicyError::new("no age"))?;
        Ok(if age >= 18 { Decision::Allow } else { Decision::deny("Too young.") })
    }
    let desk = desk(&person(), adults_alone);
    assert_eq!(desk.ask("given", r#"{"name":"Ada"}"#).sum(), ("ok", 1, 1, false));
    assert_eq!(desk.ask("given", r#"{"name":"Ada","age":17.0}"#).sum(), ("policy_denied", 1, 2, true));
}

#[test]
fn a_given_tool_without_a_handler_is_for_its_host() {
    let desk = Desk::of(&[allow], |builder, _| builder.given(GivenTool::new("given", "", &person()).unwrap()));
    assert_eq!(desk.ask("given", r#"{"name":""}"#).sum(), ("invalid_arguments", 0, 0, true));
    assert_eq!(desk.ask("given", r#"{"name":"Ada"}"#).sum(), ("internal_error", 0, 1, true));
    let (arguments, pending) = desk.gates.admit(call("given", r#"{"name":"Ada"}"#)).unwrap().detach();
    assert_eq!(arguments, json!({"name": "Ada", "age": 18}));
    assert_eq!(pending.complete(Ok("done".to_owned())).shown().unwrap().text, "done");
}

#[test]
fn a_definition_that_is_none_is_refused() {
    assert!(matches!(GivenTool::new("no name", "", &json!({})), Err(GivenToolError::InvalidName(_))));
    for (definition, member) in [
        (json!({"input_schema": {}}), "name"),
        (json!({"name": 7, "input_schema": {}}), "name"),
        (json!({"name": "a"}), "input_schema"),
        (json!({"name": "a", "input_schema": true}), "input_schema"),
        (json!({"name": "a", "input_schema": {}, "description": 7}), "description"),
        (json!({"name": "a", "input_schema": {}, "annotations": {"readOnlyHint": "yes"}}), "annotations.readOnlyHint"),
        (json!({"name": "a", "input_schema": {}, "annotations": ["readOnlyHint"]}), "annotations"),
        (json!({"name": "a", "input_schema": {}, "annotations": null}), "annotations"),
        (json!({"name": "a", "inputSchema": 7}), "input_schema"),
    ] {
        let error = GivenTool::from_json(&definition).unwrap_err();
        assert!(matches!(error, GivenToolError::Member { member: of, .. } if of == member), "{definition}: {error}");
    }
}

#[test]
fn a_definition_is_read_as_others_write_it() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    for name in ["input_schema", "inputSchema", "parameters"] {
        let definition =
            json!({"name": "a", "title": "A", "description": "It.", name: schema, "annotations": {"title": "A"}});
        let registry = Registry::builder().given(GivenTool::from_json(&definition).unwrap()).build().unwrap();
        assert_eq!(registry.spec("a").unwrap().input_schema["properties"], schema["properties"], "{name}");
    }
    let twice = json!({"name": "a", "inputSchema": schema, "input_schema": schema});
    let error = GivenTool::from_json(&twice).unwrap_err();
    assert_eq!(error.to_string(), "a tool's schema must stand once, and not as `input_schema` and `inputSchema`");
}

/// The first of the registry's gates that would let something through unjudged is the building of it.
#[test]
fn no_keyword_is_silently_unenforced() {
    let schema = json!({"properties": {"at": {"$dynamicRef": "#here", "unheardOf": 1, "type": 7}}});
    let build = || Registry::builder().given(GivenTool::new("given", "", &schema).unwrap());
    let Err(RegistryError::UnsupportedSchema { tool, .. }) = build().build() else { panic!("it was built") };
    assert_eq!(tool.as_str(), "given");
    let gates = dispatch_core::Gates::new(build().build_deferred().unwrap());
    let rejection = gates.admit(call("given", "{}")).unwrap_err();
    assert_eq!((rejection.stage(), rejection.error().code.as_str()), (Stage::Valid, "internal_error"));
    assert_eq!(rejection.error().message, None);
    assert!(rejection.error().operator_text.as_deref().unwrap().contains("can't be judged by"));
}

#[test]
fn a_reference_may_lead_back_to_what_it_stands_in() {
    let list = json!({"$defs": {"list": {"properties": {"next": {"$ref": "#/$defs/list"}}}}, "$ref": "#/$defs/list"});
    let whole = json!({"properties": {"next": {"$ref": "#"}}});
    assert_eq!(faults(&whole, r#"{"next":{"next":{}}}"#), [] as [&str; 0]);
    assert_eq!(faults(&whole, r#"{"next":{"next":{"nexus":{}}}}"#), ["$.next.next: unknown field `nexus`"]);
    assert_eq!(faults(&list, r#"{"next":{"next":{}}}"#), [] as [&str; 0]);
    assert_eq!(faults(&list, r#"{"next":{"next":{"nexus":{}}}}"#), ["$.next.next: unknown field `nexus`"]);
}

#[test]
fn handlers_may_hold_state_of_their_own() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let into = Arc::clone(&heard);
    let tool =
        GivenTool::new("given", "", &json!({"additionalProperties": true})).unwrap().run_by(move |arguments, _| {
            into.lock().unwrap().push(arguments);
            Ok(Observation::default())
        });
    let desk = Desk::of(&[], |builder, _| builder.given(tool.clone()));
    let seen = desk.ask("given", r#"{"a":[1,{"b":null}]}"#);
    assert_eq!(seen.result.shown().unwrap().text, "");
    assert_eq!(*heard.lock().unwrap(), [json!({"a": [1, {"b": null}]})]);
}
