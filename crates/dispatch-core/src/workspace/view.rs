//! The view through which a handler sees the workspace.

mod patching;

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{ChangeSet, Entry, OutsideWorkspace, Progress, Snapshot, Version, Visitor, Workspace, WorkspacePath};
use crate::code::ErrorCode;
use crate::failure::{ToolFailure, panic_text};

/// A workspace as one call sees it: with the call's own changes, which nobody else sees before it succeeded.
///
/// ```
/// use dispatch_core::ToolFailure;
/// use dispatch_core::workspace::{MemoryWorkspace, View};
/// # use dispatch_core::{Gates, Registry, ToolCall, json::Document, tool_fn};
/// # #[derive(serde::Deserialize, schemars::JsonSchema)]
/// # struct NoArgs {}
///
/// fn renew(_: NoArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
///     let old = view.read_text("a.txt")?.into_owned();
///     view.write("a.txt", "new".to_owned())?;
///     assert_eq!(view.read_text("./a.txt")?, "new");
///     Ok(old)
/// }
/// # let gates = Gates::new(Registry::builder().tool(tool_fn("example", renew)).build()?);
/// # let admitted = gates.admit(ToolCall::new("example", Document::parse(b"{}".to_vec())?))?;
/// # let mut workspace = MemoryWorkspace::from_iter([("a.txt", "old")]);
/// # let result = admitted.run(&mut workspace);
/// # assert!(result.error().is_none(), "{:?}", result.error());
/// assert_eq!(workspace.files().next().unwrap(), ("a.txt", "new".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// It is all that a handler sees: files, the call's id, and whom to tell how far it has come.
pub struct View<'w> {
    workspace: &'w dyn Workspace,
    changes: ChangeSet,
    /// The state in which each file was first read. A file is read through a shared view: hence the cell.
    read: RefCell<BTreeMap<WorkspacePath, Version>>,
    /// Where each path led when it was first asked for: what becomes of links meanwhile does not put a file in another's place.
    places: RefCell<BTreeMap<String, Result<WorkspacePath, OutsideWorkspace>>>,
    call_id: Option<&'w str>,
    listener: Option<&'w mut dyn FnMut(Progress)>,
    explains: bool,
    /// Whether each file that is written is to be held whole: whoever looks at the changes sees texts alone.
    holds_files: bool,
}

impl<'w> View<'w> {
    /// Opens a view without changes. Only a call that was admitted gets one.
    pub(crate) fn new(workspace: &'w dyn Workspace) -> Self {
        let (changes, read, places) = (ChangeSet::default(), RefCell::default(), RefCell::default());
        Self { workspace, changes, read, places, call_id: None, listener: None, explains: false, holds_files: false }
    }

    /// Opens a view whose changes are to be looked at, not made.
    pub(crate) fn to_look_at(workspace: &'w dyn Workspace) -> Self {
        Self { holds_files: true, ..Self::new(workspace) }
    }

    /// Sets what the handler may know of its call, and who hears of its progress.
    pub(crate) fn for_call(
        self,
        call_id: Option<&'w str>,
        explains: bool,
        listener: &'w mut dyn FnMut(Progress),
    ) -> Self {
        Self { call_id, explains, listener: Some(listener), ..self }
    }

