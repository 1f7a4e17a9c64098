//! Pairing: whether each call of a conversation has exactly one result, where the provider wants it.

use std::fmt;

use dispatch_core::json::JsonPath;

use crate::conversation::Conversation;
use crate::pairs::{CallAt, Pairs, Place, ResultAt};

/// Where a provider wants the results of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answers {
    /// All of them in the message after the turn, in a list of blocks. Messages of the model's that follow each other are one turn.
    NextMessage {
        /// The member that holds the list.
        list: &'static str,
        /// Whether results must stand before whatever else is in the list.
        leading: bool,
        /// Whether results are put beside what somebody said, rather than into a message of their own before it.
        shared: bool,
    },
    /// Each in a message of its own, with nothing else between it and the message that asked. Each message is a turn.
    DirectlyAfter,
    /// Each in a message of its own, anywhere after its call.
    AnywhereLater,
}

/// A fault in how the calls and results of a conversation pair.
///
/// It reads as a line: `$.messages[3].content[0]: result for no call: id "toolu_1"`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairingFault {
    kind: PairingFaultKind,
    path: JsonPath,
    id: Option<String>,
    tool: Option<String>,
    other: Option<JsonPath>,
}

/// What is wrong with a call or a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PairingFaultKind {
    /// The conversation went on without a result of this call.
    Unanswered,
    /// The conversation ends in this call. It is to be answered, or repaired, before the conversation can go on.
    Waiting,
    /// The call has the id of an earlier one that had no result yet. [`PairingFault::other`] is that call.
    DuplicateId,
    /// The result is for no call of the conversation.
    NoCall,
    /// The result's call has a result already, which is [`PairingFault::other`].
    AnsweredTwice,
    /// The result stands before its call, which is [`PairingFault::other`].
    AnsweredEarly,
    /// The result stands where the provider does not look for it. [`PairingFault::other`] is the call.
    OutOfPlace,
    /// The result, which no id pairs, stands after that of a later call. [`PairingFault::other`] is the call that it is for.
    OutOfOrder,
}

impl PairingFaultKind {
    fn as_str(self) -> &'static str {
        match self {
            Self::Unanswered => "call without a result",
            Self::Waiting => "call waits for its result",
            Self::DuplicateId => "id of another call without a result yet",
            Self::NoCall => "result for no call",
            Self::AnsweredTwice => "second result of one call",
            Self::AnsweredEarly => "result before its call",
            Self::OutOfPlace => "result out of place",
            Self::OutOfOrder => "result out of order",
        }
    }
}

impl PairingFault {
    /// Returns what is wrong.
    pub fn kind(&self) -> PairingFaultKind {
        self.kind
    }

    /// Returns where the call or the result stands.
    pub fn path(&self) -> &JsonPath {
        &self.path
    }

    /// Returns the id that it is paired by, if it has one.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Returns the tool, where the call or the result names one.
    pub fn tool(&self) -> Option<&str> {
        self.tool.as_deref()
    }

    /// Returns where the call or the result stands that this one is at odds with.
    pub fn other(&self) -> Option<&JsonPath> {
        self.other.as_ref()
    }

    pub(crate) fn of_call(kind: PairingFaultKind, call: &CallAt<'_>, other: Option<JsonPath>) -> Self {
        let asked = &call.asked.call;
        let (id, tool) = (asked.id().map(str::to_owned), Some(asked.tool().to_owned()));
        Self { kind, path: call.path(), id, tool, other }
    }

    fn of_result(kind: PairingFaultKind, result: &ResultAt<'_>, other: Option<JsonPath>) -> Self {
        let answered = result.answered;
        Self { kind, path: result.path(), id: answered.id.clone(), tool: answered.tool.clone(), other }
    }
}

/// An id is quoted as a string is: whatever is in it, the fault stays one line.
impl fmt::Display for PairingFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.kind.as_str())?;
        match (&self.id, &self.tool) {
            (Some(id), _) => write!(f, ": id {id:?}")?,
            (None, Some(tool)) => write!(f, ": tool {tool:?}")?,
            (None, None) => {}
        }
        self.other.iter().try_for_each(|other| write!(f, ", see {other}"))
    }
}

impl Conversation {
    /// Checks that each call has exactly one result, where the provider wants it, and returns every fault in the order of the text.
    ///
    /// A result with a call's id is for that call. Any other is for the first call of its tool in the turn before it, one without an id first: that it
    /// lacks its call's id, or has one where its call has none, is no fault. Nor is a call of an earlier turn that has the id of another, once that
    /// one was answered, or a result without its call, where the text says that the provider keeps what came before it.
    ///
    /// ```
    /// use dispatch_providers::{PairingFaultKind, Provider};
    ///
    /// let messages = br#"[
    ///     {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "ls", "input": {}}]},
    ///     {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t2", "content": ""}]}
    /// ]"#;
    /// let faults = Provider::Anthropic.read(messages.to_vec())?.check();
    /// assert_eq!(faults[0].kind(), PairingFaultKind::Unanswered);
    /// assert_eq!(faults[1].to_string(), r#"$[1].content[0]: result for no call: id "t2""#);
    /// # Ok::<(), dispatch_core::protocol::Failure>(())
    /// ```
    pub fn check(&self) -> Vec<PairingFault> {
        let pairs = Pairs::of(self);
        let calls = pairs.calls.iter().map(|call| (call.place(), faults_of_call(&pairs, call)));
        let results =
            pairs.results.iter().map(|result| (result.place(), fault_of_result(&pairs, result).into_iter().collect()));
        let mut faults: Vec<(Place, Vec<PairingFault>)> = calls.chain(results).collect();
        faults.sort_by_key(|(place, _)| *place);
        faults.into_iter().flat_map(|(_, faults)| faults).collect()
    }
}

fn faults_of_call(pairs: &Pairs<'_>, call: &CallAt<'_>) -> Vec<PairingFault> {
    let taken = pairs.earlier_with_id_of(call).map(CallAt::path);
    let duplicate = taken.map(|other| PairingFault::of_call(PairingFaultKind::DuplicateId, call, Some(other)));
    duplicate.into_iter().chain(pairs.unanswered(call)).collect()
}

fn fault_of_result(pairs: &Pairs<'_>, result: &ResultAt<'_>) -> Option<PairingFault> {
    let (kind, other) = match pairs.call_of(result) {
        Some(call) => (pairs.fault_between(call, result)?, Some(call.path())),
        None => match pairs.answer_before(result) {
            Some(first) => (PairingFaultKind::AnsweredTwice, Some(first.path())),
            None if pairs.history_is_elsewhere => return None,
            None => (PairingFaultKind::NoCall, None),
        },
    };
    Some(PairingFault::of_result(kind, result, other))
}

#[cfg(test)]
pub(crate) mod short;
#[cfg(test)]
mod tests;
