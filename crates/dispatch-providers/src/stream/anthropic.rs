//! Anthropic's [event stream](https://docs.claude.com/en/docs/build-with-claude/streaming): a message, its blocks one after the other, their
//! pieces.

use std::collections::BTreeMap;

use dispatch_core::json::{Document, Node};

use super::built::{Built, Members};
use super::{Assembler, cut_off, cut_short, index_of, named_call, object};
use crate::fault::{Fault, Judged, Within, member, text_member};

/// Why a model stops that would have written more.
const SHORT: &[&str] = &["max_tokens", "model_context_window_exceeded", "refusal"];

#[derive(Default)]
pub(super) struct Assembly {
    message: Option<Members>,
    usage: Members,
    blocks: BTreeMap<u64, Block>,
    is_stopped: bool,
}

/// A content block.
struct Block {
    members: Members,
    /// The text of a call's arguments, as far as it has come.
    input: String,
    is_open: bool,
}

impl Assembler for Assembly {
    fn event(&mut self, data: Node<'_>) -> Judged<()> {
        match text_member(data, "type")?.as_str() {
            "message_start" => self.begin(object(data, "message")?),
            "content_block_start" => self.open_block(data),
            "content_block_delta" => self.open(data)?.delta(object(data, "delta")?).within_member("delta"),
            "content_block_stop" => self.open(data)?.close(),
            "message_delta" => self.change(data),
            "message_stop" => {
                self.is_stopped = true;
                Ok(())
            }
            // Pings, and what is yet to come: the API's versioning policy allows new events.
            _ => Ok(()),
        }
    }

    fn finish(&mut self) -> Judged<Built> {
        let blocks = std::mem::take(&mut self.blocks);
        let open = blocks.values().rfind(|block| block.is_open);
        let mut message = match self.message.take() {
            Some(message) if self.is_stopped && open.is_none() => message,
            _ => return Err(cut_off(open.and_then(Block::call), "`message_stop`")),
        };
        if let Some(call) = blocks.values().next_back().filter(|last| last.has_no_input()).and_then(Block::our_call) {
            let reason = message.text("stop_reason");
            if SHORT.contains(&reason) {
                return Err(cut_short(&call, reason));
            }
        }
        message.set("content", Built::List(blocks.into_values().map(|block| Built::Object(block.members)).collect()));
        if !self.usage.is_empty() {
            message.set("usage", Built::Object(std::mem::take(&mut self.usage)));
        }
        Ok(Built::Object(message))
    }
}

impl Assembly {
    fn begin(&mut self, message: Node<'_>) -> Judged<()> {
        if self.message.is_some() {
            return Err(Fault::new("a second message begins"));
        }
        let mut members = Members::default();
        members.set_all(message, &["content", "usage"]);
        self.message = Some(members);
        self.add_usage(message);
        // A call that server-run code has made is there from the start, and whole.
        let content = message.get("content").into_iter().flat_map(Node::elements).map(Members::of);
        let blocks = content.map(|members| Block { members, input: String::new(), is_open: false });
        self.blocks = (0..).zip(blocks).collect();
        Ok(())
    }

    fn add_usage(&mut self, node: Node<'_>) {
        if let Some(usage) = node.get("usage") {
            self.usage.set_all(usage, &[]);
        }
    }

    fn change(&mut self, data: Node<'_>) -> Judged<()> {
        let message = self.message.as_mut().ok_or_else(|| Fault::new("no message has begun"))?;
        message.set_all(object(data, "delta")?, &[]);
        message.set_all(data, &["type", "delta", "usage"]);
        self.add_usage(data);
        Ok(())
    }

    fn open_block(&mut self, data: Node<'_>) -> Judged<()> {
        let index = index_of(data, "index")?;
        let members = Members::of(object(data, "content_block")?);
        if self.blocks.contains_key(&index) {
            return Err(Fault::new(format!("block {index} begins for the second time")));
        }
        self.blocks.insert(index, Block { members, input: String::new(), is_open: true });
        Ok(())
    }

    fn open(&mut self, data: Node<'_>) -> Judged<&mut Block> {
        let index = index_of(data, "index")?;
        let block = self.blocks.get_mut(&index).filter(|block| block.is_open);
        block.ok_or_else(|| Fault::new(format!("no block {index} is open")))
    }
}

impl Block {
    fn delta(&mut self, delta: Node<'_>) -> Judged<()> {
        let kind = text_member(delta, "type")?;
        match kind.as_str() {
            "text_delta" => self.members.push("text", member(delta, "text")?),
            "thinking_delta" => self.members.push("thinking", member(delta, "thinking")?),
            "input_json_delta" => {
                self.input.push_str(&text_member(delta, "partial_json")?);
                Ok(())
            }
            "citations_delta" => self.members.push_element("citations", member(delta, "citation")?),
            // These come whole.
            "signature_delta" | "compaction_delta" => {
                self.members.set_all(delta, &["type"]);
                Ok(())
            }
            _ => Err(Fault::new(format!("there is no delta `{kind}`"))),
        }
    }

    /// A call without parameters may have no delta at all: its `input` is the one it began with.
    fn close(&mut self) -> Judged<()> {
        self.is_open = false;
        if self.input.trim_ascii().is_empty() {
            return Ok(());
        }
        if let Err(malformed) = Document::parse_tolerating(self.input.clone().into_bytes(), |_| true) {
            let call = self.call().unwrap_or_else(|| "a block".to_owned());
            return Err(Fault::new(format!("the arguments of {call} are no JSON: {malformed}")));
        }
        self.members.set("input", Built::Raw(self.input.clone()));
        Ok(())
    }

    /// Returns what a call is named, that of the provider's own too.
    fn call(&self) -> Option<String> {
        let is_call = self.members.text("type").ends_with("tool_use");
        is_call.then(|| named_call(self.members.text("name"), self.members.text("id")))
    }

    fn has_no_input(&self) -> bool {
        self.members.is_blank("input") || self.members.is_raw("input", "{}")
    }

    fn our_call(&self) -> Option<String> {
        self.call().filter(|_| self.members.text("type") == "tool_use")
    }
}
