//! The recorded texts, found where they lie beside the repository.

pub(crate) mod walk;

use std::fs;
use std::path::{Path, PathBuf};

use dispatch_providers::Provider;
use serde_json::Value;

/// A request, a response or a conversation.
pub(crate) struct Text {
    pub(crate) name: String,
    pub(crate) provider: Provider,
    pub(crate) json: String,
    pub(crate) messages: Vec<Value>,
}

/// Returns every recorded text in a provider's shape, or nothing where there are no recordings.
pub(crate) fn recorded(provider: Provider) -> Option<Vec<Text>> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folders = ["exchanges", "responses-only"].map(|folder| data.join(folder).join(provider.name()));
    let mut texts: Vec<Text> =
        folders.iter().flat_map(|folder| files(folder)).flat_map(|file| exchange(provider, &file)).collect();
    if provider == Provider::OpenAiChat {
        texts.extend(recordings(&data.join("recordings")));
    }
    (!texts.is_empty()).then_some(texts)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    files.sort();
    files
}

fn parsed(file: &Path) -> Value {
    serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
}

fn name(file: &Path) -> String {
    file.file_name().unwrap().to_string_lossy().into_owned()
}

fn exchange(provider: Provider, file: &Path) -> Vec<Text> {
    both(provider, &name(file), &parsed(file))
}

/// Returns an exchange's request and its response, as far as they are there and no stream.
fn both(provider: Provider, name: &str, exchange: &Value) -> Vec<Text> {
    let sides = ["request", "response"].into_iter().filter(|side| exchange[*side].is_object());
    sides.map(|side| text(provider, format!("{name} {side}"), &exchange[side])).collect()
}

fn text(provider: Provider, name: String, whole: &Value) -> Text {
    Text { name, provider, json: whole.to_string(), messages: messages(whole) }
}

/// Returns the messages of a body or of a conversation, wherever its API puts them.
fn messages(whole: &Value) -> Vec<Value> {
    let choices = whole["choices"].as_array().into_iter().flatten().map(chosen);
    let lists = [whole, &whole["messages"], &whole["input"], &whole["output"]];
    lists.into_iter().filter_map(Value::as_array).flatten().cloned().chain(choices).collect()
}

/// Returns the message of a choice, with the reason for its end beside it.
fn chosen(choice: &Value) -> Value {
    let mut message = choice["message"].clone();
    if let Some(members) = message.as_object_mut() {
        members.insert("finish_reason".to_owned(), choice["finish_reason"].clone());
    }
    message
}

/// Returns what agents have recorded in the shape of chats: conversations, and exchanges somewhere within a log.
fn recordings(folder: &Path) -> Vec<Text> {
    let chat = Provider::OpenAiChat;
    let lines = fs::read_to_string(folder.join("tau-bench-gpt-4o-airline.jsonl")).unwrap_or_default();
    let rows = lines.lines().map(|line| text(chat, "tau-bench".to_owned(), &serde_json::from_str(line).unwrap()));
    let logs = files(&folder.join("swe-agent"));
    let histories = logs.iter().map(|file| text(chat, name(file), &parsed(file)["history"]));
    let logs = files(&folder.join("inspect-ai"));
    let exchanges = logs.iter().flat_map(|file| within(&name(file), &parsed(file)));
    rows.chain(histories).chain(exchanges).collect()
}

fn within(name: &str, log: &Value) -> Vec<Text> {
    let own = both(Provider::OpenAiChat, name, &log["call"]);
    let members = log.as_object().into_iter().flat_map(|object| object.values());
    let elements = log.as_array().into_iter().flatten();
    own.into_iter().chain(members.chain(elements).flat_map(|value| within(name, value))).collect()
}
