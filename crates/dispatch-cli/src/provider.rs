//! `dispatch dispatch --provider`: a model's message in, the messages that answer it out.

use std::io::{self, Write as _};
use std::path::Path;

use dispatch_core::protocol::{self, Asked, Failure};
use dispatch_core::session::Header;
use dispatch_core::workspace::MemoryWorkspace;
use dispatch_core::{Gates, ToolCall, ToolResult};
use dispatch_providers::{Answer, Conversation, Provider, Strictness, Turn};

use crate::args::{ProviderArgs, ProviderChoice};
use crate::dispatch::Ended;
use crate::error::CliError;
use crate::input::Input;
use crate::record::{Log, Recording, expect_kept};
use crate::{Ending, files, operator, output};

/// Runs the calls that a message ends in, and prints what answers them.
///
/// The workspace is written before the answer is printed: an answer that says that a file was written is never seen where it was not.
///
/// # Errors
///
/// When a file can't be read or written.
pub(crate) fn answer(
    choice: ProviderChoice,
    args: &ProviderArgs,
    gates: &Gates,
    input: Input,
    log: Log,
) -> Result<Ended, CliError> {
    let mut workspace = read_workspace(args.workspace.as_deref())?;
    let read = read(choice, input.read_all()?).and_then(|conversation| Ok((conversation.turn()?, conversation)));
    let (turn, conversation) = match read {
        Ok((Some(turn), conversation)) => (turn, conversation),
        Ok((None, conversation)) => return nothing_to_do(args, &conversation, &workspace),
        Err(failure) => return Ok(Err(failure)),
    };
    if args.strict {
        expect_strict_mode(conversation.provider())?;
    }
    let gates = gates.clone().explaining();
    let header = || Header::new(&gates, workspace.clone()).for_provider(conversation.provider().name(), args.strict);
    let mut recording = log.begin(header)?;
    let answer = run(
        turn,
        args.strict,
        &mut Session { gates: &gates, workspace: &mut workspace, recording: recording.as_mut() },
    )?;
    files::write_workspace(args.workspace_out.as_deref(), &workspace)?;
    print(args, &conversation, &answer)?;
    Ok(Ok(Ending::Fine))
}

/// Reads a text of a provider's, or recognises whose it is.
pub(crate) fn read(choice: ProviderChoice, text: Vec<u8>) -> Result<Conversation, Failure> {
    match choice {
        ProviderChoice::Auto => Provider::recognise(&text),
        ProviderChoice::Named(provider) => provider.read(text),
    }
}

/// Nothing was sent in a strict mode that there is not.
///
/// # Errors
///
/// When the provider has none.
pub(crate) fn expect_strict_mode(provider: Provider) -> Result<(), CliError> {
    provider.definitions([], Strictness::Strict).map(drop).map_err(CliError::Undefinable)
}

/// What calls run on.
struct Session<'s> {
    gates: &'s Gates,
    workspace: &'s mut MemoryWorkspace,
    recording: Option<&'s mut Recording>,
}

fn run(turn: Turn, strict: bool, session: &mut Session<'_>) -> Result<Answer, CliError> {
    let turn = if strict { turn.read_strictly(session.gates.registry()) } else { turn };
    let results = turn.calls().iter().map(|call| session.run(call.clone())).collect::<Result<_, _>>()?;
    turn.answer_with(results).map_err(CliError::Mispaired)
}

impl Session<'_> {
    fn run(&mut self, call: ToolCall) -> Result<ToolResult, CliError> {
        let result = match &mut self.recording {
            Some(recording) => recording.intend(call).map_err(CliError::Unrecorded)?.run(self.gates, self.workspace),
            None => Asked::from(call).run(self.gates, self.workspace),
        };
        operator::log(Some(&result));
        expect_kept(self.recording.as_deref_mut())?;
        Ok(result)
    }
}

/// A message without a call is the end of a model's work: nothing is to be appended.
fn nothing_to_do(
    args: &ProviderArgs,
    conversation: &Conversation,
    workspace: &MemoryWorkspace,
) -> Result<Ended, CliError> {
    files::write_workspace(args.workspace_out.as_deref(), workspace)?;
    let provider = conversation.provider();
    // There is nobody left to tell that stderr is closed.
    let _ = writeln!(io::stderr(), "dispatch: no call waits for an answer in this {provider} message");
    Ok(Ok(Ending::Fine))
}

fn print(args: &ProviderArgs, conversation: &Conversation, answer: &Answer) -> Result<(), CliError> {
    let text = if args.conversation { conversation.with_answer(answer) } else { answer.to_string() };
    let mut out = output::stdout();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(CliError::Unwritable)
}

/// Reads the workspace that a file holds. Without a file it is empty.
///
/// # Errors
///
/// When the file can't be read, or holds none.
pub(crate) fn read_workspace(file: Option<&Path>) -> Result<MemoryWorkspace, CliError> {
    let Some(file) = file else { return Ok(MemoryWorkspace::default()) };
    let input = Input::open(file)?;
    let name = input.name().to_owned();
    protocol::read_workspace(input.read_all()?).map_err(|failure| CliError::BadWorkspace { name, failure })
}