    /// Returns the id of the call that is running.
    pub fn call_id(&self) -> Option<&'w str> {
        self.call_id
    }

    /// Returns whether a failure is to be explained. To find out what nearly fitted takes time, and not everybody wants to know.
    pub fn explains(&self) -> bool {
        self.explains
    }

    /// Tells the host how far the handler has come.
    ///
    /// A listener that panics hears no more, and the call goes on: how a call ends is not for whoever listens to say.
    pub fn report(&mut self, progress: Progress) {
        let Some(listener) = self.listener.take() else { return };
        match catch_unwind(AssertUnwindSafe(|| listener(progress))) {
            Ok(()) => self.listener = Some(listener),
            // The panic hook has told it; what is left is to let go of it safely.
            Err(panic) => drop(panic_text(panic)),
        }
    }

    /// Tries something, and takes back what it wrote when it fails.
    ///
    /// For a wrapper that runs a handler more than once: each attempt begins with the files as they were.
    ///
    /// # Errors
    ///
    /// Those of the attempt.
    ///
    /// ```
    /// use dispatch_core::{ErrorCode, ToolFailure};
    /// use dispatch_core::workspace::{MemoryWorkspace, View};
    /// # use dispatch_core::{Gates, Registry, ToolCall, json::Document, tool_fn};
    /// # #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// # struct NoArgs {}
    ///
    /// fn try_twice(_: NoArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
    ///     let failed: Result<(), ToolFailure> = view.attempt(|view| {
    ///         view.write("half.txt", "half".to_owned())?;
    ///         Err(ErrorCode::Timeout.into())
    ///     });
    ///     assert!(failed.is_err());
    ///     view.write("whole.txt", "whole".to_owned())?;
    ///     Ok(String::new())
    /// }
    /// # let gates = Gates::new(Registry::builder().tool(tool_fn("example", try_twice)).build()?);
    /// # let admitted = gates.admit(ToolCall::new("example", Document::parse(b"{}".to_vec())?))?;
    /// # let mut workspace = MemoryWorkspace::from_iter([("a.txt", "")]);
    /// # let result = admitted.run(&mut workspace);
    /// # assert!(result.error().is_none(), "{:?}", result.error());
    /// let files: Vec<_> = workspace.files().map(|(path, _)| path).collect();
    /// assert_eq!(files, ["a.txt", "whole.txt"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn attempt<T, E>(&mut self, attempt: impl FnOnce(&mut Self) -> Result<T, E>) -> Result<T, E> {
        let before = self.changes.clone();
        attempt(self).inspect_err(|_| self.changes = before)
    }

    /// Returns the contents of a file.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::PathOutsideWorkspace`], [`ErrorCode::IsADirectory`], [`ErrorCode::FileNotFound`], and whatever the workspace has
    /// against it.
    ///
    /// ```
    /// use dispatch_core::{ErrorCode, ToolFailure};
    /// use dispatch_core::workspace::{MemoryWorkspace, View};
    /// # use dispatch_core::{Gates, Registry, ToolCall, json::Document, tool_fn};
    /// # #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// # struct NoArgs {}
    ///
    /// fn handler(_: NoArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
    ///     assert_eq!(view.read_text("src/a.txt")?, "old");
    ///     assert_eq!(view.read_text("src").unwrap_err(), ErrorCode::IsADirectory.into());
    ///     assert_eq!(view.read_text("b.txt").unwrap_err(), ErrorCode::FileNotFound.into());
    ///     assert_eq!(view.read_text("/src/a.txt").unwrap_err(), ErrorCode::PathOutsideWorkspace.into());
    ///     Ok(String::new())
    /// }
    /// # let gates = Gates::new(Registry::builder().tool(tool_fn("example", handler)).build()?);
    /// # let admitted = gates.admit(ToolCall::new("example", Document::parse(b"{}".to_vec())?))?;
    /// # let mut workspace = MemoryWorkspace::from_iter([("src/a.txt", "old")]);
    /// # let result = admitted.run(&mut workspace);
    /// # assert!(result.error().is_none(), "{:?}", result.error());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_text(&self, path: &str) -> Result<Cow<'_, str>, ToolFailure> {
        let path = self.resolve(path)?;
        if let Some(content) = self.changes.files.get(&path) {
            return Ok(Cow::Borrowed(content));
        }
        match self.entry(&path)? {
            Entry::File => {
                let reading = self.workspace.read(&path)?;
                self.note_read(&path, &reading.version);
                let text = reading.into_text()?;
                match self.changes.patches.get(&path) {
                    None => Ok(text),
                    Some(change) => Ok(patching::patched(text, change)?),
                }
            }
            Entry::Directory => Err(ErrorCode::IsADirectory.into()),
            Entry::Absent | Entry::BelowFile => Err(ErrorCode::FileNotFound.into()),
        }
    }

    fn note_read(&self, path: &WorkspacePath, version: &Version) {
        self.read.borrow_mut().entry(path.clone()).or_insert_with(|| version.clone());
    }

    /// Returns the place that a path names. For one call a path leads to one place.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::PathOutsideWorkspace`].
    ///
    /// ```
    /// use dispatch_core::{ErrorCode, ToolFailure};
    /// use dispatch_core::workspace::{MemoryWorkspace, View};
    /// # use dispatch_core::{Gates, Registry, ToolCall, json::Document, tool_fn};
    /// # #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// # struct NoArgs {}
    ///
    /// fn handler(_: NoArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
    ///     assert_eq!(view.resolve("./src//b/../a.txt")?, view.resolve("src/a.txt")?);
    ///     assert_eq!(view.resolve("../a.txt").unwrap_err(), ErrorCode::PathOutsideWorkspace.into());
    ///     Ok(String::new())
    /// }
    /// # let gates = Gates::new(Registry::builder().tool(tool_fn("example", handler)).build()?);
    /// # let admitted = gates.admit(ToolCall::new("example", Document::parse(b"{}".to_vec())?))?;
    /// # let mut workspace = MemoryWorkspace::from_iter([("src/a.txt", "old")]);
    /// # let result = admitted.run(&mut workspace);
    /// # assert!(result.error().is_none(), "{:?}", result.error());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resolve(&self, path: &str) -> Result<WorkspacePath, ToolFailure> {
        if let Some(known) = self.places.borrow().get(path) {
            return Ok(known.clone()?);
        }
        let place = self.workspace.resolve(path);
        self.places.borrow_mut().insert(path.to_owned(), place.clone());
        Ok(place?)
    }

    /// Shows a visitor the files below a directory, the call's own among them, sorted by the code points of their paths, until it breaks off.
    ///
    /// Where there is no directory, there is nothing to show. A directory below that can't be listed does not end the walk. Returns how many there
    /// were: what lies in them was not shown.
    ///
    /// # Errors
    ///
    /// Whatever the workspace has against listing the directory itself.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use dispatch_core::ToolFailure;
    /// use dispatch_core::workspace::{MemoryWorkspace, View};
    /// # use dispatch_core::{Gates, Registry, ToolCall, json::Document, tool_fn};
    /// # #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// # struct NoArgs {}
    ///
    /// fn list(_: NoArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
    ///     view.write("a/2", String::new())?;
    ///     let mut seen = Vec::new();
    ///     view.walk(&view.resolve("a")?, &mut |file| {
    ///         seen.push(file.to_string());
    ///         ControlFlow::Continue(())
    ///     })?;
    ///     Ok(seen.join(" "))
    /// }
    /// # let gates = Gates::new(Registry::builder().tool(tool_fn("example", list)).build()?);
    /// # let admitted = gates.admit(ToolCall::new("example", Document::parse(b"{}".to_vec())?))?;
    /// # let mut workspace = MemoryWorkspace::from_iter([("a/1", ""), ("a/3", ""), ("b", "")]);
    /// # let result = admitted.run(&mut workspace);
    /// # assert!(result.error().is_none(), "{:?}", result.error());
    /// assert_eq!(result.shown().unwrap().text, "a/1 a/2 a/3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn walk(&self, directory: &WorkspacePath, visitor: Visitor<'_>) -> Result<u64, ToolFailure> {
        Ok(self.snapshot().walk(directory, visitor)?)
    }

    /// Returns the files as the call sees them now, for a handler that looks at many of them, on several threads if it likes.
    ///
    /// ```
    /// use dispatch_core::ToolFailure;
    /// use dispatch_core::workspace::{ListedKind, MemoryWorkspace, View, WorkspacePath};
    /// # use dispatch_core::{Gates, Registry, ToolCall, json::Document, tool_fn};
    /// # #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// # struct NoArgs {}
    ///
    /// fn list(_: NoArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
    ///     view.write("b/new", String::new())?;
    ///     let listed = view.snapshot().list(&WorkspacePath::root())?;
    ///     assert_eq!(listed[1], (view.resolve("b")?, ListedKind::Directory));
    ///     Ok(listed.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>().join(" "))
    /// }
    /// # let gates = Gates::new(Registry::builder().tool(tool_fn("example", list)).build()?);
    /// # let admitted = gates.admit(ToolCall::new("example", Document::parse(b"{}".to_vec())?))?;
    /// # let mut workspace = MemoryWorkspace::from_iter([("a", ""), ("c/1", ""), ("c/2", "")]);
    /// # let result = admitted.run(&mut workspace);
    /// # assert!(result.error().is_none(), "{:?}", result.error());
    /// assert_eq!(result.shown().unwrap().text, "a b c");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn snapshot(&self) -> Snapshot<'_> {
        Snapshot::new(self.workspace, &self.changes)
    }

    /// Sets the contents of a file, which is created with its parents where there is none.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::PathOutsideWorkspace`], [`ErrorCode::IsADirectory`], [`ErrorCode::NotADirectory`], and whatever the workspace has
    /// against it.
    ///
    /// ```
    /// use dispatch_core::{ErrorCode, ToolFailure};
    /// use dispatch_core::workspace::{MemoryWorkspace, View};
    /// # use dispatch_core::{Gates, Registry, ToolCall, json::Document, tool_fn};
    /// # #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// # struct NoArgs {}
    ///
    /// fn handler(_: NoArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
    ///     view.write("src/new/b.txt", "new".to_owned())?;
    ///     assert_eq!(view.read_text("src/new/b.txt")?, "new");
    ///     assert_eq!(view.write("src", String::new()).unwrap_err(), ErrorCode::IsADirectory.into());
    ///     assert_eq!(view.write("src/a.txt/b", String::new()).unwrap_err(), ErrorCode::NotADirectory.into());
    ///     Ok(String::new())
    /// }
    /// # let gates = Gates::new(Registry::builder().tool(tool_fn("example", handler)).build()?);
    /// # let admitted = gates.admit(ToolCall::new("example", Document::parse(b"{}".to_vec())?))?;
    /// # let mut workspace = MemoryWorkspace::from_iter([("src/a.txt", "old")]);
    /// # let result = admitted.run(&mut workspace);
    /// # assert!(result.error().is_none(), "{:?}", result.error());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(&mut self, path: &str, content: String) -> Result<(), ToolFailure> {
        let path = self.resolve(path)?;
        match self.entry(&path)? {
            Entry::File | Entry::Absent => {
                self.changes.write(path, content);
                Ok(())
            }
            Entry::Directory => Err(ErrorCode::IsADirectory.into()),
            Entry::BelowFile => Err(ErrorCode::NotADirectory.into()),
        }
    }

    /// Says whether a file may have so many bytes, for a handler that is to make a text longer than all that it was given: before it makes room for it.
    ///
    /// # Errors
    ///
    /// [`ErrorCode::FileTooLarge`].
    ///
    /// ```
    /// use dispatch_core::{ErrorCode, ToolFailure};
    /// use dispatch_core::workspace::{MemoryWorkspace, View};
    /// # use dispatch_core::{Gates, Registry, ToolCall, json::Document, tool_fn};
    /// # #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// # struct NoArgs {}
    ///
    /// fn repeat(_: NoArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
    ///     assert_eq!(view.check_length(1 << 40).unwrap_err().code().built_in(), Some(ErrorCode::FileTooLarge));
    ///     view.check_length(3 * 1000)?;
    ///     view.write("a.txt", "abc".repeat(1000))?;
    ///     Ok(String::new())
    /// }
    /// # let gates = Gates::new(Registry::builder().tool(tool_fn("example", repeat)).build()?);
    /// # let admitted = gates.admit(ToolCall::new("example", Document::parse(b"{}".to_vec())?))?;
    /// # let mut workspace = MemoryWorkspace::default();
    /// # let result = admitted.run(&mut workspace);
    /// # assert!(result.error().is_none(), "{:?}", result.error());
    /// assert_eq!(workspace.files().count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check_length(&self, bytes: u64) -> Result<(), ToolFailure> {
        // The code says all: the operator has no part in what a call multiplies.
        self.workspace.check_length(bytes).map_err(|error| error.code().into())
    }

    /// Returns what the call has written.
    pub(crate) fn into_changes(self) -> ChangeSet {
        let mut changes = self.changes;
        let mut bases = self.read.into_inner();
        bases.retain(|path, _| changes.holds(path));
        changes.bases = bases;
        changes
    }

    /// Returns the file that a path leads through, if it leads through one, by the letters of the path.
    pub(crate) fn file_above(&self, path: &str) -> Option<String> {
        let place = self.resolve(path).ok()?;
        let path = WorkspacePath::resolve(path).unwrap_or(place);
        let is_file = |above: &&str| self.resolve(above).is_ok_and(|above| self.entry(&above) == Ok(Entry::File));
        // Each is looked up by its whole text: of a path without end only the beginning is looked at.
        path.ancestors().take(100).find(is_file).map(str::to_owned)
    }

    /// What stands at a place, the call's own changes counted in.
    fn entry(&self, path: &WorkspacePath) -> Result<Entry, ToolFailure> {
        Ok(self.snapshot().entry(path)?)
    }
}

impl std::fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("View").field("call_id", &self.call_id).field("changes", &self.changes).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
