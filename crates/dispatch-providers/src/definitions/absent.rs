//! Arguments as strict mode writes them: a null says that an optional field is absent.

use std::ops::Range;

use dispatch_core::json::{Document, Kind, Member, Node};
use serde_json::Value;

use super::schema::{Schema, listed, required, resolve, type_names};

/// Returns a copy of arguments without the nulls that strict mode has made possible, if there are any: those of fields that are optional and by
/// their own schema not null. All else is as it was written.
///
/// Such a null would be refused where it stands: to read it as absent makes nothing else valid.
pub(crate) fn absent_nulls(schema: &Value, args: Node<'_>) -> Option<Document> {
    let reader = Reader { root: schema };
    let text = reader.value(args, &reader.facets(&[schema], args))?;
    Document::parse_tolerating(text.into_bytes(), |_| true).ok()
}

struct Reader<'s> {
    root: &'s Value,
}

impl<'s> Reader<'s> {
    /// Returns the schemas that speak of this value itself: these, and those they refer to, are made of or leave open. What a constant tag
    /// rules out is not among them.
    fn facets(&self, schemas: &[&'s Value], node: Node<'_>) -> Vec<&'s Schema> {
        let mut facets: Vec<&Schema> = Vec::new();
        let mut waiting: Vec<&Value> = schemas.to_vec();
        while let Some(schema) = waiting.pop() {
            let Some(schema) = schema.as_object() else { continue };
            if facets.iter().any(|known| std::ptr::eq(*known, schema)) {
                continue;
            }
            facets.push(schema);
            waiting.extend(self.target(schema));
            waiting.extend(listed_schemas(schema, "allOf"));
            let forms = listed_schemas(schema, "anyOf").chain(listed_schemas(schema, "oneOf"));
            waiting.extend(forms.filter(|form| !self.has_other_tag(form, node)));
        }
        facets
    }

    /// Whether an object has another constant where this form asks for one: then the form is not the one that was meant. A null may say that an
    /// optional one is absent.
    fn has_other_tag(&self, form: &'s Value, node: Node<'_>) -> bool {
        let Some(form) = form.as_object() else { return false };
        let form = self.target(form).and_then(Value::as_object).unwrap_or(form);
        tags(form).any(|(name, value)| {
            let may_be_absent = !required(form).contains(&name);
            let given = node.get(name).filter(|given| !may_be_absent || given.kind() != Kind::Null);
            given.is_some_and(|given| given.to_json() != *value)
        })
    }

