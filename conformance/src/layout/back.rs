//! What a directory holds after a request, as a workspace.

use std::collections::BTreeMap;
use std::fs::{self, DirEntry, File};
use std::io::{self, Read};
use std::path::Path;

use dispatch_core::json::Document;
use thiserror::Error;

use crate::mismatch::shortened;

/// Says why the files that a program left can't be read back.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NotReadBack {
    /// The directory could not be read.
    #[error("the directory could not be read: {0}")]
    Unreadable(#[from] io::Error),
    /// It is no longer a directory, and what is there now is not followed.
    #[error("the directory was replaced by something else")]
    Replaced,
    /// Something is there that no workspace can hold: an empty directory, a link, bytes that are no text.
    #[error("`{}` was left behind in the directory", .0.escape_debug())]
    LeftBehind(String),
    /// The files hold too much, the bound being so many bytes.
    #[error("the directory holds more than {0} bytes")]
    TooMuch(usize),
    /// The file that the workspace was written into holds too much, the bound being so many bytes.
    #[error("the workspace that was written has more than {0} bytes")]
    WrittenTooMuch(usize),
    /// There are too many files and directories, the bound being so many.
    #[error("the directory holds more than {0} files and directories")]
    TooMany(usize),
    /// A request that failed changed something.
    #[error("what failed changed the directory: it holds {}", shortened(.0))]
    Changed(String),
}

/// Bounds what is read of a directory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// How much the files may hold together, in bytes.
    pub(super) bytes: usize,
    /// How many files and directories there may be.
    pub(super) entries: usize,
}

/// Holds the files below a directory, as far as they are read.
#[derive(Debug)]
pub(super) struct Collected {
    pub(super) files: BTreeMap<String, String>,
    bounds: Bounds,
    bytes: usize,
    entries: usize,
}

impl Collected {
    /// Collects the files below a directory, within bounds.
    pub(super) fn below(root: &Path, bounds: Bounds) -> Result<Self, NotReadBack> {
        if !fs::symlink_metadata(root).is_ok_and(|metadata| metadata.is_dir()) {
            return Err(NotReadBack::Replaced);
        }
        let mut collected = Self { files: BTreeMap::new(), bounds, bytes: 0, entries: 0 };
        collected.walk(root, "")?;
        Ok(collected)
    }

    /// A directory that holds nothing can't have come from a workspace.
    fn walk(&mut self, root: &Path, below: &str) -> Result<(), NotReadBack> {
        let mut is_empty = true;
        for entry in fs::read_dir(root.join(below))? {
            is_empty = false;
            self.entries += 1;
            if self.entries > self.bounds.entries {
                return Err(NotReadBack::TooMany(self.bounds.entries));
            }
            let entry = entry?;
            let path = format!("{below}{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                self.walk(root, &format!("{path}/"))?;
            } else {
                let text = self.text(&entry)?.ok_or_else(|| NotReadBack::LeftBehind(path.clone()))?;
                self.files.insert(path, text);
            }
        }
        if is_empty && !below.is_empty() { Err(NotReadBack::LeftBehind(below.to_owned())) } else { Ok(()) }
    }

    /// Reads a file. `None` where no workspace can hold it.
    fn text(&mut self, entry: &DirEntry) -> Result<Option<String>, NotReadBack> {
        if !entry.file_type()?.is_file() || entry.file_name().to_str().is_none() {
            return Ok(None);
        }
        let read = read_within(&entry.path(), self.bounds.bytes - self.bytes)?;
        let bytes = read.ok_or(NotReadBack::TooMuch(self.bounds.bytes))?;
        self.bytes += bytes.len();
        Ok(String::from_utf8(bytes).ok())
    }
}

/// Reads a file. `None` where it has more bytes than that.
pub(crate) fn read_within(file: &Path, most: usize) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    File::open(file)?.take(u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((bytes.len() <= most).then_some(bytes))
}

/// Puts the workspace behind the other members of a response: of all of them, its name sorts last. All else stays as it is spelled. What ends
/// in no object is no response, and stays as well.
pub(super) fn with_member(response: &[u8], workspace: &str, is_pretty: bool) -> Vec<u8> {
    let whole = response.trim_ascii_end();
    let Some(members) = whole.strip_suffix(b"}") else { return response.to_vec() };
    let behind = response.get(whole.len()..).unwrap_or_default();
    let members = if is_pretty { members.strip_suffix(b"\n").unwrap_or(members) } else { members };
    let separator = if members.trim_ascii_end().ends_with(b"{") { "" } else { "," };
    let member = format!(r#"{{"workspace":{workspace}}}"#);
    let member = if is_pretty { indented(&member) } else { member };
    let member = member.strip_prefix('{').unwrap_or_default();
    [members, separator.as_bytes(), member.as_bytes(), behind].concat()
}

fn indented(json: &str) -> String {
    let mut text = Vec::new();
    if let Ok(document) = Document::parse(json.into()) {
        // Writing to memory does not fail.
        let _ = document.root().write_indented(&mut text);
    }
    String::from_utf8_lossy(&text).trim_end().to_owned()
}
