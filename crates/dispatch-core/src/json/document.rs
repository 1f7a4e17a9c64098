//! A text that was checked, and the values in it.

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use serde_json::Value;

use super::malformed::Fault;
use super::scan::{Entry, decode, scan};
use super::{JsonPath, Malformed, Number, Segment};

/// A JSON text that was checked as a whole. Cloning it is cheap.
///
/// ```
/// use dispatch_core::json::Document;
///
/// let document = Document::parse(br#"{"a": [1, "\u0062"]}"#.to_vec())?;
/// let items: Vec<_> = document.root().get("a").unwrap().elements().collect();
/// assert_eq!(items[1].raw(), r#""\u0062""#);
/// assert_eq!(items[1].as_str().unwrap(), "b");
/// # Ok::<(), dispatch_core::json::Malformed>(())
/// ```
#[derive(Clone)]
pub struct Document {
    inner: Arc<Inner>,
}

struct Inner {
    text: String,
    entries: Vec<Entry>,
}

/// Returns an input without the byte order mark that may stand at its very start, and is no JSON.
///
/// ```
/// use dispatch_core::json::skip_byte_order_mark;
///
/// assert_eq!(skip_byte_order_mark("\u{feff}{}".as_bytes()), b"{}");
/// assert_eq!(skip_byte_order_mark(b"{}"), b"{}");
/// ```
pub fn skip_byte_order_mark(input: &[u8]) -> &[u8] {
    input.strip_prefix("\u{feff}".as_bytes()).unwrap_or(input)
}

/// Returns whether a text is one that [`Document::parse`] would take, without keeping what is found in it.
pub(crate) fn is_json(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok_and(|text| scan(text, &|_| false).is_ok())
}

impl Document {
    /// Checks a text. A byte order mark is no part of it: see [`skip_byte_order_mark`].
    ///
    /// # Errors
    ///
    /// [`Malformed`] says where the text stops being the JSON described in [the module](super), and gives the text back.
    ///
    /// ```
    /// use dispatch_core::json::Document;
    ///
    /// let error = Document::parse(br#"{"a": 1, "\u0061": 2}"#.to_vec()).unwrap_err();
    /// assert_eq!(error.to_string(), "duplicate key `a`");
    /// assert_eq!(error.position().column, 10);
    /// ```
    pub fn parse(text: Vec<u8>) -> Result<Self, Malformed> {
        Self::parse_tolerating(text, |_| false)
    }

    /// Checks a text as [`parse`](Self::parse) does, but lets objects hold a key twice where their path is tolerated.
    ///
    /// The later one is then marked: [`Member::repeated`](Members).
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse).
    ///
    /// ```
    /// use dispatch_core::json::Document;
    ///
    /// let text = br#"{"args": {"a": 1, "a": 2}}"#;
    /// assert!(Document::parse(text.to_vec()).is_err());
    /// assert!(Document::parse_tolerating(text.to_vec(), |path| path.starts_with(&["args"])).is_ok());
    /// assert!(Document::parse_tolerating(text.to_vec(), |path| path.starts_with(&["other"])).is_err());
    /// ```
    pub fn parse_tolerating(text: Vec<u8>, tolerates: impl Fn(&JsonPath) -> bool) -> Result<Self, Malformed> {
        let text = String::from_utf8(text).map_err(|error| not_utf8(error, &tolerates))?;
        match scan(&text, &tolerates) {
            Ok(entries) => Ok(Self { inner: Arc::new(Inner { text, entries }) }),
            Err((offset, fault)) => Err(Malformed::new(offset, fault, text.into_bytes())),
        }
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        &self.inner.text
    }

    /// Returns the outermost value.
    pub fn root(&self) -> Node<'_> {
        Node { document: self, index: 0 }
    }
}

