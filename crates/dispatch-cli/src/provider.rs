//! `dispatch dispatch --provider`: a model's message in, the messages that answer it out.

use std::io::Write as _;

use dispatch_core::Gates;
use dispatch_core::protocol::{Asked, Failure};
use dispatch_core::workspace::Workspace;
use dispatch_providers::{Answer, Conversation, Provider, Strictness};

use crate::args::{DispatchArgs, ProviderArgs, ProviderChoice};
use crate::dispatch::Ended;
use crate::error::CliError;
use crate::input::Input;
use crate::record::{self, Log};
use crate::runner::Runner;
use crate::{Ending, operator, output, workspace};

/// Runs the calls that a message ends in, and prints what answers them.
///
/// The workspace is written before the answer is printed: an answer that says that a file was written is never seen where it was not.
///
/// # Errors
///
/// When a file can't be read or written.
pub(crate) fn answer(
    choice: ProviderChoice,
    dispatch: &DispatchArgs,
    gates: &Gates,
    input: Input,
    log: Log,
) -> Result<Ended, CliError> {
    let args = &dispatch.provider;
    let mut workspace = workspace::given(&dispatch.directory, args)?;
    let read = read(choice, input.read_all()?).and_then(|conversation| Ok((conversation.turn()?, conversation)));
    let (turn, conversation) = match read {
        Ok((Some(turn), conversation)) => (turn, conversation),
        Ok((None, conversation)) => return nothing_to_do(args, &conversation, &*workspace),
        Err(failure) => return Ok(Err(failure)),
    };
    if args.strict {
        expect_strict_mode(conversation.provider())?;
    }
    let gates = gates.clone().explaining();
    let header = || record::header(&gates, &*workspace).for_provider(conversation.provider().name(), args.strict);
    let mut runner = Runner::new(log.begin(header)?, dispatch.dry_run);
    let turn = if args.strict { turn.read_strictly(gates.registry()) } else { turn };
    let calls = turn.calls().iter().cloned().map(Asked::from);
    let results = calls.map(|asked| runner.run(asked, &gates, &mut *workspace)).collect::<Result<_, _>>()?;
    let answer = turn.answer_with(results).map_err(CliError::Mispaired)?;
    workspace::write_out(args.workspace_out.as_deref(), &*workspace)?;
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

/// A message without a call is the end of a model's work: nothing is to be appended.
fn nothing_to_do(
    args: &ProviderArgs,
    conversation: &Conversation,
    workspace: &dyn Workspace,
) -> Result<Ended, CliError> {
    workspace::write_out(args.workspace_out.as_deref(), workspace)?;
    let provider = conversation.provider();
    operator::line(format_args!("dispatch: no call waits for an answer in this {provider} message"));
    Ok(Ok(Ending::Fine))
}

fn print(args: &ProviderArgs, conversation: &Conversation, answer: &Answer) -> Result<(), CliError> {
    let text = if args.conversation { conversation.with_answer(answer) } else { answer.to_string() };
    let mut out = output::stdout();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(CliError::Unwritable)
}
