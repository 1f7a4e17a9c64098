//! Which tools there are.

use std::path::Path;

use dispatch_core::Registry;
use dispatch_core::session::Header;
use dispatch_host::directory::{DirectoryOptions, OpenDirectoryError};
use dispatch_host::skills::SkillProblem;
use dispatch_host::{AgentTools, DirectoryWorkspace, Skills};

use crate::args::{ToolsetArgs, ToolsetName};
use crate::error::CliError;
use crate::{Toolset, operator};

/// Instructions and what lies beside them are no larger.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// The toolsets, and which of them is asked for.
#[derive(Debug, Clone)]
pub(crate) struct Toolsets {
    core: Toolset,
    asked: Option<ToolsetName>,
    agent: AgentTools,
    /// Whether directories of skills were named, which are of no use for a toolset without skills.
    has_skills: bool,
}

impl Toolsets {
    /// Takes the toolsets that the options name, and tells of skills that are left out.
    ///
    /// # Errors
    ///
    /// When a directory of skills can't be opened, or is no use for the toolset.
    pub(crate) fn new(core: Toolset, args: &ToolsetArgs) -> Result<Self, CliError> {
        Self::with_skills_of(core, args, None)
    }

    /// Does so, and lists the skills of a workspace as well.
    ///
    /// # Errors
    ///
    /// When a directory can't be opened, or is no use for the toolset.
    pub(crate) fn with_skills_of(core: Toolset, args: &ToolsetArgs, root: Option<&Path>) -> Result<Self, CliError> {
        if args.toolset == Some(ToolsetName::Core) && !(args.skills.is_empty() && root.is_none()) {
            return Err(CliError::NoSkills);
        }
        let mut skills = Skills::default();
        if let Some(root) = root {
            skills = skills.and_workspace(&open(root).map_err(CliError::NoRoot)?);
        }
        for directory in &args.skills {
            skills = skills.and_directory(&open(directory).map_err(CliError::NoSkillsDirectory)?);
        }
        skills.problems().iter().for_each(tell);
        let has_skills = !args.skills.is_empty();
        Ok(Self { core, asked: args.toolset, agent: AgentTools::default().skills(skills), has_skills })
    }

    /// Returns the tools that are asked for: by default the native ones.
    ///
    /// # Errors
    ///
    /// When skills were named and these tools have none.
    pub(crate) fn registry(&self) -> Result<Registry, CliError> {
        self.with_skills(self.asked.unwrap_or(ToolsetName::Core))
    }

    /// Returns the tools for a recorded session: those that are asked for, else those of the toolset that it was recorded with.
    ///
    /// # Errors
    ///
    /// When skills were named and these tools have none.
    pub(crate) fn registry_for(&self, header: &Header) -> Result<Registry, CliError> {
        self.with_skills(self.asked.or_else(|| self.fitting(header)).unwrap_or(ToolsetName::Core))
    }

    fn with_skills(&self, name: ToolsetName) -> Result<Registry, CliError> {
        if self.has_skills && name == ToolsetName::Core { Err(CliError::NoSkills) } else { Ok(self.of(name)) }
    }

    /// Returns the first toolset that has all tools of a recorded session.
    pub(crate) fn fitting(&self, header: &Header) -> Option<ToolsetName> {
        let has_all = |name: &ToolsetName| {
            let registry = self.of(*name);
            header.tools().all(|(tool, _)| registry.contains(tool))
        };
        [ToolsetName::Core, ToolsetName::Agent].into_iter().find(has_all)
    }

    fn of(&self, name: ToolsetName) -> Registry {
        match name {
            ToolsetName::Core => (self.core)(),
            ToolsetName::Agent => self.agent.registry(),
        }
    }
}

fn open(directory: &Path) -> Result<DirectoryWorkspace, OpenDirectoryError> {
    DirectoryOptions::default().max_file_bytes(MAX_FILE_BYTES).open(directory)
}

fn tell(problem: &SkillProblem) {
    operator::tell(&format!("skill left out: {problem}"));
}
