//! The calls and results of a conversation, each with its other party.

use dispatch_core::json::{JsonPath, Node, Segment};

use crate::conversation::{Conversation, Placed};
use crate::fault::given;
use crate::pairing::{Answers, PairingFault, PairingFaultKind};
use crate::shape::{Answered, Asked, join};

/// Members of a request that name what the provider keeps of the conversation: OpenAI's
/// [`previous_response_id` and `conversation`](https://platform.openai.com/docs/guides/conversation-state), Google's
/// [`cachedContent`](https://ai.google.dev/api/caching).
const KEPT_ELSEWHERE: &[&str] = &["previous_response_id", "conversation", "cachedContent"];

#[derive(Debug)]
pub(crate) struct Pairs<'c> {
    messages: &'c [Placed],
    answers: Answers,
    /// In the order of the text.
    pub(crate) calls: Vec<CallAt<'c>>,
    /// In the order of the text.
    pub(crate) results: Vec<ResultAt<'c>>,
    pub(crate) history_is_elsewhere: bool,
}

#[derive(Debug)]
pub(crate) struct CallAt<'c> {
    placed: &'c Placed,
    pub(crate) asked: &'c Asked,
    message: usize,
    /// The last message of the turn, which stands for the turn.
    pub(crate) turn: usize,
    /// The result, as a place in [`Pairs::results`].
    answer: Option<usize>,
}

#[derive(Debug)]
pub(crate) struct ResultAt<'c> {
    placed: &'c Placed,
    pub(crate) answered: &'c Answered,
    pub(crate) message: usize,
    /// How many results stand before it in its message.
    rank: usize,
    /// The call, as a place in [`Pairs::calls`].
    call: Option<usize>,
}

impl CallAt<'_> {
    pub(crate) fn path(&self) -> JsonPath {
        join(&self.placed.path, &self.asked.path)
    }

    /// Returns whether it has no result.
    pub(crate) fn is_open(&self) -> bool {
        self.answer.is_none()
    }

    fn has_id(&self, id: &str) -> bool {
        self.asked.call.id() == Some(id)
    }
}

impl ResultAt<'_> {
    pub(crate) fn path(&self) -> JsonPath {
        join(&self.placed.path, &self.answered.path)
    }

    /// Returns the element of its message's list that it is. Without a list around it, it would be the first.
    pub(crate) fn element(&self) -> usize {
        match self.answered.path.segments().last() {
            Some(Segment::Index(index)) => *index,
            Some(Segment::Member(_)) | None => 0,
        }
    }

    /// Returns whether it may be a result of this call, wherever that stands. Without an id, the tool's name must do.
    fn fits(&self, call: &CallAt<'_>) -> bool {
        match (&self.answered.id, &self.answered.tool) {
            (Some(id), _) => call.has_id(id),
            (None, Some(tool)) => call.asked.call.tool() == tool,
            (None, None) => true,
        }
    }
}

impl<'c> Pairs<'c> {
    pub(crate) fn of(conversation: &'c Conversation) -> Self {
        let (messages, answers) = (conversation.messages(), conversation.provider().answers());
        let mut pairs = Self {
            messages,
            answers,
            calls: calls(messages, answers),
            results: results(messages),
            history_is_elsewhere: is_elsewhere(conversation.document().root()),
        };
        pairs.pair(Self::call_by_id);
        pairs.pair(Self::call_by_position);
        if !pairs.history_is_elsewhere {
            pairs.pair(Self::call_asked_after);
        }
        pairs
    }

