//! `dispatch dispatch`: requests in, responses out.

use std::io::{self, Write as _};

use dispatch_core::Gates;
use dispatch_core::protocol::{self, Failure, Stream};
use dispatch_core::workspace::MemoryWorkspace;

use crate::args::{DispatchArgs, ErrorFormat};
use crate::error::CliError;
use crate::input::{Input, Lines};
use crate::output;
use crate::record::{self, Log};
use crate::runner::{Runner, Stopped};
use crate::toolset::Toolsets;
use crate::{Ending, Toolset, diagnostic, gates, one_call, operator, provider, workspace};

pub(crate) fn run(args: &DispatchArgs, toolset: Toolset) -> Result<Ending, CliError> {
    let gates = gates::gates(&args.gates, Toolsets::new(toolset, &args.toolset)?.registry()?)?;
    if !args.tool.is_empty() {
        return one_call::run(args, gates);
    }
    let input = Input::open_or_stdin(args.file.as_deref())?;
    let name = input.name().to_owned();
    let log = Log::open(args)?;
    let ended = match args.provider.provider {
        Some(choice) => provider::answer(choice, args, &gates, input, log)?,
        None if args.stream => stream(args, gates, input.lines(), log)?,
        None => one_shot(args, &gates, input, log)?,
    };
    match ended {
        Ok(ending) => Ok(ending),
        Err(failure) => {
            tell(&failure, args.output.error_format, &name);
            Ok(Ending::Failed)
        }
    }
}

/// How it ended, or the protocol failure that ended it.
pub(crate) type Ended = Result<Ending, Failure>;

fn one_shot(args: &DispatchArgs, gates: &Gates, input: Input, log: Log) -> Result<Ended, CliError> {
    let mut workspace = workspace::directory(&args.directory)?.unwrap_or_else(|| Box::new(MemoryWorkspace::default()));
    let recording = log.begin(|| record::header(gates, &*workspace))?;
    let mut runner = Runner::new(recording, args.dry_run);
    let request = input.read_all()?;
    let answer = protocol::answer_by(&mut *workspace, request, |asked, workspace| {
        runner.run(asked, gates, workspace).map_err(Stopped::Error)
    });
    let response = match Stopped::failure(answer)? {
        Ok(response) => response,
        Err(failure) => return Ok(Err(failure)),
    };
    let mut out = output::stdout();
    let written = if args.output.pretty { response.write_indented(&mut out) } else { response.write(&mut out) };
    written.and_then(|()| out.flush()).map_err(CliError::Unwritable)?;
    Ok(Ok(Ending::Fine))
}

fn stream(args: &DispatchArgs, gates: Gates, mut lines: Lines, log: Log) -> Result<Ended, CliError> {
    let mut stream = match workspace::directory(&args.directory)? {
        Some(workspace) => Stream::on(gates, workspace),
        None => Stream::new(gates),
    };
    let mut runner = Runner::new(log.begin(|| stream.header())?, args.dry_run);
    let mut out = output::stdout();
    let mut ending = Ending::Fine;
    loop {
        if lines.may_wait() {
            out.flush().map_err(CliError::Unwritable)?;
        }
        let Some(line) = lines.next()? else { break };
        let answer = stream
            .answer_by(line, |asked, gates, workspace| runner.run(asked, gates, workspace).map_err(Stopped::Error));
        let Some(answer) = answer else { continue };
        match Stopped::failure(answer)? {
            Ok(response) => response.write(&mut out).map_err(CliError::Unwritable)?,
            Err(failure) if args.keep_going => {
                ending = Ending::Failed;
                writeln!(out, "{failure}").map_err(CliError::Unwritable)?;
            }
            Err(failure) => {
                out.flush().map_err(CliError::Unwritable)?;
                return Ok(Err(failure));
            }
        }
    }
    out.flush().map_err(CliError::Unwritable)?;
    Ok(Ok(ending))
}

fn tell(failure: &Failure, format: ErrorFormat, name: &str) {
    let text = match format {
        ErrorFormat::Json => failure.to_string(),
        ErrorFormat::Human => diagnostic::render(failure, name, output::wants_colour(&io::stderr())),
    };
    operator::line(text);
}
