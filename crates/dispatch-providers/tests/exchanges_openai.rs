//! Real exchanges with OpenAI's two APIs, and with servers that speak them, are read as a plain walk over their JSON reads them.
//!
//! The exchanges are too large to be kept here. They are read where they lie beside the repository, and where they don't the tests say that they
//! were skipped. Bodies of streams are none of these tests' business.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]
#![expect(clippy::indexing_slicing, reason = "of a JSON value it gives null for what is not there")]
#![expect(clippy::disallowed_methods, reason = "a test that reads recordings opens files; the crate does not")]

mod openai;
mod skipped;

use dispatch_core::tools::core_registry;
use dispatch_core::workspace::MemoryWorkspace;
use dispatch_core::{Gates, ToolCall};
use dispatch_providers::{Answer, Conversation, Provider, Turn};
use serde_json::{Value, json};

use openai::walk::{Found, calls_of, id_answered_by};
use openai::{Text, recorded};

/// The texts that are refused, by the end of their names, and why that is right.
const REFUSED: &[(&str, &str)] = &[
    ("test-tool-use-failed-error-with-text-b3bf--00.json response", ERROR),
    ("forced-tool-choice-under-thinking-is-rejected-upstream-dae1--00.json response", ERROR),
    ("forced-tool-choice-under-thinking-is-rejected-upstream-dae1--01.json response", ERROR),
    ("error-matrix-tools-without-jinja-c47e--00.json response", ERROR),
    ("direct-url-force-download-audio-openai-responses-9f09--02.json response", ERROR),
    ("direct-url-audio-openai-responses-d0cf--01.json response", ERROR),
    ("tool-return-content-url-audio-openai-responses-11c4--01.json response", ERROR),
    ("vercel--reasoning-model-temperature-error.json response", ERROR),
    ("function_calling_simple.traj.json", OWN_LOG),
    ("function_calling__install-1__marshmallow-code__marshmallow-1867.traj.json", OWN_LOG),
];
const ERROR: &str = "the API's error, which has no message in it";
const OWN_LOG: &str = "the agent's own log: a result has a list `tool_call_ids`, and no `tool_call_id`";

#[test]
fn chat_exchanges_are_read_as_they_are_written() {
    check(Provider::OpenAiChat);
}

#[test]
fn responses_exchanges_are_read_as_they_are_written() {
    check(Provider::OpenAiResponses);
}

fn check(provider: Provider) {
    let Some(texts) = recorded(provider) else {
        skipped::tell("there are no recorded exchanges beside the repository");
        return;
    };
    let faults: Vec<String> = texts.iter().flat_map(|text| [whole(text), one_by_one(text)]).flatten().collect();
    assert!(faults.is_empty(), "{} of {} texts:\n{}", faults.len(), texts.len(), faults.join("\n"));
    let calls = texts.iter().flat_map(|text| &text.messages).flat_map(|message| calls_of(provider, message)).count();
    assert!(calls > 100, "only {calls} calls in {} texts", texts.len());
}

/// Reads a whole text: a response's calls are its turn, and a request has nothing that waits unless the walk says so.
fn whole(text: &Text) -> Option<String> {
    let read = text.provider.read(text.json.clone().into_bytes());
    let reason = REFUSED.iter().find(|(name, _)| text.name.ends_with(name)).map(|(_, reason)| reason);
    match (read, reason) {
        (Ok(conversation), None) => differs(text, &conversation, &text.waiting()),
        (Ok(_), Some(reason)) => Some(format!("{}: read, though {reason}", text.name)),
        (Err(failure), None) => Some(format!("{}: {failure}", text.name)),
        (Err(_), Some(_)) => None,
    }
}

/// Reads each message with calls by itself, so that none hides behind those that end a conversation.
fn one_by_one(text: &Text) -> Option<String> {
    text.messages.iter().cloned().find_map(|mut message| {
        // Why it ended stands beside a message, and not in it.
        message.as_object_mut().and_then(|members| members.remove("finish_reason"));
        let calls = calls_of(text.provider, &message);
        let alone = text.provider.read(json!([message]).to_string().into_bytes());
        match alone {
            _ if calls.is_empty() => None,
            Ok(conversation) => differs(text, &conversation, &calls),
            Err(failure) => Some(format!("{}: {failure}", text.name)),
        }
    })
}

fn differs(text: &Text, conversation: &Conversation, calls: &[Found]) -> Option<String> {
    let turn = match conversation.turn() {
        Ok(turn) => turn,
        Err(failure) => return Some(format!("{}: {failure}", text.name)),
    };
    let read: Vec<Found> = turn.iter().flat_map(Turn::calls).map(found).collect();
    if read != calls {
        return Some(format!("{}: expected {calls:?}, read {read:?}", text.name));
    }
    turn.and_then(|turn| mispaired(text, conversation, &answer(turn), calls))
}

fn found(call: &ToolCall) -> Found {
    Found { id: call.id().map(str::to_owned), tool: call.tool().to_owned(), args: call.args().raw().to_owned() }
}

fn answer(turn: Turn) -> Answer {
    let gates = Gates::new(core_registry()).explaining();
    let mut workspace = MemoryWorkspace::default();
    let answer = turn.answer(|call| match gates.admit(call) {
        Ok(admitted) => admitted.run(&mut workspace),
        Err(rejection) => rejection.into_result(),
    });
    answer.unwrap()
}

/// There is one message for each call, with its id, and with them in it the conversation waits for nothing.
fn mispaired(text: &Text, conversation: &Conversation, answer: &Answer, calls: &[Found]) -> Option<String> {
    let ids: Vec<_> = answer.messages().iter().map(id_answered_by).collect();
    let asked: Vec<_> = calls.iter().map(|call| call.id.as_deref()).collect();
    if ids != asked {
        return Some(format!("{}: {asked:?} answered by {ids:?}", text.name));
    }
    let again = text.provider.read(conversation.with_answer(answer).into_bytes());
    let waits = again.unwrap().turn().unwrap().is_some();
    waits.then(|| format!("{}: an answered turn still waits", text.name))
}

impl Text {
    /// Returns the calls after the last message that is not the model's, by the roles and types that stand there.
    fn waiting(&self) -> Vec<Found> {
        let ends_a_turn = |message: &Value| {
            let kind = message["type"].as_str().unwrap_or_default();
            message["role"].as_str().is_some_and(|role| role != "assistant")
                || ["function_call_output", "custom_tool_call_output"].contains(&kind)
        };
        let start = self.messages.iter().rposition(ends_a_turn).map_or(0, |last| last + 1);
        self.messages.iter().skip(start).flat_map(|message| calls_of(self.provider, message)).collect()
    }
}
