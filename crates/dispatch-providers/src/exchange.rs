//! The calls of a conversation, each with the result that was recorded of it.

use dispatch_core::json::{Document, JsonPath};
use dispatch_core::protocol::Failure;
use dispatch_core::{ToolCall, ToolResult};
use serde_json::Value;

use crate::conversation::{Conversation, compact};
use crate::pairing::{PairingFault, PairingFaultKind};
use crate::pairs::{CallAt, Pairs};
use crate::provider::Provider;
use crate::wire_result::WireResult;

/// A call of a conversation, and what its result told the model.
#[derive(Debug, Clone)]
pub struct Exchange {
    provider: Provider,
    number: u64,
    turn: u64,
    path: JsonPath,
    call: ToolCall,
    recorded: Option<WireResult>,
}

impl Exchange {
    /// Returns the call's number in the conversation, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns the number of its turn among those with calls, from 1.
    pub fn turn(&self) -> u64 {
        self.turn
    }

    /// Returns where the call stands.
    pub fn path(&self) -> &JsonPath {
        &self.path
    }

    /// Returns the call.
    pub fn call(&self) -> &ToolCall {
        &self.call
    }

    /// Returns what was recorded, if the call has a result.
    pub fn recorded(&self) -> Option<&WireResult> {
        self.recorded.as_ref()
    }

    /// Returns what was recorded where it says how the call ended. That it was [interrupted](ToolResult::interrupted) does not.
    pub(crate) fn known_outcome(&self) -> Option<&WireResult> {
        let interrupted = || self.as_written(&ToolResult::interrupted(self.call.clone()));
        self.recorded().filter(|recorded| **recorded != interrupted())
    }

    /// Returns what a result of the call tells the model as its provider's shape writes it.
    ///
    /// ```
    /// use dispatch_core::{Gates, Registry};
    /// use dispatch_providers::Provider;
    ///
    /// let call = br#"[{"type": "function_call", "call_id": "c1", "name": "ls", "arguments": "{}"}]"#;
    /// let exchanges = Provider::OpenAiResponses.read(call.to_vec())?.exchanges().expect("no fault");
    /// let refused = Gates::new(Registry::default()).admit(exchanges[0].call().clone()).expect_err("there are no tools");
    /// let told = exchanges[0].as_written(&refused.into_result());
    /// assert_eq!(told.to_json(), serde_json::json!({"content": "unknown_tool: there is no tool `ls`"}));
    /// # Ok::<(), dispatch_core::protocol::Failure>(())
    /// ```
    pub fn as_written(&self, result: &ToolResult) -> WireResult {
        let messages = self.provider.shape().answer(std::slice::from_ref(result));
        read_back(self.provider, &messages).unwrap_or_else(|| WireResult::of([Value::from(UNREADABLE)]))
    }
}

/// What is told of a result that is nested too deep to be read in its message. It is none that was recorded.
const UNREADABLE: &str = "the result can't be read back";

/// Both sides of a comparison are read by the same reader, so that no way of writing is a difference.
fn read_back(provider: Provider, messages: &[Value]) -> Option<WireResult> {
    let document = Document::parse(compact(messages.first()?).into_bytes()).ok()?;
    let message = provider.shape().message(document.root()).ok()?;
    Some(provider.shape().told(message.results.first()?.raw.node()))
}

