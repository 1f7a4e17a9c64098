//! `dispatch dispatch`: requests in, responses out.

use std::io::{self, Write as _};

use dispatch_core::Gates;
use dispatch_core::protocol::{self, Failure, Response, Stream};
use dispatch_core::session::{self, Header, NotAnswered};
use dispatch_core::workspace::MemoryWorkspace;

use crate::args::{DispatchArgs, ErrorFormat};
use crate::error::CliError;
use crate::input::{Input, Lines};
use crate::log_file::LogFileError;
use crate::output;
use crate::record::{Log, Recording, expect_kept};
use crate::{Ending, Toolset, diagnostic, gates, operator, provider};

pub(crate) fn run(args: &DispatchArgs, toolset: Toolset) -> Result<Ending, CliError> {
    let gates = gates::gates(&args.gates, toolset)?;
    let input = Input::open_or_stdin(args.file.as_deref())?;
    let name = input.name().to_owned();
    let log = Log::open(&args.record, args.provider.workspace_out.as_deref())?;
    let ended = match args.provider.provider {
        Some(choice) => provider::answer(choice, &args.provider, &gates, input, log)?,
        None if args.stream => stream(args, gates, input.lines(), log)?,
        None => one_shot(args, &gates, input, log)?,
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

fn one_shot(args: &DispatchArgs, gates: &Gates, input: Input, log: Log) -> Result<Ended, CliError> {
    let mut recording = log.begin(|| Header::new(gates, MemoryWorkspace::default()))?;
    let request = input.read_all()?;
    let answer = match &mut recording {
        Some(recording) => session::answer_recorded(gates, request, recording),
        None => protocol::answer(gates, request).map_err(NotAnswered::Failure),
    };
    let response = match kept(answer, recording.as_mut())? {
        Ok(response) => response,
        Err(failure) => return Ok(Err(failure)),
    };
    let mut out = output::stdout();
    let written = if args.pretty { response.write_indented(&mut out) } else { response.write(&mut out) };
    written.and_then(|()| out.flush()).map_err(CliError::Unwritable)?;
    Ok(Ok(Ending::Fine))
}

fn stream(args: &DispatchArgs, gates: Gates, mut lines: Lines, log: Log) -> Result<Ended, CliError> {
    let mut stream = Stream::new(gates);
    let mut recording = log.begin(|| stream.header())?;
    let mut out = output::stdout();
    let mut ending = Ending::Fine;
    loop {
        if lines.may_wait() {
            out.flush().map_err(CliError::Unwritable)?;
        }
        let Some(line) = lines.next()? else { break };
        let answer = match &mut recording {
            Some(recording) => stream.answer_recorded(line, recording),
            None => stream.answer(line).map(|answer| answer.map_err(NotAnswered::Failure)),
        };
        let Some(answer) = answer else { continue };
        match kept(answer, recording.as_mut())? {
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

/// Tells the operator what came of a call, and gives its answer on only when what is to be recorded of it was.
fn kept<'w>(
    answer: Result<Response<'w>, NotAnswered<LogFileError>>,
    recording: Option<&mut Recording>,
) -> Result<Result<Response<'w>, Failure>, CliError> {
    if let Ok(response) = &answer {
        operator::log(response.result());
    }
    expect_kept(recording)?;
    match answer {
        Ok(response) => Ok(Ok(response)),
        Err(NotAnswered::Failure(failure)) => Ok(Err(failure)),
        Err(NotAnswered::Unrecorded(unrecorded)) => Err(CliError::Unrecorded(unrecorded)),
    }
}

fn tell(failure: &Failure, format: ErrorFormat, name: &str) {
    let text = match format {
        ErrorFormat::Json => failure.to_string(),
        ErrorFormat::Human => diagnostic::render(failure, name, output::wants_colour(&io::stderr())),
    };
    // There is nobody left to tell that stderr is closed.
    let _ = writeln!(io::stderr(), "{text}");
}
