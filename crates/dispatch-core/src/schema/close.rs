//! Schemas that somebody else wrote, made to refuse unknown fields.

use std::collections::HashSet;

use serde_json::Value;

use super::places::{Applies, Inner, inner, keywords_mut, referred};
use crate::json::{JsonPath, Segment};

/// Refuses unknown fields, wherever a schema names fields and does not say otherwise, and at its root.
///
/// An object that is put together of several schemas is closed as a whole, by `unevaluatedProperties`: to close a part would refuse the fields of the
/// others. A definition that is such a part somewhere stays open, and is closed where it stands alone. What only says when a rule holds is left as
/// it is: to close it would let more values through.
pub(crate) fn refuse_unknown_fields_throughout(schema: &mut Value) {
    for (path, keyword) in Uses::of(schema).closings() {
        if let Some(keywords) = keywords_mut(schema, &path) {
            keywords.insert(keyword.to_owned(), false.into());
        }
    }
}

/// What a schema is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Use {
    /// It describes the arguments as a whole.
    Root,
    /// It describes a value as a whole.
    Whole,
    /// It describes a value together with others.
    Part,
    /// It says when something holds.
    Condition,
}

struct Uses<'s> {
    root: &'s Value,
    seen: HashSet<(*const Value, Use)>,
    wholes: Vec<(&'s Value, JsonPath, Use)>,
}

impl<'s> Uses<'s> {
    fn of(root: &'s Value) -> Self {
        let mut uses = Self { root, seen: HashSet::new(), wholes: Vec::new() };
        uses.visit(root, JsonPath::root(), Use::Root);
        uses
    }

    fn visit(&mut self, schema: &'s Value, path: JsonPath, used: Use) {
        if !self.seen.insert((std::ptr::from_ref(schema), used)) {
            return;
        }
        let here = if is_alone(schema) || used == Use::Condition { used } else { Use::Part };
        for Inner { schema, path, applies } in inner(schema, &path) {
            match applies {
                Applies::ByReference => {}
                Applies::ToSame => self.visit(schema, path, here),
                Applies::Within if used == Use::Condition => self.visit(schema, path, Use::Condition),
                Applies::Within => self.visit(schema, path, Use::Whole),
                Applies::AsCondition | Applies::AsConditionWithin => self.visit(schema, path, Use::Condition),
            }
        }
        if let Some((schema, path)) = referred(self.root, schema) {
            self.visit(schema, path, here);
        }
        if matches!(used, Use::Root | Use::Whole) {
            self.wholes.push((schema, path, used));
        }
    }

    fn closings(&self) -> Vec<(JsonPath, &'static str)> {
        let wholes = self.wholes.iter().filter(|(schema, path, _)| !self.stays_open(schema, path));
        wholes.filter_map(|(schema, path, used)| Some((path.clone(), self.closing(schema, *used)?))).collect()
    }

    /// Whether a definition is not closed, because it is something else than a whole elsewhere.
    fn stays_open(&self, schema: &Value, path: &JsonPath) -> bool {
        let is_used = |used| self.seen.contains(&(std::ptr::from_ref(schema), used));
        is_definition(path) && (is_used(Use::Part) || is_used(Use::Condition))
    }

    /// Returns the keyword that closes an object.
    fn closing(&self, schema: &Value, used: Use) -> Option<&'static str> {
        let keywords = schema.as_object()?;
        if keywords.contains_key("additionalProperties") || keywords.contains_key("unevaluatedProperties") {
            return None;
        }
        if is_alone(schema) && parts(self.root, schema).next().is_some() {
            let (target, path) = referred(self.root, schema)?;
            return (self.stays_open(target, &path) && self.names_fields(target)).then_some("unevaluatedProperties");
        }
        if parts(self.root, schema).any(|part| self.names_fields(part)) {
            return Some("unevaluatedProperties");
        }
        (used == Use::Root || names_fields_itself(schema)).then_some("additionalProperties")
    }

    /// Whether a schema or one of its parts names fields.
    fn names_fields(&self, schema: &Value) -> bool {
        let mut found: Vec<&Value> = vec![schema];
        let mut next = 0;
        while let Some(schema) = found.get(next).copied() {
            if names_fields_itself(schema) {
                return true;
            }
            let new: Vec<_> = parts(self.root, schema)
                .filter(|part| !found.iter().any(|known| std::ptr::eq(*known, *part)))
                .collect();
            found.extend(new);
            next += 1;
        }
        false
    }
}

/// The schemas that a value has to fit, or may fit, together with this one.
fn parts<'s>(root: &'s Value, schema: &'s Value) -> impl Iterator<Item = &'s Value> {
    let inside = inner(schema, &JsonPath::root()).into_iter();
    let applied = inside.filter(|inner| matches!(inner.applies, Applies::ToSame | Applies::AsCondition));
    let evaluated = applied.filter(|inner| inner.path != JsonPath::root().member("not"));
    evaluated.map(|inner| inner.schema).chain(referred(root, schema).map(|(schema, _)| schema))
}

/// Whether nothing stands beside the one keyword by which other schemas are applied to the same value.
fn is_alone(schema: &Value) -> bool {
    const TOGETHER: [&str; 15] = [
        "allOf",
        "anyOf",
        "oneOf",
        "$ref",
        "$dynamicRef",
        "$recursiveRef",
        "if",
        "then",
        "else",
        "dependentSchemas",
        "dependencies",
        "properties",
        "patternProperties",
        "additionalProperties",
        "unevaluatedProperties",
    ];
    let mut found = TOGETHER.iter().filter_map(|keyword| Some((*keyword, schema.get(*keyword)?)));
    match (found.next(), found.next()) {
        (Some(("allOf", all)), None) => all.as_array().is_some_and(|all| all.len() == 1),
        (Some(("anyOf" | "oneOf" | "$ref", _)), None) => true,
        _ => false,
    }
}

fn names_fields_itself(schema: &Value) -> bool {
    ["properties", "patternProperties", "additionalProperties"].iter().any(|keyword| schema.get(*keyword).is_some())
}

fn is_definition(path: &JsonPath) -> bool {
    let is_list = |step: &Segment| matches!(step, Segment::Member(name) if name == "$defs" || name == "definitions");
    path.segments().iter().rev().nth(1).is_some_and(is_list)
}
