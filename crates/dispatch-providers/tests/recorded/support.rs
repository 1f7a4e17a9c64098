//! Where the recordings lie, and how their files are read.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::{env, fs};

use dispatch_providers::Provider;
use serde_json::Value;

/// The providers with recordings of their API, and what these are called.
pub(crate) const FOLDERS: &[(Provider, &str)] = &[
    (Provider::Anthropic, "anthropic-messages"),
    (Provider::OpenAiChat, "openai-chat"),
    (Provider::OpenAiResponses, "openai-responses"),
    (Provider::Gemini, "gemini-generate-content"),
    (Provider::Bedrock, "bedrock-converse"),
];

/// The package's folder, asked at run time: where checkouts share a target folder, a test may have been compiled in another one.
pub(crate) fn package() -> PathBuf {
    env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from("."), PathBuf::from)
}

/// Returns the folder of all recordings, or says that there is none.
pub(crate) fn data() -> Option<PathBuf> {
    let data = package().join("../../../shared/data");
    if data.is_dir() {
        return Some(data);
    }
    // Past the harness, which shows nothing of a test that passes. There is nobody left to tell where stderr is closed.
    let _ = writeln!(io::stderr(), "skipped: there are no recordings at {}", data.display());
    None
}

/// Returns the files of an API's exchanges, and of its responses without their requests.
pub(crate) fn exchanges(data: &Path, folder: &str) -> Vec<PathBuf> {
    ["exchanges", "responses-only"].iter().flat_map(|kind| files(&data.join(kind).join(folder))).collect()
}

/// Returns the files of a folder, sorted by name.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    files.sort();
    files
}

pub(crate) fn name(file: &Path) -> String {
    file.file_name().unwrap().to_string_lossy().into_owned()
}

pub(crate) fn text(file: &Path) -> String {
    fs::read_to_string(file).unwrap()
}

pub(crate) fn json(file: &Path) -> Value {
    serde_json::from_str(&text(file)).unwrap()
}

/// Returns the elements of an array. What is none has none.
pub(crate) fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

/// Returns the values that stand directly in a value.
pub(crate) fn children(value: &Value) -> impl Iterator<Item = &Value> {
    items(value).chain(value.as_object().into_iter().flat_map(serde_json::Map::values))
}
