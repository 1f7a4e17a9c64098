//! Paths to values, as JSONPath writes them.

use std::fmt;

/// A path from the root of a JSON value to one inside it.
///
/// It reads as [JSONPath](https://www.rfc-editor.org/rfc/rfc9535): `$.items[2].name`, and `$['odd key']` for names that are no
/// plain identifiers, escaped as in its normalized paths.
///
/// ```
/// use dispatch_core::json::JsonPath;
///
/// let path = JsonPath::root().member("items").index(2).member("it's");
/// assert_eq!(path.to_string(), r"$.items[2]['it\'s']");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct JsonPath {
    segments: Vec<Segment>,
}

/// One step of a [`JsonPath`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Segment {
    /// The member of an object with this name.
    Member(String),
    /// The element of an array at this place, from 0.
    Index(usize),
}

impl JsonPath {
    /// Returns the path of the whole value, `$`.
    pub fn root() -> Self {
        Self::default()
    }

    /// Returns this path, one member further in.
    #[must_use]
    pub fn member(mut self, name: impl Into<String>) -> Self {
        self.segments.push(Segment::Member(name.into()));
        self
    }

    /// Returns this path, one element further in.
    #[must_use]
    pub fn index(mut self, index: usize) -> Self {
        self.segments.push(Segment::Index(index));
        self
    }

    /// Returns this path as seen from one step further out.
    #[must_use]
    pub(crate) fn within(mut self, step: Segment) -> Self {
        self.segments.insert(0, step);
        self
    }

    /// Returns the steps of this path, outermost first.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Returns whether this path begins with these members.
    ///
    /// ```
    /// use dispatch_core::json::JsonPath;
    ///
    /// let path = JsonPath::root().member("call").member("args").index(0);
    /// assert!(path.starts_with(&["call", "args"]));
    /// assert!(!path.starts_with(&["args"]));
    /// ```
    pub fn starts_with(&self, members: &[&str]) -> bool {
        self.segments.len() >= members.len()
            && members
                .iter()
                .zip(&self.segments)
                .all(|(member, segment)| matches!(segment, Segment::Member(name) if name == member))
    }
}

impl FromIterator<Segment> for JsonPath {
    fn from_iter<I: IntoIterator<Item = Segment>>(segments: I) -> Self {
        Self { segments: segments.into_iter().collect() }
    }
}

impl fmt::Display for JsonPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("$")?;
        self.segments.iter().try_for_each(|segment| segment.fmt(f))
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(index) => write!(f, "[{index}]"),
            Self::Member(name) if is_plain(name) => write!(f, ".{name}"),
            Self::Member(name) => {
                f.write_str("['")?;
                name.chars().try_for_each(|c| write_quoted(c, f))?;
                f.write_str("']")
            }
        }
    }
}

fn is_plain(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_digit())
        && !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// The escapes of RFC 9535, section 2.7.
fn write_quoted(c: char, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match c {
        '\u{8}' => f.write_str("\\b"),
        '\t' => f.write_str("\\t"),
        '\n' => f.write_str("\\n"),
        '\u{c}' => f.write_str("\\f"),
        '\r' => f.write_str("\\r"),
        '\'' => f.write_str("\\'"),
        '\\' => f.write_str("\\\\"),
        c if c < ' ' => write!(f, "\\u{:04x}", u32::from(c)),
        c => write!(f, "{c}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_no_identifiers_are_quoted() {
        for (name, expected) in [
            ("a", "$.a"),
            ("_9", "$._9"),
            ("9", "$['9']"),
            ("", "$['']"),
            ("odd key", "$['odd key']"),
            ("a.b", "$['a.b']"),
            ("é", "$['é']"),
            ("\\", "$['\\\\']"),
            ("\n\u{1}", "$['\\n\\u0001']"),
        ] {
            assert_eq!(JsonPath::root().member(name).to_string(), expected);
        }
    }
}
