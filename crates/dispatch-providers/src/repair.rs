//! Repair: a result for each call of a conversation that was interrupted before it had one.

use std::collections::BTreeMap;

use dispatch_core::ToolResult;
use dispatch_core::json::{Kind, Node, Segment};
use serde_json::Value;

use crate::conversation::{Conversation, Placed, compact};
use crate::pairing::{Answers, PairingFault};
use crate::pairs::{CallAt, Pairs, ResultAt};
use crate::provider::Provider;
use crate::splice::{Slots, Splices};

/// A conversation in which every call has a result, and what was done for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repaired {
    text: String,
    mended: Vec<PairingFault>,
}

impl Repaired {
    /// Returns the conversation, with a newline at its end.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the faults that are mended, with the places where they stood: for each a result was put in.
    pub fn mended(&self) -> &[PairingFault] {
        &self.mended
    }
}

impl Conversation {
    /// Returns the conversation in which every call without a result has one that says that it was interrupted, those that wait at its end too.
    ///
    /// It is [`ToolResult::interrupted`], an error in the provider's own fields, put where the provider wants it and in the calls' order: among the results
    /// that are there, or before what somebody said next. All else stands there to the letter, but that the text in place of a list of
    /// Anthropic's becomes a block of one. Of a response body, or a message alone, the messages and the results make a conversation, as an array.
    ///
    /// A call that has a result, wherever that stands, gets no other. What else is [at fault](Self::check) is left as it is, so that a conversation that
    /// was repaired is the same when it is repaired again.
    ///
    /// ```
    /// use dispatch_providers::Provider;
    ///
    /// let messages = br#"[
    ///     {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "ls", "input": {}}]},
    ///     {"role": "user", "content": "stop"}
    /// ]"#;
    /// let conversation = Provider::Anthropic.read(messages.to_vec())?;
    /// let repaired = conversation.repaired();
    /// assert_eq!(repaired.mended(), conversation.check());
    ///
    /// let conversation = Provider::Anthropic.read(repaired.text().into())?;
    /// assert_eq!(conversation.check(), []);
    /// assert_eq!(conversation.repaired().text(), repaired.text());
    /// # Ok::<(), dispatch_core::protocol::Failure>(())
    /// ```
    pub fn repaired(&self) -> Repaired {
        let pairs = Pairs::of(self);
        let mended: Vec<PairingFault> = pairs.calls.iter().filter_map(|call| pairs.unanswered(call)).collect();
        let text = match self.list() {
            Some(list) => Repair::of(self, &pairs, list).text(),
            None if mended.is_empty() => Splices::default().applied_to(self.document().text()),
            None => self.made_of_history(answer(self.provider(), pairs.calls.iter().filter(|call| call.is_open()))),
        };
        Repaired { text, mended }
    }
}

struct Repair<'c> {
    conversation: &'c Conversation,
    pairs: &'c Pairs<'c>,
    list: Slots,
    splices: Splices,
}

impl<'c> Repair<'c> {
    fn of(conversation: &'c Conversation, pairs: &'c Pairs<'c>, list: Node<'c>) -> Self {
        Self { conversation, pairs, list: Slots::of(list), splices: Splices::default() }
    }

    fn text(mut self) -> String {
        for turn in self.pairs.calls.chunk_by(|one, next| one.turn == next.turn) {
            if turn.iter().any(CallAt::is_open) {
                self.answer_turn(turn);
            }
        }
        self.splices.applied_to(self.conversation.document().text())
    }

