//! Streamed response bodies, assembled into the body that would have come without streaming.
//!
//! The ordinary shapes read what comes out, so that nothing else has to know whether a body was streamed. **A call comes out with all of its
//! arguments or not at all.** **Unknown events are left alone; what changes a message in an unknown way is refused.**

mod anthropic;
mod built;
mod events;
mod gemini;
mod openai_chat;
mod openai_responses;
mod partial_args;

use dispatch_core::json::{Document, Kind, Node, Number, skip_byte_order_mark};
use dispatch_core::protocol::Failure;

use crate::conversation::is_in_arguments;
use crate::fault::{Fault, Judged, Within, each, expect, given, has, member, says};
use crate::provider::Provider;
use crate::reported;
use built::Built;
use events::{Event, events};

/// Takes one stream event after the other, and makes a body of them.
trait Assembler {
    /// Takes the data of an event, which is an object.
    fn event(&mut self, data: Node<'_>) -> Judged<()>;

    /// Takes the `[DONE]` with which some streams say that they are whole.
    fn done(&mut self) {}

    /// Returns the body.
    ///
    /// # Errors
    ///
    /// When the stream is not whole.
    fn finish(&mut self) -> Judged<Built>;
}

fn assembler(provider: Provider) -> Option<Box<dyn Assembler>> {
    match provider {
        Provider::Anthropic => Some(Box::new(anthropic::Assembly::default())),
        Provider::OpenAiChat => Some(Box::new(openai_chat::Assembly::default())),
        Provider::OpenAiResponses => Some(Box::new(openai_responses::Assembly::default())),
        Provider::Gemini => Some(Box::new(gemini::Assembly::default())),
        Provider::Bedrock | Provider::Mcp => None,
    }
}

/// What is wrong at which byte of a stream.
struct Trouble {
    message: String,
    offset: usize,
}

/// Reads a body: a stream is assembled, any other text parsed.
pub(crate) fn body(provider: Provider, text: Vec<u8>) -> Result<Document, Failure> {
    let text = without_mark(text);
    if is_stream(&text) {
        return assemble(provider, &text)
            .map_err(|Trouble { message, offset }| Failure::unreadable(message, text, offset));
    }
    let document = json(text)?;
    if provider == Provider::Gemini && gemini::is_chunks(document.root()) {
        assemble_chunks(&document)
    } else {
        Ok(document)
    }
}

/// Reads the JSON of a text, whosever it may be.
pub(crate) fn json(text: Vec<u8>) -> Result<Document, Failure> {
    Ok(Document::parse_tolerating(without_mark(text), is_in_arguments)?)
}

fn without_mark(mut text: Vec<u8>) -> Vec<u8> {
    let length = text.len() - skip_byte_order_mark(&text).len();
    text.drain(..length);
    text
}

/// Returns whether a text begins as server-sent events do, and JSON never does.
fn is_stream(text: &[u8]) -> bool {
    let starts: &[&[u8]] = &[b"data:", b"event:", b":", b"id:", b"retry:"];
    let text = text.trim_ascii_start();
    starts.iter().any(|start| text.starts_with(start))
}

/// Returns whose stream a text is, by the first event that only one provider sends.
pub(crate) fn provider_of(text: &[u8]) -> Option<Provider> {
    let text = skip_byte_order_mark(text);
    let events = events(text).take_while(|_| is_stream(text));
    events.filter_map(|event| event.data().ok().flatten()).find_map(|data| sender(data.root()))
}

/// Returns what is wrong with a stream that [tells not whose it is](provider_of): the error that it reports in place of a message, if it does.
pub(crate) fn of_nobody(text: &[u8]) -> Option<Failure> {
    let text = skip_byte_order_mark(text);
    if !is_stream(text) {
        return None;
    }
    let reported = events(text).find_map(|event| {
        let data = event.data().ok().flatten()?;
        event.reports_error(data.root()).then(|| event.trouble(reported(data.root()), &data))
    });
    let Trouble { message, offset } = reported.unwrap_or_else(|| Trouble {
        message: "expected JSON, or a provider's stream of events: none of these events says whose it is".to_owned(),
        offset: 0,
    });
    Some(Failure::unreadable(message, text.to_vec(), offset))
}

fn sender(data: Node<'_>) -> Option<Provider> {
    let starts_with = |start: &str| data.get("type").and_then(Node::as_str).is_some_and(|kind| kind.starts_with(start));
    if has(data, "choices") {
        Some(Provider::OpenAiChat)
    } else if has(data, "candidates") || has(data, "promptFeedback") {
        Some(Provider::Gemini)
    } else if starts_with("response.") {
        Some(Provider::OpenAiResponses)
    } else if starts_with("message_") || starts_with("content_block_") {
        Some(Provider::Anthropic)
    } else {
        None
    }
}

fn assemble(provider: Provider, stream: &[u8]) -> Result<Document, Trouble> {
    let mut assembler = assembler(provider).ok_or_else(no_streams)?;
    for event in events(stream) {
        if event.is_done() {
            assembler.done();
        } else if let Some(data) = event.data()? {
            let judged = take(assembler.as_mut(), &event, data.root());
            judged.map_err(|fault| event.trouble(fault, &data))?;
        }
    }
    let at_end = |message: String| Trouble { message, offset: stream.len() };
    let body = assembler.finish().map_err(|fault| at_end(fault.message))?;
    // Each value in it was checked, but not how deep they are now.
    Document::parse_tolerating(body.to_text().into_bytes(), is_in_arguments)
        .map_err(|malformed| at_end(malformed.to_string()))
}

fn no_streams() -> Trouble {
    Trouble {
        message: "expected JSON, found a stream of events, which this provider does not send".to_owned(),
        offset: 0,
    }
}

fn take(assembler: &mut dyn Assembler, event: &Event<'_>, data: Node<'_>) -> Judged<()> {
    expect(Kind::Object, data)?;
    if event.reports_error(data) {
        return Err(reported(data));
    }
    assembler.event(data)
}

impl Event<'_> {
    fn reports_error(&self, data: Node<'_>) -> bool {
        self.is_named("error") || says(data, "type", "error") || given(data, "error").is_some()
    }
}

