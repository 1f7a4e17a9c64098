//! The calls and results of a conversation, each with its other party.

mod matching;

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
    /// A call with the same id that had no result yet when this one was asked, as a place in [`Pairs::calls`].
    id_taken_by: Option<usize>,
}

#[derive(Debug)]
pub(crate) struct ResultAt<'c> {
    placed: &'c Placed,
    pub(crate) answered: &'c Answered,
    pub(crate) message: usize,
    /// The first of the messages with results that follow each other up to this one.
    first_of_run: usize,
    /// How many results stand before it in its message.
    rank: usize,
    /// The call, as a place in [`Pairs::calls`].
    call: Option<usize>,
    /// Of a result without a call: the one that took its place, in [`Pairs::results`].
    taken_by: Option<usize>,
    /// Whether it pairs by its position, and stands after that of a later call.
    is_overtaken: bool,
}

/// Where something stands in the text: its message, and the element of that message's list.
pub(crate) type Place = (usize, usize);

impl CallAt<'_> {
    pub(crate) fn path(&self) -> JsonPath {
        join(&self.placed.path, &self.asked.path)
    }

    pub(crate) fn place(&self) -> Place {
        (self.message, element(&self.asked.path))
    }

    /// Returns whether it has no result.
    pub(crate) fn is_open(&self) -> bool {
        self.answer.is_none()
    }
}

impl ResultAt<'_> {
    pub(crate) fn path(&self) -> JsonPath {
        join(&self.placed.path, &self.answered.path)
    }

    pub(crate) fn place(&self) -> Place {
        (self.message, self.element())
    }

    /// Returns the element of its message's list that it is. Without a list around it, it would be the first.
    pub(crate) fn element(&self) -> usize {
        element(&self.answered.path)
    }
}

fn element(path: &JsonPath) -> usize {
    match path.segments().last() {
        Some(Segment::Index(index)) => *index,
        Some(Segment::Member(_)) | None => 0,
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
        pairs.pair();
        pairs
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

    /// Returns a result of the turn of a call, where nothing but results came after that turn.
    pub(crate) fn result_beside(&self, call: &CallAt<'_>) -> Option<&ResultAt<'c>> {
        let after = self.messages.get(call.turn + 1..)?;
        let only_results = after.iter().all(|placed| !placed.message.results.is_empty());
        let of_turn = self.calls.iter().filter(|other| only_results && other.turn == call.turn);
        of_turn.filter_map(|other| self.answer_of(other)).min_by_key(|result| result.place())
    }

    /// Returns whether the conversation ends in the turn of a call.
    pub(crate) fn waits(&self, call: &CallAt<'_>) -> bool {
        call.turn + 1 == self.messages.len() && call.placed.message.by_model
    }

    /// Returns a call with the same id that had no result yet when this one was asked.
    pub(crate) fn earlier_with_id_of(&self, call: &CallAt<'_>) -> Option<&CallAt<'c>> {
        self.calls.get(call.id_taken_by?)
    }

    /// Returns the result that took the place of this one, which has no call.
    pub(crate) fn answer_before(&self, result: &ResultAt<'_>) -> Option<&ResultAt<'c>> {
        self.results.get(result.taken_by?)
    }

    pub(crate) fn fault_between(&self, call: &CallAt<'_>, result: &ResultAt<'_>) -> Option<PairingFaultKind> {
        if call.message > result.message {
            return Some(PairingFaultKind::AnsweredEarly);
        }
        if !self.is_in_place(call, result) {
            return Some(PairingFaultKind::OutOfPlace);
        }
        result.is_overtaken.then_some(PairingFaultKind::OutOfOrder)
    }

    /// Returns whether a result stands where the provider looks for it.
    pub(crate) fn is_in_place(&self, call: &CallAt<'_>, result: &ResultAt<'_>) -> bool {
        match self.answers {
            Answers::NextMessage { leading, .. } => {
                result.message == call.turn + 1 && (!leading || result.element() == result.rank)
            }
            Answers::DirectlyAfter => call.message < result.message && result.first_of_run <= call.message + 1,
            Answers::AnywhereLater => call.message < result.message,
        }
    }
}

fn calls(messages: &[Placed], answers: Answers) -> Vec<CallAt<'_>> {
    let turns = turns(messages, answers);
    let in_turns = messages.iter().zip(turns).enumerate();
    let calls = in_turns.flat_map(|(message, (placed, turn))| {
        let call = move |asked| CallAt { placed, asked, message, turn, answer: None, id_taken_by: None };
        placed.message.calls.iter().map(call)
    });
    calls.collect()
}

fn results(messages: &[Placed]) -> Vec<ResultAt<'_>> {
    let (mut first_of_run, mut results) = (0, Vec::new());
    for (message, placed) in messages.iter().enumerate() {
        if placed.message.results.is_empty() {
            first_of_run = message + 1;
        }
        let ranked = placed.message.results.iter().enumerate();
        results.extend(ranked.map(|(rank, answered)| ResultAt {
            placed,
            answered,
            message,
            first_of_run,
            rank,
            call: None,
            taken_by: None,
            is_overtaken: false,
        }));
    }
    results
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
