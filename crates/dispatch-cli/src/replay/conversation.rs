//! `dispatch replay --provider`: the calls of a provider's conversation, run again and compared.

mod counts;
mod divergence;

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use dispatch_core::protocol::Failure;
use dispatch_core::{Gates, ToolResult};
use dispatch_providers::{ConversationReplayer, Exchange, Replayed};

use super::report::{self, Report};
use super::session::{Part, tell};
use super::text::cut;
use crate::args::{ProviderChoice, ReplayArgs};
use crate::error::CliError;
use crate::input::Input;
use crate::toolset::Toolsets;
use crate::workspace::SessionWorkspace;
use crate::{Ending, gates, operator, pairing, provider, workspace};

use counts::Counts;
use divergence::Divergence;

/// Replays a conversation, and shows what diverges. A text that is no conversation, or one that does not pair, is told, and nothing is run.
///
/// # Errors
///
/// When a file can't be read or written, or the conversation has not the calls that are asked for.
pub(super) fn run(
    choice: ProviderChoice,
    args: &ReplayArgs,
    file: &Path,
    toolsets: &Toolsets,
) -> Result<Ending, CliError> {
    let gates = gates::gates(&args.gates, toolsets.registry()?)?;
    let workspace = match workspace::untouched(&args.directory)? {
        Some(directory) => directory,
        None => Box::new(workspace::read(args.conversation.workspace.as_deref())?),
    };
    let input = Input::open(file)?;
    let name = input.name().to_owned();
    let Some(exchanges) = exchanges(choice, args, input)? else { return Ok(Ending::Failed) };
    let mut replayer = replayer(args, gates, workspace);
    let part = Part { from: args.session.from, until: args.session.until };
    let ending = report::print(&args.session, |report| {
        let mut judge = Judge { replayer: &mut replayer, report, counts: Counts::default(), missing: BTreeSet::new() };
        judge.replay(&name, &exchanges, part)?;
        Ok(judge.counts.summary())
    })?;
    workspace::write_out(args.session.workspace_out.as_deref(), replayer.workspace())?;
    Ok(ending)
}

fn replayer(args: &ReplayArgs, gates: Gates, workspace: SessionWorkspace) -> ConversationReplayer {
    let replayer = ConversationReplayer::on(gates, workspace);
    let replayer = if args.conversation.strict { replayer.strictly() } else { replayer };
    if args.session.live { replayer.running_all() } else { replayer }
}

/// Reads the calls of a conversation with their results. Where there are none to be had, why is told.
fn exchanges(choice: ProviderChoice, args: &ReplayArgs, input: Input) -> Result<Option<Vec<Exchange>>, CliError> {
    let name = input.name().to_owned();
    let conversation = match provider::read(choice, input.read_all()?) {
        Ok(conversation) => conversation,
        Err(failure) => {
            pairing::note(&failure.to_string());
            return Ok(None);
        }
    };
    if args.conversation.strict {
        provider::expect_strict_mode(conversation.provider())?;
    }
    let exchanges = conversation.exchanges();
    match &exchanges {
        Ok(_) => conversation.note().iter().for_each(|note| tell(&format!("{name}: {note}"))),
        Err(faults) => tell_unpaired(&name, &conversation.unpaired(faults), args.session.json),
    }
    Ok(exchanges.ok())
}

/// Programs are told of faults as of any other failure.
fn tell_unpaired(name: &str, failure: &Failure, as_json: bool) {
    if as_json {
        return pairing::note(&failure.to_string());
    }
    let message = failure.message();
    tell(&format!("{name}: {message}; --check tells each fault, and --repair gives a result to each call without one"));
}

struct Judge<'j> {
    replayer: &'j mut ConversationReplayer,
    report: &'j mut dyn Report,
    counts: Counts,
    /// The tools that are not here, and of which that was told.
    missing: BTreeSet<String>,
}

impl Judge<'_> {
    fn replay(&mut self, name: &str, exchanges: &[Exchange], part: Part) -> Result<(), CliError> {
        for exchange in exchanges {
            let replayed = self.replayer.replay(exchange);
            if let Some(line) = operator::line_of_replayed(exchange.number(), result_of(&replayed)) {
                tell(&line);
            }
            if part.begins_after(exchange.number()) {
                self.counts.not_compared += 1;
            } else {
                self.count(exchange, &replayed).map_err(CliError::Unwritable)?;
            }
            if part.ends_with(exchange.number()) {
                break;
            }
        }
        part.expect_reached(name, self.counts.calls())
    }

    fn count(&mut self, exchange: &Exchange, replayed: &Replayed) -> io::Result<()> {
        match replayed {
            Replayed::Compared(compared) if compared.differences.is_empty() => self.counts.agree += 1,
            Replayed::Compared(compared) => {
                self.report.divergence(&Divergence { exchange, compared }, self.counts.diverge)?;
                self.counts.diverge += 1;
            }
            Replayed::UnknownTool => {
                self.counts.unknown_tool += 1;
                self.tell_missing(exchange.call().tool());
            }
            Replayed::StoodIn => self.counts.stood_in += 1,
            Replayed::OutcomeUnknown => {
                self.counts.unknown += 1;
                self.report.unknown(exchange, why_unknown(exchange))?;
            }
        }
        Ok(())
    }

    fn tell_missing(&mut self, tool: &str) {
        let tool = cut(tool, 64);
        if !self.missing.contains(&tool) {
            tell(&Replayed::no_such_tool(&tool));
            self.missing.insert(tool);
        }
    }
}

fn result_of(replayed: &Replayed) -> Option<&ToolResult> {
    match replayed {
        Replayed::Compared(compared) => Some(&compared.result),
        Replayed::UnknownTool | Replayed::StoodIn | Replayed::OutcomeUnknown => None,
    }
}

fn why_unknown(exchange: &Exchange) -> &'static str {
    match exchange.recorded() {
        Some(_) => "its result says that it was interrupted",
        None => "it has no result",
    }
}