    fn target(&self, schema: &Schema) -> Option<&'s Value> {
        resolve(self.root, schema.get("$ref")?.as_str()?)
    }

    /// Writes a value without such nulls, if it has any.
    fn value(&self, node: Node<'_>, facets: &[&'s Schema]) -> Option<String> {
        match node.kind() {
            Kind::Object => self.object(node, facets),
            Kind::Array => self.array(node, facets),
            Kind::Null | Kind::True | Kind::False | Kind::Number | Kind::String => None,
        }
    }

    fn array(&self, node: Node<'_>, facets: &[&'s Schema]) -> Option<String> {
        let changes = node.elements().enumerate().filter_map(|(index, element)| {
            let schemas: Vec<&Value> = facets.iter().filter_map(|facet| element_schema(facet, index)).collect();
            Some((element.span(), self.value(element, &self.facets(&schemas, element))?))
        });
        replaced(node, changes.collect())
    }

    fn object(&self, node: Node<'_>, facets: &[&'s Schema]) -> Option<String> {
        let members: Vec<Member<'_>> = node.members().collect();
        let mut changes = Vec::new();
        let mut any_left = false;
        let mut end = node.span().start + 1;
        for member in &members {
            let whole = end..member.value.span().end;
            end = whole.end;
            let schemas: Vec<&Value> = facets.iter().filter_map(|facet| member_schema(facet, &member.name)).collect();
            if self.says_absent(member, facets, &schemas) && is_once(&members, member) {
                changes.push((whole, String::new()));
                continue;
            }
            let inner = self.value(member.value, &self.facets(&schemas, member.value));
            changes.extend(inner.map(|text| (member.value.span(), text)));
            if !any_left && !changes.is_empty() && whole.start > node.span().start + 1 {
                // The first that is left has nothing before it.
                changes.push((comma(node, &whole), String::new()));
            }
            any_left = true;
        }
        changes.sort_by_key(|(span, _)| span.start);
        replaced(node, changes)
    }

    fn says_absent(&self, member: &Member<'_>, facets: &[&'s Schema], schemas: &[&'s Value]) -> bool {
        member.value.kind() == Kind::Null
            && facets.iter().any(|facet| offers(facet, &member.name) && !required(facet).contains(&&*member.name))
            && !schemas.iter().any(|schema| self.accepts_null(schema, &mut Vec::new()))
    }

    fn accepts_null(&self, schema: &'s Value, met: &mut Vec<&'s Value>) -> bool {
        let Some(keywords) = schema.as_object() else { return schema != &Value::Bool(false) };
        if met.iter().any(|known| std::ptr::eq(*known, schema)) {
            // A schema that refers to itself at once says nothing.
            return true;
        }
        met.push(schema);
        let branches = |keyword: &str| keywords.get(keyword).and_then(Value::as_array);
        type_names(keywords).is_none_or(|names| names.contains(&"null"))
            && listed(keywords).is_none_or(|(_, values)| values.contains(&Value::Null))
            && self.target(keywords).is_none_or(|target| self.accepts_null(target, met))
            && branches("allOf").is_none_or(|parts| parts.iter().all(|part| self.accepts_null(part, met)))
            && branches("anyOf").is_none_or(|forms| forms.iter().any(|form| self.accepts_null(form, met)))
            && branches("oneOf").is_none_or(|forms| forms.iter().any(|form| self.accepts_null(form, met)))
    }
}

fn offers(facet: &Schema, name: &str) -> bool {
    facet.get("properties").is_some_and(|properties| properties.get(name).is_some())
}

fn member_schema<'s>(facet: &'s Schema, name: &str) -> Option<&'s Value> {
    let property = facet.get("properties").and_then(|properties| properties.get(name));
    property.or_else(|| facet.get("additionalProperties"))
}

fn element_schema(facet: &Schema, index: usize) -> Option<&Value> {
    let first = facet.get("prefixItems").and_then(|first| first.get(index));
    first.or_else(|| facet.get("items"))
}

fn listed_schemas<'s>(schema: &'s Schema, keyword: &str) -> impl Iterator<Item = &'s Value> + use<'s> {
    schema.get(keyword).and_then(Value::as_array).into_iter().flatten()
}

/// Returns the names of properties that must have one certain value, with it.
fn tags(schema: &Schema) -> impl Iterator<Item = (&str, &Value)> {
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    properties.filter_map(|(name, property)| match listed(property.as_object()?)?.1 {
        [only] => Some((name.as_str(), only)),
        _ => None,
    })
}

/// A key that stands twice is a fault, which must not be taken away.
fn is_once(members: &[Member<'_>], member: &Member<'_>) -> bool {
    members.iter().filter(|other| other.name == member.name).count() == 1
}

/// Returns the comma before a member, with the white space around it on the member's side left alone.
fn comma(node: Node<'_>, whole: &Range<usize>) -> Range<usize> {
    let start = whole.start - node.span().start;
    let before = node.raw().get(start..).and_then(|rest| rest.find(',')).unwrap_or_default();
    whole.start + before..whole.start + before + 1
}

/// Writes a value with some of its text replaced. The places are in order.
fn replaced(node: Node<'_>, changes: Vec<(Range<usize>, String)>) -> Option<String> {
    if changes.is_empty() {
        return None;
    }
    let (raw, offset) = (node.raw(), node.span().start);
    let mut text = String::with_capacity(raw.len());
    let mut end = 0;
    for (span, change) in changes {
        text.push_str(raw.get(end..span.start - offset)?);
        text.push_str(&change);
        end = span.end - offset;
    }
    text.push_str(raw.get(end..)?);
    Some(text)
}

#[cfg(test)]
mod tests;
