//! A provider's message, in the shape of each provider.

use dispatch_core::workspace::MemoryWorkspace;
use dispatch_core::{Gates, ToolCall, ToolResult, tools};
use dispatch_providers::{Answer, Conversation, ConversationReplayer, PairingFaultKind, Provider, Replayed, Turn};

use super::{Check, hold, text};

pub(super) fn check(provider: Provider, input: &[u8]) -> Check {
    match provider.read(input.to_vec()) {
        Ok(conversation) => is_answered(&conversation).and_then(|()| is_mended(&conversation)),
        Err(failure) => text::failure(&failure),
    }
}

fn is_answered(conversation: &Conversation) -> Check {
    let turn = match conversation.turn() {
        Ok(Some(turn)) => turn,
        Ok(None) => return Ok(()),
        Err(failure) => return text::failure(&failure),
    };
    let asked = turn.calls().len();
    let (answer, run) = answer(turn)?;
    hold(run == asked, || format!("{asked} calls were asked for, and {run} judged"))?;
    let Some(again) = goes_on(conversation, &answer)? else { return Ok(()) };
    agrees(&again, asked)
}

fn files() -> MemoryWorkspace {
    MemoryWorkspace::from_iter([("a.txt", "x\ny\n")])
}

/// Answers a turn, and counts the calls that were handed out for it.
fn answer(turn: Turn) -> Result<(Answer, usize), String> {
    let gates = Gates::new(tools::core_registry()).explaining();
    let mut workspace = files();
    let mut run = 0;
    let result = |call: ToolCall| -> ToolResult {
        run += 1;
        match gates.admit(call) {
            Ok(admitted) => admitted.run(&mut workspace),
            Err(rejection) => rejection.into_result(),
        }
    };
    let answer = turn.answer(result).map_err(|mismatch| mismatch.to_string())?;
    Ok((answer, run))
}

/// Reads what was made of a conversation. A message alone stands one deeper in it than it did, which may be too deep.
fn read_again(conversation: &Conversation, text: &str) -> Result<Option<Conversation>, String> {
    match conversation.provider().read(text.into()) {
        Ok(again) => Ok(Some(again)),
        Err(failure) if failure.message() == "objects and arrays are nested 128 deep or more" => Ok(None),
        Err(failure) => Err(format!("what was made of it is no conversation: {failure}: {text}")),
    }
}

/// The conversation with its answer is one again, and nothing waits in it.
fn goes_on(conversation: &Conversation, answer: &Answer) -> Result<Option<Conversation>, String> {
    let text = conversation.with_answer(answer);
    let Some(again) = read_again(conversation, &text)? else { return Ok(None) };
    let turn = again.turn().map_err(|failure| format!("answered, it fails: {failure}: {text}"))?;
    hold(turn.is_none(), || format!("answered, it still waits: {text}"))?;
    Ok(Some(again))
}

/// Every conversation that pairs can be replayed, and the calls that were answered here agree, where there are no others before them.
fn agrees(conversation: &Conversation, answered: usize) -> Check {
    let Ok(exchanges) = conversation.exchanges() else { return Ok(()) };
    let mut session = ConversationReplayer::new(Gates::new(tools::core_registry()), files());
    exchanges.iter().try_for_each(|exchange| {
        let replayed = session.replay(exchange);
        let agrees = matches!(&replayed, Replayed::Compared(compared) if compared.differences.is_empty());
        hold(agrees || exchanges.len() > answered, || format!("replayed, it differs: {replayed:?}"))
    })
}

/// The conversation that was repaired is one again, no call in it is without a result, and there is nothing left to repair.
fn is_mended(conversation: &Conversation) -> Check {
    let repaired = conversation.repaired();
    let text = repaired.text();
    let Some(again) = read_again(conversation, text)? else { return Ok(()) };
    let is_open = |kind| matches!(kind, PairingFaultKind::Unanswered | PairingFaultKind::Waiting);
    let left = again.check().into_iter().find(|fault| is_open(fault.kind()));
    hold(left.is_none(), || format!("repaired, it still has a fault: {left:?}: {text}"))?;
    let twice = again.repaired();
    hold(twice.text() == text, || format!("repaired twice, it is another: {text}: {}", twice.text()))
}
