//! What a workspace's own ignore files leave out.

use std::sync::Arc;

use dispatch_core::workspace::{ListedKind, Snapshot, WorkspacePath};
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// The files that say what is to be left out. What an earlier one says outweighs what a later one does, wherever they lie.
const IGNORE_FILES: [&str; 3] = [".rgignore", ".ignore", ".gitignore"];

/// The rules in force in a directory: those of its own ignore files and of the directories above it in the workspace.
#[derive(Debug, Clone, Default)]
pub(super) struct Rules(Arc<[Arc<Level>]>);

/// The rules of one directory's ignore files.
#[derive(Debug)]
struct Level {
    /// How many bytes of a path stand before what the rules are about.
    above: usize,
    rules: [Gitignore; IGNORE_FILES.len()],
}

/// What the rules say of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Ignored,
    /// It is to be seen, even if it is hidden.
    Shown,
    Open,
}

impl Rules {
    /// The rules that hold in a directory, where these hold in the one above. Of ignore files that can't be read it is said how many there are.
    pub(super) fn within(
        &self,
        snapshot: Snapshot<'_>,
        directory: &WorkspacePath,
        listed: &[(WorkspacePath, ListedKind)],
    ) -> (Self, u64) {
        let mut unread = 0;
        let mut read = |name: &&str| {
            let is_it = |(path, kind): &&(WorkspacePath, ListedKind)| path.name() == *name && may_hold_rules(*kind);
            let text = listed.iter().find(is_it).map(|(path, kind)| read(snapshot, path, *kind));
            unread += u64::from(text == Some(None));
            text.flatten()
        };
        let texts = IGNORE_FILES.each_ref().map(&mut read);
        if texts.iter().all(Option::is_none) {
            return (self.clone(), unread);
        }
        let level = Level {
            above: if directory.is_root() { 0 } else { directory.as_str().len() + 1 },
            rules: texts.map(|text| text.map_or_else(Gitignore::empty, |text| rules(&text))),
        };
        let levels = self.0.iter().cloned().chain([Arc::new(level)]);
        (Self(levels.collect()), unread)
    }

    /// What the rules say of something in the directory.
    pub(super) fn judge(&self, path: &str, is_directory: bool) -> Verdict {
        let innermost_first = |file: usize| {
            let judge = move |level: &Arc<Level>| level.judge(file, path, is_directory);
            self.0.iter().rev().map(judge).find(|verdict| *verdict != Verdict::Open)
        };
        (0..IGNORE_FILES.len()).find_map(innermost_first).unwrap_or(Verdict::Open)
    }
}

impl Level {
    fn judge(&self, file: usize, path: &str, is_directory: bool) -> Verdict {
        let (Some(rules), Some(path)) = (self.rules.get(file), path.get(self.above..)) else { return Verdict::Open };
        match rules.matched(path, is_directory) {
            Match::None => Verdict::Open,
            Match::Ignore(_) => Verdict::Ignored,
            Match::Whitelist(_) => Verdict::Shown,
        }
    }
}

/// A link may lead to an ignore file: ripgrep follows it, and here it leads nowhere but into the workspace. What of a pipe could be rules is not waited for:
/// it can't be read, and is said to be.
fn may_hold_rules(kind: ListedKind) -> bool {
    matches!(kind, ListedKind::File | ListedKind::Link | ListedKind::Special)
}

fn read(snapshot: Snapshot<'_>, path: &WorkspacePath, kind: ListedKind) -> Option<Vec<u8>> {
    let place = if kind == ListedKind::Link { snapshot.resolve(path.as_str()).ok()? } else { path.clone() };
    let mut text = Vec::new();
    snapshot.read_into(&place, &mut text).ok()?;
    Some(text)
}

/// The rules of a text: of its lines those that can be read.
fn rules(text: &[u8]) -> Gitignore {
    // Paths come relative to the directory.
    let mut builder = GitignoreBuilder::new("");
    for (index, line) in text.split_inclusive(|byte| *byte == b'\n').enumerate() {
        // A `\r` that no `\n` follows is part of the pattern.
        let line = line.strip_suffix(b"\n").map_or(line, |line| line.strip_suffix(b"\r").unwrap_or(line));
        let Ok(line) = str::from_utf8(line) else { continue };
        let line = if index == 0 { line.trim_start_matches('\u{feff}') } else { line };
        // As Git and ripgrep do, a line that is no pattern is passed over.
        let _ = builder.add_line(None, line);
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}
