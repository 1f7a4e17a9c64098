//! Judging arguments: every error at once, each with its place.
//!
//! The arguments are judged as they were written, before anything is made of them. What comes out is what will run: numbers normalised,
//! defaults filled in.

mod union;
mod values;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use serde_json::{Map, Value};

use crate::failure::Detail;
use crate::json::{JsonPath, Kind, Node, Segment};
use crate::schema::{Additional, Form, Schema, Shape};

/// Judges arguments by a schema, and returns them with their defaults.
///
/// # Errors
///
/// All that is wrong: the members of an object in the order they stand, then those missing in the order of `required`.
pub(crate) fn judge(schema: &Schema, args: Node<'_>) -> Result<Value, Vec<Detail>> {
    let mut judge = Judge { schema, details: Vec::new(), tried: Rc::default() };
    match judge.form(schema.root(), args, &Place::Root) {
        Some(value) if judge.details.is_empty() => Ok(value),
        _ => Err(judge.details),
    }
}

/// Where a value stands, as a chain of steps: a path is made of it only for an error.
#[derive(Clone, Copy)]
enum Place<'p> {
    Root,
    Member(&'p Place<'p>, &'p str),
    Index(&'p Place<'p>, usize),
}

impl Place<'_> {
    fn path(&self) -> JsonPath {
        let mut segments: Vec<_> =
            std::iter::successors(Some(self), |place| place.outer()).filter_map(Place::segment).collect();
        segments.reverse();
        segments.into_iter().collect()
    }

    fn outer(&self) -> Option<&Self> {
        match self {
            Self::Root => None,
            Self::Member(outer, _) | Self::Index(outer, _) => Some(outer),
        }
    }

    fn segment(&self) -> Option<Segment> {
        match self {
            Self::Root => None,
            Self::Member(_, name) => Some(Segment::Member((*name).to_owned())),
            Self::Index(_, index) => Some(Segment::Index(*index)),
        }
    }
}

/// What a value means by a branch of a union that it fits, by the branch and the value's place in the text.
type Tried = HashMap<(*const Form, usize), Option<Value>>;

struct Judge<'s> {
    schema: &'s Schema,
    details: Vec<Detail>,
    tried: Rc<RefCell<Tried>>,
}

impl<'s> Judge<'s> {
    fn error(&mut self, place: &Place<'_>, message: impl Into<String>) {
        self.details.push(Detail { path: place.path(), message: message.into() });
    }

    /// Judges one value. Returns what it means when it fits, and nothing when an error was told.
    fn form(&mut self, form: &'s Form, node: Node<'_>, place: &Place<'_>) -> Option<Value> {
        match form {
            Form::Shape(shape) => self.shape(shape, node, place),
            Form::Union { branches, exactly_one } => self.union(branches, *exactly_one, node, place),
            Form::Reference(name) => {
                let schema = self.schema;
                self.form(schema.definition(name)?, node, place)
            }
            Form::Always(true) => Some(self.unjudged(node, place)),
            Form::Always(false) => {
                self.error(place, "no value is allowed here");
                None
            }
        }
    }

    fn shape(&mut self, shape: &'s Shape, node: Node<'_>, place: &Place<'_>) -> Option<Value> {
        let found = node.type_name();
        if !shape.types.allow(found) {
            self.error(place, format!("expected {}, found {found}", alternatives(shape.types.names())));
            self.repeated_keys(node, place);
            return None;
        }
        let value = match node.kind() {
            Kind::Array => self.array(shape, node, place),
            Kind::Object => Some(self.object(shape, node, place)),
            Kind::Null | Kind::True | Kind::False | Kind::Number | Kind::String => {
                values::faults(shape, node).for_each(|fault| self.error(place, fault));
                Some(node.to_json())
            }
        }?;
        if let Some(fault) = values::not_listed(shape, &value) {
            self.error(place, fault);
        }
        Some(value)
    }

    fn array(&mut self, shape: &'s Shape, node: Node<'_>, place: &Place<'_>) -> Option<Value> {
        let mut items = Vec::new();
        let mut all_fit = true;
        for (index, item) in node.elements().enumerate() {
            let place = Place::Index(place, index);
            let value = match shape.first_items.get(index).or(shape.items.as_ref()) {
                Some(form) => self.form(form, item, &place),
                None => Some(self.unjudged(item, &place)),
            };
            all_fit &= value.is_some();
            items.extend(value);
        }
        values::array_faults(shape, node).for_each(|fault| self.error(place, fault));
        all_fit.then_some(Value::Array(items))
    }

    fn object(&mut self, shape: &'s Shape, node: Node<'_>, place: &Place<'_>) -> Value {
        let mut members = Map::new();
        for member in node.members() {
            let name = member.name.as_ref();
            let inside = Place::Member(place, name);
            if member.repeated {
                self.error(place, duplicate(name));
            }
            let value = match (shape.properties.get(name), &shape.additional) {
                (Some(form), _) | (None, Additional::Of(form)) => self.form(form, member.value, &inside),
                (None, Additional::Anything) => Some(self.unjudged(member.value, &inside)),
                (None, Additional::Nothing) => {
                    self.error(place, format!("unknown field `{name}`"));
                    self.repeated_keys(member.value, &inside);
                    None
                }
            };
            members.extend(value.map(|value| (name.to_owned(), value)));
        }
        for name in shape.required.iter().filter(|name| node.get(name).is_none()) {
            self.error(place, format!("missing field `{name}`"));
        }
        for (name, default) in &shape.defaults {
            members.entry(name).or_insert_with(|| default.clone());
        }
        Value::Object(members)
    }

    /// A value that any schema lets through: only a key twice is wrong in it.
    fn unjudged(&mut self, node: Node<'_>, place: &Place<'_>) -> Value {
        self.repeated_keys(node, place);
        node.to_json()
    }

    /// Tells the keys that stand twice in a value that is not judged further.
    fn repeated_keys(&mut self, node: Node<'_>, place: &Place<'_>) {
        for (index, element) in node.elements().enumerate() {
            self.repeated_keys(element, &Place::Index(place, index));
        }
        for member in node.members() {
            if member.repeated {
                self.error(place, duplicate(&member.name));
            }
            self.repeated_keys(member.value, &Place::Member(place, &member.name));
        }
    }
}

fn duplicate(name: &str) -> String {
    format!("duplicate field `{name}`")
}

/// Words as a choice: `integer or null`.
fn alternatives(words: &[&str]) -> String {
    match words {
        [] => "another value".to_owned(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests;
