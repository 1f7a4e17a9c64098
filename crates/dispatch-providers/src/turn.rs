//! Turns: the calls of one message, and the one answer that takes a result for each.

use std::collections::HashMap;
use std::fmt;
use std::io;

use dispatch_core::json::write_value;
use dispatch_core::{Args, Registry, ToolCall, ToolResult};
use serde_json::Value;

use crate::definitions::absent_nulls;
use crate::provider::Provider;

/// The calls that a model's message asks for, in their order, none of them answered. There is at least one, and no id is there twice.
///
/// A turn is used up by its answer, which has **exactly one result for each call, in the calls' order**: there is no other way to make one.
///
/// ```
/// use dispatch_core::{Gates, tools, workspace::MemoryWorkspace};
/// use dispatch_providers::Provider;
///
/// let body = br#"{"role": "assistant", "content": [
///     {"type": "text", "text": "Let me look."},
///     {"type": "tool_use", "id": "toolu_1", "name": "read_file", "input": {"path": "notes.txt"}}
/// ]}"#;
/// let conversation = Provider::Anthropic.read(body.to_vec())?;
/// let turn = conversation.turn()?.expect("there is a call in it");
///
/// let gates = Gates::new(tools::core_registry()).explaining();
/// let mut workspace = MemoryWorkspace::from_iter([("notes.txt", "milk\n")]);
/// let answer = turn.answer(|call| match gates.admit(call) {
///     Ok(admitted) => admitted.run(&mut workspace),
///     Err(rejection) => rejection.into_result(),
/// })?;
/// assert_eq!(answer.to_string(), "\
/// {\"content\":[{\"content\":\"1: milk\\n\",\"tool_use_id\":\"toolu_1\",\"type\":\"tool_result\"}],\"role\":\"user\"}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "the provider refuses a conversation with calls that are not answered"]
pub struct Turn {
    provider: Provider,
    calls: Vec<ToolCall>,
}

/// The messages that answer a [`Turn`], to be appended to its conversation.
///
/// As text it is one message a line, compact, its keys sorted by code point.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    messages: Vec<Value>,
}

/// Results that are not those of a turn's calls.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Mismatch {
    /// A call has no result.
    #[error("call {position} of the turn, `{tool}`, has no result")]
    Unanswered {
        /// The call's place in the turn, from 1.
        position: usize,
        /// The tool that it asks for.
        tool: String,
    },
    /// A call has more than one result.
    #[error("call {position} of the turn, `{tool}`, has more than one result")]
    AnsweredTwice {
        /// The call's place in the turn, from 1.
        position: usize,
        /// The tool that it asks for.
        tool: String,
    },
    /// A result is that of a call that is not of this turn.
    #[error("there is a result of a call of `{tool}` that is not of this turn")]
    Foreign {
        /// The tool that the call asks for.
        tool: String,
    },
}

impl Turn {
    pub(crate) fn new(provider: Provider, calls: Vec<ToolCall>) -> Self {
        Self { provider, calls }
    }

    /// Returns the calls in their order.
    pub fn calls(&self) -> &[ToolCall] {
        &self.calls
    }