    fn answer_turn(&mut self, turn: &[CallAt<'c>]) {
        match self.conversation.provider().answers() {
            Answers::NextMessage { list, shared, .. } => match self.next_message(turn, shared) {
                Some(message) => self.answer_within(turn, list, message),
                None => self.answer_after(turn, |_| None),
            },
            Answers::DirectlyAfter | Answers::AnywhereLater => {
                let messages = self.conversation.messages();
                self.answer_after(turn, |answer| messages.get(answer.message).and_then(element));
            }
        }
    }

    /// Finds the message that the results of a turn go into, if there is one.
    fn next_message(&self, turn: &[CallAt<'c>], shared: bool) -> Option<&'c Placed> {
        let next = self.conversation.messages().get(turn.first()?.turn + 1)?;
        (!next.message.by_model && (shared || !next.message.results.is_empty())).then_some(next)
    }

    /// Puts results into the list of blocks of a message.
    fn answer_within(&mut self, turn: &[CallAt<'c>], name: &str, message: &'c Placed) {
        let Some(content) = message.text.node().get(name) else { return };
        let provider = self.conversation.provider();
        let gaps = self.gaps(turn, |answer| Some(answer.element()));
        let filled = gaps.into_iter().map(|(place, calls)| (place.unwrap_or(0), blocks(provider, name, calls)));
        if content.kind() == Kind::Array {
            let slots = Slots::of(content);
            filled.for_each(|(place, blocks)| self.splices.insert(&slots, place, &blocks));
        } else {
            self.splices.replace(content, made_a_list(content, filled));
        }
    }

    /// Puts results into messages after the turn, or after the messages that hold results of it.
    fn answer_after(&mut self, turn: &[CallAt<'c>], place: impl Fn(&ResultAt<'c>) -> Option<usize>) {
        let last = turn.first().and_then(|call| self.conversation.messages().get(call.turn)).and_then(element);
        let after_turn = last.map(|last| last + 1);
        for (place, calls) in self.gaps(turn, place) {
            let messages = answer(self.conversation.provider(), calls);
            self.splices.insert(&self.list, place.or(after_turn).unwrap_or(usize::MAX), &messages);
        }
    }

    /// Returns the calls without a result, by the place that theirs is to have: after that of the nearest call before it that has one in place.
    fn gaps<'t>(
        &self,
        turn: &'t [CallAt<'c>],
        place: impl Fn(&ResultAt<'c>) -> Option<usize>,
    ) -> BTreeMap<Option<usize>, Vec<&'t CallAt<'c>>> {
        let (mut gaps, mut after) = (BTreeMap::<_, Vec<_>>::new(), None);
        for call in turn {
            match self.pairs.answer_of(call) {
                Some(answer) if self.pairs.is_in_place(call, answer) => after = place(answer).map(|place| place + 1),
                Some(_) => {}
                None => gaps.entry(after).or_default().push(call),
            }
        }
        gaps
    }
}

/// Returns the element of the list of messages that a message is.
fn element(placed: &Placed) -> Option<usize> {
    match placed.path.segments().last() {
        Some(Segment::Index(index)) => Some(*index),
        Some(Segment::Member(_)) | None => None,
    }
}

/// Makes a list of blocks of what stands in its place: of nothing said, nothing, as a blank text is no block.
fn made_a_list(content: Node<'_>, filled: impl Iterator<Item = (usize, Vec<String>)>) -> String {
    let (before, after): (Vec<_>, Vec<_>) = filled.partition(|(place, _)| *place == 0);
    let there = match content.as_str() {
        Some(text) if text.trim().is_empty() => None,
        Some(_) => Some(format!(r#"{{"type":"text","text":{}}}"#, content.raw())),
        None => Some(content.raw().to_owned()),
    };
    let blocks = before.into_iter().flat_map(|(_, blocks)| blocks);
    let blocks = blocks.chain(there).chain(after.into_iter().flat_map(|(_, blocks)| blocks));
    format!("[{}]", blocks.collect::<Vec<_>>().join(","))
}

/// Makes the messages that answer calls that were interrupted.
fn answer<'t, 'c: 't>(provider: Provider, calls: impl IntoIterator<Item = &'t CallAt<'c>>) -> Vec<String> {
    messages(provider, calls).iter().map(compact).collect()
}

/// Makes the blocks that answer calls that were interrupted, without the message around them.
fn blocks<'t, 'c: 't>(provider: Provider, list: &str, calls: impl IntoIterator<Item = &'t CallAt<'c>>) -> Vec<String> {
    let lists = messages(provider, calls).into_iter().filter_map(|message| message.get(list)?.as_array().cloned());
    lists.flatten().map(|block| compact(&block)).collect()
}

fn messages<'t, 'c: 't>(provider: Provider, calls: impl IntoIterator<Item = &'t CallAt<'c>>) -> Vec<Value> {
    let results: Vec<ToolResult> =
        calls.into_iter().map(|call| ToolResult::interrupted(call.asked.call.clone())).collect();
    provider.shape().answer(&results)
}

#[cfg(test)]
mod tests;
