//! `dispatch replay --show --call N`: a call in full, with what it changed.

use std::io::{self, Write};

use dispatch_core::json::{Fragment, Node};
use dispatch_core::protocol::Asked;
use dispatch_core::session::{Comparison, Entry, Header, How, Item};

use super::ReplayError;
use super::divergence::{call, file};
use super::log::{Found, Log};
use super::rerun::Rerun;
use super::session::tell;
use super::show::{describe, in_milliseconds, microseconds, time};
use super::text::{self, coloured, diff, one_line, plain};
use crate::error::CliError;
use crate::toolset::Toolsets;
use crate::{Ending, output};

/// Prints a call in full.
///
/// # Errors
///
/// When the log can't be read or replayed up to there or has no such call, or standard output can't be written.
pub(super) fn run(number: u64, toolsets: &Toolsets, mut log: Log) -> Result<Ending, CliError> {
    let mut at = At { rerun: Rerun::new(toolsets, false), session: String::new(), provider: None, last: 0 };
    while let Some(Found { line, item }) = log.next(&mut tell)? {
        match item {
            Item::Header(header) => at.begin(&header, log.name(), line),
            Item::Entry(entry) if at.reaches(&entry, number) => return at.print(&entry),
            Item::Entry(_) => {}
        }
    }
    let (name, option, last) = (log.name().to_owned(), "--call", at.last);
    Err(CliError::Unreplayable(ReplayError::NoSuchCall { name, option, number, last }))
}

/// Where in the log it is.
struct At {
    rerun: Rerun,
    session: String,
    provider: Option<String>,
    last: u64,
}

impl At {
    /// What was recorded can be shown without the tools that did it.
    fn begin(&mut self, header: &Header, name: &str, line: usize) {
        self.session = format!("line {line}: {}", describe(header));
        self.provider = header.provider().map(str::to_owned);
        if let Err(error) = self.rerun.begin(header, name, line, &mut tell) {
            tell(&format!("{error}; until then, what a call changed is not shown"));
        }
    }

    /// Runs the calls before the one that is asked for.
    fn reaches(&mut self, entry: &Entry, number: u64) -> bool {
        self.last = entry.number;
        if entry.number != number {
            self.rerun.replay(entry, &mut tell);
        }
        entry.number == number
    }

    fn print(mut self, entry: &Entry) -> Result<Ending, CliError> {
        let mut out = output::stdout();
        let written = self.write(&mut out, entry).and_then(|()| out.flush());
        written.map_err(CliError::Unwritable)?;
        Ok(Ending::Fine)
    }

    fn write(&mut self, out: &mut dyn Write, entry: &Entry) -> io::Result<()> {
        writeln!(out, "call: {} (line {})\nsession: {}", entry.number, entry.line, self.session)?;
        self.write_asked(out, entry)?;
        match &entry.outcome {
            Some(outcome) => {
                let took = microseconds(outcome).map(|took| format!("took: {} ms\n", in_milliseconds(took)));
                write!(out, "\n{}{}", took.unwrap_or_default(), ended(&text::outcome(outcome.line())))?;
            }
            None => writeln!(out, "\noutcome_unknown: the program ended before it was recorded")?,
        }
        match self.rerun.replay(entry, &mut tell) {
            Some(comparison) => self.write_changes(out, &comparison),
            None => Ok(()),
        }
    }

    fn write_asked(&self, out: &mut dyn Write, entry: &Entry) -> io::Result<()> {
        let (call, asked) = (call(entry), entry.intent.asked());
        if let Some(time) = time(&entry.intent.host()) {
            writeln!(out, "at: {}", one_line(time))?;
        }
        writeln!(out, "tool: {}", one_line(call.tool()))?;
        if let Some(id) = call.id() {
            writeln!(out, "id: {}", one_line(id))?;
        }
        write_request(out, asked)?;
        if self.provider.is_some() {
            writeln!(out, "came as: {}", one_line(call.raw()))?;
        }
        write!(out, "arguments:\n{}", ended(&plain(&arguments(asked)?)))
    }

    /// What today's tools make of the call is what it did, unless they come to another outcome: then that is said.
    fn write_changes(&self, out: &mut dyn Write, comparison: &Comparison) -> io::Result<()> {
        let Some(workspace) = self.rerun.workspace() else { return Ok(()) };
        if comparison.how == How::StoodIn {
            tell(
                "the call reaches beyond what the log holds and is not run again: what it changed, if anything, is not known",
            );
        } else if !comparison.differences.is_empty() {
            let number = comparison.number;
            tell(&format!(
                "today it comes to another outcome, see --from {number} --until {number}: files are those of today"
            ));
        }
        for (path, before) in &comparison.before {
            let after = file(workspace, path).unwrap_or_default();
            let (old, new) = (format!("{path}, before"), format!("{path}, after"));
            let shown = diff((&old, before.as_deref().unwrap_or_default()), (&new, &after));
            let is_coloured = output::wants_colour(&io::stdout());
            write!(out, "\n{}", if is_coloured { coloured(&shown) } else { shown })?;
        }
        Ok(())
    }
}

fn write_request(out: &mut dyn Write, asked: &Asked) -> io::Result<()> {
    if let Some(names) = asked.permissions.as_ref().and_then(|permissions| permissions.names()) {
        writeln!(out, "the request's permissions: {}", one_line(&names.collect::<Vec<_>>().join(", ")))?;
    }
    if let Some(limits) = asked.limits {
        writeln!(out, "the request's limit: {} bytes", limits.max_output_bytes())?;
    }
    if let Some(workspace) = &asked.workspace {
        let files: Vec<_> = workspace.files().map(|(path, _)| one_line(path)).collect();
        writeln!(out, "the request's workspace: {}", files.join(", "))?;
    }
    Ok(())
}

fn arguments(asked: &Asked) -> io::Result<String> {
    let Some(args) = asked.call.args().as_json().map(Fragment::node) else {
        return Ok(asked.call.args().raw().to_owned());
    };
    let mut text = Vec::new();
    Node::write_indented(args, &mut text)?;
    String::from_utf8(text).map_err(io::Error::other)
}

fn ended(text: &str) -> String {
    if text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") }
}
