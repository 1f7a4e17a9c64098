//! The protocol's own JSON Schemas.

use serde_json::{Value, json};

use crate::code::ErrorCode;
use crate::limits::Limits;

/// Returns the JSON Schema (draft 2020-12) of a request.
///
/// What it can't say: a key may stand only once in an object, and `args` are judged by the tool's schema, not by this one.
///
/// ```
/// let schema = dispatch_core::protocol::request_schema();
/// assert_eq!(schema["required"], serde_json::json!(["op"]));
/// ```
pub fn request_schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Request",
        "description": "A request of the native protocol.",
        "type": "object",
        "required": ["op"],
        "oneOf": [dispatch_request(), workspace_request()],
    })
}

fn dispatch_request() -> Value {
    json!({
        "description": "Runs one call. A request outside a stream needs `workspace`.",
        "properties": {
            "op": {"const": "dispatch"},
            "workspace": workspace("The files to run on. In a stream it sets the session's workspace; left out, the session's is used."),
            "call": call(),
            "permissions": {
                "description": "The tools that this request may use. Left out: all that the host permits.",
                "type": "array",
                "items": {"type": "string"},
            },
            "limits": {
                "type": "object",
                "properties": {
                    "max_output_bytes": {
                        "description": "The largest length of the observation in bytes of UTF-8.",
                        "type": "integer",
                        "minimum": 1,
                        "maximum": Limits::LARGEST,
                        "default": Limits::default().max_output_bytes(),
                    },
                },
                "additionalProperties": false,
            },
        },
        "required": ["op", "call"],
        "additionalProperties": false,
    })
}

fn call() -> Value {
    json!({
        "type": "object",
        "properties": {
            "id": {"description": "Pairs the call with its result. It comes back letter by letter.", "type": "string"},
            "tool": {"description": "The tool's name.", "type": "string"},
            "args": {"description": "The arguments, judged by the tool's own schema."},
        },
        "required": ["tool", "args"],
        "additionalProperties": false,
    })
}

fn workspace_request() -> Value {
    json!({
        "description": "Asks for the session's workspace. In a stream only.",
        "properties": {"op": {"const": "workspace"}},
        "required": ["op"],
        "additionalProperties": false,
    })
}

/// Returns the JSON Schema (draft 2020-12) of a response, a protocol failure included.
///
/// ```
/// let schema = dispatch_core::protocol::response_schema();
/// assert_eq!(schema["oneOf"].as_array().unwrap().len(), 4);
/// ```
pub fn response_schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Response",
        "description": "A response of the native protocol, or the line that tells a protocol failure.",
        "type": "object",
        "oneOf": [observation(), error(), workspace_response(), failure()],
    })
}

fn observation() -> Value {
    json!({
        "description": "The call ran.",
        "properties": {
            "id": {"type": "string"},
            "observation": {"description": "What the call gave back, within the output limit.", "type": "string"},
            "status": {"const": "ok"},
            "tool": {"type": "string"},
            "truncated": {
                "description": "There when the observation was cut.",
                "type": "object",
                "properties": {"original_bytes": {"type": "integer", "minimum": 2}},
                "required": ["original_bytes"],
                "additionalProperties": false,
            },
            "workspace": workspace("The whole workspace after the call, when the request brought one."),
        },
        "required": ["observation", "status", "tool"],
        "additionalProperties": false,
    })
}

fn error() -> Value {
    json!({
        "description": "The call was refused, or could not do what it was asked for.",
        "properties": {
            "details": {
                "description": "With `invalid_arguments` what is wrong with the arguments. Where failures are explained, with each that is one of execution what may help to the next try.",
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "message": {"type": "string"},
                        "path": {"description": "A JSONPath (RFC 9535) into the arguments.", "type": "string"},
                    },
                    "required": ["message", "path"],
                    "additionalProperties": false,
                },
            },
            "error": {"description": "The code: a built-in one, or a policy's or tool's own.", "type": "string", "pattern": "^[a-z][a-z0-9_]*$"},
            "id": {"type": "string"},
            "message": {"description": "A text for the model, where a policy or a tool's own code brought one, or where failures are explained.", "type": "string"},
            "status": {"const": "error"},
            "tool": {"type": "string"},
            "workspace": workspace("The workspace, equal to the one before the call, when the request brought one."),
        },
        "required": ["error", "status", "tool"],
        "additionalProperties": false,
    })
}

fn workspace_response() -> Value {
    json!({
        "description": "The session's workspace.",
        "properties": {"status": {"const": "ok"}, "workspace": workspace("The session's files.")},
        "required": ["status", "workspace"],
        "additionalProperties": false,
    })
}

fn failure() -> Value {
    let protocol_codes =
        [ErrorCode::InvalidRequest, ErrorCode::UnsupportedOp, ErrorCode::UnknownTool].map(ErrorCode::as_str);
    let at_path = json!({
        "properties": {
            "error": {"enum": protocol_codes},
            "message": {"type": "string"},
            "path": {"type": "string"},
            "status": {"const": "protocol_error"},
        },
        "required": ["error", "message", "path", "status"],
        "additionalProperties": false,
    });
    let at_position = json!({
        "properties": {
            "column": {"type": "integer", "minimum": 1},
            "error": {"const": ErrorCode::MalformedJson.as_str()},
            "line": {"type": "integer", "minimum": 1},
            "message": {"type": "string"},
            "status": {"const": "protocol_error"},
        },
        "required": ["column", "error", "line", "message", "status"],
        "additionalProperties": false,
    });
    json!({"description": "A protocol failure.", "oneOf": [at_path, at_position]})
}

fn workspace(description: &str) -> Value {
    json!({"description": description, "type": "object", "additionalProperties": {"type": "string"}})
}
