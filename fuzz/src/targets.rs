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

use dispatch_providers::Provider;

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
    Target {
        name: "anthropic",
        seeds: |corpus| &corpus.messages,
        check: |text| message::check(Provider::Anthropic, text),
    },
    Target {
        name: "openai_chat",
        seeds: |corpus| &corpus.messages,
        check: |text| message::check(Provider::OpenAiChat, text),
    },
    Target {
        name: "openai_responses",
        seeds: |corpus| &corpus.messages,
        check: |text| message::check(Provider::OpenAiResponses, text),
    },
    Target { name: "gemini", seeds: |corpus| &corpus.messages, check: |text| message::check(Provider::Gemini, text) },
    Target { name: "bedrock", seeds: |corpus| &corpus.messages, check: |text| message::check(Provider::Bedrock, text) },
    Target { name: "mcp", seeds: |corpus| &corpus.messages, check: |text| message::check(Provider::Mcp, text) },
    Target {
        name: "anthropic_body",
        seeds: |corpus| &corpus.bodies,
        check: |text| body::check(Provider::Anthropic, text),
    },
    Target {
        name: "openai_chat_body",
        seeds: |corpus| &corpus.bodies,
        check: |text| body::check(Provider::OpenAiChat, text),
    },
    Target {
        name: "openai_responses_body",
        seeds: |corpus| &corpus.bodies,
        check: |text| body::check(Provider::OpenAiResponses, text),
    },
    Target { name: "gemini_body", seeds: |corpus| &corpus.bodies, check: |text| body::check(Provider::Gemini, text) },
    Target {
        name: "anthropic_definitions",
        seeds: |corpus| &corpus.definitions,
        check: |text| definitions::check(Provider::Anthropic, text),
    },
    Target {
        name: "openai_chat_definitions",
        seeds: |corpus| &corpus.definitions,
        check: |text| definitions::check(Provider::OpenAiChat, text),
    },
    Target {
        name: "openai_responses_definitions",
        seeds: |corpus| &corpus.definitions,
        check: |text| definitions::check(Provider::OpenAiResponses, text),
    },
    Target {
        name: "gemini_definitions",
        seeds: |corpus| &corpus.definitions,
        check: |text| definitions::check(Provider::Gemini, text),
    },
    Target {
        name: "bedrock_definitions",
        seeds: |corpus| &corpus.definitions,
        check: |text| definitions::check(Provider::Bedrock, text),
    },
    Target {
        name: "mcp_definitions",
        seeds: |corpus| &corpus.definitions,
        check: |text| definitions::check(Provider::Mcp, text),
    },
];

/// Says what does not hold, unless it does.
fn hold(holds: bool, what: impl FnOnce() -> String) -> Check {
    if holds { Ok(()) } else { Err(what()) }
}
