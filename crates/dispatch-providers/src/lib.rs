//! Provider shapes: from a model's message to the message that answers it.
//!
//! Each provider's API writes tools, calls and results in its own way. Here a response body becomes calls that the
//! [dispatcher](dispatch_core) judges and runs, and their results become exactly the messages to append. The dispatcher never knows which
//! provider it was.
//!
//! **There is no file, clock, process or network here.** **Only what pairing needs is read; everything else passes by untouched.** **Nothing is
//! repaired, coerced or guessed.** **Every call of a turn gets exactly one result, in order.**
//!
//! # From a body to its answer
//!
//! A body is [read](Provider::read) to a [`Conversation`]; the calls that wait at its end are a [`Turn`]; what comes of them makes an [`Answer`].
//!
//! ```
//! use dispatch_core::{Gates, tools, workspace::MemoryWorkspace};
//! use dispatch_providers::Provider;
//!
//! let body = br#"{"object": "response", "output": [
//!     {"type": "reasoning", "summary": []},
//!     {"type": "function_call", "call_id": "c1", "name": "read_file", "arguments": "{\"path\": \"notes.txt\"}"}
//! ]}"#;
//! let gates = Gates::new(tools::core_registry()).explaining();
//! let mut workspace = MemoryWorkspace::from_iter([("notes.txt", "milk\n")]);
//!
//! let conversation = Provider::OpenAiResponses.read(body.to_vec())?;
//! let turn = conversation.turn()?.expect("there is a call in it");
//! let answer = turn.answer(|call| match gates.admit(call) {
//!     Ok(admitted) => admitted.run(&mut workspace),
//!     Err(rejection) => rejection.into_result(),
//! })?;
//! assert_eq!(answer.to_string(), "{\"call_id\":\"c1\",\"output\":\"1: milk\\n\",\"type\":\"function_call_output\"}\n");
//!
//! // The next request holds all of it, the reasoning to the letter.
//! assert!(conversation.with_answer(&answer).starts_with(r#"[{"type": "reasoning", "summary": []},"#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Calls that run elsewhere
//!
//! An async host takes each admitted call out ([`detach`](dispatch_core::Admitted::detach)), runs its own futures, and
//! [completes](dispatch_core::Pending::complete) the calls in whatever order they end. [`Turn::answer_with`] puts the results in the calls' order.
//!
//! ```
//! use dispatch_core::{Gates, GivenTool, Observation, Registry};
//! use dispatch_providers::Provider;
//!
//! let schema = serde_json::json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]});
//! let weather = GivenTool::new("weather", "Tells the weather.", &schema)?;
//! let gates = Gates::new(Registry::builder().given(weather).build()?);
//! let message = br#"{"role": "assistant", "content": [
//!     {"type": "tool_use", "id": "t1", "name": "weather", "input": {"city": "Oslo"}},
//!     {"type": "tool_use", "id": "t2", "name": "weather", "input": {"town": "Rome"}}
//! ]}"#;
//! let turn = Provider::Anthropic.read(message.to_vec())?.turn()?.expect("there are calls in it");
//!
//! let (mut running, mut results) = (Vec::new(), Vec::new());
//! for call in turn.calls().iter().cloned() {
//!     match gates.admit(call) {
//!         Ok(admitted) => running.push(admitted.detach()),
//!         Err(rejection) => results.push(rejection.into_result()),
//!     }
//! }
//! for (args, pending) in running {
//!     // Here the host awaits what it does with `args`.
//!     results.push(pending.complete(Ok(Observation::text(format!("rain: {}", args["city"])))));
//! }
//! let answer = turn.answer_with(results)?;
//! assert_eq!(answer.messages()[0]["content"][0]["content"], "rain: \"Oslo\"");
//! assert_eq!(answer.messages()[0]["content"][1]["is_error"], true);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod fault;
mod reported;
mod wire_result;
mod shape;
mod anthropic;
mod openai_chat;
mod openai_responses;
mod gemini;
mod bedrock;
mod mcp;
mod provider;
mod stream;
mod splice;
mod conversation;
mod pairs;
mod pairing;
mod repair;
mod recognise;
mod definitions;
mod turn;
mod exchange;
mod replay;
#[cfg(test)]
mod testing;

pub use conversation::Conversation;
pub use definitions::{DefinitionError, Definitions, ImportError, Imported, Loss, Strictness};
pub use exchange::Exchange;
pub use pairing::{PairingFault, PairingFaultKind};
pub use provider::{Provider, UnknownProvider};
pub use repair::Repaired;
pub use replay::{Compared, ConversationReplayer, Replayed};
pub use turn::{Answer, Mismatch, Turn};
pub use wire_result::WireResult;
