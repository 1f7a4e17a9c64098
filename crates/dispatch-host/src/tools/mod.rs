//! The tools that an agent works with, under the names that models know them by.
//!
//! They act on whatever [workspace](dispatch_core::workspace) a call is run on, and on nothing else. **A toolset is the list in [`AgentTools::builder`]**: what a
//! model may use of it, [permissions](dispatch_core::Permissions) say.

mod edit;
mod glob;
mod grep;
mod plan;
mod read;
mod skill;
mod todo_write;
mod write;

use std::sync::Arc;

use dispatch_core::{Registry, RegistryBuilder};

pub use edit::{Edit, EditArgs};
pub use glob::{Glob, GlobArgs};
pub use grep::{Grep, GrepArgs};
pub use plan::{PlanClear, PlanClearArgs, PlanConfirm, PlanConfirmArgs};
pub use read::{Read, ReadArgs};
pub use skill::{Skill, SkillArgs};
pub use todo_write::{TodoWrite, TodoWriteArgs};
pub use write::{Write, WriteArgs};

use crate::skills::Skills;

/// The tools that an agent works with, and what they are to know.
///
/// ```
/// use dispatch_core::policy::{Decision, PolicyError, Proposal};
/// use dispatch_core::workspace::MemoryWorkspace;
/// use dispatch_host::{AgentTools, Skills};
///
/// let skill = "---\nname: tea\ndescription: How to make tea.\n---\nBoil water.\n";
/// let workspace = MemoryWorkspace::from_iter([(".dispatch/skills/tea/SKILL.md", skill)]);
/// let tools = AgentTools::default().skills(Skills::default().and_workspace(&workspace));
/// let ask = |_: &Proposal<'_>| -> Result<Decision, PolicyError> { Ok(Decision::Ask("write?".into())) };
/// let registry = tools.builder().policy_for("Write", ask).build()?;
/// assert!(registry.spec("Skill").unwrap().description.ends_with("\n- `tea`: How to make tea."));
/// # Ok::<(), dispatch_core::RegistryError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct AgentTools {
    skills: Arc<Skills>,
}

impl AgentTools {
    /// Sets the skills that there are. By default none is listed, and those that the workspace has are found.
    #[must_use]
    pub fn skills(self, skills: Skills) -> Self {
        Self { skills: Arc::new(skills) }
    }

    /// Returns the toolset, for a host that adds tools or policies of its own.
    pub fn builder(&self) -> RegistryBuilder {
        Registry::builder()
            .tool(Edit)
            .tool(Glob)
            .tool(Grep)
            .tool(PlanClear)
            .tool(PlanConfirm)
            .tool(Read::new(Arc::clone(&self.skills)))
            .tool(Skill::new(Arc::clone(&self.skills)))
            .tool(TodoWrite)
            .tool(Write)
    }

    /// Returns the registry of the toolset.
    ///
    /// # Panics
    ///
    /// Never: a test builds the same registry.
    #[expect(clippy::expect_used, reason = "a test builds the same registry")]
    pub fn registry(&self) -> Registry {
        self.builder().build_deferred().expect("names that differ")
    }
}

/// Returns the registry of the tools that an agent works with.
///
/// ```
/// let registry = dispatch_host::agent_registry();
/// let names: Vec<_> = registry.names().map(|name| name.as_str()).collect();
/// assert_eq!(names, ["Edit", "Glob", "Grep", "PlanClear", "PlanConfirm", "Read", "Skill", "TodoWrite", "Write"]);
/// ```
pub fn agent_registry() -> Registry {
    AgentTools::default().registry()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_schema_of_the_agent_registry_can_be_judged_by() {
        assert!(AgentTools::default().builder().build().unwrap().names().eq(agent_registry().names()));
    }
}
