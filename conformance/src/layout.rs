//! A case's workspace as the files of a directory: how it gets there, and how it comes back.
//!
//! **What a directory can't hold is not laid out differently: it is not laid out.** Why, [`NotLaidOut`] says.

mod back;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

pub use back::NotReadBack;
pub(crate) use back::read_within;
use back::{Bounds, Collected};
use dispatch_core::json::{Document, JsonPath};
use dispatch_core::protocol;
use dispatch_core::workspace::WorkspacePath;
use thiserror::Error;

use crate::json::{quoted, sorted_object};
use crate::raw;
use crate::subject::{Input, Output};

/// The length in bytes of the longest name that common file systems hold.
const LONGEST_NAME: usize = 255;

/// What a workspace that is left may hold in any case, in bytes, and how many times the bytes of the request and its files besides.
const LEAST_BYTES: usize = 1 << 20;
const BYTES_PER_INPUT: usize = 8;

/// How many files and directories it may hold in any case, beside one for each of those bytes.
const LEAST_ENTRIES: usize = 1000;

/// Holds an input that asks the same of a directory, and the files that the directory is to have.
#[derive(Debug)]
pub struct Layout {
    /// The input without its workspace.
    pub input: Input,
    files: BTreeMap<String, File>,
}

/// Holds a file as a request brings it.
#[derive(Debug)]
struct File {
    spelling: String,
    text: String,
}

/// Says why an input can't be asked of a directory.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NotLaidOut {
    /// What is replayed begins with the workspace that its log or its case holds.
    #[error("a replay has a workspace of its own")]
    Replay,
    /// A stream sets or asks for the workspace between its calls.
    #[error("a request of the stream sets the workspace or asks for it")]
    Stream,
    /// The workspace is not what a workspace is, and that is what the case is about.
    #[error("the workspace is no object of texts: {0}")]
    Workspace(#[source] protocol::Failure),
    /// A key is no path, leads outside, is another path's spelling or has too long a name.
    #[error("no file can have the path {0:?}")]
    Path(String),
    /// A file's path leads through another file.
    #[error("a file can't lie below a file, as {0:?} does")]
    BelowAFile(String),
}

impl Layout {
    /// Takes an input apart.
    ///
    /// A request that is no JSON object, or brings no workspace, is asked as it is.
    ///
    /// # Errors
    ///
    /// A [`NotLaidOut`] where no directory can stand in for the workspace.
    ///
    /// # Example
    ///
    /// ```
    /// use conformance::layout::Layout;
    /// use conformance::subject::Input;
    /// use conformance::yaml::{Options, Toolset};
    ///
    /// let input = |stdin: &str| Input {
    ///     stdin: stdin.into(),
    ///     is_stream: false,
    ///     workspace: None,
    ///     options: Options::default(),
    ///     toolset: Toolset::Core,
    ///     is_for_directory: false,
    /// };
    /// let layout = Layout::of(&input(r#"{"op":"dispatch","workspace":{"a":""},"call":{}}"#))?;
    /// assert_eq!(layout.input.stdin, br#"{"op":"dispatch","call":{}}"#);
    /// assert!(Layout::of(&input(r#"{"op":"dispatch","workspace":{"../a":""},"call":{}}"#)).is_err());
    /// # Ok::<(), conformance::layout::NotLaidOut>(())
    /// ```
    pub fn of(input: &Input) -> Result<Self, NotLaidOut> {
        let asked = |stdin: Vec<u8>| Input { stdin, workspace: None, ..input.clone() };
        if input.options.replay {
            return Err(NotLaidOut::Replay);
        }
        if input.options.provider.is_some() || input.is_for_directory {
            let files = files(input.workspace.as_deref().unwrap_or("{}"))?;
            return Ok(Self { input: asked(input.stdin.clone()), files });
        }
        if input.is_stream && input.stdin.split(|byte| *byte == b'\n').any(is_about_a_workspace) {
            return Err(NotLaidOut::Stream);
        }
        match brought(&input.stdin) {
            Some((stdin, workspace)) => Ok(Self { files: files(workspace)?, input: asked(stdin.into_bytes()) }),
            None => Ok(Self { files: BTreeMap::new(), input: asked(input.stdin.clone()) }),
        }
    }

    /// Writes the files into a directory.
    ///
    /// # Errors
    ///
    /// The operating system's, where it can't hold them after all.
    pub fn write(&self, root: &Path) -> io::Result<()> {
        self.files.iter().try_for_each(|(path, file)| {
            let place = root.join(path);
            fs::create_dir_all(place.parent().unwrap_or(root))?;
            fs::write(place, &file.text)
        })
    }

