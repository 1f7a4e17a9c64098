//! What a directory holds after a request, as a workspace.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use dispatch_core::json::Document;
use thiserror::Error;

/// Says why a directory can't be read back.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NotReadBack {
    /// The directory could not be read.
    #[error("the directory could not be read: {0}")]
    Unreadable(#[from] io::Error),
    /// Something is there that no workspace can hold: an empty directory, a link, bytes that are no text.
    #[error("`{0}` was left behind in the directory")]
    LeftBehind(String),
    /// A request that failed changed something.
    #[error("what failed changed the directory: it holds {0}")]
    Changed(String),
}

/// Collects the files below a directory. One that holds nothing can't have come from a workspace.
pub(super) fn collect(root: &Path, below: &str, files: &mut BTreeMap<String, String>) -> Result<(), NotReadBack> {
    let mut is_empty = true;
    for entry in fs::read_dir(root.join(below))? {
        is_empty = false;
        let entry = entry?;
        let name = entry.file_name();
        let path = format!("{below}{}", name.to_string_lossy());
        let kind = entry.file_type()?;
        if kind.is_dir() {
            collect(root, &format!("{path}/"), files)?;
        } else {
            let text = if kind.is_file() { String::from_utf8(fs::read(entry.path())?).ok() } else { None };
            let text = text.filter(|_| name.to_str().is_some());
            files.insert(path.clone(), text.ok_or(NotReadBack::LeftBehind(path))?);
        }
    }
    if is_empty && !below.is_empty() { Err(NotReadBack::LeftBehind(below.to_owned())) } else { Ok(()) }
}

/// Puts the workspace behind the other members of a response: of all of them, its name sorts last.
pub(super) fn with_member(response: &[u8], workspace: &str, is_pretty: bool) -> Vec<u8> {
    let member = format!(r#"{{"workspace":{workspace}}}"#);
    let (end, separator, member) =
        if is_pretty { ("\n}\n", ",", indented(&member)) } else { ("}\n", ",", format!("{member}\n")) };
    let member = member.strip_prefix('{').unwrap_or_default();
    match response.strip_suffix(end.as_bytes()) {
        Some(members) => [members, separator.as_bytes(), member.as_bytes()].concat(),
        None => response.to_vec(),
    }
}

fn indented(json: &str) -> String {
    let mut text = Vec::new();
    if let Ok(document) = Document::parse(json.into()) {
        // Writing to memory does not fail.
        let _ = document.root().write_indented(&mut text);
    }
    format!("{}\n", String::from_utf8_lossy(&text))
}
