//! Arguments that [come in pieces](https://googleapis.github.io/js-genai/release_docs/interfaces/types.PartialArg.html), each at a path of
//! RFC 9535: strings grow, all else comes whole.

use std::collections::BTreeSet;

use dispatch_core::json::{Document, Kind, MAX_DEPTH, Node, Segment};

use super::built::{Built, Members};
use crate::fault::{Fault, Judged, Within, expect, given, text_member};

#[derive(Debug, Default)]
pub(super) struct PartialArgs {
    args: Built,
    /// The values of which more is to come.
    open: BTreeSet<String>,
}

impl PartialArgs {
    pub(super) fn piece(&mut self, piece: Node<'_>) -> Judged<()> {
        let path = text_member(piece, "jsonPath")?;
        let steps = steps(&path).within_member("jsonPath")?;
        let place = steps.iter().try_fold(&mut self.args, step_into).within_member("jsonPath")?;
        put(place, piece)?;
        if piece.get("willContinue").is_some_and(|more| more.kind() == Kind::True) {
            self.open.insert(path);
        } else {
            self.open.remove(&path);
        }
        Ok(())
    }

    /// Returns the path of a value of which more was to come.
    pub(super) fn open(&self) -> Option<&str> {
        self.open.first().map(String::as_str)
    }

    pub(super) fn built(self) -> Option<Built> {
        Some(self.args).filter(|args| !matches!(args, Built::Nothing))
    }
}

fn put(place: &mut Built, piece: Node<'_>) -> Judged<()> {
    let kinds: [(&str, &[Kind]); 2] = [("numberValue", &[Kind::Number]), ("boolValue", &[Kind::True, Kind::False])];
    for (name, kinds) in kinds {
        if let Some(value) = given(piece, name) {
            let kind = kinds.iter().copied().find(|kind| *kind == value.kind());
            expect(kind.or(kinds.first().copied()).unwrap_or(Kind::Null), value).within_member(name)?;
            return place.put(Built::raw(value)).within_member(name);
        }
    }
    if piece.get("nullValue").is_some() {
        return place.put(Built::Raw("null".to_owned())).within_member("nullValue");
    }
    match given(piece, "stringValue") {
        Some(text) => {
            place.push_text(&crate::fault::text(text).within_member("stringValue")?).within_member("stringValue")
        }
        None => Ok(()),
    }
}

fn step_into<'b>(value: &'b mut Built, step: &Segment) -> Judged<&'b mut Built> {
    match (&*value, step) {
        (Built::Nothing, Segment::Member(_)) => *value = Built::Object(Members::default()),
        (Built::Nothing, Segment::Index(_)) => *value = Built::List(Vec::new()),
        _ => {}
    }
    match (value, step) {
        (Built::Object(members), Segment::Member(name)) => Ok(members.entry(name)),
        (Built::List(items), Segment::Index(index)) => element(items, *index),
        _ => Err(Fault::new("the path leads through a value of another type")),
    }
}

fn element(items: &mut Vec<Built>, index: usize) -> Judged<&mut Built> {
    if index == items.len() {
        items.push(Built::Nothing);
    }
    items.get_mut(index).ok_or_else(|| Fault::new(format!("element {index} comes before those in front of it")))
}

/// Reads a path: `$`, then `.name`, `['name']`, `["name"]` or `[0]`.
fn steps(path: &str) -> Judged<Vec<Segment>> {
    let mut rest = path.strip_prefix('$').ok_or_else(|| no_path(path))?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        let (step, after) = step(rest).ok_or_else(|| no_path(path))?;
        steps.push(step);
        rest = after;
    }
    if steps.is_empty() {
        return Err(no_path(path));
    }
    if steps.len() >= MAX_DEPTH {
        return Err(Fault::new(format!("objects and arrays are nested {MAX_DEPTH} deep or more")));
    }
    Ok(steps)
}

fn no_path(path: &str) -> Fault {
    Fault::new(format!("`{path}` is no path to an argument"))
}

fn step(rest: &str) -> Option<(Segment, &str)> {
    if let Some(rest) = rest.strip_prefix('.') {
        let (name, rest) = rest.split_at(rest.find(['.', '[']).unwrap_or(rest.len()));
        return (!name.is_empty()).then(|| (Segment::Member(name.to_owned()), rest));
    }
    let rest = rest.strip_prefix('[')?;
    if let Some(quote) = rest.chars().next().filter(|first| ['\'', '"'].contains(first)) {
        let (name, rest) = quoted(rest.get(1..)?, quote)?;
        return Some((Segment::Member(name), rest.strip_prefix(']')?));
    }
    let (index, rest) = rest.split_once(']')?;
    Some((Segment::Index(index.parse().ok()?), rest))
}

/// Reads a quoted name as JSON does: single quotes differ only in which quote is escaped.
fn quoted(text: &str, quote: char) -> Option<(String, &str)> {
    let mut json = String::from('"');
    let mut chars = text.char_indices();
    while let Some((at, letter)) = chars.next() {
        match letter {
            '\\' => match chars.next()?.1 {
                '\'' => json.push('\''),
                escaped => json.extend(['\\', escaped]),
            },
            end if end == quote => {
                json.push('"');
                let name = Document::parse(json.into_bytes()).ok()?.root().as_str()?.into_owned();
                return Some((name, text.get(at + 1..)?));
            }
            '"' => json.push_str("\\\""),
            letter => json.push(letter),
        }
    }
    None
}
