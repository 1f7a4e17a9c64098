//! `dispatch completions`: scripts that let a shell complete the command line.

use std::io::Write as _;

use crate::args::CompletionsArgs;
use crate::error::CliError;
use crate::{Ending, command, output};

pub(crate) fn run(args: &CompletionsArgs) -> Result<Ending, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command(), "dispatch", &mut script);
    let mut out = output::stdout();
    out.write_all(&script).and_then(|()| out.flush()).map_err(CliError::Unwritable)?;
    Ok(Ending::Fine)
}