/// A fault before the first byte that is no UTF-8 is told first, as everywhere.
fn not_utf8(error: std::string::FromUtf8Error, tolerates: &dyn Fn(&JsonPath) -> bool) -> Malformed {
    let valid = error.utf8_error().valid_up_to();
    let bytes = error.into_bytes();
    let before = bytes.get(..valid).and_then(|before| std::str::from_utf8(before).ok()).unwrap_or_default();
    match scan(before, tolerates) {
        Err((offset, fault)) if offset < valid => Malformed::new(offset, fault, bytes),
        _ => Malformed::new(valid, Fault::NotUtf8, bytes),
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Document").field(&self.text()).finish()
    }
}

/// What a JSON value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "JSON's own words")]
pub enum Kind {
    Null,
    True,
    False,
    Number,
    String,
    Array,
    Object,
}

impl Kind {
    /// Returns JSON's name of the type: a boolean for both [`Kind::True`] and [`Kind::False`].
    pub fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::True | Self::False => "boolean",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }
}

/// A value in a [`Document`], looked at in place.
#[derive(Debug, Clone, Copy)]
pub struct Node<'d> {
    document: &'d Document,
    index: usize,
}

impl<'d> Node<'d> {
    fn entry(self) -> Option<&'d Entry> {
        self.document.inner.entries.get(self.index)
    }

    /// Returns what the value is.
    pub fn kind(self) -> Kind {
        self.entry().map_or(Kind::Null, |entry| entry.kind)
    }

    /// Returns the name of the value's type: null, boolean, integer, number, string, array or object.
    pub fn type_name(self) -> &'static str {
        self.type_name_of(self.as_number())
    }

    /// Returns the name of the value's type, given the number that it is.
    pub(crate) fn type_name_of(self, number: Option<Number>) -> &'static str {
        if number.is_some_and(Number::is_integer) { "integer" } else { self.kind().name() }
    }

    /// Returns the value as it was written.
    pub fn raw(self) -> &'d str {
        self.document.text().get(self.span()).unwrap_or_default()
    }

    /// Returns the bytes at which the value stands in [`Document::text`].
    pub fn span(self) -> Range<usize> {
        self.entry().map_or(0..0, |entry| entry.start..entry.end)
    }

    /// Returns the text of a string, its escapes decoded.
    pub fn as_str(self) -> Option<Cow<'d, str>> {
        let entry = self.entry()?;
        (entry.kind == Kind::String).then(|| decode(self.document.text(), entry))?
    }

    /// Returns the number that a number literal means.
    pub fn as_number(self) -> Option<Number> {
        (self.kind() == Kind::Number).then(|| Number::parse(self.raw()))?
    }

    /// Returns the elements of an array; of anything else, none.
    pub fn elements(self) -> impl Iterator<Item = Node<'d>> {
        let mut rest = if self.kind() == Kind::Array { self.contents() } else { 0..0 };
        std::iter::from_fn(move || {
            let element = Node { document: self.document, index: rest.start };
            (!rest.is_empty()).then(|| rest.start = element.entry().map_or(rest.end, |entry| entry.next))?;
            Some(element)
        })
    }

    /// Returns the members of an object in the order they stand; of anything else, none.
    pub fn members(self) -> Members<'d> {
        let rest = if self.kind() == Kind::Object { self.contents() } else { 0..0 };
        Members { document: self.document, rest }
    }

    fn contents(self) -> Range<usize> {
        self.index + 1..self.entry().map_or(0, |entry| entry.next)
    }

    /// Returns the value of the first member with this name.
    pub fn get(self, name: &str) -> Option<Node<'d>> {
        self.members().find(|member| member.name == name).map(|member| member.value)
    }

    /// Returns the value at a path below this one.
    pub fn locate(self, path: &JsonPath) -> Option<Node<'d>> {
        path.segments().iter().try_fold(self, |node, segment| match segment {
            Segment::Member(name) => node.get(name),
            Segment::Index(index) => node.elements().nth(*index),
        })
    }

    /// Returns what the value means: strings decoded, numbers as [`Number`] has them, and of a repeated key the last.
    ///
    /// ```
    /// use dispatch_core::json::Document;
    ///
    /// let document = Document::parse(br#"{"b": 1.0, "a": "\u0041"}"#.to_vec())?;
    /// assert_eq!(document.root().to_json(), serde_json::json!({"a": "A", "b": 1}));
    /// # Ok::<(), dispatch_core::json::Malformed>(())
    /// ```
    pub fn to_json(self) -> Value {
        match self.kind() {
            Kind::Null => Value::Null,
            Kind::True => Value::Bool(true),
            Kind::False => Value::Bool(false),
            Kind::Number => self.as_number().map_or(Value::Null, Number::to_json),
            Kind::String => self.as_str().map_or(Value::Null, |text| Value::String(text.into_owned())),
            Kind::Array => self.elements().map(Node::to_json).collect(),
            Kind::Object => self.members().map(|member| (member.name.into_owned(), member.value.to_json())).collect(),
        }
    }

    /// Writes the value over many lines, each member and element on its own, two spaces further in than what is around it.
    ///
    /// Strings and numbers stand as they were written.
    ///
    /// # Errors
    ///
    /// Whatever `out` has against it.
    ///
    /// ```
    /// use dispatch_core::json::Document;
    ///
    /// let mut text = Vec::new();
    /// Document::parse(br#"{"b":1.0,"a":[]}"#.to_vec())?.root().write_indented(&mut text)?;
    /// assert_eq!(String::from_utf8(text)?, "{\n  \"b\": 1.0,\n  \"a\": []\n}");
    /// assert!(Document::parse(b"[1]".to_vec())?.root().write_indented(&mut [0; 2].as_mut_slice()).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write_indented(self, out: &mut impl io::Write) -> io::Result<()> {
        super::write::write_indented(out, self, 0)
    }

    /// Returns a handle to this value that owns its document.
    pub fn to_fragment(self) -> Fragment {
        Fragment { document: self.document.clone(), index: self.index }
    }
}

