//! Unions: the branch that fits, or the one that was meant.

use serde_json::Value;

use super::details::Place;
use super::values;
use super::walk::{Walk, alternatives};
use crate::json::{Kind, Node};
use crate::schema::{Form, Shape, Types};

impl<'s> Walk<'s> {
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
        let found = node.type_name();
        let types = self.types(branches).filter(|types| !types.allow(found));
        if let Some(types) = types {
            self.error(place, format!("expected {}, found {found}", alternatives(types.names())));
            self.repeated_keys(node, place);
            return None;
        }
        let told = self.details.len();
        let meant = self.meant(branches, node);
        let value = meant.and_then(|meant| self.form(meant, node, place)).filter(|_| self.details.len() == told);
        let others = branches
            .iter()
            .filter(|branch| self.may_be(branch, node) && !meant.is_some_and(|meant| std::ptr::eq(meant, *branch)));
        let fitting = value.into_iter().chain(others.filter_map(|branch| self.fits(branch, node)));
        let fitting: Vec<_> = fitting.take(if exactly_one { 2 } else { 1 }).collect();
        if fitting.len() == 1 {
            self.details.truncate(told);
            return fitting.into_iter().next();
        }
        if self.details.len() == told {
            self.repeated_keys(node, place);
        }
        if self.details.len() == told {
            self.error(place, union_fault(branches.len(), !fitting.is_empty(), found));
        }
        None
    }

    /// Whether no tag says that another branch was meant.
    fn may_be(&self, branch: &'s Form, node: Node<'_>) -> bool {
        !self.resolved(branch).is_some_and(|shape| has_other_tag(shape, node))
    }

    /// Returns all types that the branches name, or nothing where one takes any.
    fn types(&self, branches: &'s [Form]) -> Option<Types> {
        branches.iter().try_fold(Types::default(), |types, branch| {
            let more = match branch {
                Form::Union { branches, .. } => self.types(branches)?,
                Form::Always(_) | Form::Reference(_) | Form::Shape(_) => self.resolved(branch)?.types.clone(),
            };
            (!more.names().is_empty()).then(|| types.and(&more))
        })
    }

    /// Judges a value without telling its errors. Once: forms within forms would else be judged twice as often at each level.
    fn fits(&self, branch: &'s Form, node: Node<'_>) -> Option<Value> {
        let key = (std::ptr::from_ref(branch), node.span().start);
        if let Some(known) = self.tried.borrow().get(&key) {
            return known.clone();
        }
        let mut trial = Walk::new(self.schema, self.tried);
        let value = trial.form(branch, node, &Place::Root).filter(|_| trial.details.is_empty());
        self.tried.borrow_mut().insert(key, value.clone());
        value
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
}

fn union_fault(forms: usize, several_fit: bool, found: &str) -> String {
    if several_fit {
        return "this value fits more than one of the forms that are allowed here, where exactly one must fit"
            .to_owned();
    }
    format!("this {found} fits none of the {forms} forms that are allowed here")
}

/// Whether the object has a constant that this branch alone asks for: a required property with a single value.
fn has_tag_of(shape: &Shape, node: Node<'_>) -> bool {
    tags(shape, node).any(|has_it| has_it)
}

/// Whether the object lacks such a constant, so that the branch can't fit whatever else it holds.
fn has_other_tag(shape: &Shape, node: Node<'_>) -> bool {
    node.kind() == Kind::Object && tags(shape, node).any(|has_it| !has_it)
}

/// For each constant that the branch asks for, whether the object has it.
fn tags(shape: &Shape, node: Node<'_>) -> impl Iterator<Item = bool> {
    shape.required.iter().filter_map(move |name| match shape.properties.get(name)? {
        Form::Shape(property) => match property.one_of_values.as_deref()? {
            [constant] => Some(
                node.get(name).is_some_and(|value| scalar(value).is_some_and(|value| values::equal(constant, &value))),
            ),
            _ => None,
        },
        Form::Always(_) | Form::Reference(_) | Form::Union { .. } => None,
    })
}

/// Returns what a tag can be: a value without parts.
fn scalar(node: Node<'_>) -> Option<Value> {
    (!matches!(node.kind(), Kind::Array | Kind::Object)).then(|| node.to_json())
}

fn is_null(shape: &Shape) -> bool {
    shape.types.names() == ["null"]
}
