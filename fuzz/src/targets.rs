//! What a text is given to, and what must hold whatever the text is.

mod arguments;
mod document;
mod request;
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
pub const TARGETS: [Target; 4] = [
    Target { name: "request", seeds: |corpus| &corpus.requests, check: request::check },
    Target { name: "stream", seeds: |corpus| &corpus.streams, check: stream::check },
    Target { name: "document", seeds: |corpus| &corpus.requests, check: document::check },
    Target { name: "arguments", seeds: |corpus| &corpus.arguments, check: arguments::check },
];

/// Says what does not hold, unless it does.
fn hold(holds: bool, what: impl FnOnce() -> String) -> Check {
    if holds { Ok(()) } else { Err(what()) }
}
