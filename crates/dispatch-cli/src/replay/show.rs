//! `dispatch replay --show`: a session as a table.
//!
//! The columns are as wide as they are: what comes later in the log, or who looks, has no say in it.

use std::io::{self, Write};

use dispatch_core::session::{Entry, Header, Item, Outcome};
use serde_json::Value;

use super::divergence::call;
use super::log::{Found, Log};
use super::session::tell;
use super::text::{self, cut, one_line};
use crate::error::CliError;
use crate::{Ending, output};

/// Prints the sessions of a log.
///
/// # Errors
///
/// When the log can't be read, or standard output not written.
pub(super) fn run(mut log: Log) -> Result<Ending, CliError> {
    let mut out = output::stdout();
    let shown = show(&mut log, &mut out);
    // What stands before a line that can't be read is of use.
    out.flush().map_err(CliError::Unwritable)?;
    shown.map(|()| Ending::Fine)
}

fn show(log: &mut Log, out: &mut dyn Write) -> Result<(), CliError> {
    while let Some(Found { line, item }) = log.next(&mut tell)? {
        let shown = match item {
            Item::Header(header) => head(out, line, &header),
            Item::Entry(entry) => row(out, &entry),
        };
        shown.map_err(CliError::Unwritable)?;
    }
    Ok(())
}

fn head(out: &mut dyn Write, line: usize, header: &Header) -> io::Result<()> {
    if line > 1 {
        writeln!(out)?;
    }
    writeln!(out, "session (line {line}): {}", describe(header))?;
    let [call, tool, arguments, stage] = ["call", "tool", "arguments", "stage"];
    writeln!(out, "{call:>6}  {tool:<16}  {arguments:<40}  {stage:<9}  {:<18}  {:>9}  {:>10}", "code", "bytes", "ms")
}

/// Returns what a session begins with, in a line.
pub(super) fn describe(header: &Header) -> String {
    let count = header.workspace().files().count();
    let files = format!("{count} file{}", if count == 1 { "" } else { "s" });
    let tools = header.tools().map(|(name, _)| name).collect::<Vec<_>>().join(", ");
    let permitted = header.permissions().names().map(|names| names.collect::<Vec<_>>().join(", "));
    let strict = if header.is_strict() { " (strict)" } else { "" };
    let parts = [
        Some(files),
        Some(format!("tools: {tools}")),
        permitted.map(|names| format!("permitted: {names}")),
        header.provider().map(|provider| format!("provider: {provider}{strict}")),
        time(header.host()).map(|time| format!("at {time}")),
    ];
    one_line(&parts.into_iter().flatten().collect::<Vec<_>>().join("; "))
}

fn row(out: &mut dyn Write, entry: &Entry) -> io::Result<()> {
    let call = call(entry);
    let (number, tool) = (entry.number, cut(&one_line(call.tool()), 16));
    let (arguments, stage) = (cut(&text::arguments(call), 40), stage(entry));
    let code = cut(&one_line(&entry.code().unwrap_or_else(|| "ok".to_owned())), 18);
    let (bytes, duration) = (or_dash(bytes(entry)), or_dash(entry.outcome.as_ref().and_then(milliseconds)));
    writeln!(out, "{number:>6}  {tool:<16}  {arguments:<40}  {stage:<9}  {code:<18}  {bytes:>9}  {duration:>10}")
}

/// Returns how far a call came.
pub(super) fn stage(entry: &Entry) -> &'static str {
    entry.outcome.as_ref().map_or("-", |outcome| outcome.refused_at().map_or("ran", |stage| stage.as_str()))
}

/// Returns the length of the whole observation.
pub(super) fn bytes(entry: &Entry) -> Option<usize> {
    Some(entry.outcome.as_ref()?.observation()?.len())
}

/// Returns how long a call took, where the host said so.
pub(super) fn microseconds(outcome: &Outcome) -> Option<u64> {
    outcome.host().get("duration_us").and_then(Value::as_u64)
}

fn milliseconds(outcome: &Outcome) -> Option<String> {
    microseconds(outcome).map(in_milliseconds)
}

/// Writes microseconds as milliseconds.
pub(super) fn in_milliseconds(microseconds: u64) -> String {
    format!("{}.{:03}", microseconds / 1000, microseconds % 1000)
}

/// Returns when it was, where the host said so.
pub(super) fn time(host: &Value) -> Option<&str> {
    host.get("time").and_then(Value::as_str)
}

fn or_dash(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}
