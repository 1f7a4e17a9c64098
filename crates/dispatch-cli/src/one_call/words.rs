//! Arguments, made of words by the schema that they will be judged by.
//!
//! **Nothing is guessed and nothing repaired**: a word becomes what it says, and the judge finds what does not fit.

use dispatch_core::json::{Document, write_value};
use serde_json::Value;

use crate::error::CliError;

/// Makes an object of words, in their order. A key that comes twice comes twice there, too.
///
/// # Errors
///
/// When a word is neither `KEY=VALUE` nor `KEY:=JSON`.
pub(super) fn arguments(words: &[String], schema: &Value) -> Result<String, CliError> {
    let members = words
        .iter()
        .map(|word| member(word, schema).map_err(|reason| CliError::BadWord { word: word.clone(), reason }));
    Ok(format!("{{{}}}", members.collect::<Result<Vec<_>, _>>()?.join(",")))
}

fn member(word: &str, schema: &Value) -> Result<String, String> {
    let (key, value) = word.split_once('=').ok_or("expected `KEY=VALUE` or `KEY:=JSON`")?;
    let (key, value) = match key.strip_suffix(':') {
        Some(key) => (key, json(value)?),
        None => (key, by_schema(value, schema.pointer(&pointer(key)).unwrap_or(&Value::Null))),
    };
    if key.is_empty() {
        return Err("there is no key before the `=`".to_owned());
    }
    Ok(format!("{}:{value}", quoted(key)))
}

fn json(text: &str) -> Result<String, String> {
    match Document::parse_tolerating(text.into(), |_| true) {
        Ok(_) => Ok(text.to_owned()),
        Err(malformed) => Err(format!("what stands behind `:=` is no JSON: {malformed}")),
    }
}

/// Where a property stands in a schema (RFC 6901).
fn pointer(key: &str) -> String {
    format!("/properties/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// A value that can't be text is read as what the schema wants. One that is not such a thing stays text, and is found by the judge.
fn by_schema(value: &str, schema: &Value) -> String {
    let wants = |wanted: &str| wants(schema, wanted);
    let is_wanted = |value: &Value| match value {
        Value::Number(_) => wants("integer") || wants("number"),
        Value::Bool(_) => wants("boolean"),
        Value::Null | Value::String(_) | Value::Array(_) | Value::Object(_) => false,
    };
    let read = Document::parse(value.into()).ok().filter(|_| !wants("string"));
    if read.is_some_and(|read| is_wanted(&read.root().to_json())) { value.to_owned() } else { quoted(value) }
}

fn wants(schema: &Value, wanted: &str) -> bool {
    let named = match schema.get("type") {
        Some(Value::String(name)) => name == wanted,
        Some(Value::Array(names)) => names.iter().any(|name| name == wanted),
        _ => false,
    };
    let branches = ["anyOf", "oneOf"].iter().filter_map(|union| schema.get(*union)?.as_array()).flatten();
    named || branches.into_iter().any(|branch| wants(branch, wanted))
}

fn quoted(text: &str) -> String {
    let mut json = Vec::new();
    // Writing to memory does not fail.
    let _ = write_value(&mut json, &text.into());
    String::from_utf8(json).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(words: &[&str], expected: &str) {
        let schema = json!({"properties": {
            "path": {"type": "string"},
            "offset": {"type": ["integer", "null"]},
            "ratio": {"anyOf": [{"type": "number"}, {"type": "null"}]},
            "either": {"type": ["string", "integer"]},
            "all": {"type": "boolean"},
            "a/b": {"type": "integer"},
        }});
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        match arguments(&words, &schema) {
            Ok(text) => assert_eq!(text, expected),
            Err(error) => assert_eq!(error.to_string(), expected),
        }
    }

    #[test]
    fn a_value_is_what_the_schema_wants() {
        check(&[], "{}");
        check(&["path=a b", "offset=10"], r#"{"path":"a b","offset":10}"#);
        check(&["path=10", "either=10", "unknown=10"], r#"{"path":"10","either":"10","unknown":"10"}"#);
        check(&["ratio=1.50", "all=true", "a/b=7"], r#"{"ratio":1.50,"all":true,"a/b":7}"#);
        check(&["offset=12345678901234567890123"], r#"{"offset":12345678901234567890123}"#);
    }

    #[test]
    fn what_is_not_what_the_schema_wants_stays_text() {
        check(&["offset=ten", "all=1", "offset="], r#"{"offset":"ten","all":"1","offset":""}"#);
        check(&["offset=null", "offset=[1]"], r#"{"offset":"null","offset":"[1]"}"#);
    }

    #[test]
    fn text_stays_as_it_is() {
        check(&["path==a=\"\\\n\u{e9}"], "{\"path\":\"=a=\\\"\\\\\\n\u{e9}\"}");
        check(&["path="], r#"{"path":""}"#);
    }

    #[test]
    fn json_stands_as_it_is_written() {
        check(&[r#"edits:=[{"a": 1, "a": 2}]"#, "path:=null"], r#"{"edits":[{"a": 1, "a": 2}],"path":null}"#);
    }

    #[test]
    fn a_word_that_says_nothing_is_told() {
        check(&["path"], "--tool: `path`: expected `KEY=VALUE` or `KEY:=JSON`");
        check(&["=a"], "--tool: `=a`: there is no key before the `=`");
        check(&[":=1"], "--tool: `:=1`: there is no key before the `=`");
    }
}
