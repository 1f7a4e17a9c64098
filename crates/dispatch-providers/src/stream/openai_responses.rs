//! The [events](https://platform.openai.com/docs/api-reference/responses-streaming) of OpenAI's Responses API. The last one has the whole
//! response in it; some servers leave its items out there, which then come from the events before.

use std::collections::BTreeMap;

use dispatch_core::json::Node;

use super::built::{Built, Members};
use super::{Assembler, cut_off, index_of, named_call, object, reported};
use crate::fault::{Fault, Judged, text_member};

#[derive(Default)]
pub(super) struct Assembly {
    has_begun: bool,
    items: BTreeMap<u64, Item>,
    response: Option<Built>,
}

#[derive(Default)]
struct Item {
    /// The item as it began.
    begun: Members,
    /// The text of a call's arguments, as far as it has come.
    text: String,
    has_all_text: bool,
    /// The item as it ended.
    done: Option<Built>,
}

impl Assembler for Assembly {
    fn event(&mut self, data: Node<'_>) -> Judged<()> {
        match text_member(data, "type")?.as_str() {
            "response.created" if self.has_begun || self.response.is_some() => {
                return Err(Fault::new("a second response begins"));
            }
            "response.created" => self.has_begun = true,
            "response.output_item.added" => self.item(data)?.begun = Members::of(object(data, "item")?),
            "response.output_item.done" => self.item(data)?.done = Some(Built::raw(object(data, "item")?)),
            "response.function_call_arguments.delta" | "response.custom_tool_call_input.delta" => {
                self.item(data)?.text.push_str(&text_member(data, "delta")?);
            }
            "response.function_call_arguments.done" => self.item(data)?.end(data, "arguments")?,
            "response.custom_tool_call_input.done" => self.item(data)?.end(data, "input")?,
            "response.completed" | "response.incomplete" => self.end(object(data, "response")?)?,
            "response.failed" => return Err(reported(object(data, "response")?)),
            // All of this is told again in the events that end an item.
            _ => {}
        }
        Ok(())
    }

    fn finish(&mut self) -> Judged<Built> {
        let open = self.items.values().rfind(|item| item.done.is_none()).and_then(Item::call);
        self.response.take().ok_or_else(|| cut_off(open, "`response.completed` and `response.incomplete`"))
    }
}

impl Assembly {
    fn item(&mut self, data: Node<'_>) -> Judged<&mut Item> {
        Ok(self.items.entry(index_of(data, "output_index")?).or_default())
    }

    fn end(&mut self, response: Node<'_>) -> Judged<()> {
        let has_output = response.get("output").is_some_and(|output| output.elements().next().is_some());
        self.response = Some(if has_output { Built::raw(response) } else { self.with_items(response)? });
        Ok(())
    }

    fn with_items(&mut self, response: Node<'_>) -> Judged<Built> {
        let mut members = Members::of(response);
        let items = std::mem::take(&mut self.items).into_values().filter_map(|item| item.built().transpose());
        members.set("output", Built::List(items.collect::<Judged<_>>()?));
        Ok(Built::Object(members))
    }
}

impl Item {
    fn end(&mut self, data: Node<'_>, text: &str) -> Judged<()> {
        self.text = text_member(data, text)?;
        self.has_all_text = true;
        Ok(())
    }

    fn call(&self) -> Option<String> {
        let is_call = self.begun.text("type").ends_with("_call");
        is_call.then(|| named_call(self.begun.text("name"), self.begun.text("call_id")))
    }

    /// Of an item that did not end, only a call can be told whole: what else it had is in events that are not read.
    fn built(mut self) -> Judged<Option<Built>> {
        if self.done.is_some() {
            return Ok(self.done);
        }
        let member = match self.begun.text("type") {
            "function_call" => "arguments",
            "custom_tool_call" => "input",
            _ => return Ok(None),
        };
        // JSON shows where it was cut, unless nothing of it has come. Free text does not.
        if !self.has_all_text && (member == "input" || self.text.trim_ascii().is_empty()) {
            return Err(cut_off(self.call(), ""));
        }
        self.begun.set(member, Built::Text(self.text));
        Ok(Some(Built::Object(self.begun)))
    }
}
