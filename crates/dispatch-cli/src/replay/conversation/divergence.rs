//! A call of a conversation whose result would tell the model something else today.

use dispatch_core::ToolCall;
use dispatch_core::session::Difference;
use dispatch_providers::{Compared, Exchange, WireResult};
use serde_json::{Value, json};

use crate::replay::divergence::values;
use crate::replay::report::{Diverging, Named};
use crate::replay::text::{self, diff, labelled};

impl Named for Exchange {
    fn number(&self) -> u64 {
        self.number()
    }

    fn call(&self) -> &ToolCall {
        self.call()
    }

    fn place(&self) -> (&'static str, Value) {
        ("path", json!(self.path().to_string()))
    }
}

/// A call whose result would tell the model something else today.
pub(super) struct Divergence<'d> {
    pub(super) exchange: &'d Exchange,
    pub(super) compared: &'d Compared,
}

impl Diverging for Divergence<'_> {
    fn named(&self) -> &dyn Named {
        self.exchange
    }

    fn differences(&self) -> &[Difference] {
        &self.compared.differences
    }

    fn to_text(&self) -> String {
        let shown = |result| shown(self.exchange.call().id(), result);
        let recorded = self.exchange.recorded().map(shown).unwrap_or_default();
        let today = shown(&self.compared.today);
        if recorded == today {
            return values(self.differences());
        }
        diff(("recorded", &recorded), ("today", &today))
    }
}

/// Returns what a result tells, over many lines: what is short, and last the content.
fn shown(id: Option<&str>, result: &WireResult) -> String {
    let result = result.to_json();
    let value = |name: &str| result.get(name).map(|value| labelled(name, &as_text(value))).unwrap_or_default();
    let id = id.map(|id| labelled("id", id)).unwrap_or_default();
    let content = match result.get("content") {
        Some(Value::Array(parts)) => parts.iter().map(part).collect(),
        _ => value("content"),
    };
    id + &value("code") + &value("status") + &value("structured") + &content
}

fn part(part: &Value) -> String {
    let text = labelled(if part.is_string() { "content" } else { "block" }, &as_text(part));
    if text.ends_with('\n') { text } else { text + "\n" }
}

fn as_text(value: &Value) -> String {
    value.as_str().map_or_else(|| text::compact(value), str::to_owned)
}
