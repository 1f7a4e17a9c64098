//! What a provider's API sends and takes: messages, and the turn that waits at their end.

use std::collections::HashMap;

use dispatch_core::ToolCall;
use dispatch_core::json::{Document, Fragment, JsonPath, Node, Segment, write_value};
use dispatch_core::protocol::Failure;

use crate::fault::{Fault, Judged, Within};
use crate::pairs::{Pairs, ResultAt};
use crate::provider::Provider;
use crate::reported;
use crate::shape::{Layout, Message};
use crate::splice::{Slots, Splices};
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

    pub(crate) fn messages(&self) -> &[Placed] {
        &self.messages
    }

    /// Returns the list that more messages can be put into. A response body, or a message alone, has none.
    pub(crate) fn list(&self) -> Option<Node<'_>> {
        self.list.as_ref().map(Fragment::node)
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
    /// A [`Failure`] when the conversation went on without a result of an earlier call, which most providers would refuse, whatever the answer to its
    /// last turn; and when a turn has some of its results, even where the others might still follow: whoever gave those may be running the other
    /// calls too. It can be [repaired](Self::repaired). A failure too when two calls of the turn have the same id: a result could not be paired with
    /// one of them.
    ///
    /// ```
    /// use dispatch_providers::Provider;
    ///
    /// let call = r#"{"type": "function_call", "call_id": "c1", "name": "ls", "arguments": "{}"}"#;
    /// let turn = Provider::OpenAiResponses.read(format!("[{call}]").into())?.turn()?.expect("there is a call at the end");
    /// assert_eq!(turn.calls()[0].id(), Some("c1"));
    ///
    /// let gone_on = format!(r#"[{call}, {{"role": "user", "content": "And?"}}]"#);
    /// let failure = Provider::OpenAiResponses.read(gone_on.into())?.turn().unwrap_err();
    /// assert_eq!(failure.message(), "expected a result of this call before the conversation goes on");
    /// # Ok::<(), dispatch_core::protocol::Failure>(())
    /// ```
    pub fn turn(&self) -> Result<Option<Turn>, Failure> {
        let calls = self.waiting_calls().map_err(|fault| fault.in_document(&self.document))?;
        Ok(if calls.is_empty() { None } else { Some(Turn::new(self.provider, calls)) })
    }

    fn waiting_calls(&self) -> Judged<Vec<ToolCall>> {
        let pairs = Pairs::of(self);
        if let Some(call) = pairs.left_behind() {
            return Err(left_behind(pairs.result_beside(call))).within_path(&call.path());
        }
        distinct(pairs.calls.iter().filter(|call| pairs.waits(call)).map(|call| (call.path(), &call.asked.call)))
    }

    /// Returns the whole conversation with an answer at its end.
    ///
    /// All that stood in it stands there to the letter, and the answer is compact, whatever is around it. Of a response body, the model's message and
    /// the answer make a conversation, as an array.
    pub fn with_answer(&self, answer: &Answer) -> String {
        let appended: Vec<String> = answer.messages().iter().map(compact).collect();
        match &self.list {
            Some(list) => self.with_appended(list.node(), &appended),
            None => self.made_of_history(appended),
        }
    }

    /// Makes a conversation of the messages, where there is none yet.
    pub(crate) fn made_of_history(&self, appended: Vec<String>) -> String {
        format!("[{}]\n", self.history().chain(appended).collect::<Vec<_>>().join(","))
    }

    fn history(&self) -> impl Iterator<Item = String> {
        self.messages.iter().map(|placed| self.provider.shape().as_history(placed.text.node()))
    }

    fn with_appended(&self, list: Node<'_>, messages: &[String]) -> String {
        let mut splices = Splices::default();
        splices.insert(&Slots::of(list), usize::MAX, messages);
        splices.applied_to(self.document.text())
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
    let layout = layout(provider, document.root())?;
    let place = |(path, node): (JsonPath, Node<'_>)| {
        let message = provider.shape().message(node).within_path(&path)?;
        Ok(Placed { path, text: node.to_fragment(), message })
    };
    let messages = layout.messages.into_iter().map(place).collect::<Judged<_>>()?;
    Ok((messages, layout.list.map(Node::to_fragment)))
}

/// Where there is no message, an error that the provider reports says more than what was expected.
fn layout(provider: Provider, root: Node<'_>) -> Judged<Layout<'_>> {
    if let Some(fault) = reported::in_list(root) {
        return Err(fault);
    }
    let layout = provider.shape().layout(root);
    let has_none = layout.as_ref().map_or(true, |found| found.messages.is_empty() && found.list.is_none());
    reported::in_body(root).filter(|_| has_none).map_or(layout, Err)
}

/// Where results may follow, nothing but this speaks against a result of ours: that the call would run twice.
fn left_behind(beside: Option<&ResultAt<'_>>) -> Fault {
    Fault::new(match beside.map(ResultAt::path) {
        Some(path) => format!(
            "expected a result of this call beside that of its turn at {path}: whoever gave that may be running this one too"
        ),
        None => "expected a result of this call before the conversation goes on".to_owned(),
    })
}

/// Takes calls one after the other, and refuses one with an id that is taken.
fn distinct<'c>(asked: impl Iterator<Item = (JsonPath, &'c ToolCall)>) -> Judged<Vec<ToolCall>> {
    let mut taken: HashMap<&str, JsonPath> = HashMap::new();
    let mut calls = Vec::new();
    for (path, call) in asked {
        if let Some(id) = call.id() {
            if let Some(first) = taken.get(id) {
                return Err(Fault::new(format!("the id `{id}` is that of the call at {first} too"))).within_path(&path);
            }
            taken.insert(id, path);
        }
        calls.push(call.clone());
    }
    Ok(calls)
}

pub(crate) fn compact(value: &serde_json::Value) -> String {
    let mut text = Vec::new();
    // Writing to memory does not fail.
    let _ = write_value(&mut text, value);
    String::from_utf8(text).unwrap_or_default()
}
