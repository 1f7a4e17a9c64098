//! What a schema lets through and the arguments' type can't hold is the arguments' fault all the same, and nothing runs.

#![expect(clippy::unwrap_used, reason = "a test fails where something is not there")]

use std::collections::HashMap;
use std::net::IpAddr;

use dispatch_core::json::Document;
use dispatch_core::workspace::View;
use dispatch_core::{Gates, Registry, Rejection, Stage, Tool, ToolCall, ToolFailure};
use schemars::JsonSchema;
use serde::Deserialize;

/// Addresses: of these a schema says no more than that they are strings.
#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "no handler ever sees them")]
struct Addresses {
    one: Option<IpAddr>,
    many: Option<Vec<IpAddr>>,
    named: Option<HashMap<String, IpAddr>>,
    nested: Option<Nested>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "no handler ever sees them")]
enum Nested {
    Both { first: IpAddr, second: IpAddr },
}

struct Ping;

impl Tool for Ping {
    type Args = Addresses;
    type Output = String;

    fn name(&self) -> &'static str {
        "ping"
    }

    fn run(&self, _: Addresses, _: &mut View<'_>) -> Result<String, ToolFailure> {
        Ok("pong".to_owned())
    }
}

fn refused(registry: Registry, tool: &str, args: &str) -> Rejection {
    let args = Document::parse(args.into()).unwrap();
    Gates::new(registry).admit(ToolCall::new(tool, args)).unwrap_err()
}

#[test]
fn the_place_in_the_arguments_is_told() {
    for (args, path) in [
        (r#"{"one": "nowhere"}"#, "$.one"),
        (r#"{"many": ["127.0.0.1", "nowhere"]}"#, "$.many[1]"),
        (r#"{"named": {"it is": "nowhere"}}"#, "$.named['it is']"),
        (r#"{"nested": {"Both": {"first": "::1", "second": "nowhere"}}}"#, "$.nested.Both.second"),
    ] {
        let registry = Registry::builder().tool(Ping).build().unwrap();
        let rejection = refused(registry, "ping", args);
        let error = rejection.error();
        assert_eq!((rejection.stage(), error.code.as_str()), (Stage::Valid, "invalid_arguments"), "{args}");
        let paths: Vec<_> = error.details.iter().map(|detail| detail.path.to_string()).collect();
        assert_eq!(paths, [path], "{args}");
    }
}

/// Its schema is none: no such type is known.
#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "no handler ever sees them")]
struct Unreadable {
    #[schemars(extend("type" = "digit"))]
    number: i8,
}

struct Count;

impl Tool for Count {
    type Args = Unreadable;
    type Output = String;

    fn name(&self) -> &'static str {
        "count"
    }

    fn run(&self, _: Unreadable, _: &mut View<'_>) -> Result<String, ToolFailure> {
        Ok("counted".to_owned())
    }
}

#[test]
fn a_tool_whose_schema_was_never_readable_is_refused_at_every_call() {
    assert!(Registry::builder().tool(Count).build().is_err());
    let registry = Registry::builder().tool(Count).build_deferred().unwrap();
    let rejection = refused(registry, "count", r#"{"number": 1}"#);
    let error = rejection.error();
    assert_eq!((rejection.stage(), error.code.as_str()), (Stage::Valid, "internal_error"));
    assert_eq!((error.details.len(), error.message.as_deref()), (0, None));
    assert!(error.operator_text.as_deref().unwrap().contains("$.properties.number.type"));
}
