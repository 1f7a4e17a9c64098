//! Recorded exchanges with Anthropic, Bedrock, Gemini and MCP servers: each is read, and what is read is compared with a plain walk over the JSON.
//!
//! The recordings are not part of the repository. Where they are missing, this says so and passes.

#![expect(clippy::unwrap_used, reason = "a test fails where something is not there")]
#![expect(clippy::indexing_slicing, reason = "a test fails where something is not there")]
#![expect(clippy::disallowed_methods, reason = "a test of recordings reads them; the crate does not")]

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use dispatch_core::{Gates, Registry, ToolCall};
use dispatch_providers::Answer;
use serde_json::{Value, json};

mod plain;

use plain::{ANTHROPIC, BEDROCK, GEMINI, MCP, Plain};

/// What is in the recordings and is refused, with the reason.
const REFUSED: &[(&str, &str)] = &[
    (
        "rig--anthropic-strict-schema-matrix-boolean-true-subschema-is-rejected-by-strict-compiler-bd04--00.json",
        "an error: a schema is not supported",
    ),
    (
        "rig--anthropic-strict-schema-matrix-dangling-local-root-ref-is-rejected-346c--00.json",
        "an error: a schema without a type",
    ),
    (
        "rig--anthropic-strict-schema-matrix-external-root-ref-is-rejected-025f--00.json",
        "an error: a schema without a type",
    ),
    (
        "rig--anthropic-strict-schema-matrix-top-level-one-of-is-rejected-for-tool-input-9885--00.json",
        "an error: a schema without a type",
    ),
    (
        "pai--al-tool-returns-test-multimodal-tool-return-matrix-direct-uploaded-file-video-bedrock-nova-036b--01.json",
        "an error: a video in a result",
    ),
    (
        "pai--tool-returns-test-multimodal-tool-return-matrix-direct-uploaded-file-document-bedrock-nova-450d--01.json",
        "an error: a document in a result",
    ),
    (
        "pai--tool-returns-test-multimodal-tool-return-matrix-direct-uploaded-file-image-bedrock-claude-343b--01.json",
        "an error: an image given by its address",
    ),
    (
        "pai--tool-returns-test-multimodal-tool-return-matrix-direct-uploaded-file-video-bedrock-claude-4007--01.json",
        "an error: a video in a result",
    ),
    (
        "pai--multimodal-tool-returns-test-multimodal-tool-return-matrix-direct-url-image-google-vertex-507e--02.json",
        "an error: an image that could not be fetched",
    ),
    (
        "pai--ool-returns-test-multimodal-tool-return-matrix-tool-return-content-url-image-google-vertex-f54a--03.json",
        "an error: an image that could not be fetched",
    ),
    ("vercel--google-429-retry-info.json", "an error: the quota is used up"),
];

fn data() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    if path.is_dir() {
        return Some(path);
    }
    // Past what the harness captures: a test that checked nothing must say so.
    let told = format!("skipped: there are no recordings at {}\n", path.display());
    io::stderr().write_all(told.as_bytes()).unwrap();
    None
}

