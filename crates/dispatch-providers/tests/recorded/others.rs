//! Exchanges with Anthropic, Bedrock, Gemini and MCP servers.

use std::path::{Path, PathBuf};

use dispatch_providers::Provider;
use serde_json::{Value, json};

use crate::check::{Known, check, unexpected};
use crate::support::{data, exchanges, files, json, name, text};
use crate::walk::{Plain, plain};

/// What is refused: it is an error in place of an answer.
const REFUSED: &[Known] = &[
    (
        "rig--anthropic-strict-schema-matrix-boolean-true-subschema-is-rejected-by-strict-compiler-bd04--00.json",
        AN_ERROR,
        "an error: a schema is not supported",
    ),
    (
        "rig--anthropic-strict-schema-matrix-dangling-local-root-ref-is-rejected-346c--00.json",
        AN_ERROR,
        "an error: a schema without a type",
    ),
    (
        "rig--anthropic-strict-schema-matrix-external-root-ref-is-rejected-025f--00.json",
        AN_ERROR,
        "an error: a schema without a type",
    ),
    (
        "rig--anthropic-strict-schema-matrix-top-level-one-of-is-rejected-for-tool-input-9885--00.json",
        AN_ERROR,
        "an error: a schema without a type",
    ),
    (
        "pai--al-tool-returns-test-multimodal-tool-return-matrix-direct-uploaded-file-video-bedrock-nova-036b--01.json",
        AN_ERROR,
        "an error: a video in a result",
    ),
    (
        "pai--tool-returns-test-multimodal-tool-return-matrix-direct-uploaded-file-document-bedrock-nova-450d--01.json",
        AN_ERROR,
        "an error: a document in a result",
    ),
    (
        "pai--tool-returns-test-multimodal-tool-return-matrix-direct-uploaded-file-image-bedrock-claude-343b--01.json",
        AN_ERROR,
        "an error: an image given by its address",
    ),
    (
        "pai--tool-returns-test-multimodal-tool-return-matrix-direct-uploaded-file-video-bedrock-claude-4007--01.json",
        AN_ERROR,
        "an error: a video in a result",
    ),
    (
        "pai--multimodal-tool-returns-test-multimodal-tool-return-matrix-direct-url-image-google-vertex-507e--02.json",
        AN_ERROR,
        "an error: an image that could not be fetched",
    ),
    (
        "pai--ool-returns-test-multimodal-tool-return-matrix-tool-return-content-url-image-google-vertex-f54a--03.json",
        AN_ERROR,
        "an error: an image that could not be fetched",
    ),
    ("vercel--google-429-retry-info.json", AN_ERROR, "an error: the quota is used up"),
];
const AN_ERROR: &str = "the body reports an error: ";

/// Checks every file, and tells of all that fail.
fn check_files(files: Vec<PathBuf>, check: impl Fn(&Path) -> Result<(), String>) {
    let failed = |file: PathBuf| unexpected(REFUSED, &name(&file), check(&file));
    let failed: Vec<_> = files.into_iter().filter_map(failed).collect();
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
}

/// Checks a conversation as it was after each message.
fn check_history(plain: &Plain, messages: &[Value], conversation: impl Fn(&[Value]) -> Value) -> Result<(), String> {
    (1..=messages.len()).try_for_each(|end| {
        let so_far = &messages[..end];
        let checked = check(plain, &conversation(so_far), &plain.waiting(so_far));
        checked.map_err(|told| format!("after {end} messages: {told}"))
    })
}

/// Checks the files of a request and a response each. A response that is streamed is not read here.
fn check_exchanges(provider: Provider, folder: &str, member: &str) {
    let Some(data) = data() else { return };
    let plain = plain(provider);
    check_files(exchanges(&data, folder), |file| {
        let exchange = json(file);
        if let Some(messages) = exchange["request"][member].as_array() {
            check_history(plain, messages, |so_far| json!({member: so_far}))?;
        }
        check_response(plain, &exchange["response"])
    });
}

fn check_response(plain: &Plain, response: &Value) -> Result<(), String> {
    if response.is_null() { Ok(()) } else { check(plain, response, &(plain.calls_of_response)(response)) }
}

#[test]
fn anthropic() {
    check_exchanges(Provider::Anthropic, "anthropic-messages", "messages");
}

#[test]
fn bedrock() {
    check_exchanges(Provider::Bedrock, "bedrock-converse", "messages");
}

#[test]
fn gemini() {
    check_exchanges(Provider::Gemini, "gemini-generate-content", "contents");
}

/// Each line has a response, or the list of what was streamed.
#[test]
fn gemini_in_chunks() {
    let Some(data) = data() else { return };
    check_files(files(&data.join("recordings/gemini-cli")), |file| {
        lines(file).iter().try_for_each(|line| check_response(plain(Provider::Gemini), &line["response"]))
    });
}

/// Each line has a line of one side's. What is no JSON in it was sent to see what the server says.
#[test]
fn mcp() {
    let Some(data) = data() else { return };
    let mcp = plain(Provider::Mcp);
    check_files(files(&data.join("mcp/recorded-stdio")), |file| {
        let sent = lines(file).into_iter().filter_map(|line| serde_json::from_str(line["line"].as_str().unwrap()).ok());
        let messages: Vec<Value> = sent.collect();
        let mut asked = messages.iter().filter(|message| message["method"] == "tools/call");
        asked.try_for_each(|call| check(mcp, call, &(mcp.calls)(call)))?;
        check_history(mcp, &messages, |so_far| json!(so_far))
    });
}

#[test]
fn mcp_of_the_specification() {
    let Some(data) = data() else { return };
    let call = json(&data.join("mcp/spec-examples-2026-07-28/CallToolRequest--call-tool-request.json"));
    assert_eq!(check_response(plain(Provider::Mcp), &call), Ok(()));
}

fn lines(file: &Path) -> Vec<Value> {
    text(file).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
