//! Which tools there are.

use dispatch_core::Registry;
use dispatch_core::session::Header;

use crate::Toolset;
use crate::args::{ToolsetArgs, ToolsetName};

/// The toolsets, and which of them is asked for.
#[derive(Debug, Clone)]
pub(crate) struct Toolsets {
    core: Toolset,
    asked: Option<ToolsetName>,
}

impl Toolsets {
    pub(crate) fn new(core: Toolset, args: &ToolsetArgs) -> Self {
        Self { core, asked: args.toolset }
    }

    /// Returns the tools that are asked for: by default the native ones.
    pub(crate) fn registry(&self) -> Registry {
        self.of(self.asked.unwrap_or(ToolsetName::Core))
    }

    /// Returns the tools for a recorded session: those that are asked for, else those of the toolset that it was recorded with.
    pub(crate) fn registry_for(&self, header: &Header) -> Registry {
        self.asked.or_else(|| self.fitting(header)).map_or_else(|| self.registry(), |name| self.of(name))
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
            ToolsetName::Agent => dispatch_host::agent_registry(),
        }
    }
}
