//! What was recorded of a call, beside what came of it today.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::code::ErrorCode;
use crate::json::{JsonPath, Node};
use crate::result::ToolResult;

/// What came of a call that was replayed, beside what was recorded.
#[derive(Debug)]
pub struct Comparison {
    /// The call's number in the log.
    pub number: u64,
    /// How its outcome of today was found out.
    pub how: How,
    /// Where it differs from what was recorded, in the order of the paths; empty where it does not.
    pub differences: Vec<Difference>,
    /// What the call ended in today, where it ran.
    pub result: Option<ToolResult>,
    /// The files that the call wrote today, each with its text from before; none where there was no such file.
    pub before: BTreeMap<String, Option<String>>,
}

/// How the outcome of a replayed call was found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// The call was judged and, if no gate refused it, run.
    Ran,
    /// The call reaches beyond the workspace: it was judged, and what was recorded stands in for the rest.
    StoodIn,
    /// Nobody knows how the recorded call ended, and it was not run again.
    Unknown,
}

/// A difference between what was recorded and what came of the same call today.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Where in the outcome: `$.stage`, `$.result.observation`, `$.files['a.txt']`, `$.workspace` and so on.
    pub path: JsonPath,
    /// What was recorded; null where nothing was.
    pub recorded: Value,
    /// What came today; null where nothing did.
    pub today: Value,
}

/// What of an outcome is compared, and whether member by member.
const COMPARED: &[(&str, bool)] =
    &[("files", true), ("result", true), ("shown", false), ("stage", false), ("workspace", false)];

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

/// Whether a failure is found at the place that was asked for, or in the arguments alone: what was searched then was for its hint.
pub(super) fn is_found_without_search(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::FileNotFound
            | ErrorCode::OldStrNotFound
            | ErrorCode::AmbiguousMatch
            | ErrorCode::NoChange
            | ErrorCode::LineOutOfRange
            | ErrorCode::PathOutsideWorkspace
            | ErrorCode::IsADirectory
            | ErrorCode::NotADirectory
            | ErrorCode::NotText
            | ErrorCode::FileTooLarge
            | ErrorCode::InvalidPattern
    )
}

/// What of a failed call's result tells what is near: a search, of which what was recorded stands in.
pub(super) fn is_hint(path: &JsonPath) -> bool {
    ["details", "message"].iter().any(|member| path.starts_with(&["result", member]))
}