    /// Puts what a directory holds into an output, where the workspace would stand.
    ///
    /// A file that has the text it was given has its spelling too, which no directory can keep.
    ///
    /// # Errors
    ///
    /// A [`NotReadBack`] where the directory holds what no workspace can, or what failed changed it.
    pub fn put_back(&self, output: Output, root: &Path) -> Result<Output, NotReadBack> {
        let files = Collected::below(root, self.bounds())?.files;
        let workspace = self.spelled(&files);
        let is_as_it_was = || files.iter().eq(self.files.iter().map(|(path, file)| (path, &file.text)));
        Ok(match self.input.options.provider {
            // What a stream did before it failed stays done.
            _ if self.input.is_stream => Output { left: Some(format!("{workspace}\n").into_bytes()), ..output },
            _ if output.exit != 0 && !is_as_it_was() => return Err(NotReadBack::Changed(workspace)),
            _ if output.exit != 0 => output,
            Some(_) => Output { workspace: Some(format!("{workspace}\n").into_bytes()), ..output },
            None if self.input.is_for_directory => {
                Output { left: Some(format!("{workspace}\n").into_bytes()), ..output }
            }
            None => {
                Output { stdout: back::with_member(&output.stdout, &workspace, self.input.options.pretty), ..output }
            }
        })
    }

    /// Bounds what is read back: what a program may print, and that many files for what a stream asks.
    fn bounds(&self) -> Bounds {
        let given: usize = self.files.iter().map(|(path, file)| path.len() + file.text.len()).sum();
        let asked = self.input.stdin.len() + given;
        Bounds { bytes: most_bytes(asked), entries: LEAST_ENTRIES + asked }
    }

    fn spelled(&self, files: &BTreeMap<String, String>) -> String {
        let spelling = |path: &String, text: &String| {
            let before = self.files.get(path).filter(|before| before.text == *text);
            before.map_or_else(|| quoted(text), |before| before.spelling.clone())
        };
        sorted_object(files.iter().map(|(path, text)| (path.clone(), spelling(path, text))).collect())
    }
}

/// Bounds the workspace that is left by what was asked and given, in bytes.
pub(crate) fn most_bytes(asked: usize) -> usize {
    LEAST_BYTES + BYTES_PER_INPUT * asked
}

/// Returns a request without its workspace, and the workspace. `None` where it is no JSON object, or has none.
fn brought(request: &[u8]) -> Option<(String, &str)> {
    let text = std::str::from_utf8(request).ok()?;
    let (mark, text) = text.split_at(text.len() - text.strip_prefix('\u{feff}').unwrap_or(text).len());
    parsed(text)?.root().locate(&JsonPath::root().member("workspace"))?;
    let workspace = raw::member_named(text, "workspace")?;
    Some((format!("{mark}{}", raw::without_member(text, "workspace")?), workspace))
}

/// Reads a request as the protocol does. What it calls malformed fails before any workspace is looked at.
fn parsed(request: &str) -> Option<Document> {
    Document::parse_tolerating(request.into(), |path| path.starts_with(&["call", "args"])).ok()
}

fn is_about_a_workspace(line: &[u8]) -> bool {
    let Ok(line) = std::str::from_utf8(line) else { return false };
    let line = line.strip_prefix('\u{feff}').unwrap_or(line);
    let op = raw::member_named(line, "op").and_then(|op| serde_json::from_str::<String>(op).ok());
    raw::member_named(line, "workspace").is_some() || op.as_deref() == Some("workspace")
}

/// Reads the files of a workspace, each one's path being a place in a directory.
fn files(workspace: &str) -> Result<BTreeMap<String, File>, NotLaidOut> {
    let decoded = protocol::read_workspace(workspace.into()).map_err(NotLaidOut::Workspace)?;
    let spellings: BTreeMap<String, &str> = raw::members(workspace).unwrap_or_default().into_iter().collect();
    let mut files = BTreeMap::new();
    for (path, text) in decoded.files() {
        place(path)?;
        let spelling = spellings.get(path).map_or_else(|| quoted(&text), |spelling| (*spelling).to_owned());
        files.insert(path.to_owned(), File { spelling, text: text.into_owned() });
    }
    match files.keys().find(|path| above(path).any(|directory| files.contains_key(directory))) {
        Some(path) => Err(NotLaidOut::BelowAFile(path.clone())),
        None => Ok(files),
    }
}

/// Expects a path to be that of a file, spelled as the file's own.
fn place(path: &str) -> Result<(), NotLaidOut> {
    let is_itself = WorkspacePath::resolve(path).is_ok_and(|resolved| !resolved.is_root() && resolved.as_str() == path);
    let has_names = path.split('/').all(|name| name.len() <= LONGEST_NAME);
    if is_itself && has_names { Ok(()) } else { Err(NotLaidOut::Path(path.to_owned())) }
}

/// Iterates over the paths of the directories that a path leads through.
fn above(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').filter_map(|(end, _)| path.get(..end))
}

#[cfg(test)]
mod tests;
