//! JSON in the making: what came whole stays to the letter, what comes in pieces grows.

use std::collections::BTreeMap;

use dispatch_core::json::{Kind, Node, write_value};
use serde_json::Value;

use crate::fault::{Fault, Judged, Within};

/// A value of a body that is being assembled.
#[derive(Debug, Default)]
pub(super) enum Built {
    /// Null, or a value that has not come yet.
    #[default]
    Nothing,
    /// A value as it was written.
    Raw(String),
    /// A string.
    Text(String),
    List(Vec<Built>),
    Object(Members),
}

/// The members of an object. They are written sorted, so that the order in which they came does not matter.
#[derive(Debug, Default)]
pub(super) struct Members(BTreeMap<String, Built>);

impl Built {
    pub(super) fn raw(node: Node<'_>) -> Self {
        if node.kind() == Kind::Null { Self::Nothing } else { Self::Raw(node.raw().to_owned()) }
    }

    /// Takes a value over. A string or an array can then grow.
    pub(super) fn of(node: Node<'_>) -> Self {
        match (node.kind(), node.as_str()) {
            (_, Some(text)) => Self::Text(text.into_owned()),
            (Kind::Array, None) => Self::List(node.elements().map(Self::raw).collect()),
            _ => Self::raw(node),
        }
    }

    pub(super) fn to_text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::Nothing => out.push_str("null"),
            Self::Raw(raw) => out.push_str(raw),
            Self::Text(text) => out.push_str(&quoted(text)),
            Self::List(items) => separated(out, ['[', ']'], items, |out, item| item.write(out)),
            Self::Object(Members(members)) => separated(out, ['{', '}'], members, |out, (name, value)| {
                out.push_str(&quoted(name));
                out.push(':');
                value.write(out);
            }),
        }
    }

    /// Adds a text to the end.
    pub(super) fn push_text(&mut self, more: &str) -> Judged<()> {
        match self {
            Self::Nothing => *self = Self::Text(more.to_owned()),
            Self::Text(text) => text.push_str(more),
            Self::List(items) => push_to_list(items, more)?,
            Self::Raw(_) | Self::Object(_) => return Err(of_another_type()),
        }
        Ok(())
    }

    /// Adds an array's elements to the end. Text before them becomes a part of its own.
    fn push_elements(&mut self, array: Node<'_>) -> Judged<()> {
        let mut items = match std::mem::take(self) {
            Self::Nothing => Vec::new(),
            Self::List(items) => items,
            Self::Text(text) if text.is_empty() => Vec::new(),
            Self::Text(text) => vec![text_part(text)],
            Self::Raw(_) | Self::Object(_) => return Err(of_another_type()),
        };
        items.extend(array.elements().map(Self::raw));
        *self = Self::List(items);
        Ok(())
    }

    /// Takes a value that comes in one piece.
    pub(super) fn put(&mut self, value: Self) -> Judged<()> {
        match self {
            Self::Nothing => *self = value,
            Self::Text(text) if text.is_empty() => *self = value,
            Self::Raw(_) | Self::Text(_) | Self::List(_) | Self::Object(_) => return Err(of_another_type()),
        }
        Ok(())
    }
}

fn push_to_list(items: &mut Vec<Built>, more: &str) -> Judged<()> {
    match items.last_mut() {
        _ if more.is_empty() => Ok(()),
        Some(Built::Object(part)) => part.entry("text").push_text(more),
        _ => {
            items.push(text_part(more.to_owned()));
            Ok(())
        }
    }
}

fn text_part(text: String) -> Built {
    let members = [("text", Built::Text(text)), ("type", Built::Text("text".to_owned()))];
    Built::Object(Members(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()))
}

fn of_another_type() -> Fault {
    Fault::new("does not go on what the events before have begun")
}

impl Members {
    /// Takes an object's members over.
    pub(super) fn of(object: Node<'_>) -> Self {
        let mut members = Self::default();
        members.set_all(object, &[]);
        members
    }

    pub(super) fn set(&mut self, name: &str, value: Built) {
        self.0.insert(name.to_owned(), value);
    }

    /// Takes an object's members over, in place of those of the same names.
    pub(super) fn set_all(&mut self, object: Node<'_>, except: &[&str]) {
        for member in object.members().filter(|member| !except.contains(&member.name.as_ref())) {
            self.set(&member.name, Built::of(member.value));
        }
    }

    /// Takes those of an object's members over that say something.
    pub(super) fn set_given(&mut self, object: Node<'_>, except: &[&str]) {
        for member in object.members().filter(|member| !except.contains(&member.name.as_ref())) {
            if !matches!(member.value.raw(), "null" | "\"\"") || !self.0.contains_key(member.name.as_ref()) {
                self.set(&member.name, Built::of(member.value));
            }
        }
    }

    /// Sets a member unless it is there.
    pub(super) fn set_default(&mut self, name: &str, value: Built) {
        self.0.entry(name.to_owned()).or_insert(value);
    }

    /// Returns the member with a name, making room for it.
    pub(super) fn entry(&mut self, name: &str) -> &mut Built {
        self.0.entry(name.to_owned()).or_default()
    }

    /// Returns a text, empty if there is none.
    pub(super) fn text(&self, name: &str) -> &str {
        match self.0.get(name) {
            Some(Built::Text(text)) => text,
            _ => "",
        }
    }

    /// Returns whether a member is missing, or a text with nothing in it.
    pub(super) fn is_blank(&self, name: &str) -> bool {
        match self.0.get(name) {
            None | Some(Built::Nothing) => true,
            Some(Built::Text(text)) => text.trim_ascii().is_empty(),
            Some(Built::Raw(_) | Built::List(_) | Built::Object(_)) => false,
        }
    }

    pub(super) fn is_raw(&self, name: &str, text: &str) -> bool {
        matches!(self.0.get(name), Some(Built::Raw(raw)) if raw == text)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds an element to an array.
    pub(super) fn push_element(&mut self, name: &str, element: Node<'_>) -> Judged<()> {
        let list = self.entry(name);
        match list {
            Built::Nothing => *list = Built::List(vec![Built::raw(element)]),
            Built::List(items) => items.push(Built::raw(element)),
            Built::Raw(_) | Built::Text(_) | Built::Object(_) => return Err(of_another_type()).within_member(name),
        }
        Ok(())
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Adds a piece of a member that comes in pieces: text to text, elements to elements. Null adds nothing.
    pub(super) fn push(&mut self, name: &str, piece: Node<'_>) -> Judged<()> {
        let grown = self.entry(name);
        let pushed = match (piece.kind(), piece.as_str()) {
            (_, Some(text)) => grown.push_text(&text),
            (Kind::Array, None) => grown.push_elements(piece),
            (Kind::Null, None) => Ok(()),
            _ => grown.put(Built::raw(piece)),
        };
        pushed.within_member(name)
    }
}

fn quoted(text: &str) -> String {
    let mut out = Vec::new();
    // Writing to memory does not fail.
    let _ = write_value(&mut out, &Value::from(text));
    String::from_utf8(out).unwrap_or_default()
}

fn separated<T>(
    out: &mut String,
    [open, close]: [char; 2],
    items: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut String, T),
) {
    out.push(open);
    for (place, item) in items.into_iter().enumerate() {
        if place > 0 {
            out.push(',');
        }
        write(out, item);
    }
    out.push(close);
}
