//! JSON text looked at without decoding it: which bytes spell which member.
//!
//! A file that a call did not touch goes back as it was written. To say what is expected the
//! runner needs its spelling, which a decoded value has lost.

use serde::de::IgnoredAny;
use serde_json::Deserializer;

/// Returns the members of the object that `text` begins with, in the order they stand.
///
/// Names are decoded, values are the bytes that spell them. `None` where the text is no object.
///
/// # Example
///
/// ```
/// let members = conformance::raw::members(r#" {"a": "\u00e9", "b" :[1, 2]}"#);
/// let expected = vec![("a".to_owned(), r#""\u00e9""#), ("b".to_owned(), "[1, 2]")];
/// assert_eq!(members, Some(expected));
/// ```
pub fn members(text: &str) -> Option<Vec<(String, &str)>> {
    let mut rest = after(text, '{')?;
    let mut members = Vec::new();
    if after(rest, '}').is_some() {
        return Some(members);
    }
    loop {
        let (member, behind) = member(rest)?;
        members.push(member);
        match after(behind, ',') {
            Some(next) => rest = next,
            None => return after(behind, '}').map(|_| members),
        }
    }
}

/// Returns the spelling of one member's value, the last one of that name.
pub fn member_named<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let mut found = members(text)?.into_iter().rev();
    found.find(|(candidate, _)| candidate == name).map(|(_, value)| value)
}

/// Returns an object's text without one of its members, all else as it is written. `None` where it has no such member.
///
/// # Example
///
/// ```
/// let without = |text| conformance::raw::without_member(text, "b");
/// assert_eq!(without(r#"{"a": 1, "b": 2, "c": 3}"#).as_deref(), Some(r#"{"a": 1, "c": 3}"#));
/// assert_eq!(without(r#"{"a": 1 , "b": 2 }"#).as_deref(), Some(r#"{"a": 1 }"#));
/// assert_eq!(without(r#"{"b": 2 , "a": 1 }"#).as_deref(), Some(r#"{ "a": 1 }"#));
/// assert_eq!(without("{}"), None);
/// ```
pub fn without_member(text: &str, name: &str) -> Option<String> {
    let mut before = after(text, '{')?;
    let mut comma = None;
    loop {
        let ((found, _), behind) = member(before)?;
        let next = after(behind, ',');
        if found == name {
            let start = text.len() - next.map_or(comma.unwrap_or(before), |_| before).len();
            let end = text.len() - next.unwrap_or(behind).len();
            return Some([text.get(..start)?, text.get(end..)?].concat());
        }
        (comma, before) = (Some(behind), next?);
    }
}

fn member(text: &str) -> Option<((String, &str), &str)> {
    let mut names = Deserializer::from_str(text).into_iter::<String>();
    let name = names.next()?.ok()?;
    let value = after(text.get(names.byte_offset()..)?, ':')?.trim_start();
    let mut values = Deserializer::from_str(value).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    let (spelling, behind) = value.split_at_checked(values.byte_offset())?;
    Some(((name, spelling), behind))
}

fn after(text: &str, mark: char) -> Option<&str> {
    text.trim_start().strip_prefix(mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_object_has_no_members() {
        assert_eq!(members(" { } "), Some(Vec::new()));
    }

    #[test]
    fn what_is_no_object_has_none() {
        for text in ["", "[]", "{\"a\"", "{\"a\":}", "{\"a\":1", "{\"a\":1,}", "{1:2}"] {
            assert_eq!(members(text), None, "{text}");
        }
    }

    #[test]
    fn values_keep_their_spelling() {
        let text = r#"{"n" : 1.50e1 ,"s":"\ud83d\ude00","o":{"x":[ ]}}"#;
        assert_eq!(member_named(text, "n"), Some("1.50e1"));
        assert_eq!(member_named(text, "s"), Some(r#""\ud83d\ude00""#));
        assert_eq!(member_named(text, "o"), Some(r#"{"x":[ ]}"#));
        assert_eq!(member_named(text, "x"), None);
    }

    #[test]
    fn names_are_decoded() {
        assert_eq!(member_named(r#"{"\u0061":1}"#, "a"), Some("1"));
    }
}
