//! The gates of a session, held together so that they can't be mixed.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::limits::Limits;
use crate::permissions::Permissions;
use crate::registry::Registry;
use crate::result::Showing;

/// The gates of a session: what exists, what of it may be used, what policies must know, and how much of a result is shown.
///
/// Cloning them is cheap.
///
/// ```
/// use dispatch_core::{Gates, Permissions, Stage, ToolCall, json::Document, tools};
///
/// let gates = Gates::new(tools::core_registry()).permitting(&Permissions::only(["read_file"]));
/// let args = Document::parse(br#"{"path": "a.txt", "content": ""}"#.to_vec())?;
/// let rejection = gates.admit(ToolCall::new("write_file", args)).unwrap_err();
/// assert_eq!(rejection.stage(), Stage::Permitted);
/// assert_eq!(rejection.error().code.as_str(), "tool_not_permitted");
/// # Ok::<(), dispatch_core::json::Malformed>(())
/// ```
#[derive(Debug, Clone)]
pub struct Gates {
    held: Arc<Held>,
}

#[derive(Debug, Clone)]
struct Held {
    registry: Registry,
    permissions: Permissions,
    limits: Option<Limits>,
    facts: Map<String, Value>,
    explains: bool,
}

impl Gates {
    /// Makes gates that let every tool of the registry through, with the default limits.
    pub fn new(registry: Registry) -> Self {
        let (permissions, facts) = (Permissions::all(), Map::new());
        Self { held: Arc::new(Held { registry, permissions, limits: None, facts, explains: false }) }
    }

    /// Narrows the gates: what passes must be permitted here too.
    #[must_use]
    pub fn permitting(mut self, permissions: &Permissions) -> Self {
        let held = self.held_mut();
        held.permissions = held.permissions.and(permissions);
        self
    }

    /// Narrows the limits: an observation is shown within these too.
    #[must_use]
    pub fn limiting(mut self, limits: Limits) -> Self {
        let held = self.held_mut();
        held.limits = Some(held.limits.map_or(limits, |narrower| narrower.and(limits)));
        self
    }

    /// Sets the facts of the session that policies decide by.
    #[must_use]
    pub fn with_facts(mut self, facts: Map<String, Value>) -> Self {
        self.held_mut().facts = facts;
        self
    }

    /// Asks for execution failures to be explained: with a text and details that help the model to its next try.
    ///
    /// They are found out only when a call has failed, and never used to make one succeed. They name files of the workspace, whatever a policy
    /// has against reading them: a host whose policies are to hide what exists does not ask for them.
    #[must_use]
    pub fn explaining(mut self) -> Self {
        self.held_mut().explains = true;
        self
    }

    /// Narrows the gates to what one request asks for. A host's limit narrows what it asks for, be that the default, and never widens it.
    ///
    /// Gates that are narrowed stop sharing what they hold, and most requests narrow nothing.
    pub(crate) fn narrowed(&self, permissions: Option<&Permissions>, limits: Option<Limits>) -> Self {
        let mut gates = self.clone();
        if let Some(permissions) = permissions {
            gates = gates.permitting(permissions);
        }
        let asked = limits.unwrap_or_default();
        let limits = gates.held.limits.map_or(asked, |host| host.and(asked));
        if limits == gates.limits() { gates } else { gates.limiting(limits) }
    }

    fn held_mut(&mut self) -> &mut Held {
        Arc::make_mut(&mut self.held)
    }

    /// Returns the tools that exist.
    pub fn registry(&self) -> &Registry {
        &self.held.registry
    }

    /// Returns the tools that may be used.
    pub fn permissions(&self) -> &Permissions {
        &self.held.permissions
    }

    /// Returns the limits, the default ones where none were set.
    pub fn limits(&self) -> Limits {
        self.held.limits.unwrap_or_default()
    }

    /// Returns the limits that were set, if any were.
    pub(crate) fn limits_set(&self) -> Option<Limits> {
        self.held.limits
    }

    /// Returns the facts of the session that policies decide by.
    pub fn facts(&self) -> &Map<String, Value> {
        &self.held.facts
    }

    /// Returns whether execution failures are explained.
    pub fn explains(&self) -> bool {
        self.held.explains
    }

    pub(crate) fn showing(&self) -> Showing {
        Showing { limits: self.limits(), explains: self.explains() }
    }
}
