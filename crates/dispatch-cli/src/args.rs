//! What can be typed. What it means is resolved in the module of each subcommand.

mod needs;
mod number;
mod replay;

use std::fmt;
use std::path::PathBuf;

use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, ValueEnum};
use clap_complete::Shell;
use dispatch_core::Limits;
use dispatch_providers::Provider;

pub(crate) use replay::{PairingArgs, ReplayArgs, SessionArgs};

/// Judges and runs tool calls of language models, and answers them.
#[derive(Debug, Parser)]
#[command(name = "dispatch", version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) subcommand: Subcommand,
}

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Subcommand {
    Dispatch(DispatchArgs),
    Schema(SchemaArgs),
    Replay(ReplayArgs),
    Completions(CompletionsArgs),
}

/// Answers a request of the native protocol, or a stream of them, or with --provider the calls of a model's message.
///
/// Exit code 0: answered; an error for the model is an answer. 1: a protocol failure, told on stderr with nothing on stdout. 2: the
/// command itself could not work.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("without_requests").args(["provider", "tool"]))]
pub(crate) struct DispatchArgs {
    /// The file that holds the request, or with --provider the model's message. Left out or `-`: standard input.
    #[arg(conflicts_with = "tool")]
    pub(crate) file: Option<PathBuf>,

    /// Make the call here, of words, and print its observation as text: `--tool read_file path=notes.txt`. `KEY=VALUE` is text, or what the tool's schema
    /// wants there, a number or a boolean; `KEY:=JSON` is any value. An error is told on stderr, with exit code 1.
    #[arg(long, value_names = ["NAME", "KEY=VALUE"], num_args = 1.., conflicts_with_all = ["stream", "pretty", "error_format"])]
    pub(crate) tool: Vec<String>,

    #[command(flatten)]
    pub(crate) directory: DirectoryArgs,

    #[command(flatten)]
    pub(crate) provider: ProviderArgs,

    /// Answer one request a line, in order, on one workspace that begins empty.
    #[arg(long)]
    pub(crate) stream: bool,

    /// Answer a protocol failure with a line in its place, and go on; exit code 1 at the end.
    #[arg(long)]
    pub(crate) keep_going: bool,

    #[command(flatten)]
    pub(crate) toolset: ToolsetArgs,

    #[command(flatten)]
    pub(crate) gates: GateArgs,

    /// Change nothing: in place of its observation, a call that would write gives the changes that it would make, as a diff. What reaches beyond the
    /// workspace is judged and not run.
    #[arg(long, conflicts_with_all = ["record", "workspace_out"])]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) record: RecordArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// How answers are written.
#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    /// How a protocol failure is told on stderr: as a line of JSON, or with the place in the input for people.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = ErrorFormat::Json)]
    pub(crate) error_format: ErrorFormat,

    /// Print the response over many lines.
    #[arg(long, conflicts_with = "stream")]
    pub(crate) pretty: bool,
}

/// The directory that is the workspace.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct DirectoryArgs {
    /// The directory that is the workspace. Requests bring no workspace then, and responses carry none. Nothing outside of it is read or written. With
    /// `replay` it stays as it is: what the calls write is kept apart.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["workspace", "workspace_out"])]
    pub(crate) root: Option<PathBuf>,

    /// The length in bytes of the largest file in it that is read or written. Left out: 67108864.
    #[arg(long, value_name = "N", value_parser = number::within(..))]
    pub(crate) max_file_bytes: Option<u64>,
}

/// Where the session's log goes.
#[derive(Debug, Args)]
pub(crate) struct RecordArgs {
    /// Append the session to this log: what it begins with, each call before it has any effect, and what it ended in. A new log is for its owner alone;
    /// one that was not written to its end is mended first. When the log can't be written, no further call is run.
    #[arg(long, value_name = "LOG", value_parser = log_file())]
    pub(crate) record: Option<PathBuf>,

    /// Go on without a log when it can't be written, and say so.
    #[arg(long)]
    pub(crate) record_optional: bool,

    /// Wait until each line of the log is on the disk, so that it also survives a crash of the machine.
    #[arg(long)]
    pub(crate) sync: bool,
}

/// Elsewhere `-` is standard input or output, and a log is neither.
fn log_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.to_str() {
        Some("-") => {
            Err("a log is read before it is appended to, so that it must be a file; one of this name is `./-`")
        }
        _ => Ok(path),
    })
}

/// What a provider's message is, and what it runs on.
#[derive(Debug, Args)]
pub(crate) struct ProviderArgs {
    /// Read a response body, a message or a conversation of this provider's API, run the calls that it ends in, and print the messages to
    /// append, one a line. `auto` recognises the provider.
    #[arg(long, value_name = "PROVIDER", value_parser = provider_choice(), conflicts_with_all = ["stream", "pretty"])]
    pub(crate) provider: Option<ProviderChoice>,

