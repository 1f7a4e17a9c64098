//! What a provider's API sends and takes: messages, and the turn that waits at their end.

use dispatch_core::ToolCall;
use dispatch_core::json::{Document, Fragment, JsonPath, Segment, write_value};
use dispatch_core::protocol::Failure;

use crate::fault::{Fault, Judged, Within};
use crate::provider::Provider;
use crate::shape::{Message, join};
use crate::stream;
use crate::turn::{Answer, Turn};

/// The messages of a response body, of a message alone, or of a whole conversation, read as far as pairing needs it.
///
/// The text is kept: what a provider wants back untouched, such as signatures and reasoning, is untouched.
#[derive(Debug)]
pub struct Conversation {
    provider: Provider,
    document: Document,
    messages: Vec<Placed>,
    list: Option<Fragment>,
}

/// A message with its place.
#[derive(Debug)]
pub(crate) struct Placed {
    pub(crate) path: JsonPath,
    pub(crate) text: Fragment,
    pub(crate) message: Message,
}

impl Conversation {
    pub(crate) fn read(provider: Provider, text: Vec<u8>) -> Result<Self, Failure> {
        let document = stream::body(provider, text)?;
        let (messages, list) = read(provider, &document).map_err(|fault| fault.in_document(&document))?;
        Ok(Self { provider, document, messages, list })
    }

    pub(crate) fn document(&self) -> &Document {
        &self.document
    }

    /// Returns whether the text bears a mark that no other provider's has.
    pub(crate) fn is_marked(&self) -> bool {
        self.provider.shape().is_marked(self.document.root())
    }

    /// Returns whether anything in it is a call or a result.
    pub(crate) fn has_calls_or_results(&self) -> bool {
        self.messages.iter().any(|placed| !(placed.message.calls.is_empty() && placed.message.results.is_empty()))
    }

    /// Returns the provider whose shape this is.
    pub fn provider(&self) -> Provider {
        self.provider
    }

    /// Returns the calls that wait for an answer at the end of the conversation, if it ends in any.
    ///
    /// # Errors
    ///
    /// A [`Failure`] when two calls of the turn have the same id: a result could not be paired with one of them.
    pub fn turn(&self) -> Result<Option<Turn>, Failure> {
        let start = self.messages.iter().rposition(|placed| !placed.message.by_model).map_or(0, |last| last + 1);
        let asked = self.messages.iter().skip(start).flat_map(Placed::asked);
        let calls = distinct(asked).map_err(|fault| fault.in_document(&self.document))?;
        Ok(if calls.is_empty() { None } else { Some(Turn::new(self.provider, calls)) })
    }

    /// Returns the whole conversation with an answer at its end, as compact or wide as it was.
    ///
    /// All that stood in it stands there to the letter. Of a response body, the model's message and the answer make a conversation, as an array.
    pub fn with_answer(&self, answer: &Answer) -> String {
        let appended: Vec<_> = answer.messages().iter().map(compact).collect();
        match &self.list {
            Some(list) => self.with_appended(list, &appended),
            None => format!("[{}]\n", self.history().chain(appended).collect::<Vec<_>>().join(",")),
        }
    }

    fn history(&self) -> impl Iterator<Item = String> {
        self.messages.iter().map(|placed| self.provider.shape().as_history(placed.text.node()))
    }

    fn with_appended(&self, list: &Fragment, messages: &[String]) -> String {
        let text = self.document.text();
        let end = list.node().elements().last().map_or(list.node().span().start + 1, |last| last.span().end);
        let separator = if self.messages.is_empty() { "" } else { "," };
        let (before, after) = text.split_at(end);
        let newline = if after.ends_with('\n') { "" } else { "\n" };
        [before, separator, &messages.join(","), after, newline].concat()
    }
}

impl Placed {
    /// Returns the calls with their whole paths.
    fn asked(&self) -> impl Iterator<Item = (JsonPath, &ToolCall)> {
        self.message.calls.iter().map(|asked| (join(&self.path, &asked.path), &asked.call))
    }
}

/// A key twice within arguments is the model's fault, and left to the argument gate. A list `input` at the root is a conversation.
pub(crate) fn is_in_arguments(path: &JsonPath) -> bool {
    let names = ["input", "args", "arguments"];
    let is_named = |step: &Segment| matches!(step, Segment::Member(name) if names.contains(&name.as_str()));
    match path.segments() {
        [Segment::Member(first), Segment::Index(_), within @ ..] if first == "input" => within.iter().any(is_named),
        steps => steps.iter().any(is_named),
    }
}

fn read(provider: Provider, document: &Document) -> Judged<(Vec<Placed>, Option<Fragment>)> {
    let layout = provider.shape().layout(document.root())?;
    let place = |(path, node): (JsonPath, dispatch_core::json::Node<'_>)| {
        let message = provider.shape().message(node).within_path(&path)?;
        Ok(Placed { path, text: node.to_fragment(), message })
    };
    let messages = layout.messages.into_iter().map(place).collect::<Judged<_>>()?;
    Ok((messages, layout.list.map(dispatch_core::json::Node::to_fragment)))
}

/// Takes calls one after the other, and refuses one with an id that is taken.
fn distinct<'c>(asked: impl Iterator<Item = (JsonPath, &'c ToolCall)>) -> Judged<Vec<ToolCall>> {
    let mut taken: Vec<(JsonPath, &str)> = Vec::new();
    let mut calls = Vec::new();
    for (path, call) in asked {
        if let Some(id) = call.id() {
            if let Some((first, _)) = taken.iter().find(|(_, taken)| *taken == id) {
                return Err(Fault::new(format!("the id `{id}` is that of the call at {first} too"))).within_path(&path);
            }
            taken.push((path, id));
        }
        calls.push(call.clone());
    }
    Ok(calls)
}

fn compact(value: &serde_json::Value) -> String {
    let mut text = Vec::new();
    // Writing to memory does not fail.
    let _ = write_value(&mut text, value);
    String::from_utf8(text).unwrap_or_default()
}