    /// Reads the arguments as strict mode writes them, where the tools were [defined strictly](crate::Strictness::Strict): a null for an
    /// optional field that may not be null says that it is absent.
    ///
    /// The text of each call is kept. Where a tool does not exist or its field may be null, the null is judged as it is.
    ///
    /// ```
    /// use dispatch_core::{GivenTool, Registry};
    /// use dispatch_providers::Provider;
    ///
    /// let schema = serde_json::json!({"type": "object", "properties": {"depth": {"type": "integer", "default": 1}}});
    /// let registry = Registry::builder().given(GivenTool::new("list", "Lists files.", &schema)?).build()?;
    /// let message = br#"{"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "list", "input": {"depth": null}}]}"#;
    /// let turn = Provider::Anthropic.read(message.to_vec())?.turn()?.expect("there is a call in it");
    /// assert_eq!(turn.read_strictly(&registry).calls()[0].args().raw(), "{}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_strictly(self, registry: &Registry) -> Self {
        let calls = self.calls.into_iter().map(|call| read_strictly(call, registry)).collect();
        Self { calls, ..self }
    }

    /// Answers the turn: each call, in order, is handed to `run`, which is to return that call's result.
    ///
    /// # Errors
    ///
    /// A [`Mismatch`] when `run` returned the result of another call.
    ///
    /// ```
    /// use dispatch_core::{Gates, Registry, ToolCall};
    /// use dispatch_providers::{Mismatch, Provider};
    ///
    /// let message = br#"{"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "ls", "input": {}}]}"#;
    /// let conversation = Provider::Anthropic.read(message.to_vec())?;
    /// let gates = Gates::new(Registry::default());
    /// let refused = |call: ToolCall| gates.admit(call).expect_err("there are no tools").into_result();
    ///
    /// let answer = conversation.turn()?.expect("there is a call in it").answer(refused)?;
    /// assert_eq!(answer.messages()[0]["content"][0]["tool_use_id"], "t1");
    ///
    /// let other = refused(conversation.turn()?.expect("there is a call in it").calls()[0].clone());
    /// let again = Provider::Anthropic.read(message.to_vec())?.turn()?.expect("there is a call in it");
    /// assert_eq!(again.answer(|_| other.clone()), Err(Mismatch::Foreign { tool: "ls".to_owned() }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn answer(self, run: impl FnMut(ToolCall) -> ToolResult) -> Result<Answer, Mismatch> {
        let results = self.calls.iter().cloned().map(run).collect();
        self.answer_with(results)
    }

    /// Answers the turn with results that were made elsewhere, in whatever order: each is put where its call stands.
    ///
    /// # Errors
    ///
    /// A [`Mismatch`] unless there is exactly one result for each call of the turn, and no other.
    ///
    /// ```
    /// use dispatch_providers::{Mismatch, Provider};
    ///
    /// let message = br#"{"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "ls", "input": {}}]}"#;
    /// let turn = Provider::Anthropic.read(message.to_vec())?.turn()?.expect("there is a call in it");
    /// let missing = Mismatch::Unanswered { position: 1, tool: "ls".to_owned() };
    /// assert_eq!(turn.answer_with(Vec::new()), Err(missing));
    /// # Ok::<(), dispatch_core::protocol::Failure>(())
    /// ```
    pub fn answer_with(self, results: Vec<ToolResult>) -> Result<Answer, Mismatch> {
        let results = in_order(&self.calls, results)?;
        Ok(Answer { messages: self.provider.shape().answer(&results) })
    }
}

/// Reads the arguments of a call as [`Turn::read_strictly`] does.
pub(crate) fn read_strictly(call: ToolCall, registry: &Registry) -> ToolCall {
    let absent = registry.spec(call.tool()).and_then(|spec| match call.args() {
        Args::Json(args) => absent_nulls(&spec.input_schema, args.node()),
        Args::Malformed(_) => None,
    });
    match absent {
        Some(args) => call.with_args(Args::Json(args.into())),
        None => call,
    }
}

/// Puts each result where its call stands.
fn in_order(calls: &[ToolCall], results: Vec<ToolResult>) -> Result<Vec<ToolResult>, Mismatch> {
    let places: HashMap<_, _> = calls.iter().enumerate().map(|(place, call)| (call.identity(), place)).collect();
    let mut slots: Vec<Option<ToolResult>> = calls.iter().map(|_| None).collect();
    for result in results {
        let tool = || result.call().tool().to_owned();
        let place = places.get(&result.call().identity()).copied();
        let (place, slot) = place
            .and_then(|place| Some((place, slots.get_mut(place)?)))
            .ok_or_else(|| Mismatch::Foreign { tool: tool() })?;
        if slot.is_some() {
            return Err(Mismatch::AnsweredTwice { position: place + 1, tool: tool() });
        }
        *slot = Some(result);
    }
    let filled = |(place, (slot, call)): (usize, (Option<ToolResult>, &ToolCall))| {
        slot.ok_or_else(|| Mismatch::Unanswered { position: place + 1, tool: call.tool().to_owned() })
    };
    slots.into_iter().zip(calls).enumerate().map(filled).collect()
}

impl Answer {
    /// Returns the messages to append, in their order.
    pub fn messages(&self) -> &[Value] {
        &self.messages
    }

    /// Writes the messages, one a line.
    ///
    /// # Errors
    ///
    /// Whatever `out` has against it.
    ///
    /// ```
    /// use dispatch_core::{Gates, Registry};
    /// use dispatch_providers::Provider;
    ///
    /// let item = br#"{"type": "function_call", "call_id": "c1", "name": "ls", "arguments": "{}"}"#;
    /// let turn = Provider::OpenAiResponses.read(item.to_vec())?.turn()?.expect("there is a call in it");
    /// let gates = Gates::new(Registry::default());
    /// let answer = turn.answer(|call| gates.admit(call).expect_err("there are no tools").into_result())?;
    ///
    /// let mut out = Vec::new();
    /// answer.write(&mut out)?;
    /// assert_eq!(out, answer.to_string().into_bytes());
    /// assert!(answer.write(&mut [0; 8].as_mut_slice()).is_err(), "there is no room");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        self.messages.iter().try_for_each(|message| {
            write_value(out, message)?;
            out.write_all(b"\n")
        })
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Vec::new();
        self.write(&mut text).map_err(|_io| fmt::Error)?;
        f.write_str(std::str::from_utf8(&text).map_err(|_not_utf8| fmt::Error)?)
    }
}
