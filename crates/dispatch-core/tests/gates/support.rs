//! What these tests share: a tool and policies that count, and a look at all that a call has moved.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dispatch_core::json::Document;
use dispatch_core::policy::{Decision, Policy, PolicyError, Proposal};
use dispatch_core::protocol::{self, Stream};
use dispatch_core::workspace::{
    ChangeSet, Entry, Listed, MemoryWorkspace, Reading, View, Workspace, WorkspaceError, WorkspacePath,
};
use dispatch_core::{CallError, Gates, Registry, RegistryBuilder, Tool, ToolCall, ToolFailure, ToolResult, tool_fn};
use schemars::JsonSchema;
use serde::Deserialize;

/// Counts how often something ran. A clone counts on.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counter(Arc<AtomicUsize>);

impl Counter {
    pub(crate) fn get(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }

    pub(crate) fn count(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// Writes a note.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Note {
    /// The file to write.
    path: String,
    /// What to write.
    #[serde(default = "a_line")]
    text: String,
    /// How often to write it.
    #[serde(default = "once")]
    #[schemars(range(min = 1, max = 10))]
    times: u8,
}

fn a_line() -> String {
    "a line\n".to_owned()
}

fn once() -> u8 {
    1
}

/// The tool `note`, which counts its runs.
pub(crate) fn note(runs: &Counter) -> impl Tool + use<> {
    let runs = runs.clone();
    tool_fn("note", move |args: Note, view: &mut View<'_>| {
        runs.count();
        view.write(&args.path, args.text.repeat(args.times.into()))?;
        Ok::<_, ToolFailure>(format!("Noted: {}", args.path))
    })
}

/// What a policy does, as a value.
pub(crate) type Judge = fn(&Proposal<'_>) -> Result<Decision, PolicyError>;

pub(crate) fn allow(_: &Proposal<'_>) -> Result<Decision, PolicyError> {
    Ok(Decision::Allow)
}

/// The policy, counting how often it is asked.
pub(crate) fn counted(asked: &Counter, judge: Judge) -> impl Policy + use<> {
    let asked = asked.clone();
    move |call: &Proposal<'_>| {
        asked.count();
        judge(call)
    }
}

/// Gates around tools that count their runs, with policies that count how often they are asked.
#[derive(Debug)]
pub(crate) struct Desk {
    pub(crate) gates: Gates,
    pub(crate) runs: Counter,
    pub(crate) asked: Counter,
}

impl Desk {
    /// Gates around the tool `note`, with these policies for the calls of every tool.
    pub(crate) fn new(policies: &[Judge]) -> Self {
        Self::of(policies, |builder, runs| builder.tool(note(runs)))
    }

    /// Gates around other tools.
    pub(crate) fn of(policies: &[Judge], tools: impl FnOnce(RegistryBuilder, &Counter) -> RegistryBuilder) -> Self {
        let (runs, asked) = (Counter::default(), Counter::default());
        let builder =
            policies.iter().fold(Registry::builder(), |builder, judge| builder.policy(counted(&asked, *judge)));
        let registry = tools(builder, &runs).build_deferred().unwrap();
        Self { gates: Gates::new(registry), runs, asked }
    }

    /// Asks, and runs what is admitted.
    pub(crate) fn ask(&self, tool: &str, args: &str) -> Seen {
        let mut workspace = files();
        let result = match self.gates.admit(call(tool, args)) {
            Ok(admitted) => admitted.run(&mut workspace),
            Err(rejection) => rejection.into_result(),
        };
        Seen { result, runs: self.runs.get(), asked: self.asked.get(), is_unchanged: all(&workspace) == all(&files()) }
    }

    /// Asks in the native protocol, alone and then within a session, and returns all that was answered.
    pub(crate) fn ask_in_protocol(&self, tool: &str, args: &str) -> [String; 2] {
        let request =
            format!(r#"{{"op":"dispatch","workspace":{FILES},"call":{{"id":"c1","tool":"{tool}","args":{args}}}}}"#);
        let alone = protocol::answer(&self.gates, request.clone().into_bytes()).unwrap();
        let mut stream = Stream::new(self.gates.clone());
        let in_session = stream.answer(request.as_bytes()).unwrap().unwrap();
        [&alone, &in_session].map(|response| {
            let mut line = Vec::new();
            response.write(&mut line).unwrap();
            String::from_utf8(line).unwrap()
        })
    }
}

/// All that a call has moved.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) result: ToolResult,
    /// How often handlers ran, and policies were asked.
    pub(crate) runs: usize,
    pub(crate) asked: usize,
    pub(crate) is_unchanged: bool,
}

impl Seen {
    /// The code, or `ok`.
    pub(crate) fn code(&self) -> &str {
        self.result.error().map_or("ok", |error| error.code.as_str())
    }

    pub(crate) fn error(&self) -> &CallError {
        self.result.error().unwrap()
    }

    /// Code, runs, questions to policies, and whether the workspace is as it was.
    pub(crate) fn sum(&self) -> (&str, usize, usize, bool) {
        (self.code(), self.runs, self.asked, self.is_unchanged)
    }
}

/// The workspace of every call here, as it is written and as it is.
pub(crate) const FILES: &str = r#"{"a.txt":"old\n","b/c.txt":"\u006bept"}"#;

pub(crate) fn files() -> MemoryWorkspace {
    MemoryWorkspace::from_iter([("a.txt", "old\n"), ("b/c.txt", "kept")])
}

pub(crate) fn all(workspace: &MemoryWorkspace) -> Vec<(String, String)> {
    workspace.files().map(|(path, text)| (path.to_owned(), text.into_owned())).collect()
}

/// What a commit does to the files.
type Commit = fn(&mut MemoryWorkspace, ChangeSet) -> Result<(), WorkspaceError>;

/// A workspace that is in memory but for how it commits.
pub(crate) struct Committing(pub(crate) MemoryWorkspace, pub(crate) Commit);

impl Workspace for Committing {
    fn entry(&self, path: &WorkspacePath) -> Result<Entry, WorkspaceError> {
        self.0.entry(path)
    }

    fn read(&self, path: &WorkspacePath) -> Result<Reading<'_>, WorkspaceError> {
        self.0.read(path)
    }

    fn list(&self, directory: &WorkspacePath) -> Result<Vec<Listed>, WorkspaceError> {
        self.0.list(directory)
    }

    fn commit(&mut self, changes: ChangeSet) -> Result<(), WorkspaceError> {
        (self.1)(&mut self.0, changes)
    }
}

/// A call with the id `c1`.
pub(crate) fn call(tool: &str, args: &str) -> ToolCall {
    let args = Document::parse_tolerating(args.into(), |_| true).unwrap();
    ToolCall::new(tool, args).with_id("c1")
}
