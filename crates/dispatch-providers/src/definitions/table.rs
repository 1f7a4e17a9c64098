//! The parts of JSON Schema that providers take, and what its keywords are about.

use serde_json::Value;

/// A part of JSON Schema. What is not in its table is left out, and told.
#[derive(Debug)]
pub(super) struct Subset {
    /// The keywords that are written as they are, where their value is one that is taken.
    keywords: &'static [(&'static str, Takes)],
    pub(super) kind: Kind,
}

impl Subset {
    /// Returns whether a keyword is written as it is.
    pub(super) fn takes(&self, keyword: &str, value: &Value) -> bool {
        self.keywords.iter().any(|(known, takes)| *known == keyword && takes(value))
    }
}

type Takes = fn(&Value) -> bool;

/// The ways in which the subsets differ beyond their keywords.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A subset of OpenAPI: `nullable` and one type for each schema.
    OpenApi,
    /// Structured outputs: closed objects, every property required.
    Strict {
        /// Whether a schema may refer to one that it is in.
        recursive: bool,
    },
}

const fn any(_value: &Value) -> bool {
    true
}

/// The [schemas](https://ai.google.dev/api/caching#Schema) of Gemini's `parameters`. Types, objects, arrays, unions, constants and exclusive
/// bounds are written [differently](super::openapi). Of formats, the API refuses those that it does not know.
pub(super) const GEMINI: Subset = Subset {
    keywords: &[
        ("default", any),
        ("description", any),
        ("format", |format| {
            ["date-time", "enum", "double", "float", "int32", "int64"].iter().any(|known| format == known)
        }),
        ("maxItems", any),
        ("maxLength", any),
        ("maxProperties", any),
        ("maximum", any),
        ("minItems", any),
        ("minLength", any),
        ("minProperties", any),
        ("minimum", any),
        ("pattern", any),
        ("title", any),
    ],
    kind: Kind::OpenApi,
};

/// What OpenAI's [structured outputs](https://platform.openai.com/docs/guides/structured-outputs#supported-schemas) take.
pub(super) const OPENAI_STRICT: Subset = Subset {
    keywords: &[
        ("const", is_scalar),
        ("description", any),
        ("enum", are_scalars),
        ("exclusiveMaximum", any),
        ("exclusiveMinimum", any),
        ("format", |format| {
            ["date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uuid"]
                .iter()
                .any(|known| format == known)
        }),
        ("maxItems", any),
        ("maximum", any),
        ("minItems", any),
        ("minimum", any),
        ("multipleOf", any),
        ("pattern", is_regular),
        ("title", any),
    ],
    kind: Kind::Strict { recursive: true },
};

/// What Claude's [structured outputs](https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations) take, on
/// [Bedrock](https://docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html) as well.
pub(super) const ANTHROPIC_STRICT: Subset = Subset {
    keywords: &[
        ("const", is_scalar),
        ("default", any),
        ("description", any),
        ("enum", are_scalars),
        ("format", |format| {
            ["date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uri", "uuid"]
                .iter()
                .any(|known| format == known)
        }),
        ("minItems", |count| count == 0 || count == 1),
        ("pattern", is_regular),
        ("title", any),
    ],
    kind: Kind::Strict { recursive: false },
};

fn is_scalar(value: &Value) -> bool {
    !value.is_array() && !value.is_object()
}

fn are_scalars(values: &Value) -> bool {
    values.as_array().is_some_and(|values| values.iter().all(is_scalar))
}

/// Whether a pattern does without looking around, references back and edges of words.
fn is_regular(pattern: &Value) -> bool {
    let Some(pattern) = pattern.as_str() else { return false };
    let plain = pattern.replace(r"\\", "").replace("(?:", "(");
    !plain.contains("(?")
        && !plain.contains(r"\b")
        && !plain.contains(r"\B")
        && !('1'..='9').any(|digit| plain.contains(&format!("\\{digit}")))
}

/// Keywords that say nothing of values and are no loss. What they define is put where it is referred to.
pub(super) const SILENT: &[&str] = &["$anchor", "$comment", "$defs", "$id", "$schema", "definitions"];

/// Keywords that tell the reader of a union, and do not bind its branches.
pub(super) const ANNOTATIONS: &[&str] =
    &["title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"];

/// Keywords that bind values of one type only.
pub(super) const BINDS: &[(&str, &str)] = &[
    ("properties", "object"),
    ("required", "object"),
    ("additionalProperties", "object"),
    ("patternProperties", "object"),
    ("propertyNames", "object"),
    ("minProperties", "object"),
    ("maxProperties", "object"),
    ("items", "array"),
    ("prefixItems", "array"),
    ("minItems", "array"),
    ("maxItems", "array"),
    ("uniqueItems", "array"),
    ("minLength", "string"),
    ("maxLength", "string"),
    ("pattern", "string"),
    ("minimum", "number"),
    ("maximum", "number"),
    ("exclusiveMinimum", "number"),
    ("exclusiveMaximum", "number"),
    ("multipleOf", "number"),
];

/// Returns whether a keyword says something of values of a type.
pub(super) fn binds(keyword: &str, type_name: &str) -> bool {
    let type_name = if type_name == "integer" { "number" } else { type_name };
    BINDS.iter().find(|(known, _)| *known == keyword).is_none_or(|(_, bound)| *bound == type_name)
}

/// Keywords that are written with the types they bind.
pub(super) const STRUCTURE: &[&str] =
    &["type", "properties", "required", "additionalProperties", "items", "prefixItems", "additionalItems"];
