//! The command line of `dispatch`: arguments in, exit code out.
//!
//! **stdout is data, stderr is for people.** **No output that is compared depends on the terminal, the locale or the machine.**
//! **A request that can't be answered leaves stdout empty.**
//!
//! | exit code | meaning |
//! | --- | --- |
//! | 0 | every request was answered; an error that is news for the model is an answer |
//! | 1 | a protocol failure, or with `replay` a response that differs |
//! | 2 | the command itself could not work: usage, a file that can't be read, a pipe that was closed |

mod args;
mod completions;
mod diagnostic;
mod dispatch;
mod error;
mod files;
mod gates;
mod input;
mod output;
mod provider;
mod replay;
mod schema;

use std::io::Write as _;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};

use args::{Cli, Subcommand};
use error::CliError;

/// Returns the definition of the command line, from which help, completions and man pages are made.
pub fn command() -> clap::Command {
    Cli::command()
}

/// How a command that worked ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// Every request was answered, every response agreed.
    Fine,
    /// There was a protocol failure, or a response that differs.
    Failed,
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(usage) => {
            let code = if usage.use_stderr() { 2 } else { 0 };
            // There is nobody left to tell that the usage could not be printed.
            let _ = usage.print();
            return ExitCode::from(code);
        }
    };
    match run(cli.subcommand) {
        Ok(Ending::Fine) => ExitCode::SUCCESS,
        Ok(Ending::Failed) => ExitCode::from(1),
        Err(error) => {
            // There is nobody left to tell that stderr is closed.
            let _ = writeln!(std::io::stderr(), "dispatch: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(subcommand: Subcommand) -> Result<Ending, CliError> {
    match subcommand {
        Subcommand::Dispatch(args) => dispatch::run(&args),
        Subcommand::Schema(args) => schema::run(&args),
        Subcommand::Replay(args) => replay::run(&args),
        Subcommand::Completions(args) => completions::run(&args),
    }
}
