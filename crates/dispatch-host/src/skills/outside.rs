//! Skills from outside of the workspace: read once, and held.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use dispatch_core::ErrorCode;
use dispatch_core::workspace::{Snapshot, WorkspacePath};

use super::found::{Found, SKILL};

/// So many files of a skill are held. It has a handful.
const MOST_FILES: usize = 1000;

/// So many bytes of a skill's other files are held.
const MOST_BYTES: usize = 16 << 20;

/// A skill with its files, as they were when they were read.
#[derive(Debug)]
pub(super) struct Outside {
    pub(super) text: String,
    /// The files beside SKILL.md, by their paths in the skill's folder: their texts, or why there is none.
    pub(super) files: BTreeMap<String, Result<String, ErrorCode>>,
}

impl Outside {
    pub(super) fn read(files: Snapshot<'_>, found: Found) -> Self {
        let mut paths: Vec<WorkspacePath> = Vec::new();
        // What can't be listed has no files that could be read.
        let _ = files.walk(&found.folder, &mut |path| {
            paths.push(path.clone());
            if paths.len() < MOST_FILES { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        let mut bytes_left = MOST_BYTES;
        let in_folder = |path: &WorkspacePath| path.as_str().get(found.folder.as_str().len() + 1..).map(str::to_owned);
        let named = paths.iter().filter_map(|path| Some((in_folder(path)?, path))).filter(|(name, _)| name != SKILL);
        let files = named.map(|(name, path)| (name, text(files, path, &mut bytes_left))).collect();
        Self { text: found.text, files }
    }
}

fn text(files: Snapshot<'_>, path: &WorkspacePath, bytes_left: &mut usize) -> Result<String, ErrorCode> {
    let mut contents = Vec::new();
    files.read_into(path, &mut contents).map_err(|error| error.code())?;
    *bytes_left = bytes_left.checked_sub(contents.len()).ok_or(ErrorCode::FileTooLarge)?;
    String::from_utf8(contents).map_err(|_not_text| ErrorCode::NotText)
}
