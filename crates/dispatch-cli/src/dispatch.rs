//! `dispatch dispatch`: requests in, responses out.

use std::io::{self, Write};

use dispatch_core::Gates;
use dispatch_core::protocol::{self, Failure, Response, Stream};

use crate::args::{DispatchArgs, ErrorFormat};
use crate::error::CliError;
use crate::input::{Input, Lines};
use crate::output::{self, Output};
use crate::{Ending, Toolset, diagnostic, gates, operator, provider};

pub(crate) fn run(args: &DispatchArgs, toolset: Toolset) -> Result<Ending, CliError> {
    let gates = gates::gates(&args.gates, toolset)?;
    let input = Input::open_or_stdin(args.file.as_deref())?;
    let name = input.name().to_owned();
    let ended = match args.provider.provider {
        Some(choice) => provider::answer(choice, &args.provider, &gates, input)?,
        None if args.stream => stream(args, gates, input.lines())?,
        None => one_shot(args, &gates, input)?,
    };
    match ended {
        Ok(ending) => Ok(ending),
        Err(failure) => {
            tell(&failure, args.error_format, &name);
            Ok(Ending::Failed)
        }
    }
}

/// How it ended, or the protocol failure that ended it.
pub(crate) type Ended = Result<Ending, Failure>;

fn one_shot(args: &DispatchArgs, gates: &Gates, input: Input) -> Result<Ended, CliError> {
    let response = match protocol::answer(gates, input.read_all()?) {
        Ok(response) => response,
        Err(failure) => return Ok(Err(failure)),
    };
    operator::log(response.result());
    let mut out = output::stdout();
    let written = if args.pretty { response.write_indented(&mut out) } else { response.write(&mut out) };
    written.and_then(|()| out.flush()).map_err(CliError::Unwritable)?;
    Ok(Ok(Ending::Fine))
}

fn stream(args: &DispatchArgs, gates: Gates, mut lines: Lines) -> Result<Ended, CliError> {
    let mut stream = Stream::new(gates);
    let mut out = output::stdout();
    let mut ending = Ending::Fine;
    loop {
        if lines.may_wait() {
            out.flush().map_err(CliError::Unwritable)?;
        }
        let Some(line) = lines.next()? else { break };
        match stream.answer(line) {
            None => {}
            Some(Ok(response)) => respond(&mut out, &response).map_err(CliError::Unwritable)?,
            Some(Err(failure)) if args.keep_going => {
                ending = Ending::Failed;
                writeln!(out, "{failure}").map_err(CliError::Unwritable)?;
            }
            Some(Err(failure)) => {
                out.flush().map_err(CliError::Unwritable)?;
                return Ok(Err(failure));
            }
        }
    }
    out.flush().map_err(CliError::Unwritable)?;
    Ok(Ok(ending))
}

fn respond(out: &mut Output, response: &Response<'_>) -> io::Result<()> {
    operator::log(response.result());
    response.write(out)
}

fn tell(failure: &Failure, format: ErrorFormat, name: &str) {
    let text = match format {
        ErrorFormat::Json => failure.to_string(),
        ErrorFormat::Human => diagnostic::render(failure, name, output::wants_colour(&io::stderr())),
    };
    // There is nobody left to tell that stderr is closed.
    let _ = writeln!(io::stderr(), "{text}");
}
