//! Provider shapes: from a model's message to the message that answers it.
//!
//! Each provider's API writes tools, calls and results in its own way. Here a response body becomes calls that the
//! [dispatcher](dispatch_core) judges and runs, and their results become exactly the messages to append. The dispatcher never knows which
//! provider it was.
//!
//! **There is no file, clock, process or network here.** **Only what pairing needs is read; everything else passes by untouched.** **Nothing is
//! repaired, coerced or guessed.** **Every call of a turn gets exactly one result, in order.**

mod fault;
mod reported;
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
#[cfg(test)]
mod testing;

pub use conversation::Conversation;
pub use definitions::{DefinitionError, Definitions, ImportError, Imported, Loss, Strictness};
pub use pairing::{PairingFault, PairingFaultKind};
pub use provider::{Provider, UnknownProvider};
pub use repair::Repaired;
pub use turn::{Answer, Mismatch, Turn};
