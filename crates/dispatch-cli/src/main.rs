//! The binary `dispatch`.

use std::process::ExitCode;

fn main() -> ExitCode {
    dispatch_cli::main()
}
