//! The chunks of Gemini's [`streamGenerateContent`](https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent): each a
//! response with some more parts. Parts come whole, but for text, and for calls whose arguments are streamed.

use std::collections::BTreeMap;

use dispatch_core::json::{Kind, Node};

use super::built::{Built, Members};
use super::partial_args::PartialArgs;
use super::{Assembler, cut_off, cut_short, each_object, index_given, named_call, object_given};
use crate::fault::{Fault, Judged, Within, given, has, text_given};

#[derive(Default)]
pub(super) struct Assembly {
    members: Members,
    candidates: BTreeMap<u64, Candidate>,
}

#[derive(Default)]
struct Candidate {
    members: Members,
    content: Members,
    parts: Vec<Built>,
    /// Whether the last part is nothing but text that can go on, and then whether it is a thought.
    last_text: Option<bool>,
    open: Option<OpenCall>,
}

/// A call whose arguments are being streamed.
#[derive(Default)]
struct OpenCall {
    part: Members,
    call: Members,
    args: PartialArgs,
}

/// Returns whether an array is one of chunks. One of contents is a conversation.
pub(super) fn is_chunks(array: Node<'_>) -> bool {
    array.elements().any(|chunk| ["candidates", "promptFeedback", "error"].iter().any(|name| has(chunk, name)))
}

impl Assembler for Assembly {
    fn event(&mut self, data: Node<'_>) -> Judged<()> {
        self.members.set_given(data, &["candidates"]);
        let Some(candidates) = given(data, "candidates") else { return Ok(()) };
        each_object(candidates, |place, candidate| self.candidate(place, candidate)).within_member("candidates")
    }

    fn finish(&mut self) -> Judged<Built> {
        let candidates = std::mem::take(&mut self.candidates);
        if candidates.is_empty() && !self.members.has("promptFeedback") {
            return Err(cut_off(None, "`finishReason`"));
        }
        candidates.values().try_for_each(Candidate::judge)?;
        let mut body = std::mem::take(&mut self.members);
        if !candidates.is_empty() {
            body.set("candidates", Built::List(candidates.into_values().map(Candidate::built).collect()));
        }
        Ok(Built::Object(body))
    }
}

impl Assembly {
    fn candidate(&mut self, place: usize, candidate: Node<'_>) -> Judged<()> {
        let index = index_given(candidate, "index")?.unwrap_or(place as u64);
        self.candidates.entry(index).or_default().chunk(candidate)
    }
}

impl Candidate {
    fn chunk(&mut self, candidate: Node<'_>) -> Judged<()> {
        self.members.set_given(candidate, &["content"]);
        let content = object_given(candidate, "content")?;
        content.map_or(Ok(()), |content| self.content(content)).within_member("content")
    }

    fn content(&mut self, content: Node<'_>) -> Judged<()> {
        self.content.set_given(content, &["parts"]);
        if let Some(parts) = given(content, "parts") {
            each_object(parts, |_, part| self.part(part)).within_member("parts")?;
        }
        Ok(())
    }

    fn part(&mut self, part: Node<'_>) -> Judged<()> {
        if let Some(call) = object_given(part, "functionCall")?.filter(|call| self.open.is_some() || is_streamed(*call))
        {
            self.last_text = None;
            return self.call(part, call).within_member("functionCall");
        }
        let text = plain_text(part);
        match self.parts.last_mut() {
            Some(Built::Object(last)) if text.is_some() && text == self.last_text => {
                last.push("text", part.get("text").unwrap_or(part))?;
            }
            _ if text.is_some() => self.parts.push(Built::Object(Members::of(part))),
            _ => self.parts.push(Built::raw(part)),
        }
        self.last_text = text;
        Ok(())
    }

    /// A piece of a call without `willContinue` is its last.
    fn call(&mut self, part: Node<'_>, piece: Node<'_>) -> Judged<()> {
        let name = text_given(piece, "name")?.unwrap_or_default();
        if let Some(open) = self.open.as_ref().filter(|_| !name.is_empty()) {
            return Err(cut_off(Some(open.name()), ""));
        }
        let open = self.open.get_or_insert_default();
        open.piece(part, piece)?;
        if !continues(piece) {
            let whole = self.open.take().unwrap_or_default().built()?;
            self.parts.push(whole);
        }
        Ok(())
    }

    fn judge(&self) -> Judged<()> {
        let reason = self.members.text("finishReason");
        match &self.open {
            Some(open) if !reason.is_empty() => Err(cut_short(&open.name(), reason)),
            None if !reason.is_empty() => Ok(()),
            open => Err(cut_off(open.as_ref().map(OpenCall::name), "`finishReason`")),
        }
    }

    fn built(mut self) -> Built {
        if !self.parts.is_empty() {
            self.content.set("parts", Built::List(self.parts));
        }
        if !self.content.is_empty() {
            self.members.set("content", Built::Object(self.content));
        }
        Built::Object(self.members)
    }
}

impl OpenCall {
    fn piece(&mut self, part: Node<'_>, piece: Node<'_>) -> Judged<()> {
        self.part.set_given(part, &["functionCall"]);
        self.call.set_given(piece, &["partialArgs", "willContinue"]);
        if let Some(partial) = given(piece, "partialArgs") {
            each_object(partial, |_, partial| self.args.piece(partial)).within_member("partialArgs")?;
        }
        Ok(())
    }

    fn name(&self) -> String {
        named_call(self.call.text("name"), self.call.text("id"))
    }

    fn built(mut self) -> Judged<Built> {
        if let Some(path) = self.args.open() {
            return Err(Fault::new(format!("{} ends in the middle of its argument {path}", self.name())));
        }
        if let Some(args) = self.args.built() {
            self.call.entry("args").put(args)?;
        }
        self.part.set("functionCall", Built::Object(self.call));
        Ok(Built::Object(self.part))
    }
}

fn is_streamed(call: Node<'_>) -> bool {
    continues(call) || given(call, "partialArgs").is_some()
}

fn continues(node: Node<'_>) -> bool {
    node.get("willContinue").is_some_and(|value| value.kind() == Kind::True)
}

/// Returns of a part that is nothing but text whether it is a thought. A signature must stay with the very part it came with.
fn plain_text(part: Node<'_>) -> Option<bool> {
    let is_plain = part.get("text").is_some_and(|text| text.kind() == Kind::String)
        && part.members().all(|member| ["text", "thought"].contains(&member.name.as_ref()));
    is_plain.then(|| part.get("thought").is_some_and(|thought| thought.kind() == Kind::True))
}