/// Assembles what Gemini sends when it is not asked for events: all chunks as one array.
fn assemble_chunks(document: &Document) -> Result<Document, Failure> {
    let mut assembly = gemini::Assembly::default();
    let mut take_all = || {
        for (index, chunk) in document.root().elements().enumerate() {
            take(&mut assembly, &Event::default(), chunk).within_element(index)?;
        }
        assembly.finish()
    };
    let body = take_all().map_err(|fault| fault.in_document(document))?;
    Ok(Document::parse_tolerating(body.to_text().into_bytes(), is_in_arguments)?)
}

/// Returns the fault of a stream that reports an error in place of more.
fn reported(data: Node<'_>) -> Fault {
    Fault::new(format!("the stream reports an error: {}", reported::text(data)))
}

/// Reads a place in a list.
fn index_of(node: Node<'_>, name: &str) -> Judged<u64> {
    let value = member(node, name)?;
    let index = || match value.as_number()? {
        Number::Unsigned(index) => Some(index),
        Number::Negative(_) | Number::Double(_) => None,
    };
    index().ok_or_else(|| Fault::new(format!("expected an index, found {}", value.raw()))).within_member(name)
}

/// Reads a place in a list that need not be said.
fn index_given(node: Node<'_>, name: &str) -> Judged<Option<u64>> {
    given(node, name).map(|_| index_of(node, name)).transpose()
}

/// Reads a member that must be there and an object.
fn object<'d>(node: Node<'d>, name: &str) -> Judged<Node<'d>> {
    object_given(node, name)?.ok_or_else(|| Fault::missing(name))
}

/// Reads a member that may be absent, and is an object where it isn't.
fn object_given<'d>(node: Node<'d>, name: &str) -> Judged<Option<Node<'d>>> {
    let object = given(node, name);
    object.map_or(Ok(()), |object| expect(Kind::Object, object)).within_member(name)?;
    Ok(object)
}

/// Reads each object of an array.
fn each_object(array: Node<'_>, mut read: impl FnMut(usize, Node<'_>) -> Judged<()>) -> Judged<()> {
    let read = |place, element| expect(Kind::Object, element).and_then(|()| read(place, element));
    each(array, read).map(|_| ())
}

/// A call as messages name it.
fn named_call(tool: &str, id: &str) -> String {
    if id.is_empty() { format!("the call `{tool}`") } else { format!("the call `{tool}`, id `{id}`") }
}

/// Returns the fault of a stream that ends too early: in the middle of a call, or without what ends a whole one.
fn cut_off(call: Option<String>, ending: &str) -> Fault {
    Fault::new(match call {
        Some(call) => format!("the stream is cut off in the middle of {call}"),
        None => format!("the stream is cut off: it ends without {ending}"),
    })
}

/// Returns the fault of a call whose arguments the model did not get to write.
fn cut_short(call: &str, reason: &str) -> Fault {
    Fault::new(format!("{call} is cut off: the model stopped for `{reason}`"))
}

#[cfg(test)]
mod tests;
