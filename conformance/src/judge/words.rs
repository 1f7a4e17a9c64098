//! The words of the details that a case expects: no part of what is judged, and where details differ a hint at what is missing.

use serde_json::{Deserializer, Value};

use super::meaning::told;
use super::{Line, Wanted, wanted};
use crate::case::Case;
use crate::mismatch::shortened;
use crate::subject::Output;

/// A detail: its path, and its message.
type Detail = (String, String);

/// Returns the details that a case expects in the words of docs/protocol.md, a line each. `None` where none are expected, or those that came are at the
/// same paths.
///
/// Where the last one counts others that were left out, a line says that it is the length of these words that decides which.
pub fn expected_details(case: &Case, output: &Output) -> Option<String> {
    let expected = match wanted(case)?.0 {
        Wanted::Lines(lines) => lines.iter().map(text).collect::<Vec<_>>().join("\n"),
        Wanted::Bytes(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Wanted::Notes(_) | Wanted::Anything => return None,
    };
    let (expected, got) = (details(expected.as_bytes()), details(&output.stdout));
    let paths = |details: &[Detail]| details.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>();
    if expected.is_empty() || paths(&expected) == paths(&got) {
        return None;
    }
    let bounded = expected.iter().any(|(_, message)| is_count(message)).then_some(BOUNDED);
    let lines = expected.iter().map(|(path, message)| shortened(&format!("{path}: {message}")));
    Some(lines.chain(bounded.map(str::to_owned)).collect::<Vec<_>>().join("\n"))
}

/// What is said where details are left out.
const BOUNDED: &str =
    "(which of them 1 MiB has room for depends on the length of their messages: here these words count)";

/// Tells whether a message counts what was left out.
fn is_count(message: &str) -> bool {
    message.strip_prefix("and ").is_some_and(|rest| rest.ends_with(" more fault") || rest.ends_with(" more faults"))
}

fn text(line: &Line) -> String {
    match line {
        Line::Text(text) => text.clone(),
        // It has no details.
        Line::Failure(_) => "null".to_owned(),
    }
}

/// Reads the details in all values that a text holds, as far as it is JSON.
fn details(text: &[u8]) -> Vec<Detail> {
    let mut found = Vec::new();
    for value in Deserializer::from_slice(text).into_iter::<Value>().map_while(Result::ok) {
        collect(&value, &mut found);
    }
    found
}

/// Finds details where they are members, and where they are lines of a text that tells a model of an error.
fn collect(value: &Value, found: &mut Vec<Detail>) {
    match value {
        Value::Array(elements) => elements.iter().for_each(|element| collect(element, found)),
        Value::Object(members) => {
            let text = |name: &str| members.get(name).and_then(Value::as_str).map(str::to_owned);
            found.extend(text("path").zip(text("message")));
            members.values().for_each(|member| collect(member, found));
        }
        Value::String(text) if told(text).is_some() => {
            let lines = text.lines().skip(1).filter(|line| line.starts_with('$'));
            found.extend(
                lines.filter_map(|line| line.split_once(": ")).map(|(path, words)| (path.into(), words.into())),
            );
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::case_of;

    fn hint(members: &str, stdout: &str) -> Option<String> {
        let case = case_of(&format!("{{name: a, rule: rule, why: W., {members}}}")).expect(members);
        expected_details(&case, &Output { stdout: stdout.into(), ..Output::default() })
    }

    fn refused(details: &str) -> String {
        format!(
            r#"exit: 0, response: {{status: error, error: e, details: [{details}]}}, effects: none, text: '{{"workspace": {{}}}}'"#
        )
    }

    #[test]
    fn details_that_are_not_where_they_should_be_have_their_words() {
        let members = refused("{path: $.a, message: expected string}, {path: $, message: missing field `b`}");
        let words = "$.a: expected string\n$: missing field `b`";
        for stdout in
            ["", "no JSON", "{}", r#"{"details":[{"path":"$.a","message":"m"}]}"#, r#"{"details":[{"path":"$"}]}"#]
        {
            assert_eq!(hint(&members, stdout).as_deref(), Some(words), "{stdout}");
        }
        let right = "{\"details\": [\n{\"path\":\"$.a\",\"message\":\"m\"}, {\"path\":\"$\",\"message\":\"n\"}]}";
        assert_eq!(hint(&members, right), None);
        assert_eq!(hint("exit: 0, response: {status: ok}, effects: none, text: '{\"workspace\": {}}'", "{}"), None);
    }

    #[test]
    fn so_have_those_of_answers_and_of_what_a_model_reads() {
        let stream =
            "exit: 0, lines: [x, y], answers: [{response: {a: 1}}, {response: {details: [{path: $, message: m}]}}]";
        assert_eq!(hint(stream, "{\"a\":1}\n{}\n").as_deref(), Some("$: m"));
        let provider = r#"exit: 0, text: x, options: {provider: p}, effects: none,
            messages: [{content: "invalid_arguments: Any.\n$.a: b: c"}]"#;
        assert_eq!(hint(provider, r#"{"content":"invalid_arguments: o"}"#).as_deref(), Some("$.a: b: c"));
        assert_eq!(hint(provider, r#"{"content":"invalid_arguments: o\n$.a: p"}"#), None);
    }

    #[test]
    fn where_some_are_left_out_it_is_said_that_words_count() {
        let members = refused("{path: $.a, message: m}, {path: $, message: and 2 more faults}");
        assert_eq!(hint(&members, "{}"), Some(format!("$.a: m\n$: and 2 more faults\n{BOUNDED}")));
    }
}
