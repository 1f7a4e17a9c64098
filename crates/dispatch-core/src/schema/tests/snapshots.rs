//! Schemas as they are printed.

#![expect(clippy::unnecessary_wraps, reason = "a default has the type of its field")]

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::json::{Document, write_value};
use crate::schema;
use crate::tools;

/// A value on one line, its keys sorted.
fn line(value: &Value) -> String {
    let mut text = Vec::new();
    write_value(&mut text, value).unwrap();
    String::from_utf8(text).unwrap()
}

/// A value over many lines, its keys sorted.
fn printed(value: &Value) -> String {
    let mut text = Vec::new();
    Document::parse(line(value).into()).unwrap().root().write_indented(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn spec(tool: &str) -> String {
    printed(&tools::core_registry().spec(tool).unwrap().to_json())
}

#[test]
fn read_file() {
    insta::assert_snapshot!(spec("read_file"), @r#"
    {
      "annotations": {
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": false,
        "readOnlyHint": true
      },
      "description": "Reads a text file. Its lines come back as `N: text`, N from 1. They end at `\\n` alone.",
      "input_schema": {
        "additionalProperties": false,
        "properties": {
          "limit": {
            "description": "The largest number of lines to read. Left out: all that follow.",
            "format": "uint64",
            "maximum": 9007199254740991,
            "minimum": 1,
            "type": [
              "integer",
              "null"
            ]
          },
          "offset": {
            "description": "The first line to read, from 1. Left out: the first line of the file.",
            "format": "uint64",
            "maximum": 9007199254740991,
            "minimum": 1,
            "type": [
              "integer",
              "null"
            ]
          },
          "path": {
            "description": "The file's path, relative to the workspace.",
            "type": "string"
          }
        },
        "required": [
          "path"
        ],
        "type": "object"
      },
      "name": "read_file"
    }
    "#);
}

#[test]
fn write_file() {
    insta::assert_snapshot!(spec("write_file"), @r#"
    {
      "annotations": {
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": false,
        "readOnlyHint": false
      },
      "description": "Creates a text file with its parent directories, or replaces the contents of one that is there.",
      "input_schema": {
        "additionalProperties": false,
        "properties": {
          "content": {
            "description": "The whole contents. Nothing is added: a final newline is there when it is given.",
            "type": "string"
          },
          "path": {
            "description": "The file's path, relative to the workspace.",
            "type": "string"
          }
        },
        "required": [
          "path",
          "content"
        ],
        "type": "object"
      },
      "name": "write_file"
    }
    "#);
}

#[test]
fn patch_file() {
    insta::assert_snapshot!(spec("patch_file"), @r#"
    {
      "annotations": {
        "destructiveHint": true,
        "idempotentHint": false,
        "openWorldHint": false,
        "readOnlyHint": false
      },
      "description": "Replaces one place in a text file. The text to replace must stand there exactly once, letter by letter.",
      "input_schema": {
        "additionalProperties": false,
        "properties": {
          "new_str": {
            "description": "The text to put in its place, taken literally.",
            "type": "string"
          },
          "old_str": {
            "description": "The text to replace, exactly as it stands in the file: white space, line ends and quotes too.",
            "minLength": 1,
            "type": "string"
          },
          "path": {
            "description": "The file's path, relative to the workspace.",
            "type": "string"
          }
        },
        "required": [
          "path",
          "old_str",
          "new_str"
        ],
        "type": "object"
      },
      "name": "patch_file"
    }
    "#);
}

/// Every width of number.
#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "nothing is decoded here")]
struct Widths {
    i8: i8,
    i16: i16,
    i32: i32,
    i64: i64,
    i128: i128,
    isize: isize,
    u8: u8,
    u16: u16,
    u32: u32,
    u64: u64,
    u128: u128,
    usize: usize,
    f32: f32,
    f64: f64,
    non_zero: NonZeroU32,
    #[schemars(range(min = 1, max = 10))]
    narrowed: u64,
}

/// A line for each property: its name and schema.
#[test]
fn numbers_carry_their_bounds() {
    let schema = schema::of::<Widths>();
    let properties: BTreeMap<_, _> = schema["properties"].as_object().unwrap().iter().collect();
    let lines: Vec<_> = properties.into_iter().map(|(name, schema)| format!("{name}: {}", line(schema))).collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    f32: {"format":"float","maximum":3.4028234663852886e+38,"minimum":-3.4028234663852886e+38,"type":"number"}
    f64: {"format":"double","type":"number"}
    i128: {"format":"int128","maximum":18446744073709551615,"minimum":-9223372036854775808,"type":"integer"}
    i16: {"format":"int16","maximum":32767,"minimum":-32768,"type":"integer"}
    i32: {"format":"int32","maximum":2147483647,"minimum":-2147483648,"type":"integer"}
    i64: {"format":"int64","maximum":9223372036854775807,"minimum":-9223372036854775808,"type":"integer"}
    i8: {"format":"int8","maximum":127,"minimum":-128,"type":"integer"}
    isize: {"format":"int","maximum":9223372036854775807,"minimum":-9223372036854775808,"type":"integer"}
    narrowed: {"format":"uint64","maximum":10,"minimum":1,"type":"integer"}
    non_zero: {"format":"uint32","maximum":4294967295,"minimum":1,"type":"integer"}
    u128: {"format":"uint128","maximum":18446744073709551615,"minimum":0,"type":"integer"}
    u16: {"format":"uint16","maximum":65535,"minimum":0,"type":"integer"}
    u32: {"format":"uint32","maximum":4294967295,"minimum":0,"type":"integer"}
    u64: {"format":"uint64","maximum":18446744073709551615,"minimum":0,"type":"integer"}
    u8: {"format":"uint8","maximum":255,"minimum":0,"type":"integer"}
    usize: {"format":"uint","maximum":18446744073709551615,"minimum":0,"type":"integer"}
    "#);
}

/// What is optional, in every way.
#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "nothing is decoded here")]
struct Optional {
    /// No default: null means absent.
    may_be_null: Option<u8>,
    /// A default that is null is none.
    #[serde(default)]
    null_by_default: Option<u8>,
    /// A default, so that null is refused.
    #[serde(default = "three")]
    three_by_default: Option<u8>,
    #[serde(default)]
    empty_by_default: Vec<String>,
    structure: Option<Inner>,
    #[serde(default)]
    choice: Choice,
    #[serde(default = "second")]
    choice_or_null: Option<Choice>,
    #[serde(default = "low")]
    level_or_null: Option<Level>,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "nothing is decoded here")]
struct Inner {
    flag: bool,
}

#[derive(Default, Deserialize, serde::Serialize, JsonSchema)]
enum Choice {
    #[default]
    First,
    Second,
}

#[derive(Deserialize, serde::Serialize, JsonSchema)]
enum Level {
    /// Not much.
    Low,
    /// A lot.
    High,
}

fn low() -> Option<Level> {
    Some(Level::Low)
}

fn three() -> Option<u8> {
    Some(3)
}

fn second() -> Option<Choice> {
    Some(Choice::Second)
}

#[test]
fn what_is_optional_says_whether_it_may_be_null() {
    insta::assert_snapshot!(printed(&schema::of::<Optional>()), @r#"
    {
      "additionalProperties": false,
      "description": "What is optional, in every way.",
      "properties": {
        "choice": {
          "default": "First",
          "enum": [
            "First",
            "Second"
          ],
          "type": "string"
        },
        "choice_or_null": {
          "default": "Second",
          "enum": [
            "First",
            "Second"
          ],
          "type": "string"
        },
        "empty_by_default": {
          "default": [],
          "items": {
            "type": "string"
          },
          "type": "array"
        },
        "level_or_null": {
          "anyOf": [
            {
              "oneOf": [
                {
                  "const": "Low",
                  "description": "Not much.",
                  "type": "string"
                },
                {
                  "const": "High",
                  "description": "A lot.",
                  "type": "string"
                }
              ]
            }
          ],
          "default": "Low"
        },
        "may_be_null": {
          "description": "No default: null means absent.",
          "format": "uint8",
          "maximum": 255,
          "minimum": 0,
          "type": [
            "integer",
            "null"
          ]
        },
        "null_by_default": {
          "description": "A default that is null is none.",
          "format": "uint8",
          "maximum": 255,
          "minimum": 0,
          "type": [
            "integer",
            "null"
          ]
        },
        "structure": {
          "additionalProperties": false,
          "properties": {
            "flag": {
              "type": "boolean"
            }
          },
          "required": [
            "flag"
          ],
          "type": [
            "object",
            "null"
          ]
        },
        "three_by_default": {
          "default": 3,
          "description": "A default, so that null is refused.",
          "format": "uint8",
          "maximum": 255,
          "minimum": 0,
          "type": "integer"
        }
      },
      "type": "object"
    }
    "#);
}
