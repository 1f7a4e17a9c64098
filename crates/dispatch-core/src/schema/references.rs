//! References within a schema: each leads somewhere.

use super::compile::{Additional, DEFINITION, Form, Schema, Shape, UnsupportedSchema, unsupported};
use crate::json::JsonPath;

impl Schema {
    /// Every reference leads somewhere, and none back to itself without a value in between.
    pub(super) fn check_references(&self) -> Result<(), UnsupportedSchema> {
        let root = ("#".to_owned(), &self.root, JsonPath::root());
        let definitions = self
            .definitions
            .iter()
            .map(|(name, form)| (format!("{DEFINITION}{name}"), form, JsonPath::root().member("$defs").member(name)));
        for (reference, form, at) in std::iter::once(root).chain(definitions) {
            let mut reached = Vec::new();
            self.follow(form, &mut reached);
            if !self.leads_somewhere(form) || reached.contains(&reference.as_str()) {
                return unsupported(&at, "a reference in it leads nowhere, or only to itself");
            }
        }
        Ok(())
    }

    fn leads_somewhere(&self, form: &Form) -> bool {
        match form {
            Form::Always(_) => true,
            Form::Union { branches, .. } => branches.iter().all(|branch| self.leads_somewhere(branch)),
            Form::Reference(reference) => self.definition(reference).is_some(),
            Form::Shape(shape) => shape.inner_forms().all(|form| self.leads_somewhere(form)),
        }
    }

    /// Follows the references that stand for the same value.
    fn follow<'s>(&'s self, form: &'s Form, reached: &mut Vec<&'s str>) {
        match form {
            Form::Always(_) | Form::Shape(_) => {}
            Form::Union { branches, .. } => branches.iter().for_each(|branch| self.follow(branch, reached)),
            Form::Reference(reference) if reached.contains(&reference.as_str()) => {}
            Form::Reference(reference) => {
                reached.push(reference);
                self.definition(reference).into_iter().for_each(|form| self.follow(form, reached));
            }
        }
    }
}

impl Shape {
    /// The forms of what a value holds.
    fn inner_forms(&self) -> impl Iterator<Item = &Form> {
        let additional = match &self.additional {
            Additional::Of(form) => Some(form),
            Additional::Anything | Additional::Nothing => None,
        };
        self.first_items.iter().chain(&self.items).chain(self.properties.values()).chain(additional)
    }
}
