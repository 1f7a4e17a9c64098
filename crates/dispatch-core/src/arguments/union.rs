//! Unions: the branch that fits, or the one that was meant.

use serde_json::Value;

use super::{Judge, Place, alternatives, values};
use crate::json::{Kind, Node};
use crate::schema::{Form, Shape};

impl<'s> Judge<'s> {
    /// Judges a value by the branches of a union.
    ///
    /// When none fits, the errors are those of the branch that was meant: the one whose constant tag the value has, or of `T or null` the
    /// `T`. Where nothing says which was meant, there is one error, at the union.
    pub(super) fn union(
        &mut self,
        branches: &'s [Form],
        exactly_one: bool,
        node: Node<'_>,
        place: &Place<'_>,
    ) -> Option<Value> {
        if let Some(branch) = self.meant(branches, node) {
            return self.form(branch, node, place);
        }
        let mut fitting = branches.iter().filter_map(|branch| self.fits(branch, node));
        let value = fitting.next();
        if value.is_some() && !(exactly_one && fitting.next().is_some()) {
            return value;
        }
        let told = self.details.len();
        self.repeated_keys(node, place);
        if self.details.len() == told {
            let fault = if value.is_some() { several_fit() } else { self.none_fits(branches, node) };
            self.error(place, fault);
        }
        None
    }

    /// Judges a value without telling its errors.
    fn fits(&self, branch: &'s Form, node: Node<'_>) -> Option<Value> {
        let mut trial = Judge { schema: self.schema, details: Vec::new() };
        trial.form(branch, node, &Place::Root).filter(|_| trial.details.is_empty())
    }

    fn meant(&self, branches: &'s [Form], node: Node<'_>) -> Option<&'s Form> {
        let of_shape = |test: &dyn Fn(&Shape) -> bool| {
            let mut found = branches.iter().filter(|branch| self.resolved(branch).is_some_and(test));
            found.next().filter(|_| found.next().is_none())
        };
        match branches {
            [_, _] if node.kind() != Kind::Null && of_shape(&is_null).is_some() => {
                branches.iter().find(|branch| !self.resolved(branch).is_some_and(is_null))
            }
            _ => of_shape(&|shape| has_tag_of(shape, node)),
        }
    }

    fn resolved(&self, form: &'s Form) -> Option<&'s Shape> {
        match form {
            Form::Shape(shape) => Some(shape),
            Form::Reference(name) => self.resolved(self.schema.definition(name)?),
            Form::Always(_) | Form::Union { .. } => None,
        }
    }

    fn none_fits(&self, branches: &'s [Form], node: Node<'_>) -> String {
        let shapes: Option<Vec<_>> = branches.iter().map(|branch| self.resolved(branch)).collect();
        let mut types: Vec<_> = shapes.iter().flatten().flat_map(|shape| shape.types.names()).copied().collect();
        types.dedup();
        let right_type = shapes.iter().flatten().any(|shape| shape.types.allow(node.type_name()));
        if types.is_empty() || right_type {
            return format!(
                "this {} fits none of the {} forms that are allowed here",
                node.type_name(),
                branches.len()
            );
        }
        format!("expected {}, found {}", alternatives(&types), node.type_name())
    }
}

/// Whether the object has a constant that this branch alone asks for: a required property with a single value.
fn has_tag_of(shape: &Shape, node: Node<'_>) -> bool {
    shape.required.iter().any(|name| {
        let tag = shape.properties.get(name).and_then(|form| match form {
            Form::Shape(shape) => shape.one_of_values.as_deref(),
            Form::Always(_) | Form::Reference(_) | Form::Union { .. } => None,
        });
        match (tag, node.get(name).map(Node::to_json)) {
            (Some([constant]), Some(value)) => values::equal(constant, &value),
            _ => false,
        }
    })
}

fn is_null(shape: &Shape) -> bool {
    shape.types.names() == ["null"]
}

fn several_fit() -> String {
    "this value fits more than one of the forms that are allowed here, where exactly one must fit".to_owned()
}
