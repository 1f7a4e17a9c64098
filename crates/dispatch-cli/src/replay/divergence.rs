//! A call that came to another outcome today.

use std::collections::BTreeSet;

use dispatch_core::ToolCall;
use dispatch_core::json::{Fragment, Node};
use dispatch_core::session::{Comparison, Difference, Digest, Entry, Outcome};
use dispatch_core::workspace::{MemoryWorkspace, Workspace as _};
use serde_json::{Value, json};

use super::report::{Diverging, Named};
use super::text::{self, diff, one_line};

/// A call that came to another outcome today.
pub(super) struct Divergence<'d> {
    pub(super) entry: &'d Entry,
    pub(super) comparison: &'d Comparison,
    /// The line that would record today's outcome.
    pub(super) line: &'d str,
    /// The files as they are after the call today.
    pub(super) workspace: &'d MemoryWorkspace,
}

impl Named for Entry {
    fn number(&self) -> u64 {
        self.number
    }

    fn call(&self) -> &ToolCall {
        call(self)
    }

    fn place(&self) -> (&'static str, Value) {
        ("line", json!(self.line))
    }
}

pub(super) fn call(entry: &Entry) -> &ToolCall {
    &entry.intent.asked().call
}

impl Divergence<'_> {
    /// Whether only the workspace as a whole differs: where an earlier call left it otherwise, that is its consequence.
    pub(super) fn is_workspace_alone(&self) -> bool {
        self.comparison.differences.iter().all(|difference| difference.path.to_string() == "$.workspace")
    }

    fn differing_files(&self, recorded: &Outcome) -> BTreeSet<String> {
        let (was, is) = (recorded.files(), self.files_today());
        let names = [&was, &is].into_iter().filter_map(Value::as_object).flat_map(|files| files.keys());
        names.filter(|name| was.get(name.as_str()) != is.get(name.as_str())).cloned().collect()
    }

    fn files_today(&self) -> Value {
        let line: Option<Value> = serde_json::from_str(self.line).ok();
        line.and_then(|mut line| line.get_mut("files").map(Value::take)).unwrap_or_default()
    }

    /// The recorded text is not in the log, but for its digest. Where the call's arguments tell what it was, it is compared with today's.
    fn file(&self, recorded: &Outcome, path: &str) -> String {
        let today = file(self.workspace, path);
        let before = self.comparison.before.get(path).cloned().unwrap_or_else(|| today.clone());
        let digests = recorded.files();
        let digest = digests.get(path).and_then(Value::as_str);
        let known = digest.and_then(|digest| text_of(digest, before.as_deref(), call(self.entry)));
        let (name, today) = (format!("{path}, today"), today.unwrap_or_default());
        if let Some(known) = known {
            return diff((&format!("{path}, recorded"), &known), (&name, &today));
        }
        let recorded = match (digest, digests.get(path)) {
            (Some(digest), _) => format!("recorded as {}, a text that the log does not hold", one_line(digest)),
            (None, Some(_)) => "recorded as removed".to_owned(),
            (None, None) => "recorded as not written".to_owned(),
        };
        let path = one_line(path);
        let before = before.unwrap_or_default();
        if before == today {
            return format!("{path}: {recorded}; not changed today\n");
        }
        format!("{path}: {recorded}; today:\n{}", diff((&format!("{path}, before"), &before), (&name, &today)))
    }
}

/// Returns what differs, value by value, where no text of it does.
pub(super) fn values(differences: &[Difference]) -> String {
    let told = differences.iter().map(|difference| {
        let values = [&difference.recorded, &difference.today].map(text::compact);
        let [recorded, today] = values.map(|value| one_line(&value));
        format!("{}\n- {recorded}\n+ {today}\n", one_line(&difference.path.to_string()))
    });
    told.collect()
}

impl Diverging for Divergence<'_> {
    fn named(&self) -> &dyn Named {
        self.entry
    }

    fn differences(&self) -> &[Difference] {
        &self.comparison.differences
    }

    /// Of the outcome there is a diff, and of each file that is another.
    fn to_text(&self) -> String {
        let Some(recorded) = &self.entry.outcome else { return String::new() };
        let mut shown = outcome_diff(recorded.line(), self.line);
        for path in self.differing_files(recorded) {
            shown += &self.file(recorded, &path);
        }
        if shown.is_empty() { values(self.differences()) } else { shown }
    }
}

fn outcome_diff(recorded: &str, today: &str) -> String {
    let (recorded, today) = (text::outcome(recorded), text::outcome(today));
    if recorded == today { String::new() } else { diff(("recorded", &recorded), ("today", &today)) }
}

pub(super) fn file(workspace: &MemoryWorkspace, path: &str) -> Option<String> {
    let path = workspace.resolve(path).ok()?;
    workspace.read_text(&path).ok().map(std::borrow::Cow::into_owned)
}

/// Returns the text that has a digest, where it is the file as it was, an argument of the call, or the file with one replaced by another.
fn text_of(digest: &str, before: Option<&str>, call: &ToolCall) -> Option<String> {
    let has_digest = |text: &String| Digest::of(text).to_string() == digest;
    let args = call.args().as_json().map(Fragment::node)?;
    let string = |name| args.get(name).and_then(Node::as_str).filter(|text| !text.is_empty());
    let arguments = args.members().filter_map(|member| member.value.as_str()).map(std::borrow::Cow::into_owned);
    let new = ["new_str", "new_string"].into_iter().find_map(|name| args.get(name)).and_then(Node::as_str);
    let replaced = match (before, string("old_str").or_else(|| string("old_string")), new) {
        (Some(before), Some(old), Some(new)) => vec![before.replacen(&*old, &new, 1), before.replace(&*old, &new)],
        _ => Vec::new(),
    };
    before.map(str::to_owned).into_iter().chain(arguments).chain(replaced).find(has_digest)
}