/// A member of an object.
#[derive(Debug, Clone)]
pub struct Member<'d> {
    /// The name, its escapes decoded.
    pub name: Cow<'d, str>,
    /// The value.
    pub value: Node<'d>,
    /// Whether a member of the same name stands before it in the same object.
    pub repeated: bool,
}

/// The members of an object in the order they stand. See [`Node::members`].
#[derive(Debug)]
pub struct Members<'d> {
    document: &'d Document,
    rest: Range<usize>,
}

impl<'d> Iterator for Members<'d> {
    type Item = Member<'d>;

    fn next(&mut self) -> Option<Member<'d>> {
        if self.rest.is_empty() {
            return None;
        }
        let Inner { text, entries } = &*self.document.inner;
        let (key, value) = (entries.get(self.rest.start)?, self.rest.start + 1);
        self.rest.start = entries.get(value)?.next;
        let value = Node { document: self.document, index: value };
        Some(Member { name: decode(text, key)?, value, repeated: key.repeated })
    }
}

/// A value in a [`Document`] that it owns: a [`Node`] that can be kept and sent. Cloning it is cheap.
///
/// It keeps the text of its whole document alive.
#[derive(Clone)]
pub struct Fragment {
    document: Document,
    index: usize,
}

impl Fragment {
    /// Returns the value.
    pub fn node(&self) -> Node<'_> {
        Node { document: &self.document, index: self.index }
    }

    /// Returns the value as it was written.
    pub fn raw(&self) -> &str {
        self.node().raw()
    }

    /// Returns the document that the value stands in.
    pub(crate) fn document(&self) -> &Document {
        &self.document
    }

    /// Returns what tells this place of this text from every other while the text is held.
    pub(crate) fn place(&self) -> (usize, usize) {
        (Arc::as_ptr(&self.document.inner).addr(), self.index)
    }
}

impl fmt::Debug for Fragment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Fragment").field(&self.raw()).finish()
    }
}

impl From<Document> for Fragment {
    fn from(document: Document) -> Self {
        Self { document, index: 0 }
    }
}

#[cfg(test)]
mod tests;