    /// Print the whole conversation with the messages in it, instead of the messages alone.
    #[arg(long)]
    pub(crate) conversation: bool,

    /// The tools were sent in the provider's strict mode: a null for an optional field means that it is absent.
    #[arg(long)]
    pub(crate) strict: bool,

    /// The file that holds the workspace: a JSON object, for each file its path and its text. Left out: an empty workspace.
    #[arg(long, value_name = "FILE")]
    pub(crate) workspace: Option<PathBuf>,

    /// Write the workspace as it is after the calls to this file, as a whole or not at all. It may be the one that it was read from.
    #[arg(long, value_name = "FILE")]
    pub(crate) workspace_out: Option<PathBuf>,
}

/// Which provider, as it is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProviderChoice {
    /// The one whose shape it is.
    Auto,
    /// This one.
    Named(Provider),
}

fn provider_choice() -> impl TypedValueParser<Value = ProviderChoice> {
    let names = Provider::ALL.iter().copied().map(Provider::name).chain(["auto"]);
    let choice = |name: String| name.parse().map_or(ProviderChoice::Auto, ProviderChoice::Named);
    PossibleValuesParser::new(names).map(choice)
}

fn provider() -> impl TypedValueParser<Value = Provider> {
    PossibleValuesParser::new(Provider::ALL.iter().copied().map(Provider::name))
        .try_map(|name| name.parse::<Provider>())
}

/// Which tools there are.
#[derive(Debug, Args)]
pub(crate) struct ToolsetArgs {
    /// The tools that there are: `core`, the native ones, or `agent`, those that an agent works with. Left out: `core`, or for the log of a session the
    /// tools that it was recorded with.
    #[arg(long, value_enum, value_name = "TOOLSET")]
    pub(crate) toolset: Option<ToolsetName>,

    /// A directory outside of the workspace whose folders are skills. They are read once, with all their files. Those that the workspace has itself need not
    /// be named, and go before these.
    #[arg(long, value_name = "DIR")]
    pub(crate) skills: Vec<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ToolsetName {
    Core,
    Agent,
}

impl fmt::Display for ToolsetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Core => "core",
            Self::Agent => "agent",
        })
    }
}

/// What narrows the gates, and how much is told of failures. Nothing here lets through what a request does not ask for.
#[derive(Debug, Args)]
pub(crate) struct GateArgs {
    /// The tools that may be used, with commas between them. A request's own permissions bind too. Left out: all.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) allow: Option<Vec<String>>,

    /// Use only tools that say of themselves that they change nothing. What says nothing counts as writing.
    #[arg(long)]
    pub(crate) read_only: bool,

    /// The largest length of an observation in bytes; longer ones are cut in the middle. A request's own limit binds too, and is 65536 where it states none.
    #[arg(long, value_name = "N", value_parser = number::within(1..=Limits::LARGEST))]
    pub(crate) max_output_bytes: Option<u64>,

    /// Tell what may help to the next try where a call failed, such as the lines that nearly are the text to replace, or the nearest paths. With a
    /// tool that does not exist, name the nearest that may be used.
    #[arg(long)]
    pub(crate) explain: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ErrorFormat {
    Json,
    Human,
}

/// Prints the tools as JSON: name, description and the JSON Schema that arguments are judged by, or with --provider as an API wants them.
#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// The tools to print. Left out: all.
    #[arg(value_name = "TOOL")]
    pub(crate) tools: Vec<String>,

    #[command(flatten)]
    pub(crate) toolset: ToolsetArgs,

    /// The directory that is the workspace: its skills are listed too.
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,

    /// Print the tools as this provider's API wants them in a request. What can't be said there is told on stderr, a line each; arguments are still
    /// judged by the whole schema.
    #[arg(long, value_name = "PROVIDER", value_parser = provider())]
    pub(crate) provider: Option<Provider>,

    /// Print them for the provider's strict mode: every property required, and null in place of an optional one that is absent.
    #[arg(long)]
    pub(crate) strict: bool,

    /// Print the JSON Schemas of the native protocol's request and response instead.
    #[arg(long, conflicts_with_all = ["tools", "errors", "provider"])]
    pub(crate) protocol: bool,

    /// Print the table of error codes instead: code, class and meaning.
    #[arg(long, conflicts_with_all = ["tools", "provider"])]
    pub(crate) errors: bool,
}

/// Prints a completion script for a shell.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    pub(crate) shell: Shell,
}

#[cfg(test)]
mod tests;
