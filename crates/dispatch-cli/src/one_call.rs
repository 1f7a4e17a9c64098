//! `dispatch dispatch --tool`: one call, made of words, for people at a shell.

mod words;

use std::io::Write as _;

use dispatch_core::json::{Document, Malformed};
use dispatch_core::protocol::Asked;
use dispatch_core::{CallError, Gates, ToolCall, ToolResult};

use crate::args::DispatchArgs;
use crate::error::CliError;
use crate::record::{self, Log};
use crate::runner::Runner;
use crate::{Ending, gates, operator, output, workspace};

/// Runs the call, and prints its observation, or why it gave none.
///
/// # Errors
///
/// When the words make no call, or a file can't be read or written.
pub(crate) fn run(args: &DispatchArgs, gates: Gates) -> Result<Ending, CliError> {
    let gates = gates.explaining();
    let call = call(&args.tool, &gates)?;
    let mut workspace = workspace::given(&args.directory, &args.provider)?;
    let log = Log::open(args)?;
    let mut runner = Runner::new(log.begin(|| record::header(&gates, &*workspace))?, args.dry_run);
    let result = runner.run(Asked::from(call), &gates, &mut *workspace)?;
    workspace::write_out(args.provider.workspace_out.as_deref(), &*workspace)?;
    print(&result)
}

fn call(words: &[String], gates: &Gates) -> Result<ToolCall, CliError> {
    let (name, words) = words.split_first().map_or(("", words), |(name, words)| (name.as_str(), words));
    gates::expect_tool("--tool", name, gates.registry())?;
    let schema = gates.registry().spec(name).map(|spec| spec.input_schema).unwrap_or_default();
    let text = words::arguments(words, &schema)?;
    let bad = |malformed: Malformed| CliError::BadWord { word: name.to_owned(), reason: malformed.to_string() };
    // A key that came twice is for the judge to find, as in a model's call.
    Ok(ToolCall::new(name, Document::parse_tolerating(text.into(), |_| true).map_err(bad)?))
}

/// Text is printed as it is. A last line that has not ended does, so that a shell's prompt stands in a line of its own.
fn print(result: &ToolResult) -> Result<Ending, CliError> {
    if let Some(error) = result.error() {
        tell(error);
        return Ok(Ending::Failed);
    }
    let text = result.shown().map_or_else(String::new, |shown| shown.text.into_owned());
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    let mut out = output::stdout();
    out.write_all(text.as_bytes())
        .and_then(|()| out.write_all(end.as_bytes()))
        .and_then(|()| out.flush())
        .map_err(CliError::Unwritable)?;
    Ok(Ending::Fine)
}

fn tell(error: &CallError) {
    let lines: Vec<String> = error.text_for_model().lines().map(operator::one_line).collect();
    operator::line(format_args!("dispatch: {}", lines.join("\n  ")));
}
