//! The command `conformance`: the cases, put to any program.

mod error;
mod arguments;
mod files;
mod start;

use std::io::{Write, stderr};
use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Arguments, Task};

fn main() -> ExitCode {
    let Task::Run(run) = Arguments::parse().task;
    match run.run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            // Where stderr is gone nobody is left to be told.
            let _ = writeln!(stderr(), "error: {error}");
            ExitCode::from(2)
        }
    }
}