/// The files of some folders, sorted by name.
fn files(folders: &[&str]) -> Vec<PathBuf> {
    let Some(data) = data() else { return Vec::new() };
    let entries = folders.iter().flat_map(|folder| fs::read_dir(data.join(folder)).unwrap());
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Checks every file, and tells of all that fail.
fn check_files(folders: &[&str], check: impl Fn(&str) -> Result<(), String>) {
    let failed = |path: PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let outcome = check(&fs::read_to_string(&path).unwrap());
        let refused = REFUSED.iter().find(|(file, _)| *file == name);
        match (outcome, refused) {
            (Ok(()), None) => None,
            (Ok(()), Some((_, reason))) => Some(format!("{name}: is read after all, and was to be refused: {reason}")),
            (Err(told), Some(_)) if told.contains(r#""path":"$""#) => None,
            (Err(told), _) => Some(format!("{name}: {told}")),
        }
    };
    let failed: Vec<_> = files(folders).into_iter().filter_map(failed).collect();
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
}

/// Checks a text that ends with what the model wrote last: these calls wait in it, and can be answered.
fn check(plain: &Plain, body: &Value, expected: &[plain::Call]) -> Result<(), String> {
    let conversation = plain.provider.read(body.to_string().into_bytes()).map_err(|failure| failure.to_string())?;
    let Some(turn) = conversation.turn().map_err(|failure| failure.to_string())? else {
        return same("the number of calls", &0, &expected.len());
    };
    let found: Vec<_> = turn.calls().iter().map(found).collect();
    let plainly: Vec<_> =
        expected.iter().map(|call| (plain::id_text(&call.id), call.tool.clone(), call.args.clone())).collect();
    same("the calls", &found, &plainly)?;
    let answer = turn.answer(refuse).map_err(|mismatch| mismatch.to_string())?;
    check_answer(plain, &answer, expected)?;
    let continued = conversation.with_answer(&answer).into_bytes();
    let continued = plain.provider.read(continued).map_err(|failure| failure.to_string())?;
    same("the turn of the answered conversation", &continued.turn().unwrap().is_some(), &false)
}

fn found(call: &ToolCall) -> (Option<String>, String, String) {
    (call.id().map(str::to_owned), call.tool().to_owned(), call.args().raw().to_owned())
}

/// A result that every call can have: there is no such tool.
fn refuse(call: ToolCall) -> dispatch_core::ToolResult {
    Gates::new(Registry::default()).admit(call).unwrap_err().into_result()
}

fn check_answer(plain: &Plain, answer: &Answer, calls: &[plain::Call]) -> Result<(), String> {
    let answered: Vec<_> = answer.messages().iter().flat_map(plain.results).collect();
    same("the ids of the results", &answered, &calls.iter().map(|call| call.id.clone()).collect())
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: &T, expected: &T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: found {found:?}, expected {expected:?}")) }
}

/// Checks a conversation as it was after each message.
fn check_history(plain: &Plain, messages: &[Value], conversation: impl Fn(&[Value]) -> Value) -> Result<(), String> {
    (1..=messages.len()).try_for_each(|end| {
        let so_far = &messages[..end];
        let start = so_far.iter().rposition(|message| !(plain.is_by_model)(message)).map_or(0, |last| last + 1);
        let waiting: Vec<_> = so_far[start..].iter().flat_map(plain.calls).collect();
        check(plain, &conversation(so_far), &waiting).map_err(|told| format!("after {end} messages: {told}"))
    })
}

/// Checks a file of a request and a response. A response that is streamed is not read here.
fn check_exchange(plain: &Plain, member: &str, text: &str) -> Result<(), String> {
    let exchange: Value = serde_json::from_str(text).unwrap();
    if let Some(messages) = exchange["request"][member].as_array() {
        check_history(plain, messages, |so_far| json!({member: so_far}))?;
    }
    let response = &exchange["response"];
    if response.is_null() { Ok(()) } else { check(plain, response, &(plain.calls_of_response)(response)) }
}

#[test]
fn anthropic() {
    let folders = ["exchanges/anthropic-messages", "responses-only/anthropic-messages"];
    check_files(&folders, |text| check_exchange(&ANTHROPIC, "messages", text));
}

#[test]
fn bedrock() {
    let folders = ["exchanges/bedrock-converse", "responses-only/bedrock-converse"];
    check_files(&folders, |text| check_exchange(&BEDROCK, "messages", text));
}

#[test]
fn gemini() {
    let folders = ["exchanges/gemini-generate-content", "responses-only/gemini-generate-content"];
    check_files(&folders, |text| check_exchange(&GEMINI, "contents", text));
}

/// Each line has a response, or the list of what was streamed.
#[test]
fn gemini_in_chunks() {
    check_files(&["recordings/gemini-cli"], |text| {
        text.lines().try_for_each(|line| {
            let response = &serde_json::from_str::<Value>(line).unwrap()["response"];
            check(&GEMINI, response, &(GEMINI.calls_of_response)(response))
        })
    });
}

/// Each line has a line of one side's. What is no JSON in it was sent to see what the server says.
#[test]
fn mcp() {
    check_files(&["mcp/recorded-stdio"], |text| {
        let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let messages: Vec<Value> =
            lines.filter_map(|line| serde_json::from_str(line["line"].as_str().unwrap()).ok()).collect();
        let asked = messages.iter().filter(|message| message["method"] == "tools/call");
        asked.clone().try_for_each(|call| check(&MCP, call, &(MCP.calls)(call)))?;
        check_history(&MCP, &messages, |so_far| json!(so_far))
    });
}

#[test]
fn mcp_of_the_specification() {
    let Some(data) = data() else { return };
    let example = data.join("mcp/spec-examples-2026-07-28/CallToolRequest--call-tool-request.json");
    let call: Value = serde_json::from_str(&fs::read_to_string(example).unwrap()).unwrap();
    assert_eq!(check(&MCP, &call, &(MCP.calls)(&call)), Ok(()));
}
