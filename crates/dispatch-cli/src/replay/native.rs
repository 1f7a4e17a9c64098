//! Recordings of requests and responses: the first form of what is replayed.

use std::io::{self, Write as _};

use dispatch_core::json::{Document, Fragment, JsonPath, skip_byte_order_mark};
use dispatch_core::protocol::Stream;
use serde_json::Value;

use crate::args::ReplayArgs;
use crate::diff::unified;
use crate::error::CliError;
use crate::input::Lines;
use crate::output::{self, Output};
use crate::toolset::Toolsets;
use crate::{Ending, gates, operator, workspace};

/// Answers the requests again, and shows which responses differ.
///
/// # Errors
///
/// When the input can't be read, a line of it is no record, or it holds none.
pub(super) fn run(args: &ReplayArgs, toolsets: &Toolsets, mut lines: Lines) -> Result<Ending, CliError> {
    let gates = gates::gates(&args.gates, toolsets.registry()?)?;
    let mut stream = match workspace::untouched(&args.directory)? {
        Some(directory) => Stream::on(gates, directory),
        None => Stream::new(gates),
    };
    let name = lines.name().to_owned();
    let mut report = Report { out: output::stdout(), requests: 0, differing: 0 };
    let mut number = 0;
    while let Some(line) = lines.next()? {
        number += 1;
        let line = if number == 1 { skip_byte_order_mark(line) } else { line };
        let bad_record = |reason| CliError::BadRecord { name: name.clone(), line: number, reason };
        if let Some(record) = Record::read(line).map_err(bad_record)? {
            let today = answer(&mut stream, &record.request).map_err(CliError::Unwritable)?;
            report.compare(number, record.response.node().to_json(), today).map_err(CliError::Unwritable)?;
        }
    }
    if report.requests == 0 {
        return Err(CliError::EmptyRecording { name });
    }
    report.close().map_err(CliError::Unwritable)
}

/// A recorded request with its response.
struct Record {
    request: Fragment,
    response: Fragment,
}

impl Record {
    /// Reads a line. A line of white space holds no record.
    fn read(line: &[u8]) -> Result<Option<Self>, String> {
        if line.trim_ascii().is_empty() {
            return Ok(None);
        }
        // A key twice in the arguments is part of what was asked.
        let in_args = |path: &JsonPath| path.starts_with(&["request", "call", "args"]);
        let document = Document::parse_tolerating(line.to_vec(), in_args)
            .map_err(|malformed| format!("column {}: {malformed}", malformed.position().column))?;
        let root = document.root();
        match (root.get("request"), root.get("response"), root.members().count()) {
            (Some(request), Some(response), 2) => {
                Ok(Some(Self { request: request.to_fragment(), response: response.to_fragment() }))
            }
            _ => Err("expected an object with the members `request` and `response`, and no others".to_owned()),
        }
    }
}

/// Runs a request again. The line that tells a protocol failure is an answer too.
fn answer(stream: &mut Stream, request: &Fragment) -> io::Result<Value> {
    let mut line = Vec::new();
    match stream.answer(request.raw().as_bytes()) {
        Some(Ok(response)) => {
            operator::log(response.result());
            response.write(&mut line)?;
        }
        Some(Err(failure)) => write!(line, "{failure}")?,
        None => {}
    }
    Ok(Document::parse(line).map_err(io::Error::other)?.root().to_json())
}

struct Report {
    out: Output,
    requests: usize,
    differing: usize,
}

impl Report {
    /// Shows where today's response differs from the recorded one, if it does.
    fn compare(&mut self, line: usize, mut recorded: Value, mut today: Value) -> io::Result<()> {
        self.requests += 1;
        drop_message(&mut recorded);
        drop_message(&mut today);
        if recorded == today {
            return Ok(());
        }
        self.differing += 1;
        let (recorded, today) = (output::indented(&recorded)?, output::indented(&today)?);
        let (old, new) = (format!("line {line}, recorded"), format!("line {line}, today"));
        writeln!(self.out, "{}", unified((&old, &recorded), (&new, &today)))
    }

    fn close(mut self) -> io::Result<Ending> {
        let Self { requests, differing, .. } = self;
        let plural = if requests == 1 { "" } else { "s" };
        writeln!(self.out, "{requests} request{plural}: {} agree, {differing} differ", requests - differing)?;
        self.out.flush()?;
        Ok(if differing == 0 { Ending::Fine } else { Ending::Failed })
    }
}

/// The message of a protocol failure is for people, and may be worded otherwise tomorrow.
fn drop_message(response: &mut Value) {
    if response.get("status").is_some_and(|status| status == "protocol_error") {
        let _ = response.as_object_mut().map(|members| members.remove("message"));
    }
}
