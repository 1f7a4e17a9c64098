//! The [chunks](https://platform.openai.com/docs/api-reference/chat-streaming) of OpenAI's Chat Completions API, and of the many servers that
//! speak it in ways of their own.

use std::collections::BTreeMap;

use dispatch_core::json::Node;

use super::built::{Built, Members};
use super::{Assembler, cut_off, cut_short, each_object, index_given, named_call, object_given};
use crate::fault::{Fault, Judged, Within, given, text_given};

/// Why a model stops that would have written more.
const SHORT: &[&str] = &["length", "model_length", "content_filter", "insufficient_system_resource"];

#[derive(Default)]
pub(super) struct Assembly {
    members: Members,
    choices: BTreeMap<u64, Choice>,
    is_done: bool,
}

#[derive(Default)]
struct Choice {
    members: Members,
    message: Members,
    calls: Calls,
    /// The one call of the days before there were several.
    function_call: Members,
    is_finished: bool,
}

/// The calls of a message in the order in which they began.
#[derive(Default)]
struct Calls {
    list: Vec<Call>,
    /// Where the call stands that an index, or an id, stands for now.
    by_index: BTreeMap<u64, usize>,
    by_id: BTreeMap<String, usize>,
    /// The one that came last.
    last: usize,
}

#[derive(Default)]
struct Call {
    index: Option<u64>,
    members: Members,
    function: Members,
    custom: Members,
}

impl Assembler for Assembly {
    fn event(&mut self, data: Node<'_>) -> Judged<()> {
        self.members.set_given(data, &["choices", "object"]);
        let Some(choices) = given(data, "choices") else { return Ok(()) };
        each_object(choices, |place, choice| self.choice(place, choice)).within_member("choices")
    }

    fn done(&mut self) {
        self.is_done = true;
    }

    fn finish(&mut self) -> Judged<Built> {
        let choices = std::mem::take(&mut self.choices);
        let unfinished = choices.values().find(|choice| !choice.is_finished && !self.is_done);
        if unfinished.is_some() || choices.is_empty() {
            return Err(cut_off(unfinished.and_then(Choice::last_call), "`finish_reason` and `[DONE]`"));
        }
        choices.values().try_for_each(Choice::judge)?;
        let mut body = std::mem::take(&mut self.members);
        body.set("choices", Built::List(choices.into_iter().map(|(index, choice)| choice.built(index)).collect()));
        body.set("object", Built::Text("chat.completion".to_owned()));
        Ok(Built::Object(body))
    }
}

impl Assembly {
    fn choice(&mut self, place: usize, choice: Node<'_>) -> Judged<()> {
        let index = index_given(choice, "index")?.unwrap_or(place as u64);
        self.choices.entry(index).or_default().chunk(choice)
    }
}

impl Choice {
    fn chunk(&mut self, choice: Node<'_>) -> Judged<()> {
        self.members.set_given(choice, &["delta", "index", "logprobs"]);
        if let Some(delta) = object_given(choice, "delta")? {
            self.delta(delta).within_member("delta")?;
        }
        self.is_finished |= text_given(choice, "finish_reason")?.is_some_and(|reason| !reason.is_empty());
        Ok(())
    }

    fn delta(&mut self, delta: Node<'_>) -> Judged<()> {
        let growing = ["content", "reasoning", "reasoning_content", "reasoning_details", "refusal"];
        for name in growing {
            if let Some(piece) = delta.get(name) {
                self.message.push(name, piece)?;
            }
        }
        if let Some(calls) = given(delta, "tool_calls") {
            // There is more to come, whatever was said before.
            self.is_finished = false;
            each_object(calls, |_, call| self.calls.piece(call)).within_member("tool_calls")?;
        }
        if let Some(call) = object_given(delta, "function_call")? {
            self.function_call.piece(call, "arguments").within_member("function_call")?;
        }
        self.message.set_given(delta, &[&growing[..], &["tool_calls", "function_call"]].concat());
        Ok(())
    }

    fn last_call(&self) -> Option<String> {
        let last = self.calls.list.get(self.calls.last).map(Call::name);
        last.or_else(|| self.legacy_call().map(|call| named_call(call.text("name"), "")))
    }

    /// Some servers send one without a name, which is no call.
    fn legacy_call(&self) -> Option<&Members> {
        Some(&self.function_call).filter(|call| !call.text("name").is_empty())
    }

