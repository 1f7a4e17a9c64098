//! A second reader, made of serde_json.

use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::json::{Kind, Member, Node, Number};

/// A value as serde_json's reader hands it over, members in their order. A key twice is an error; that aside it takes what serde_json takes.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Tree {
    Null,
    Bool(bool),
    Integer(i128),
    Double(f64),
    String(String),
    Array(Vec<Tree>),
    Object(Vec<(String, Tree)>),
}

impl Tree {
    /// Doubles without a fractional part that 64 bits hold are integers.
    fn of_double(value: f64) -> Self {
        let two_to_63 = 2f64.powi(63);
        if value.fract() == 0.0 && -two_to_63 <= value && value < 2.0 * two_to_63 {
            return Self::Integer(format!("{value:.0}").parse().unwrap());
        }
        Self::Double(value)
    }

    pub(super) fn of_node(node: Node<'_>) -> Self {
        match node.kind() {
            Kind::Null => Self::Null,
            Kind::True => Self::Bool(true),
            Kind::False => Self::Bool(false),
            Kind::Number => match node.as_number().unwrap() {
                Number::Unsigned(value) => Self::Integer(value.into()),
                Number::Negative(value) => Self::Integer(value.into()),
                Number::Double(value) => Self::Double(value),
            },
            Kind::String => Self::String(node.as_str().unwrap().into_owned()),
            Kind::Array => Self::Array(node.elements().map(Self::of_node).collect()),
            Kind::Object => {
                let member = |member: Member<'_>| (member.name.into_owned(), Self::of_node(member.value));
                Self::Object(node.members().map(member).collect())
            }
        }
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor)
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value with no key twice")
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tree, E> {
        Ok(Tree::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Tree, E> {
        Ok(Tree::Integer(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Tree, E> {
        Ok(Tree::Integer(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Tree, E> {
        Ok(Tree::of_double(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Tree, E> {
        Ok(Tree::String(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Tree, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element()? {
            array.push(item);
        }
        Ok(Tree::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Tree, A::Error> {
        let (mut object, mut seen) = (Vec::new(), HashSet::new());
        while let Some((key, value)) = members.next_entry::<String, Tree>()? {
            if !seen.insert(key.clone()) {
                return Err(A::Error::custom("a key twice"));
            }
            object.push((key, value));
        }
        Ok(Tree::Object(object))
    }
}
