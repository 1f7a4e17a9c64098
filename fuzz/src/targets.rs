//! What a text is given to, and what must hold whatever the text is.

mod arguments;
mod body;
mod definitions;
mod document;
mod message;
mod request;
mod session;
mod stream;
mod text;

use crate::corpus::Corpus;

/// Something that takes any bytes.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// The texts to begin with.
    pub seeds: fn(&Corpus) -> &[Vec<u8>],
    /// Takes a text, and says what does not hold.
    pub check: fn(&[u8]) -> Check,
}

/// Nothing, or what does not hold.
pub type Check = Result<(), String>;

/// Every parser of foreign text.
pub const TARGETS: [Target; 21] = [
    Target { name: "request", seeds: |corpus| &corpus.requests, check: request::check },
    Target { name: "stream", seeds: |corpus| &corpus.streams, check: stream::check },
    Target { name: "session", seeds: |corpus| &corpus.sessions, check: session::check },
    Target { name: "document", seeds: |corpus| &corpus.requests, check: document::check },
    Target { name: "arguments", seeds: |corpus| &corpus.arguments, check: arguments::check },
    Target { name: "anthropic", seeds: |corpus| &corpus.messages, check: message::anthropic },
    Target { name: "openai_chat", seeds: |corpus| &corpus.messages, check: message::openai_chat },
    Target { name: "openai_responses", seeds: |corpus| &corpus.messages, check: message::openai_responses },
    Target { name: "gemini", seeds: |corpus| &corpus.messages, check: message::gemini },
    Target { name: "bedrock", seeds: |corpus| &corpus.messages, check: message::bedrock },
    Target { name: "mcp", seeds: |corpus| &corpus.messages, check: message::mcp },
    Target { name: "anthropic_body", seeds: |corpus| &corpus.bodies, check: body::anthropic },
    Target { name: "openai_chat_body", seeds: |corpus| &corpus.bodies, check: body::openai_chat },
    Target { name: "openai_responses_body", seeds: |corpus| &corpus.bodies, check: body::openai_responses },
    Target { name: "gemini_body", seeds: |corpus| &corpus.bodies, check: body::gemini },
    Target { name: "anthropic_definitions", seeds: |corpus| &corpus.definitions, check: definitions::anthropic },
    Target { name: "openai_chat_definitions", seeds: |corpus| &corpus.definitions, check: definitions::openai_chat },
    Target {
        name: "openai_responses_definitions",
        seeds: |corpus| &corpus.definitions,
        check: definitions::openai_responses,
    },
    Target { name: "gemini_definitions", seeds: |corpus| &corpus.definitions, check: definitions::gemini },
    Target { name: "bedrock_definitions", seeds: |corpus| &corpus.definitions, check: definitions::bedrock },
    Target { name: "mcp_definitions", seeds: |corpus| &corpus.definitions, check: definitions::mcp },
];

/// Says what does not hold, unless it does.
fn hold(holds: bool, what: impl FnOnce() -> String) -> Check {
    if holds { Ok(()) } else { Err(what()) }
}
