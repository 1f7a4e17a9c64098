//! The command line of `dispatch`: arguments in, exit code out.
//!
//! **stdout is data, stderr is for people.** **No output that is compared depends on the terminal, the locale or the machine.**
//! **A request that can't be answered leaves stdout empty.**
//!
//! | exit code | meaning |
//! | --- | --- |
//! | 0 | every request was answered; an error that is news for the model is an answer |
//! | 1 | a protocol failure, or with `replay` an outcome or a response that differs or a conversation with a fault |
//! | 2 | the command itself could not work: usage, a file that can't be read, a pipe that was closed, a fault of its own |
//!
//! **No panic ends it any other way.** A handler's or a policy's is an answer, and told to the operator; any other is a fault of this program. Only a
//! panic in the clean-up of another can't be survived: Rust aborts the process.

mod args;
mod completions;
mod diagnostic;
mod diff;
mod dispatch;
mod dry_run;
mod error;
mod files;
mod gates;
mod host_facts;
mod input;
mod log_file;
mod one_call;
mod operator;
mod output;
mod pairing;
mod provider;
mod record;
mod replay;
mod runner;
mod schema;
mod signals;
mod toolset;
mod workspace;

use std::process::ExitCode;

use clap::CommandFactory as _;
use dispatch_core::{Registry, tools};

use args::{Cli, Subcommand};
use error::CliError;

/// Returns the definition of the command line, from which help, completions and man pages are made.
pub fn command() -> clap::Command {
    Cli::command()
}

/// How a command that worked ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// Every request was answered, every response agreed, no fault was found.
    Fine,
    /// There was a protocol failure, or a response that differs, or a fault of a conversation.
    Failed,
    /// Of several logs one could not be replayed, and that was told.
    Unable,
}

/// Makes the tools that there are. They are asked for when a subcommand needs them.
pub type Toolset = fn() -> Registry;

/// Runs the command line of this process with the native tools.
pub fn main() -> ExitCode {
    main_with(tools::core_registry)
}

/// Runs the command line of this process with tools of your own.
///
/// It sets what the whole process shares: the panic hook, so that a caught panic is one line on stderr, and on Unix what becomes of the signal SIGXFSZ, so
/// that a file that may not grow is an error.
pub fn main_with(toolset: Toolset) -> ExitCode {
    signals::survive_full_files();
    operator::surviving(|| answer(toolset)).unwrap_or(ExitCode::from(2))
}

fn answer(toolset: Toolset) -> ExitCode {
    let cli = match Cli::of_words(std::env::args_os()) {
        Ok(cli) => cli,
        Err(usage) => {
            let code = if usage.use_stderr() { 2 } else { 0 };
            // There is nobody left to tell that the usage could not be printed.
            let _ = usage.print();
            return ExitCode::from(code);
        }
    };
    match run(cli.subcommand, toolset) {
        Ok(Ending::Fine) => ExitCode::SUCCESS,
        Ok(Ending::Failed) => ExitCode::from(1),
        Ok(Ending::Unable) => ExitCode::from(2),
        Err(error) => {
            operator::line(format_args!("dispatch: {error}"));
            ExitCode::from(2)
        }
    }
}

fn run(subcommand: Subcommand, toolset: Toolset) -> Result<Ending, CliError> {
    match subcommand {
        Subcommand::Dispatch(args) => dispatch::run(&args, toolset),
        Subcommand::Schema(args) => schema::run(&args, toolset),
        Subcommand::Replay(args) => replay::run(&args, toolset),
        Subcommand::Completions(args) => completions::run(&args),
    }
}
