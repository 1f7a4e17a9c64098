//! The walk: a value beside its schema.

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::details::{Details, Place};
use super::values;
use crate::failure::Detail;
use crate::json::{Kind, Node, Number};
use crate::schema::{Additional, Form, Schema, Shape};

/// Judges arguments by a schema, and returns them with their defaults.
///
/// # Errors
///
/// All that is wrong: the members of an object in the order they stand, then those missing in the order of `required`.
pub(super) fn judge(schema: &Schema, args: Node<'_>) -> Result<Value, Vec<Detail>> {
    let tried = RefCell::default();
    let mut walk = Walk::new(schema, &tried);
    match walk.form(schema.root(), args, &Place::Root) {
        Some(value) if walk.details.is_empty() => Ok(value),
        _ => Err(walk.details.told()),
    }
}

/// Returns the first fault of a value by a form that stands in a schema.
pub(super) fn fault_by(schema: &Schema, form: &Form, node: Node<'_>) -> Option<String> {
    let tried = RefCell::default();
    let mut walk = Walk::new(schema, &tried);
    walk.form(form, node, &Place::Root);
    walk.details.told().first().map(ToString::to_string)
}

/// Tells that arguments are no object.
pub(super) fn not_an_object(args: Node<'_>) -> Vec<Detail> {
    let mut details = Details::default();
    details.tell(&Place::Root, format!("expected object, found {}", args.type_name()));
    tell_repeated_keys(args, &Place::Root, &mut details);
    details.told()
}

/// Tells every key that stands twice in one object.
#[cfg(feature = "json-schema")]
pub(super) fn repeated_keys(args: Node<'_>) -> Vec<Detail> {
    let mut details = Details::default();
    tell_repeated_keys(args, &Place::Root, &mut details);
    details.told()
}

/// What a value means by a branch of a union that it fits, by the branch and the value's place in the text.
pub(super) type Tried = RefCell<BTreeMap<(*const Form, usize), Option<Value>>>;

pub(super) struct Walk<'s> {
    pub(super) schema: &'s Schema,
    pub(super) tried: &'s Tried,
    pub(super) details: Details,
}

impl<'s> Walk<'s> {
    pub(super) fn new(schema: &'s Schema, tried: &'s Tried) -> Self {
        Self { schema, tried, details: Details::default() }
    }

    pub(super) fn error(&mut self, place: &Place<'_>, message: impl Into<String>) {
        self.details.tell(place, message.into());
    }

    /// Judges one value. Returns what it means when it fits, and nothing when an error was told.
    pub(super) fn form(&mut self, form: &'s Form, node: Node<'_>, place: &Place<'_>) -> Option<Value> {
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
        // A number is read once, and not anew for its type, its bounds and its value.
        let number = node.as_number();
        let found = node.type_name_of(number);
        if !shape.types.allow(found) {
            self.error(place, format!("expected {}, found {found}", alternatives(shape.types.names())));
            self.repeated_keys(node, place);
            return None;
        }
        let value = match node.kind() {
            Kind::Array => self.array(shape, node, place),
            Kind::Object => Some(self.object(shape, node, place)),
            Kind::Number => {
                let faults = number.into_iter().flat_map(|number| values::number_faults(shape, number, node.raw()));
                faults.for_each(|fault| self.error(place, fault));
                number.map(Number::to_json)
            }
            Kind::String => {
                values::string_faults(shape, node).for_each(|fault| self.error(place, fault));
                Some(node.to_json())
            }
            Kind::Null | Kind::True | Kind::False => Some(node.to_json()),
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
            if let Some(value) = value {
                members.insert(name.to_owned(), value);
            }
        }
        let is_missing = |name: &&String| !members.contains_key(*name) && node.get(name).is_none();
        for name in shape.required.iter().filter(is_missing) {
            self.error(place, format!("missing field `{name}`"));
        }
        for (name, default) in &shape.defaults {
            if !members.contains_key(name) {
                members.insert(name.clone(), default.clone());
            }
        }
        for (name, reference) in &shape.references {
            if !members.contains_key(name)
                && let Some(default) = self.schema.default_of(reference)
            {
                members.insert(name.clone(), default.clone());
            }
        }
        Value::Object(members)
    }

    /// A value that any schema lets through: only a key twice is wrong in it.
    fn unjudged(&mut self, node: Node<'_>, place: &Place<'_>) -> Value {
        self.repeated_keys(node, place);
        node.to_json()
    }

    /// Tells the keys that stand twice in a value that is not judged further.
    pub(super) fn repeated_keys(&mut self, node: Node<'_>, place: &Place<'_>) {
        tell_repeated_keys(node, place, &mut self.details);
    }
}

fn tell_repeated_keys(node: Node<'_>, place: &Place<'_>, details: &mut Details) {
    for (index, element) in node.elements().enumerate() {
        tell_repeated_keys(element, &Place::Index(place, index), details);
    }
    for member in node.members() {
        if member.repeated {
            details.tell(place, duplicate(&member.name));
        }
        tell_repeated_keys(member.value, &Place::Member(place, &member.name), details);
    }
}

fn duplicate(name: &str) -> String {
    format!("duplicate field `{name}`")
}

/// Words as a choice: `integer or null`.
pub(super) fn alternatives(words: &[&str]) -> String {
    match words {
        [] => "another value".to_owned(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
