//! The tools that an agent works with, under the names that models know them by.
//!
//! They act on whatever [workspace](dispatch_core::workspace) a call is run on, and on nothing else. **A toolset is the list in [`agent_builder`]**: what a
//! model may use of it, [permissions](dispatch_core::Permissions) say.

mod edit;
mod glob;
mod grep;
mod plan;
mod read;
mod todo_write;
mod write;

use dispatch_core::{Registry, RegistryBuilder};

pub use edit::{Edit, EditArgs};
pub use glob::{Glob, GlobArgs};
pub use grep::{Grep, GrepArgs};
pub use plan::{PlanClear, PlanClearArgs, PlanConfirm, PlanConfirmArgs};
pub use read::{Read, ReadArgs};
pub use todo_write::{TodoWrite, TodoWriteArgs};
pub use write::{Write, WriteArgs};

/// Returns the tools that an agent works with, for a host that adds tools or policies of its own.
///
/// ```
/// use dispatch_core::policy::{Decision, PolicyError, Proposal};
///
/// let ask = |_: &Proposal<'_>| -> Result<Decision, PolicyError> { Ok(Decision::Ask("write?".into())) };
/// let registry = dispatch_host::tools::agent_builder().policy_for("Write", ask).build()?;
/// assert!(registry.contains("Edit"));
/// # Ok::<(), dispatch_core::RegistryError>(())
/// ```
pub fn agent_builder() -> RegistryBuilder {
    Registry::builder()
        .tool(Edit)
        .tool(Glob)
        .tool(Grep)
        .tool(PlanClear)
        .tool(PlanConfirm)
        .tool(Read)
        .tool(TodoWrite)
        .tool(Write)
}

/// Returns the registry of the tools that an agent works with.
///
/// ```
/// let registry = dispatch_host::agent_registry();
/// let names: Vec<_> = registry.names().map(|name| name.as_str()).collect();
/// assert_eq!(names, ["Edit", "Glob", "Grep", "PlanClear", "PlanConfirm", "Read", "TodoWrite", "Write"]);
/// ```
///
/// # Panics
///
/// Never: a test builds the same registry.
#[expect(clippy::expect_used, reason = "a test builds the same registry")]
pub fn agent_registry() -> Registry {
    agent_builder().build_deferred().expect("names that differ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_schema_of_the_agent_registry_can_be_judged_by() {
        assert!(agent_builder().build().unwrap().names().eq(agent_registry().names()));
    }
}
