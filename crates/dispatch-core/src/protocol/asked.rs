//! A call with what its request says beside it.

use crate::admission::{Admitted, Rejection};
use crate::call::ToolCall;
use crate::code::ErrorCode;
use crate::gates::Gates;
use crate::limits::Limits;
use crate::permissions::Permissions;
use crate::result::ToolResult;
use crate::workspace::{MemoryWorkspace, Workspace};

/// A call as a session is asked for it: with how far its request narrows the gates, and the workspace that it brings.
///
/// A call alone is [one](From) too: it narrows nothing, and runs on the session's workspace.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The call.
    pub call: ToolCall,
    /// The tools that this request may use, where it names them.
    pub permissions: Option<Permissions>,
    /// The limits of this request, where it has some.
    pub limits: Option<Limits>,
    /// The workspace that is to be the session's from now on, where the request brings one. Only a session in memory has a use for it.
    pub workspace: Option<MemoryWorkspace>,
}

impl Asked {
    /// Leads the call through the gates and runs it. A workspace that it brings becomes the session's, unless the call is of an unknown tool.
    ///
    /// ```
    /// use dispatch_core::{Gates, ToolCall, json::Document, protocol::Asked, tools, workspace::MemoryWorkspace};
    ///
    /// let read = |tool: &str| ToolCall::new(tool, Document::parse(br#"{"path": "a.txt"}"#.to_vec()).unwrap());
    /// let gates = Gates::new(tools::core_registry());
    /// let mut workspace = MemoryWorkspace::default();
    /// let brought = Some(MemoryWorkspace::from_iter([("a.txt", "hi")]));
    /// let unknown = Asked { workspace: brought.clone(), ..Asked::from(read("gone")) }.run(&gates, &mut workspace);
    /// assert_eq!(unknown.error().unwrap().code.as_str(), "unknown_tool");
    /// assert_eq!(workspace.files().count(), 0);
    /// let known = Asked { workspace: brought, ..Asked::from(read("read_file")) }.run(&gates, &mut workspace);
    /// assert_eq!(known.shown().unwrap().text, "1: hi");
    /// assert_eq!(workspace.files().count(), 1);
    /// ```
    pub fn run(self, gates: &Gates, workspace: &mut dyn Workspace) -> ToolResult {
        match self.admit(gates, workspace) {
            Ok(admitted) => admitted.run(workspace),
            Err(rejection) => rejection.into_result(),
        }
    }

    /// Leads the call through the gates. A workspace that it brings becomes the session's, unless the call is of an unknown tool.
    ///
    /// # Errors
    ///
    /// A [`Rejection`] when a gate refuses it.
    ///
    /// ```
    /// use dispatch_core::{Gates, ToolCall, json::Document, protocol::Asked, tools, workspace::MemoryWorkspace};
    ///
    /// let call = |tool: &str| ToolCall::new(tool, Document::parse(br#"{"path": "a.txt"}"#.to_vec()).unwrap());
    /// let gates = Gates::new(tools::core_registry());
    /// let mut workspace = MemoryWorkspace::default();
    /// let admitted = Asked::from(call("read_file")).admit(&gates, &mut workspace)?;
    /// assert!(admitted.annotations().read_only);
    /// assert!(Asked::from(call("gone")).admit(&gates, &mut workspace).is_err());
    /// # Ok::<(), dispatch_core::Rejection>(())
    /// ```
    pub fn admit(self, gates: &Gates, workspace: &mut dyn Workspace) -> Result<Admitted, Rejection> {
        self.admit_and_tell(gates, workspace).0
    }

    /// Admits the call, and tells whether a workspace that it brought is now the session's.
    pub(crate) fn admit_and_tell(
        self,
        gates: &Gates,
        workspace: &mut dyn Workspace,
    ) -> (Result<Admitted, Rejection>, bool) {
        let judged = gates.narrowed(self.permissions.as_ref(), self.limits).admit(self.call);
        let is_unknown = judged.as_ref().is_err_and(|rejection| is_unknown_tool(rejection.error().code.built_in()));
        match (self.workspace, workspace.as_memory_mut()) {
            (Some(brought), Some(workspace)) if !is_unknown => {
                *workspace = brought;
                (judged, true)
            }
            _ => (judged, false),
        }
    }
}

fn is_unknown_tool(code: Option<ErrorCode>) -> bool {
    code == Some(ErrorCode::UnknownTool)
}

impl From<ToolCall> for Asked {
    fn from(call: ToolCall) -> Self {
        Self { call, permissions: None, limits: None, workspace: None }
    }
}
