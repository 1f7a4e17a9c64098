//! What differs between two outcomes.

use std::collections::BTreeSet;

use serde_json::Value;

use super::replay::Difference;
use crate::json::{JsonPath, Node};

/// What of an outcome is compared, and whether member by member.
const COMPARED: &[(&str, bool)] =
    &[("files", true), ("result", true), ("shown", false), ("stage", false), ("workspace", false)];

/// Where an outcome of today differs from a recorded one.
pub(super) fn compare(recorded: Node<'_>, today: Node<'_>) -> Vec<Difference> {
    let mut differences = Vec::new();
    for (member, has_members) in COMPARED {
        let path = JsonPath::root().member(*member);
        let (recorded, today) = (recorded.get(member), today.get(member));
        match (recorded, today) {
            (Some(recorded), Some(today)) if *has_members => compare_members(&mut differences, &path, recorded, today),
            _ => compare_values(&mut differences, path, recorded, today),
        }
    }
    differences
}

fn compare_members(found: &mut Vec<Difference>, path: &JsonPath, recorded: Node<'_>, today: Node<'_>) {
    let names: BTreeSet<_> = recorded.members().chain(today.members()).map(|member| member.name).collect();
    for name in names {
        compare_values(found, path.clone().member(name.as_ref()), recorded.get(&name), today.get(&name));
    }
}

fn compare_values(found: &mut Vec<Difference>, path: JsonPath, recorded: Option<Node<'_>>, today: Option<Node<'_>>) {
    let value = |node: Option<Node<'_>>| node.map_or(Value::Null, Node::to_json);
    let (recorded, today) = (value(recorded), value(today));
    if recorded != today {
        found.push(Difference { path, recorded, today });
    }
}
