//! Exchanges with OpenAI's two APIs, and with servers that speak them.

use std::path::Path;

use dispatch_providers::Provider;
use serde_json::{Value, json};

use crate::check::{Known, check, unexpected};
use crate::support::{children, data, exchanges, files, items, json, name, text};
use crate::walk::{Plain, plain};

/// What is refused.
const REFUSED: &[Known] = &[
    ("test-tool-use-failed-error-with-text-b3bf--00.json response", AN_ERROR, ERROR),
    ("forced-tool-choice-under-thinking-is-rejected-upstream-dae1--00.json response", AN_ERROR, ERROR),
    ("forced-tool-choice-under-thinking-is-rejected-upstream-dae1--01.json response", AN_ERROR, ERROR),
    ("error-matrix-tools-without-jinja-c47e--00.json response", AN_ERROR, ERROR),
    ("direct-url-force-download-audio-openai-responses-9f09--02.json response", AN_ERROR, ERROR),
    ("direct-url-audio-openai-responses-d0cf--01.json response", AN_ERROR, ERROR),
    ("tool-return-content-url-audio-openai-responses-11c4--01.json response", AN_ERROR, ERROR),
    ("vercel--reasoning-model-temperature-error.json response", AN_ERROR, ERROR),
    ("function_calling_simple.traj.json", "missing member `tool_call_id`", OWN_LOG),
    (
        "function_calling__install-1__marshmallow-code__marshmallow-1867.traj.json",
        "missing member `tool_call_id`",
        OWN_LOG,
    ),
];
const AN_ERROR: &str = "the body reports an error: ";
const ERROR: &str = "the API's error, which has no message in it";
const OWN_LOG: &str = "the agent's own log: a result has a list `tool_call_ids`, and no `tool_call_id`";

/// A request, a response or a conversation.
struct Text {
    name: String,
    body: Value,
}

#[test]
fn chat_exchanges_are_read_as_they_are_written() {
    let Some(data) = data() else { return };
    let logged = recordings(&data.join("recordings"));
    check_all(plain(Provider::OpenAiChat), texts(&data, "openai-chat").chain(logged).collect());
}

#[test]
fn responses_exchanges_are_read_as_they_are_written() {
    let Some(data) = data() else { return };
    check_all(plain(Provider::OpenAiResponses), texts(&data, "openai-responses").collect());
}

fn check_all(plain: &Plain, texts: Vec<Text>) {
    let count = texts.len();
    let calls = texts.iter().flat_map(|text| messages(&text.body)).flat_map(|message| (plain.calls)(&message)).count();
    let failed = texts.into_iter().filter_map(|text| unexpected(REFUSED, &text.name, check_text(plain, &text.body)));
    let failed: Vec<String> = failed.collect();
    assert!(failed.is_empty(), "{} of {count} texts:\n{}", failed.len(), failed.join("\n"));
    assert!(calls > 100, "only {calls} calls in {count} texts");
}

/// Checks the whole text, and each message with calls by itself, so that none hides behind those that end a conversation.
fn check_text(plain: &Plain, body: &Value) -> Result<(), String> {
    let messages = messages(body);
    let is_response = body.get("choices").or(body.get("output")).is_some();
    let waiting = if is_response { (plain.calls_of_response)(body) } else { plain.waiting(&messages) };
    check(plain, body, &waiting)?;
    messages.iter().map(|message| (message, (plain.calls)(message))).try_for_each(|(message, calls)| {
        if calls.is_empty() { Ok(()) } else { check(plain, &json!([message]), &calls) }
    })
}

/// Returns the messages of a body or of a conversation, wherever its API puts them.
fn messages(body: &Value) -> Vec<Value> {
    let lists = [body, &body["messages"], &body["input"], &body["output"]];
    let choices = items(&body["choices"]).map(|choice| &choice["message"]);
    lists.into_iter().flat_map(items).chain(choices).cloned().collect()
}

fn texts(data: &Path, folder: &str) -> impl Iterator<Item = Text> {
    exchanges(data, folder).into_iter().flat_map(|file| sides(&name(&file), &json(&file)))
}

/// Returns an exchange's request and its response, as far as they are there and no stream.
fn sides(name: &str, exchange: &Value) -> Vec<Text> {
    let sides = ["request", "response"].into_iter().filter(|side| exchange[*side].is_object());
    sides.map(|side| Text { name: format!("{name} {side}"), body: exchange[side].clone() }).collect()
}

/// Returns what agents have recorded in the shape of chats: conversations, and exchanges somewhere within a log.
fn recordings(folder: &Path) -> Vec<Text> {
    let rows = text(&folder.join("tau-bench-gpt-4o-airline.jsonl"));
    let rows = rows.lines().map(|row| Text { name: "tau-bench".to_owned(), body: serde_json::from_str(row).unwrap() });
    let logs = files(&folder.join("swe-agent")).into_iter();
    let histories = logs.map(|file| Text { name: name(&file), body: json(&file)["history"].take() });
    let logs = files(&folder.join("inspect-ai")).into_iter();
    rows.chain(histories).chain(logs.flat_map(|file| within(&name(&file), &json(&file)))).collect()
}

fn within(name: &str, log: &Value) -> Vec<Text> {
    sides(name, &log["call"]).into_iter().chain(children(log).flat_map(|value| within(name, value))).collect()
}
