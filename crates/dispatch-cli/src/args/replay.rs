//! What can be typed behind `dispatch replay`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::TypedValueParser;

use super::{DirectoryArgs, GateArgs, ProviderChoice, ToolsetArgs, number, provider_choice};

/// Runs recorded calls again, and shows where today's outcome differs from the recorded one. Or checks or repairs a provider's conversation.
///
/// The file is the log of a session, whose calls run again on the files that the session began with. Today's tools are narrowed as they were
/// then; what reaches beyond the workspace is not run again. Or it holds a line of JSON for each request: {"request": ..., "response": ...}. They are
/// answered in order as by `dispatch --stream`: a request without a workspace runs on that of the one before. The message of a protocol
/// failure is for people and not compared.
///
/// With --provider it holds a conversation with a provider, whose calls run again on the files of --workspace, at the gates that the options
/// say. What a model would be told of each is compared with what it was told. With --check or --repair nothing is run.
///
/// Exit code 0: all agree, or no fault, or it was shown or accepted. 1: some differ, a fault, or a text that is no conversation of the provider's. 2: the file could not be read, is of
/// another format, holds a line that is no record, or no record at all.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("instead").args(["show", "stats", "accept"]).conflicts_with_all(["what_to_do", "root"]))]
pub(crate) struct ReplayArgs {
    /// The file that holds what was recorded, or the conversation. `-`: standard input. Of several logs, or of those in a directory, whose names end in
    /// `.jsonl`, each gives one line.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// Replay so many logs at a time, and print one line for each. Left out: as many as there are processors.
    #[arg(long, value_name = "N", conflicts_with_all = ["what_to_do", "instead"], value_parser = jobs())]
    pub(crate) jobs: Option<u16>,

    #[command(flatten)]
    pub(crate) toolset: ToolsetArgs,

    #[command(flatten)]
    pub(crate) directory: DirectoryArgs,

    #[command(flatten)]
    pub(crate) session: SessionArgs,

    #[command(flatten)]
    pub(crate) look: LookArgs,

    #[command(flatten)]
    pub(crate) accept: AcceptArgs,

    #[command(flatten)]
    pub(crate) conversation: ConversationArgs,

    #[command(flatten)]
    pub(crate) pairing: PairingArgs,

    #[command(flatten)]
    pub(crate) gates: GateArgs,
}

/// How a log or a conversation is replayed.
#[derive(Debug, Args)]
pub(crate) struct SessionArgs {
    /// Show each divergence, not the first alone.
    #[arg(long, conflicts_with_all = ["what_to_do", "instead"])]
    pub(crate) all: bool,

    /// Print an object for each divergence, one a line, and a summary; with --stats, all of it as an object.
    #[arg(long, conflicts_with_all = ["what_to_do", "show", "accept"])]
    pub(crate) json: bool,

    /// Compare from this call on. Those before it run all the same.
    #[arg(long, value_name = "N", conflicts_with_all = ["what_to_do", "instead"], value_parser = call_number())]
    pub(crate) from: Option<u64>,

    /// Stop after this call.
    #[arg(long, value_name = "N", conflicts_with_all = ["what_to_do", "instead"], value_parser = call_number())]
    pub(crate) until: Option<u64>,

    /// Write the workspace as it is after the last call to this file, as a whole or not at all.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["what_to_do", "instead"])]
    pub(crate) workspace_out: Option<PathBuf>,

    /// Run also what reaches beyond the workspace. It has effects out there, and may end otherwise each time.
    #[arg(long, conflicts_with_all = ["what_to_do", "show", "stats"])]
    pub(crate) live: bool,
}

/// How the log of a session is looked at.
#[derive(Debug, Args)]
pub(crate) struct LookArgs {
    /// Print the session as a table instead, a line for each call. Nothing is run.
    #[arg(long)]
    pub(crate) show: bool,

    /// With --show: print this call in full, with the files that it changed: it is run again up to there.
    #[arg(long, value_name = "N", conflicts_with = "provider", value_parser = call_number())]
    pub(crate) call: Option<u64>,

    /// Print how often each tool was called, with which codes, how much it gave and how long it took, instead. Nothing is run.
    #[arg(long)]
    pub(crate) stats: bool,
}

/// Whether today's outcomes are to be the recorded ones.
#[derive(Debug, Args)]
pub(crate) struct AcceptArgs {
    /// Write the log with today's outcome in place of each that differs, to a file beside it whose name has `.accepted` at its end. All else stands
    /// letter by letter.
    #[arg(long)]
    pub(crate) accept: bool,

    /// Write it to the log itself, as a whole or not at all.
    #[arg(long)]
    pub(crate) in_place: bool,
}

fn jobs() -> impl TypedValueParser<Value = u16> {
    number::within(1..=u64::from(u16::MAX)).try_map(u16::try_from)
}

fn call_number() -> impl TypedValueParser<Value = u64> {
    number::within(1..)
}

/// What is to be done with a provider's conversation.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("what_to_do").args(["check", "repair"]))]
pub(crate) struct PairingArgs {
    /// Check that each call of a conversation has one result where the provider wants it. Each fault is a line: its place, what it is, the id.
    #[arg(long, conflicts_with_all = ["repair", "allow", "read_only", "max_output_bytes", "explain"])]
    pub(crate) check: bool,

    /// Print the conversation with a result for each call that has none, which says that the call was interrupted. All else stands to the letter.
    /// What was mended is told on stderr, and so are the faults that are left.
    #[arg(long, conflicts_with_all = ["allow", "read_only", "max_output_bytes", "explain"])]
    pub(crate) repair: bool,
}

/// What a provider's conversation is, and what it runs on.
#[derive(Debug, Args)]
pub(crate) struct ConversationArgs {
    /// The file holds a conversation with this provider. `auto` recognises it.
    #[arg(long, value_name = "PROVIDER", value_parser = provider_choice(), conflicts_with_all = ["instead", "jobs"])]
    pub(crate) provider: Option<ProviderChoice>,

    /// The file that holds the workspace as it was before the conversation: a JSON object, for each file its path and its text. Left out: an empty
    /// workspace.
    #[arg(long, value_name = "FILE", conflicts_with = "what_to_do")]
    pub(crate) workspace: Option<PathBuf>,

    /// The tools were sent in the provider's strict mode: a null for an optional field means that it is absent.
    #[arg(long, conflicts_with = "what_to_do")]
    pub(crate) strict: bool,
}
