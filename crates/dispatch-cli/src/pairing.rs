//! `dispatch replay --check` and `--repair`: how the calls and results of a provider's conversation pair.

use std::io::Write as _;
use std::path::Path;

use dispatch_core::protocol::Failure;
use dispatch_providers::{Conversation, PairingFault};

use crate::args::{PairingArgs, ProviderChoice};
use crate::dispatch::Ended;
use crate::error::CliError;
use crate::input::Input;
use crate::{Ending, operator, output, provider};

/// Checks or repairs the conversation in a file. A text that is no conversation is a protocol failure, and nothing is printed.
///
/// # Errors
///
/// When the file can't be read, or standard output not written.
pub(crate) fn run(choice: ProviderChoice, args: &PairingArgs, file: &Path) -> Result<Ending, CliError> {
    let read = provider::read(choice, Input::open(file)?.read_all()?);
    let work = if args.repair { repair } else { check };
    let ended = read.map_or_else(|failure| Ok(Err(failure)), |conversation| work(&conversation))?;
    Ok(ended.unwrap_or_else(|failure: Failure| {
        note(&failure.to_string());
        Ending::Failed
    }))
}

fn check(conversation: &Conversation) -> Result<Ended, CliError> {
    let faults = conversation.check();
    let lines: Vec<String> = faults.iter().map(|fault| format!("{fault}\n")).collect();
    print(&lines.concat())?;
    if faults.is_empty() {
        note(&format!("dispatch: no fault in this {} conversation", conversation.provider()));
    }
    Ok(Ok(ending(&faults)))
}

/// What is left is looked for in what is printed: a result that was put in may have mended more than one fault.
fn repair(conversation: &Conversation) -> Result<Ended, CliError> {
    let repaired = conversation.repaired();
    let left = match conversation.provider().read(repaired.text().into()) {
        Ok(read_again) => read_again.check(),
        Err(failure) => return Ok(Err(failure)),
    };
    print(repaired.text())?;
    for fault in repaired.mended() {
        note(&format!("dispatch: mended: {fault}"));
    }
    for fault in &left {
        note(&format!("dispatch: left, in what was printed: {fault}"));
    }
    if repaired.mended().is_empty() {
        note(&format!("dispatch: no call without a result in this {} conversation", conversation.provider()));
    }
    Ok(Ok(ending(&left)))
}

fn ending(faults: &[PairingFault]) -> Ending {
    if faults.is_empty() { Ending::Fine } else { Ending::Failed }
}

fn print(text: &str) -> Result<(), CliError> {
    let mut out = output::stdout();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(CliError::Unwritable)
}

pub(crate) fn note(line: &str) {
    operator::line(line);
}