impl Conversation {
    /// Returns each call of the conversation in the order of the text, with what its result told the model. Calls that wait at the end have none.
    ///
    /// Calls that the provider ran itself, and results whose calls it keeps elsewhere, are not among them.
    ///
    /// # Errors
    ///
    /// The [faults](Self::check) of a conversation that does not pair: then nothing says which result is whose. A call that waits is no such fault.
    ///
    /// ```
    /// use dispatch_providers::Provider;
    ///
    /// let messages = br#"[
    ///     {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "ls", "arguments": "{}"}}]},
    ///     {"role": "tool", "tool_call_id": "c1", "content": "a.txt"},
    ///     {"role": "assistant", "tool_calls": [{"id": "c2", "type": "function", "function": {"name": "pwd", "arguments": "{}"}}]}
    /// ]"#;
    /// let exchanges = Provider::OpenAiChat.read(messages.to_vec())?.exchanges().expect("it pairs");
    /// assert_eq!(exchanges[0].recorded().unwrap().to_json()["content"], "a.txt");
    /// assert_eq!((exchanges[1].call().tool(), exchanges[1].turn(), exchanges[1].recorded()), ("pwd", 2, None));
    ///
    /// let orphan = br#"[{"role": "tool", "tool_call_id": "c1", "content": "a.txt"}]"#;
    /// let faults = Provider::OpenAiChat.read(orphan.to_vec())?.exchanges().unwrap_err();
    /// assert_eq!(faults[0].to_string(), r#"$[0]: result for no call: id "c1""#);
    /// # Ok::<(), dispatch_core::protocol::Failure>(())
    /// ```
    pub fn exchanges(&self) -> Result<Vec<Exchange>, Vec<PairingFault>> {
        let mut faults = self.check();
        faults.retain(|fault| fault.kind() != PairingFaultKind::Waiting);
        if !faults.is_empty() {
            return Err(faults);
        }
        let pairs = Pairs::of(self);
        let turns = pairs.calls.chunk_by(|one, next| one.turn == next.turn).zip(1..);
        let calls = turns.flat_map(|(calls, turn)| calls.iter().map(move |call| (call, turn)));
        Ok(calls
            .zip(1..)
            .map(|((call, turn), number)| exchange(self.provider(), &pairs, call, (turn, number)))
            .collect())
    }

    /// Returns what people should know of a conversation that is replayed, if there is something: the results of which it has no call.
    pub fn note(&self) -> Option<String> {
        let count = self.results_without_call();
        (count > 0)
            .then(|| format!("results for calls that the provider keeps elsewhere, and that are not compared: {count}"))
    }

    /// Makes the failure of a conversation that can't be replayed for its faults.
    ///
    /// ```
    /// use dispatch_providers::Provider;
    ///
    /// let orphan = br#"[{"role": "tool", "tool_call_id": "c1", "content": ""}]"#;
    /// let conversation = Provider::OpenAiChat.read(orphan.to_vec())?;
    /// let faults = conversation.exchanges().unwrap_err();
    /// assert_eq!(conversation.unpaired(&faults).path().unwrap().to_string(), "$[0]");
    /// # Ok::<(), dispatch_core::protocol::Failure>(())
    /// ```
    pub fn unpaired(&self, faults: &[PairingFault]) -> Failure {
        let path = faults.first().map_or_else(JsonPath::root, |fault| fault.path().clone());
        let message = format!("the conversation does not pair, and nothing was run: {}", first_of(faults));
        Failure::invalid_request(message, path, self.document())
    }

    /// Returns how many results are for calls that are not in the conversation. In one that [pairs](Self::check) the provider keeps these elsewhere.
    ///
    /// ```
    /// use dispatch_providers::Provider;
    ///
    /// let request = br#"{"previous_response_id": "resp_1", "input": [{"type": "function_call_output", "call_id": "c1", "output": ""}]}"#;
    /// let conversation = Provider::OpenAiResponses.read(request.to_vec())?;
    /// assert_eq!((conversation.check(), conversation.results_without_call()), (Vec::new(), 1));
    /// # Ok::<(), dispatch_core::protocol::Failure>(())
    /// ```
    pub fn results_without_call(&self) -> usize {
        let pairs = Pairs::of(self);
        pairs.results.iter().filter(|result| pairs.call_of(result).is_none()).count()
    }
}

fn exchange(provider: Provider, pairs: &Pairs<'_>, call: &CallAt<'_>, (turn, number): (u64, u64)) -> Exchange {
    let result = pairs.answer_of(call).map(|result| result.answered.raw.node());
    let recorded = result.map(|result| provider.shape().told(result));
    Exchange { provider, number, turn, path: call.path(), call: call.asked.call.clone(), recorded }
}

/// Returns the first of some faults as text, and how many there are.
fn first_of(faults: &[PairingFault]) -> String {
    let first = faults.first().map(ToString::to_string).unwrap_or_default();
    let among = if faults.len() == 1 { String::new() } else { format!(", the first of {} faults", faults.len()) };
    first + &among
}
