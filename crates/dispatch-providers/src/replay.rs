//! Replay: the calls of a conversation run again, and compared.

use std::fmt;

use dispatch_core::session::Difference;
use dispatch_core::workspace::{MemoryWorkspace, Workspace};
use dispatch_core::{Admitted, Gates, ToolCall, ToolResult};

use crate::exchange::Exchange;
use crate::turn::read_strictly;
use crate::wire_result::WireResult;

/// Runs the calls of a conversation again, in their order, and compares what a model would be told today with what it was told.
///
/// ```
/// use dispatch_core::{Gates, tools, workspace::MemoryWorkspace};
/// use dispatch_providers::{ConversationReplayer, Provider, Replayed};
///
/// let messages = br#"[
///     {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "read_file", "input": {"path": "a"}}]},
///     {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "1: ho"}]}
/// ]"#;
/// let exchanges = Provider::Anthropic.read(messages.to_vec())?.exchanges().expect("it pairs");
///
/// let workspace = MemoryWorkspace::from_iter([("a", "hi")]);
/// let mut replayer = ConversationReplayer::new(Gates::new(tools::core_registry()), workspace);
/// let Replayed::Compared(compared) = replayer.replay(&exchanges[0]) else { panic!("it ran") };
/// let difference = &compared.differences[0];
/// assert_eq!(difference.path.to_string(), "$.content");
/// assert_eq!((&difference.recorded, &difference.today), (&"1: ho".into(), &"1: hi".into()));
/// # Ok::<(), dispatch_core::protocol::Failure>(())
/// ```
pub struct ConversationReplayer {
    gates: Gates,
    workspace: Box<dyn Workspace + Send>,
    is_strict: bool,
    runs_all: bool,
}

/// What came of a call that was to be replayed.
#[derive(Debug)]
pub enum Replayed {
    /// It was judged and, if no gate refused it, run; and then compared.
    Compared(Box<Compared>),
    /// There is no such tool here, and what was recorded is not that: it stands in. What the call changed, if anything, is not known.
    UnknownTool,
    /// The call was admitted and reaches beyond the workspace, or is its host's to run: what was recorded stands in.
    StoodIn,
    /// No result says how the call ended, and it was not run again.
    OutcomeUnknown,
}

/// What came of a call that was replayed, beside what was recorded.
#[derive(Debug)]
pub struct Compared {
    /// What the call ended in today.
    pub result: ToolResult,
    /// What the model would be told of that.
    pub today: WireResult,
    /// Where it differs from what the model was told; empty where it does not.
    pub differences: Vec<Difference>,
}

impl ConversationReplayer {
    /// Begins a conversation again, at these gates and with these files. Failures are explained, as everywhere in provider shapes.
    pub fn new(gates: Gates, workspace: MemoryWorkspace) -> Self {
        Self::on(gates, Box::new(workspace))
    }

    /// Begins a conversation again on a workspace of the host's. An [overlay](dispatch_core::workspace::Overlay) lets it stay as it is.
    pub fn on(gates: Gates, workspace: Box<dyn Workspace + Send>) -> Self {
        Self { gates: gates.explaining(), workspace, is_strict: false, runs_all: false }
    }

    /// Reads arguments as [strict mode](crate::Turn::read_strictly) writes them.
    ///
    /// ```
    /// use dispatch_core::{Gates, Registry, tool_fn, workspace::MemoryWorkspace};
    /// use dispatch_providers::{ConversationReplayer, Provider, Replayed};
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Times {
    ///     #[serde(default)]
    ///     times: u8,
    /// }
    ///
    /// let messages = br#"[
    ///     {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "repeat", "input": {"times": null}}]},
    ///     {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "0"}]}
    /// ]"#;
    /// let exchanges = Provider::Anthropic.read(messages.to_vec())?.exchanges().expect("it pairs");
    /// let repeat = tool_fn("repeat", |Times { times }| Ok(times.to_string()));
    /// let gates = Gates::new(Registry::builder().tool(repeat).build()?);
    ///
    /// let replayer = ConversationReplayer::new(gates, MemoryWorkspace::default()).running_all();
    /// let Replayed::Compared(compared) = replayer.strictly().replay(&exchanges[0]) else { panic!("it ran") };
    /// assert_eq!(compared.differences, []);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn strictly(self) -> Self {
        Self { is_strict: true, ..self }
    }

    /// Runs also what reaches beyond the workspace. It has effects out there, and may end otherwise each time.
    #[must_use]
    pub fn running_all(self) -> Self {
        Self { runs_all: true, ..self }
    }

    /// Returns the files as they are after the last call.
    pub fn workspace(&self) -> &dyn Workspace {
        &*self.workspace
    }

    /// Judges the next call, runs it, and compares.
    pub fn replay(&mut self, exchange: &Exchange) -> Replayed {
        let Some(recorded) = exchange.known_outcome() else { return Replayed::OutcomeUnknown };
        let Some(result) = self.run(exchange.call().clone()) else { return Replayed::StoodIn };
        let today = exchange.as_written(&result);
        let differences = recorded.differences(&today);
        if !differences.is_empty() && !self.gates.registry().contains(exchange.call().tool()) {
            return Replayed::UnknownTool;
        }
        Replayed::Compared(Box::new(Compared { result, today, differences }))
    }

    /// Runs a call, if it is to be run.
    fn run(&mut self, call: ToolCall) -> Option<ToolResult> {
        let call = if self.is_strict { read_strictly(call, self.gates.registry()) } else { call };
        match self.gates.admit(call) {
            Ok(admitted) if !self.may_run(&admitted) => None,
            Ok(admitted) => Some(admitted.run(&mut *self.workspace)),
            Err(rejection) => Some(rejection.into_result()),
        }
    }

    fn may_run(&self, admitted: &Admitted) -> bool {
        admitted.runs_here() && (self.runs_all || !admitted.annotations().open_world)
    }
}

impl Replayed {
    /// Returns what people should know of the calls of a tool that was not there.
    ///
    /// ```
    /// use dispatch_providers::Replayed;
    ///
    /// assert!(Replayed::no_such_tool("gone").starts_with("there is no tool `gone` here"));
    /// ```
    pub fn no_such_tool(tool: &str) -> String {
        format!("there is no tool `{tool}` here: what was recorded of its calls stands in")
    }
}

impl fmt::Debug for ConversationReplayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConversationReplayer").field("gates", &self.gates).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