    fn pair(&mut self, find: impl Fn(&Self, &ResultAt<'c>) -> Option<usize>) {
        for place in 0..self.results.len() {
            let found = self.results.get(place).filter(|result| result.call.is_none()).and_then(|it| find(self, it));
            if let Some(call) = found.and_then(|found| self.calls.get_mut(found)) {
                call.answer = Some(place);
                if let Some(result) = self.results.get_mut(place) {
                    result.call = found;
                }
            }
        }
    }

    /// Finds the call with a result's id: that of the latest turn, and of several there the first.
    fn call_by_id(&self, result: &ResultAt<'_>) -> Option<usize> {
        let (before, fits) = (self.asked_until(result), |call: &CallAt<'_>| call.is_open() && result.fits(call));
        result.answered.id.as_deref()?;
        let latest = before.iter().rfind(|call| fits(call))?.turn;
        before.iter().position(|call| call.turn == latest && fits(call))
    }

    /// Finds the call that a result without an id is for: in the latest turn the first that has none yet, and no id either if there is such a call.
    fn call_by_position(&self, result: &ResultAt<'_>) -> Option<usize> {
        let before = self.asked_until(result);
        let latest = before.last().filter(|_| result.answered.id.is_none())?.turn;
        let fits = |call: &CallAt<'_>| call.turn == latest && call.is_open() && result.fits(call);
        let without_id = before.iter().position(|call| call.asked.call.id().is_none() && fits(call));
        without_id.or_else(|| before.iter().position(fits))
    }

    fn asked_until(&self, result: &ResultAt<'_>) -> &[CallAt<'c>] {
        let until = self.calls.partition_point(|call| call.message <= result.message);
        self.calls.get(..until).unwrap_or_default()
    }

    /// Finds the call that a result was given for too early. Only an id can tell.
    fn call_asked_after(&self, result: &ResultAt<'_>) -> Option<usize> {
        let id = result.answered.id.as_deref()?;
        self.calls.iter().position(|call| call.message > result.message && call.is_open() && call.has_id(id))
    }

    pub(crate) fn call_of(&self, result: &ResultAt<'_>) -> Option<&CallAt<'c>> {
        self.calls.get(result.call?)
    }

    pub(crate) fn answer_of(&self, call: &CallAt<'_>) -> Option<&ResultAt<'c>> {
        self.results.get(call.answer?)
    }

    /// Returns the fault of a call that has no result.
    pub(crate) fn unanswered(&self, call: &CallAt<'_>) -> Option<PairingFault> {
        let kind = if self.waits(call) { PairingFaultKind::Waiting } else { PairingFaultKind::Unanswered };
        call.is_open().then(|| PairingFault::of_call(kind, call, None))
    }

    /// Returns the first call that the conversation went on without a result of.
    pub(crate) fn left_behind(&self) -> Option<&CallAt<'c>> {
        self.calls.iter().find(|call| call.is_open() && !self.waits(call))
    }

    /// Returns whether the conversation ends in the turn of a call.
    pub(crate) fn waits(&self, call: &CallAt<'_>) -> bool {
        call.turn + 1 == self.messages.len() && call.placed.message.by_model
    }

    /// Returns a call with the same id that had no result yet when this one was asked.
    pub(crate) fn earlier_with_id_of(&self, call: &CallAt<'_>) -> Option<&CallAt<'c>> {
        let id = call.asked.call.id()?;
        let before = self.calls.iter().take_while(|earlier| !std::ptr::eq(earlier.asked, call.asked));
        let is_done = |earlier: &CallAt<'_>| {
            self.answer_of(earlier).is_some_and(|it| (earlier.message..=call.message).contains(&it.message))
        };
        before.filter(|earlier| earlier.has_id(id)).find(|earlier| !is_done(earlier))
    }

    /// Returns the result that took the place of this one, which has no call.
    pub(crate) fn answer_before(&self, result: &ResultAt<'_>) -> Option<&ResultAt<'c>> {
        let before = self.asked_until(result);
        let latest = before.last()?.turn;
        let reachable = |call: &&CallAt<'_>| result.answered.id.is_some() || call.turn == latest;
        let fitting = before.iter().rev().filter(|call| result.fits(call));
        fitting.filter(reachable).find_map(|call| self.answer_of(call))
    }

    pub(crate) fn fault_between(&self, call: &CallAt<'_>, result: &ResultAt<'_>) -> Option<PairingFaultKind> {
        if call.message > result.message {
            return Some(PairingFaultKind::AnsweredEarly);
        }
        if !self.is_in_place(call, result) {
            return Some(PairingFaultKind::OutOfPlace);
        }
        self.is_overtaken(call, result).then_some(PairingFaultKind::OutOfOrder)
    }

    /// Returns whether a result stands where the provider looks for it.
    pub(crate) fn is_in_place(&self, call: &CallAt<'_>, result: &ResultAt<'_>) -> bool {
        match self.answers {
            Answers::NextMessage { leading, .. } => {
                result.message == call.turn + 1 && (!leading || result.element() == result.rank)
            }
            Answers::DirectlyAfter => {
                let between = self.messages.get(call.message + 1..=result.message);
                let only_results = |between: &[Placed]| between.iter().all(|it| !it.message.results.is_empty());
                call.message < result.message && between.is_some_and(only_results)
            }
            Answers::AnywhereLater => call.message < result.message,
        }
    }

    /// Returns whether a result that pairs by its position stands after that of a later call.
    fn is_overtaken(&self, call: &CallAt<'_>, result: &ResultAt<'_>) -> bool {
        let before = self.results.iter().take_while(|earlier| !std::ptr::eq(earlier.answered, result.answered));
        let mut overtaking = before.filter(|earlier| earlier.answered.id.is_none() && earlier.call > result.call);
        result.answered.id.is_none()
            && overtaking.any(|earlier| self.call_of(earlier).is_some_and(|later| later.turn == call.turn))
    }
}

fn calls(messages: &[Placed], answers: Answers) -> Vec<CallAt<'_>> {
    let turns = turns(messages, answers);
    let in_turns = messages.iter().zip(turns).enumerate();
    let calls = in_turns.flat_map(|(message, (placed, turn))| {
        placed.message.calls.iter().map(move |asked| CallAt { placed, asked, message, turn, answer: None })
    });
    calls.collect()
}

fn results(messages: &[Placed]) -> Vec<ResultAt<'_>> {
    let results = messages.iter().enumerate().flat_map(|(message, placed)| {
        let ranked = placed.message.results.iter().enumerate();
        ranked.map(move |(rank, answered)| ResultAt { placed, answered, message, rank, call: None })
    });
    results.collect()
}

/// Returns for each message the last one of its turn.
fn turns(messages: &[Placed], answers: Answers) -> Vec<usize> {
    let mut turns: Vec<usize> = (0..messages.len()).collect();
    if answers == Answers::DirectlyAfter {
        return turns;
    }
    for message in (1..messages.len()).rev() {
        let both_by_model =
            messages.get(message - 1..=message).is_some_and(|two| two.iter().all(|it| it.message.by_model));
        if let (true, Some(turn)) = (both_by_model, turns.get(message).copied()) {
            turns.get_mut(message - 1).into_iter().for_each(|before| *before = turn);
        }
    }
    turns
}

fn is_elsewhere(root: Node<'_>) -> bool {
    KEPT_ELSEWHERE.iter().any(|member| given(root, member).is_some())
}
