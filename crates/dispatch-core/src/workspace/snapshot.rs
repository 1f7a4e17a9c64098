//! The files as a call sees them, for many eyes at a time.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;

use super::{ChangeSet, Entry, Listed, ListedKind, Visitor, Workspace, WorkspaceError, WorkspacePath};

/// The files as a call sees them at one moment: the workspace with what the call has written until then.
///
/// Made by [`View::snapshot`](super::View::snapshot). It can be handed to several threads, each of which lists and reads for itself. What is read
/// here is no base of a change: nothing is written that was made from it.
#[derive(Clone, Copy)]
pub struct Snapshot<'v> {
    workspace: &'v dyn Workspace,
    changes: &'v ChangeSet,
}

impl<'v> Snapshot<'v> {
    pub(super) fn new(workspace: &'v dyn Workspace, changes: &'v ChangeSet) -> Self {
        Self { workspace, changes }
    }

    /// Returns the place that a path names. What is listed here is a place already, but for a [link](ListedKind::Link).
    ///
    /// # Errors
    ///
    /// [`ErrorCode::PathOutsideWorkspace`](crate::ErrorCode::PathOutsideWorkspace).
    ///
    /// ```
    /// use dispatch_core::ErrorCode;
    /// use dispatch_core::workspace::{MemoryWorkspace, Snapshot, Workspace, WorkspacePath};
    ///
    /// let workspace = MemoryWorkspace::default();
    /// let snapshot = Snapshot::from(&workspace as &dyn Workspace);
    /// assert_eq!(snapshot.resolve("./a//b")?, WorkspacePath::resolve("a/b")?);
    /// assert_eq!(snapshot.resolve("../a").unwrap_err().code(), ErrorCode::PathOutsideWorkspace);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resolve(&self, path: &str) -> Result<WorkspacePath, WorkspaceError> {
        Ok(self.workspace.resolve(path)?)
    }

    /// Returns what stands at a place.
    ///
    /// # Errors
    ///
    /// Whatever the workspace has against it.
    ///
    /// ```
    /// use dispatch_core::workspace::{Entry, MemoryWorkspace};
    /// # use dispatch_core::{Gates, Registry, ToolCall, ToolFailure, json::Document, tool_fn};
    /// # use dispatch_core::workspace::View;
    /// # #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// # struct NoArgs {}
    /// # fn handler(_: NoArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
    /// view.write("new/b.txt", String::new())?;
    /// assert_eq!(view.snapshot().entry(&view.resolve("new")?)?, Entry::Directory);
    /// assert_eq!(view.snapshot().entry(&view.resolve("src/a.txt/c")?)?, Entry::BelowFile);
    /// # Ok(String::new())
    /// # }
    /// # let gates = Gates::new(Registry::builder().tool(tool_fn("example", handler)).build()?);
    /// # let admitted = gates.admit(ToolCall::new("example", Document::parse(b"{}".to_vec())?))?;
    /// # let mut workspace = MemoryWorkspace::from_iter([("src/a.txt", "old")]);
    /// # let result = admitted.run(&mut workspace);
    /// # assert!(result.error().is_none(), "{:?}", result.error());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn entry(&self, path: &WorkspacePath) -> Result<Entry, WorkspaceError> {
        if self.changes.holds(path) {
            return Ok(Entry::File);
        }
        let entry = self.workspace.entry(path)?;
        if entry != Entry::Absent {
            return Ok(entry);
        }
        let mut written = self.changes.files.keys();
        Ok(if written.clone().any(|written| path.lies_below(written)) {
            Entry::BelowFile
        } else if written.any(|written| written.lies_below(path)) {
            Entry::Directory
        } else {
            Entry::Absent
        })
    }

    /// Puts the contents of a file into a buffer, whatever they are.
    ///
    /// # Errors
    ///
    /// Whatever the workspace has against it.
    ///
    /// ```
    /// use dispatch_core::workspace::MemoryWorkspace;
    /// # use dispatch_core::{Gates, Registry, ToolCall, ToolFailure, json::Document, tool_fn};
    /// # use dispatch_core::workspace::View;
    /// # #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// # struct NoArgs {}
    /// # fn handler(_: NoArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
    /// let mut buffer = b"of the file before".to_vec();
    /// view.snapshot().read_into(&view.resolve("src/a.txt")?, &mut buffer)?;
    /// assert_eq!(buffer, b"old");
    /// let missing = view.snapshot().read_into(&view.resolve("b.txt")?, &mut buffer);
    /// assert_eq!(missing.unwrap_err().code(), dispatch_core::ErrorCode::FileNotFound);
    /// # Ok(String::new())
    /// # }
    /// # let gates = Gates::new(Registry::builder().tool(tool_fn("example", handler)).build()?);
    /// # let admitted = gates.admit(ToolCall::new("example", Document::parse(b"{}".to_vec())?))?;
    /// # let mut workspace = MemoryWorkspace::from_iter([("src/a.txt", "old")]);
    /// # let result = admitted.run(&mut workspace);
    /// # assert!(result.error().is_none(), "{:?}", result.error());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_into(&self, path: &WorkspacePath, buffer: &mut Vec<u8>) -> Result<(), WorkspaceError> {
        if let Some(written) = self.changes.files.get(path) {
            buffer.clear();
            buffer.extend_from_slice(written.as_bytes());
            return Ok(());
        }
        self.workspace.read_into(path, buffer)?;
        self.changes.patches.get(path).map_or(Ok(()), |patch| patch.apply(buffer))
    }

    /// Lists what lies in a directory, each with its path, in the order of [`Workspace::list`].
    ///
    /// # Errors
    ///
    /// Whatever the workspace has against it.
    ///
    /// ```
    /// use dispatch_core::workspace::{ListedKind, MemoryWorkspace, WorkspacePath};
    /// # use dispatch_core::{Gates, Registry, ToolCall, ToolFailure, json::Document, tool_fn};
    /// # use dispatch_core::workspace::View;
    /// # #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// # struct NoArgs {}
    /// # fn handler(_: NoArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
    /// view.write("b.txt", String::new())?;
    /// let listed = view.snapshot().list(&WorkspacePath::root())?;
    /// assert_eq!(listed, [(view.resolve("b.txt")?, ListedKind::File), (view.resolve("src")?, ListedKind::Directory)]);
    /// # Ok(String::new())
    /// # }
    /// # let gates = Gates::new(Registry::builder().tool(tool_fn("example", handler)).build()?);
    /// # let admitted = gates.admit(ToolCall::new("example", Document::parse(b"{}".to_vec())?))?;
    /// # let mut workspace = MemoryWorkspace::from_iter([("src/a.txt", "old")]);
    /// # let result = admitted.run(&mut workspace);
    /// # assert!(result.error().is_none(), "{:?}", result.error());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn list(&self, directory: &WorkspacePath) -> Result<Vec<(WorkspacePath, ListedKind)>, WorkspaceError> {
        let listed = self.listed(directory)?.into_iter();
        Ok(listed.map(|listed| (directory.child(&listed.name), listed.kind)).collect())
    }

    pub(super) fn listed(&self, directory: &WorkspacePath) -> Result<Vec<Listed>, WorkspaceError> {
        let mut listed = self.workspace.list(directory)?;
        let written = self.changes.files.keys().filter_map(|path| path.entry_of(directory));
        let (known, before) = (listed.len(), listed.clone());
        listed.extend(written.filter(|written| !before.contains(written)));
        if listed.len() > known {
            Listed::sort(&mut listed);
            // Of those that no path can name, several may be told by one name.
            listed.dedup_by(|a, b| a == b && a.kind != ListedKind::Unnamed);
        }
        Ok(listed)
    }

    /// Shows a visitor the files below a directory, and the links, which are not followed, until it breaks off. They come in the order of
    /// [`Workspace::list`], directory by directory: sorted by the code points of their paths.
    ///
    /// A directory below that can't be listed does not end the walk. Returns how many there were: what lies in them was not shown.
    ///
    /// # Errors
    ///
    /// Whatever the workspace has against listing the directory itself.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use dispatch_core::workspace::{MemoryWorkspace, WorkspacePath};
    /// # use dispatch_core::{Gates, Registry, ToolCall, ToolFailure, json::Document, tool_fn};
    /// # use dispatch_core::workspace::View;
    /// # #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// # struct NoArgs {}
    /// # fn handler(_: NoArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
    /// let mut files = Vec::new();
    /// let unread = view.snapshot().walk(&WorkspacePath::root(), &mut |file| {
    ///     files.push(file.to_string());
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!((files, unread), (vec!["src/a.txt".to_owned()], 0));
    /// # Ok(String::new())
    /// # }
    /// # let gates = Gates::new(Registry::builder().tool(tool_fn("example", handler)).build()?);
    /// # let admitted = gates.admit(ToolCall::new("example", Document::parse(b"{}".to_vec())?))?;
    /// # let mut workspace = MemoryWorkspace::from_iter([("src/a.txt", "old")]);
    /// # let result = admitted.run(&mut workspace);
    /// # assert!(result.error().is_none(), "{:?}", result.error());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn walk(&self, directory: &WorkspacePath, visitor: Visitor<'_>) -> Result<u64, WorkspaceError> {
        // Not by recursion: a directory may be nested deeper than a stack.
        let listed = |directory: &WorkspacePath| Ok::<_, WorkspaceError>(self.list(directory)?.into_iter());
        let (mut open, mut unread) = (vec![listed(directory)?], 0);
        while let Some(innermost) = open.last_mut() {
            match innermost.next() {
                None => drop(open.pop()),
                Some((path, ListedKind::Directory)) => match listed(&path) {
                    Ok(listed) => open.push(listed),
                    Err(_) => unread += 1,
                },
                Some((path, ListedKind::File | ListedKind::Link)) => {
                    if let ControlFlow::Break(()) = visitor(&path) {
                        break;
                    }
                }
                Some((_, ListedKind::Special | ListedKind::Unnamed)) => {}
            }
        }
        Ok(unread)
    }
}

/// Nothing was written yet.
static UNCHANGED: ChangeSet = ChangeSet {
    files: BTreeMap::new(),
    patches: BTreeMap::new(),
    bases: BTreeMap::new(),
    writes_before: BTreeMap::new(),
    writes: 0,
};

/// The files of a workspace as they are, for a host that looks at them outside of any call.
///
/// ```
/// use dispatch_core::workspace::{Entry, MemoryWorkspace, Snapshot, Workspace, WorkspacePath};
///
/// let workspace = MemoryWorkspace::from_iter([("src/a.txt", "text")]);
/// let snapshot = Snapshot::from(&workspace as &dyn Workspace);
/// assert_eq!(snapshot.entry(&WorkspacePath::resolve("src")?)?, Entry::Directory);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<'v> From<&'v dyn Workspace> for Snapshot<'v> {
    fn from(workspace: &'v dyn Workspace) -> Self {
        Self::new(workspace, &UNCHANGED)
    }
}

impl fmt::Debug for Snapshot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot").field("changes", &self.changes).finish_non_exhaustive()
    }
}
