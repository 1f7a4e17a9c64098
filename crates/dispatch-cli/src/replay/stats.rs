//! `dispatch replay --stats`: a log in numbers, a tool at a time.

use std::collections::BTreeMap;
use std::io::Write as _;

use dispatch_core::session::{Entry, Header, Item};
use serde_json::{Value, json};

use super::divergence::call;
use super::log::{Found, Log};
use super::session::tell;
use super::show::{bytes, in_milliseconds, microseconds};
use super::text::{cut, one_line};
use crate::error::CliError;
use crate::{Ending, output};

/// Prints the numbers of a log.
///
/// # Errors
///
/// When the log can't be read, or standard output not written.
pub(super) fn run(as_json: bool, mut log: Log) -> Result<Ending, CliError> {
    let stats = gather(&mut log)?;
    if as_json {
        output::print_value(&stats.to_json())?;
    } else {
        let mut out = output::stdout();
        out.write_all(stats.to_text().as_bytes()).and_then(|()| out.flush()).map_err(CliError::Unwritable)?;
    }
    Ok(Ending::Fine)
}

fn gather(log: &mut Log) -> Result<Stats, CliError> {
    let mut stats = Stats::default();
    while let Some(Found { item, .. }) = log.next(&mut tell)? {
        match item {
            Item::Header(header) => stats.begin(&header),
            Item::Entry(entry) => stats.count(&entry),
        }
    }
    Ok(stats)
}

#[derive(Debug, Default)]
struct Stats {
    sessions: u64,
    all: Tool,
    /// A model may invent any number of names: those are counted as one.
    unknown: Tool,
    tools: BTreeMap<String, Tool>,
}

#[derive(Debug, Default)]
struct Tool {
    calls: u64,
    codes: BTreeMap<String, u64>,
    bytes: Measured,
    microseconds: Measured,
}

/// What was measured of some calls.
#[derive(Debug, Default)]
struct Measured {
    calls: u64,
    total: u64,
    largest: u64,
}

impl Measured {
    fn add(&mut self, value: Option<u64>) {
        let Some(value) = value else { return };
        self.calls += 1;
        self.total = self.total.saturating_add(value);
        self.largest = self.largest.max(value);
    }

    fn to_json(&self) -> Value {
        json!({"calls": self.calls, "largest": self.largest, "total": self.total})
    }
}

impl Tool {
    fn count(&mut self, entry: &Entry) {
        self.calls += 1;
        *self.codes.entry(entry.code().unwrap_or_else(|| "ok".to_owned())).or_default() += 1;
        self.bytes.add(bytes(entry).and_then(|bytes| bytes.try_into().ok()));
        self.microseconds.add(entry.outcome.as_ref().and_then(microseconds));
    }

    fn to_json(&self) -> Value {
        json!({
            "calls": self.calls,
            "codes": self.codes,
            "duration_us": self.microseconds.to_json(),
            "observation_bytes": self.bytes.to_json(),
        })
    }

    fn to_text(&self, name: &str) -> String {
        let (name, calls) = (cut(&one_line(name), 28), self.calls);
        let (total, largest) = (self.bytes.total, self.bytes.largest);
        let [took, longest] = [self.microseconds.total, self.microseconds.largest].map(in_milliseconds);
        let codes = self.codes.iter().map(|(code, count)| format!("  {:<26}  {count:>9}\n", cut(&one_line(code), 26)));
        let codes: String = codes.collect();
        format!("{name:<28}  {calls:>9}  {total:>12}  {largest:>12}  {took:>12}  {longest:>12}\n{codes}")
    }
}

impl Stats {
    fn begin(&mut self, header: &Header) {
        self.sessions += 1;
        for (name, _) in header.tools() {
            self.tools.entry(name.to_owned()).or_default();
        }
    }

    fn count(&mut self, entry: &Entry) {
        self.all.count(entry);
        self.tools.get_mut(call(entry).tool()).unwrap_or(&mut self.unknown).count(entry);
    }

    fn to_json(&self) -> Value {
        let tools: serde_json::Map<_, _> =
            self.tools.iter().map(|(name, tool)| (name.clone(), tool.to_json())).collect();
        json!({
            "all": self.all.to_json(),
            "sessions": self.sessions,
            "tools": tools,
            "unknown_tools": self.unknown.to_json(),
        })
    }

    fn to_text(&self) -> String {
        let [name, calls, total, largest, took, longest] =
            ["tool and code", "calls", "bytes", "largest", "ms", "longest"];
        let head = format!("{name:<28}  {calls:>9}  {total:>12}  {largest:>12}  {took:>12}  {longest:>12}\n");
        let tools: String = self.tools.iter().map(|(name, tool)| tool.to_text(name)).collect();
        let unknown = if self.unknown.calls == 0 { String::new() } else { self.unknown.to_text("(unknown tools)") };
        let plural = if self.sessions == 1 { "" } else { "s" };
        let all = self.all.to_text(&format!("all, in {} session{plural}", self.sessions));
        head + &tools + &unknown + &all
    }
}