    /// A call that has no arguments yet where the model had to stop would come out as one without any. Where the reason is `length`, the shape
    /// knows that by itself, and answers the call.
    fn judge(&self) -> Judged<()> {
        let reason = self.members.text("finish_reason");
        let is_short = match self.calls.list.get(self.calls.last) {
            Some(call) => call.is_short(reason),
            None => self.legacy_call().is_some_and(|call| call.is_blank("arguments")) && reason != "length",
        };
        match self.last_call() {
            Some(call) if is_short && SHORT.contains(&reason) => Err(cut_short(&call, reason)),
            _ => Ok(()),
        }
    }

    fn built(mut self, index: u64) -> Built {
        if !self.calls.list.is_empty() {
            self.calls.list.sort_by_key(|call| call.index);
            self.message.set("tool_calls", Built::List(self.calls.list.into_iter().map(Call::built).collect()));
        }
        if !self.function_call.is_empty() {
            self.message.set("function_call", Built::Object(self.function_call));
        }
        self.message.set_default("content", Built::Nothing);
        self.message.set_default("role", Built::Text("assistant".to_owned()));
        self.members.set_default("finish_reason", Built::Nothing);
        self.members.set("index", Built::Raw(index.to_string()));
        self.members.set("message", Built::Object(self.message));
        Built::Object(self.members)
    }
}

impl Calls {
    fn piece(&mut self, piece: Node<'_>) -> Judged<()> {
        let index = index_given(piece, "index")?;
        let id = text_given(piece, "id")?.unwrap_or_default();
        let is_named = is_named(piece, "function")? || is_named(piece, "custom")?;
        let place = self.place(index, &id, is_named).unwrap_or(self.list.len());
        if place == self.list.len() {
            self.list.push(Call { index, ..Call::default() });
        }
        if let Some(index) = index {
            self.by_index.insert(index, place);
        }
        self.by_id.insert(id, place);
        self.last = place;
        self.list.get_mut(place).map_or(Ok(()), |call| call.piece(piece))
    }

    /// Finds the call that a piece belongs to. Some servers give no index, some the same to every call: an id that is not the call's begins
    /// another one.
    fn place(&self, index: Option<u64>, id: &str, is_named: bool) -> Option<usize> {
        let place = match index {
            Some(index) => self.by_index.get(&index).copied(),
            None if id.is_empty() => Some(self.last).filter(|_| !is_named),
            None => self.by_id.get(id).copied(),
        }?;
        let known = self.list.get(place)?.members.text("id");
        (id.is_empty() || known.is_empty() || known == id).then_some(place)
    }
}

fn is_named(piece: Node<'_>, kind: &str) -> Judged<bool> {
    let name = given(piece, kind).map(|kind| text_given(kind, "name")).transpose().within_member(kind)?;
    Ok(name.flatten().is_some_and(|name| !name.is_empty()))
}

impl Call {
    fn piece(&mut self, piece: Node<'_>) -> Judged<()> {
        if let Some(function) = object_given(piece, "function")? {
            self.function.piece(function, "arguments").within_member("function")?;
        }
        if let Some(custom) = object_given(piece, "custom")? {
            self.custom.piece(custom, "input").within_member("custom")?;
        }
        self.members.set_given(piece, &["index", "function", "custom"]);
        Ok(())
    }

    fn name(&self) -> String {
        let custom = self.custom.text("name");
        named_call(if custom.is_empty() { self.function.text("name") } else { custom }, self.members.text("id"))
    }

    /// Free text does not show where it was cut.
    fn is_short(&self, reason: &str) -> bool {
        !self.custom.text("name").is_empty() || (self.function.is_blank("arguments") && reason != "length")
    }

    fn built(mut self) -> Built {
        for (kind, value) in [("function", self.function), ("custom", self.custom)] {
            if !value.is_empty() {
                self.members.set_default("type", Built::Text(kind.to_owned()));
                self.members.set(kind, Built::Object(value));
            }
        }
        Built::Object(self.members)
    }
}

impl Members {
    /// Takes a piece of a function: its name, which comes once, and some of its arguments.
    fn piece(&mut self, piece: Node<'_>, arguments: &str) -> Judged<()> {
        if let Some(text) = piece.get(arguments) {
            self.push(arguments, text)?;
        }
        let name = text_given(piece, "name")?.unwrap_or_default();
        let known = self.text("name");
        if !known.is_empty() && !name.is_empty() && known != name {
            return Err(Fault::new(format!("the call of `{known}` is now one of `{name}`"))).within_member("name");
        }
        self.set_given(piece, &[arguments]);
        Ok(())
    }
}
