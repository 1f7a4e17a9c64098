//! JSON as a case writes it: members in the order they stand, integers exact.
//!
//! **No number is rounded on its way from a case to a request.** What YAML can't hold exactly is
//! refused where it is read; a case says it as `text`.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// Represents a JSON value whose members keep their order.
///
/// It is read from YAML and written as compact JSON: never the other way round.
#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    /// The literal `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer from 0 up.
    Unsigned(u64),
    /// An integer written with a minus.
    Signed(i64),
    /// A number with a fraction or an exponent. Always finite.
    Float(f64),
    /// A string, decoded.
    Text(String),
    /// An array.
    Array(Vec<Json>),
    /// An object. A name stands in it once.
    Object(Vec<(String, Json)>),
}

/// Chooses in which order an object's members are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    AsTheyStand,
    ByCodePoint,
}

impl Json {
    /// Writes the value compactly, members in the order they stand.
    pub fn compact(&self) -> String {
        let mut out = String::new();
        self.write(Order::AsTheyStand, &mut out);
        out
    }

    /// Writes the value compactly, members sorted by code point at every depth.
    pub fn sorted(&self) -> String {
        let mut out = String::new();
        self.write(Order::ByCodePoint, &mut out);
        out
    }

    fn write(&self, order: Order, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(value) => out.push_str(&value.to_string()),
            Self::Unsigned(value) => out.push_str(&value.to_string()),
            Self::Signed(value) => out.push_str(&value.to_string()),
            Self::Float(value) => out.push_str(&Value::from(*value).to_string()),
            Self::Text(value) => out.push_str(&quoted(value)),
            Self::Array(items) => write_array(items, order, out),
            Self::Object(members) => write_object(members, order, out),
        }
    }
}

fn write_array(items: &[Json], order: Order, out: &mut String) {
    out.push('[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        item.write(order, out);
    }
    out.push(']');
}

fn write_object(members: &[(String, Json)], order: Order, out: &mut String) {
    let mut members: Vec<&(String, Json)> = members.iter().collect();
    if order == Order::ByCodePoint {
        members.sort_by(|a, b| a.0.cmp(&b.0));
    }
    out.push('{');
    for (index, (name, value)) in members.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        out.push_str(&quoted(name));
        out.push(':');
        value.write(order, out);
    }
    out.push('}');
}

/// Writes a text as a JSON string: escapes only where JSON demands them.
pub fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Writes an object from members whose values are JSON already, sorted by code point.
///
/// # Example
///
/// ```
/// let members = vec![("b".into(), "1".into()), ("a".into(), r#""\u00e9""#.into())];
/// assert_eq!(conformance::json::sorted_object(members), r#"{"a":"\u00e9","b":1}"#);
/// ```
pub fn sorted_object(mut members: Vec<(String, String)>) -> String {
    members.sort();
    let written: Vec<String> = members.iter().map(|(name, value)| format!("{}:{value}", quoted(name))).collect();
    format!("{{{}}}", written.join(","))
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Unsigned(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Signed(value))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Json, E> {
        // From 2^63 up an integer that YAML could not hold arrives as a float, already rounded.
        if value.abs() < 9_223_372_036_854_775_808.0 {
            return Ok(Json::Float(value));
        }
        Err(E::custom("a number of this size may have been rounded: write the request as `text`"))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.to_owned()))
    }

    fn visit_string<E: de::Error>(self, value: String) -> Result<Json, E> {
        Ok(Json::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Json::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Json::Object(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml;

    fn check(yaml: &str, compact: &str) {
        let value: Json = yaml::read(yaml).expect(yaml);
        assert_eq!(value.compact(), compact);
    }

    #[test]
    fn members_go_out_as_they_stand() {
        check("{b: 1, a: {d: 2, c: 3}}", r#"{"b":1,"a":{"d":2,"c":3}}"#);
    }

    #[test]
    fn members_are_sorted_at_every_depth() {
        let value: Json = yaml::read("{b: 1, a: [{d: 2, c: 3}], é: 4, Z: 5}").expect("valid");
        assert_eq!(value.sorted(), r#"{"Z":5,"a":[{"c":3,"d":2}],"b":1,"é":4}"#);
    }

    #[test]
    fn integers_are_exact() {
        check("18446744073709551615", "18446744073709551615");
        check("-9223372036854775808", "-9223372036854775808");
        check("9007199254740993", "9007199254740993");
    }

    #[test]
    fn fractions_and_exponents_are_doubles() {
        check("[1.0, 2.5, 1e2, -0.5]", "[1.0,2.5,100.0,-0.5]");
    }

    #[test]
    fn what_may_have_been_rounded_is_refused() {
        for yaml in ["18446744073709551616", "-9223372036854775809", "1e300", "1e400", ".inf"] {
            assert!(yaml::read::<Json>(yaml).is_err(), "{yaml}");
        }
    }

    #[test]
    fn what_only_looks_like_another_type_is_text() {
        check("[yes, no, on, off]", r#"["yes","no","on","off"]"#);
        check("[0755, 1_000, 2020-01-01]", r#"["0755","1_000","2020-01-01"]"#);
        check("[true, null, ~]", "[true,null,null]");
    }

    #[test]
    fn text_is_escaped_only_where_json_demands_it() {
        check(r#""a\"\\\n\t\u0001\u007fé\u2028/""#, "\"a\\\"\\\\\\n\\t\\u0001\u{7f}é\u{2028}/\"");
    }
}
