//! What the tests share: a folder with a workspace in it and a secret beside it, and calls that go the way of all calls.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use dispatch_core::json::Document;
use dispatch_core::workspace::{View, Workspace};
use dispatch_core::{Admitted, Gates, GivenTool, Observation, Registry, ToolCall, ToolFailure, ToolResult, tools};
use dispatch_host::DirectoryWorkspace;
use dispatch_host::directory::DirectoryOptions;
use tempfile::TempDir;

/// What must never be read, nor changed.
pub(crate) const SECRET: &str = "the secret\n";

/// A folder: `ws` is the workspace, and `secret` and `ws-secret/a` lie beside it.
pub(crate) struct Place {
    folder: TempDir,
    pub(crate) workspace: DirectoryWorkspace,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self::with(DirectoryOptions::default().durable(false))
    }

    pub(crate) fn with(options: DirectoryOptions) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for directory in ["ws", "ws-secret"] {
            fs::create_dir(folder.path().join(directory)).unwrap();
        }
        for file in ["secret", "ws-secret/a"] {
            fs::write(folder.path().join(file), SECRET).unwrap();
        }
        let workspace = options.open(folder.path().join("ws")).unwrap();
        Self { folder, workspace }
    }

    /// The path of a place in the workspace.
    pub(crate) fn inside(&self, path: &str) -> PathBuf {
        self.folder.path().join("ws").join(path)
    }

    /// The path of a place beside the workspace.
    pub(crate) fn outside(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Writes a file of the workspace, past the workspace.
    pub(crate) fn put(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.inside(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Reads a file of the workspace, past the workspace.
    pub(crate) fn bytes(&self, path: &str) -> Vec<u8> {
        fs::read(self.inside(path)).unwrap()
    }

    pub(crate) fn link(&self, target: impl AsRef<Path>, link: &str) {
        std::os::unix::fs::symlink(target, self.inside(link)).unwrap();
    }

    pub(crate) fn read(&mut self, path: &str) -> String {
        call(&mut self.workspace, "read_file", &[("path", path)])
    }

    pub(crate) fn write(&mut self, path: &str, content: &str) -> String {
        self.call_as_foretold("write_file", &[("path", path), ("content", content)])
    }

    pub(crate) fn patch(&mut self, path: &str, old: &str, new: &str) -> String {
        self.call_as_foretold("patch_file", &[("path", path), ("old_str", old), ("new_str", new)])
    }

    /// A call that is tried without effect comes to what it comes to when it is made.
    fn call_as_foretold(&mut self, tool: &str, arguments: &[(&str, &str)]) -> String {
        let foretold = preview(&self.workspace, tool, arguments);
        let told = call(&mut self.workspace, tool, arguments);
        assert_eq!(foretold, told, "{tool} {arguments:?}");
        told
    }

    /// All that lies in the workspace, temporaries too: files with their contents, links with their targets.
    pub(crate) fn all(&self) -> BTreeMap<String, String> {
        gathered(&self.inside(""))
    }

    /// What lies beside the workspace is as it was.
    pub(crate) fn assert_outside_is_as_it_was(&self) {
        let mut outside = gathered(self.folder.path());
        outside.retain(|path, _| path != "ws/" && !path.starts_with("ws/"));
        let expected = [("secret", SECRET), ("ws-secret/", ""), ("ws-secret/a", SECRET)];
        assert_eq!(outside, expected.map(|(path, text)| (path.to_owned(), text.to_owned())).into());
    }
}

fn gathered(directory: &Path) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    gather(directory, "", &mut all);
    all
}

fn gather(directory: &Path, prefix: &str, all: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(directory).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            all.insert(format!("{name}/"), String::new());
            gather(&entry.path(), &format!("{name}/"), all);
        } else if kind.is_symlink() {
            all.insert(name, format!("-> {}", fs::read_link(entry.path()).unwrap().display()));
        } else if kind.is_file() {
            all.insert(name, String::from_utf8_lossy(&fs::read(entry.path()).unwrap()).into_owned());
        } else {
            all.insert(name, "special".to_owned());
        }
    }
}

static GATES: LazyLock<Gates> = LazyLock::new(|| {
    let toolset = Registry::builder().tool(tools::ReadFile).tool(tools::WriteFile).tool(tools::PatchFile);
    Gates::new(toolset.build().unwrap())
});

/// Calls a tool as a model would, and returns what the model is told.
pub(crate) fn call(workspace: &mut impl Workspace, tool: &str, arguments: &[(&str, &str)]) -> String {
    run(&GATES, workspace, tool, &written(arguments))
}

/// What the model would be told of a call.
pub(crate) fn preview(workspace: &impl Workspace, tool: &str, arguments: &[(&str, &str)]) -> String {
    told(&admitted(&GATES, tool, &written(arguments)).preview(workspace).0)
}

fn written(arguments: &[(&str, &str)]) -> Vec<u8> {
    let arguments = arguments.iter().map(|(name, value)| ((*name).to_owned(), (*value).into()));
    serde_json::to_vec(&arguments.collect::<serde_json::Map<_, _>>()).unwrap()
}

/// Does something as a handler would, and returns what the model is told.
pub(crate) fn act<F>(workspace: &mut impl Workspace, act: F) -> String
where
    F: Fn(&mut View<'_>) -> Result<(), ToolFailure> + Send + Sync + 'static,
{
    run(&gates_of(act), workspace, "act", b"{}")
}

/// What the model would be told of something done as a handler would.
pub(crate) fn act_without_effect<F>(workspace: &impl Workspace, act: F) -> String
where
    F: Fn(&mut View<'_>) -> Result<(), ToolFailure> + Send + Sync + 'static,
{
    told(&admitted(&gates_of(act), "act", b"{}").preview(workspace).0)
}

/// Does something as a handler would whose failures are explained.
pub(crate) fn act_explained<F>(workspace: &mut impl Workspace, act: F) -> String
where
    F: Fn(&mut View<'_>) -> Result<(), ToolFailure> + Send + Sync + 'static,
{
    run(&gates_of(act).explaining(), workspace, "act", b"{}")
}

fn gates_of<F>(act: F) -> Gates
where
    F: Fn(&mut View<'_>) -> Result<(), ToolFailure> + Send + Sync + 'static,
{
    let tool = GivenTool::new("act", "", &serde_json::json!({"type": "object"})).unwrap();
    let tool = tool.run_by(move |_, view: &mut View<'_>| act(view).map(|()| Observation::text("done")));
    Gates::new(Registry::builder().given(tool).build().unwrap())
}

pub(crate) fn run(gates: &Gates, workspace: &mut impl Workspace, tool: &str, arguments: &[u8]) -> String {
    told(&admitted(gates, tool, arguments).run(workspace))
}

fn admitted(gates: &Gates, tool: &str, arguments: &[u8]) -> Admitted {
    gates.admit(ToolCall::new(tool, Document::parse(arguments.to_vec()).unwrap())).unwrap()
}

fn told(result: &ToolResult) -> String {
    match result.error() {
        Some(error) => error.text_for_model(),
        None => result.shown().unwrap().text.into_owned(),
    }
}
