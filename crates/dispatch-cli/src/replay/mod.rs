//! `dispatch replay`: what was recorded, run again.

mod error;
mod native;
mod log;
mod progress;
mod rerun;
mod text;
mod divergence;
mod report;
mod session;
mod show;
mod one_call;
mod stats;

use dispatch_core::session::is_session_log;

use crate::args::{GateArgs, ReplayArgs, SessionArgs};
use crate::error::CliError;
use crate::input::{Input, Lines};
use crate::{Ending, Toolset, pairing};

pub(crate) use error::ReplayError;
use log::Log;

pub(crate) fn run(args: &ReplayArgs, toolset: Toolset) -> Result<Ending, CliError> {
    if let Some(choice) = args.pairing.provider {
        return pairing::run(choice, &args.pairing, &args.file);
    }
    let mut lines = Input::open(&args.file)?.lines();
    if holds_session(&mut lines)? {
        refuse(first_of_gates(&args.gates), ReplayError::OfTheFirstForm)?;
        with_log(&args.session, toolset, Log::new(lines))
    } else {
        refuse(first_of_session(&args.session), ReplayError::OfSessions)?;
        native::run(&args.gates, toolset, lines)
    }
}

fn with_log(args: &SessionArgs, toolset: Toolset, log: Log) -> Result<Ending, CliError> {
    match args.call {
        Some(number) => one_call::run(number, toolset, log),
        None if args.show => show::run(log),
        None if args.stats => stats::run(args.json, log),
        None => session::run(args, toolset, log),
    }
}

/// A header that was not written whole begins as one does, too.
fn holds_session(lines: &mut Lines) -> Result<bool, CliError> {
    let first = lines.peek()?;
    Ok(first.starts_with(br#"{"explains":"#) || is_session_log(first.trim_ascii_end()))
}

fn refuse(option: Option<&'static str>, error: impl FnOnce(&'static str) -> ReplayError) -> Result<(), CliError> {
    option.map_or(Ok(()), |option| Err(CliError::Unreplayable(error(option))))
}

fn first_of_gates(args: &GateArgs) -> Option<&'static str> {
    let given = [
        (args.allow.is_some(), "--allow"),
        (args.max_output_bytes.is_some(), "--max-output-bytes"),
        (args.explain, "--explain"),
    ];
    first(&given)
}

fn first_of_session(args: &SessionArgs) -> Option<&'static str> {
    let given = [
        (args.all, "--all"),
        (args.json, "--json"),
        (args.from.is_some(), "--from"),
        (args.until.is_some(), "--until"),
        (args.workspace_out.is_some(), "--workspace-out"),
        (args.live, "--live"),
        (args.show, "--show"),
        (args.stats, "--stats"),
    ];
    first(&given)
}

fn first(given: &[(bool, &'static str)]) -> Option<&'static str> {
    given.iter().find(|(is_given, _)| *is_given).map(|(_, option)| *option)
}
