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
mod conversation;
mod show;
mod one_call;
mod stats;
mod accept;
mod many;

use std::path::Path;

use dispatch_core::json::skip_byte_order_mark;
use dispatch_core::session::{is_session_log, is_void_line};

use crate::args::{GateArgs, ReplayArgs, SessionArgs};
use crate::error::CliError;
use crate::input::{Input, Lines};
use crate::toolset::Toolsets;
use crate::{Ending, Toolset, pairing};

pub(crate) use error::ReplayError;
use log::Log;

pub(crate) fn run(args: &ReplayArgs, toolset: Toolset) -> Result<Ending, CliError> {
    expect_in_order(&args.session)?;
    let toolsets = &Toolsets::new(toolset, &args.toolset)?;
    match args.files.as_slice() {
        [file] if args.jobs.is_none() && !file.is_dir() => one(args, file, toolsets),
        files => {
            refuse(first_of_one_log(args), ReplayError::OfOneLog)?;
            refuse(first_of_gates(&args.gates), ReplayError::OfTheFirstForm)?;
            many::run(args, files, toolsets)
        }
    }
}

fn one(args: &ReplayArgs, file: &Path, toolsets: &Toolsets) -> Result<Ending, CliError> {
    if let Some(choice) = args.conversation.provider {
        let is_checked = args.pairing.check || args.pairing.repair;
        return if is_checked {
            pairing::run(choice, &args.pairing, file)
        } else {
            conversation::run(choice, args, file, toolsets)
        };
    }
    let mut lines = Input::open(file)?.lines();
    if holds_session(&mut lines)? {
        refuse(first_of_gates(&args.gates), ReplayError::OfTheFirstForm)?;
        with_log(args, file, toolsets, Log::new(lines))
    } else {
        refuse(first_of_session(args), ReplayError::OfSessions)?;
        native::run(args, toolsets, lines)
    }
}

fn with_log(args: &ReplayArgs, file: &Path, toolsets: &Toolsets, log: Log) -> Result<Ending, CliError> {
    match args.look.call {
        Some(number) => one_call::run(number, toolsets, log),
        None if args.look.show => show::run(log),
        None if args.look.stats => stats::run(args.session.json, log),
        None if args.accept.accept => accept::run(args, file, toolsets, log),
        None => session::run(args, toolsets, log),
    }
}

/// A header that was not written whole begins as one does, too. What holds nothing is told as a log, be it with the options of one or without.
fn holds_session(lines: &mut Lines) -> Result<bool, CliError> {
    let is_empty = lines.peek()?.is_empty();
    let first = skip_byte_order_mark(lines.peek_past_blank()?);
    let begins_one = first.starts_with(br#"{"explains":"#) || is_session_log(first.trim_ascii_end());
    let is_of_zeros = !first.is_empty() && !first.starts_with(b"\n") && is_void_line(first);
    Ok(begins_one || is_empty || is_of_zeros)
}

fn expect_in_order(args: &SessionArgs) -> Result<(), CliError> {
    match (args.from, args.until) {
        (Some(from), Some(until)) if from > until => {
            Err(CliError::Unreplayable(ReplayError::NothingBetween { from, until }))
        }
        _ => Ok(()),
    }
}

fn refuse(option: Option<&'static str>, error: impl FnOnce(&'static str) -> ReplayError) -> Result<(), CliError> {
    option.map_or(Ok(()), |option| Err(CliError::Unreplayable(error(option))))
}

fn first_of_gates(args: &GateArgs) -> Option<&'static str> {
    let given = [
        (args.allow.is_some(), "--allow"),
        (args.read_only, "--read-only"),
        (args.max_output_bytes.is_some(), "--max-output-bytes"),
        (args.explain, "--explain"),
    ];
    first(&given)
}

fn first_of_session(args: &ReplayArgs) -> Option<&'static str> {
    first_of_one_log(args).or(first(&[(args.session.json, "--json"), (args.session.live, "--live")]))
}

/// What is about one log or conversation, of whose calls each is told.
fn first_of_one_log(args: &ReplayArgs) -> Option<&'static str> {
    let session = &args.session;
    let given = [
        (session.all, "--all"),
        (session.from.is_some(), "--from"),
        (session.until.is_some(), "--until"),
        (session.workspace_out.is_some(), "--workspace-out"),
        (args.look.show, "--show"),
        (args.look.stats, "--stats"),
        (args.accept.accept, "--accept"),
        (args.pairing.check, "--check"),
        (args.pairing.repair, "--repair"),
        (args.conversation.provider.is_some(), "--provider"),
    ];
    first(&given)
}

fn first(given: &[(bool, &'static str)]) -> Option<&'static str> {
    given.iter().find(|(is_given, _)| *is_given).map(|(_, option)| *option)
}
