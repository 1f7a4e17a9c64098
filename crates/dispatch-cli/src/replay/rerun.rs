//! The calls of a log, run again.

use std::collections::BTreeSet;

use dispatch_core::ToolResult;
use dispatch_core::session::{Comparison, Entry, Header, Replayer};
use dispatch_core::workspace::{MemoryWorkspace, Overlay};

use super::ReplayError;
use super::log::{Log, Tell};
use crate::args::DirectoryArgs;
use crate::error::CliError;
use crate::toolset::Toolsets;
use crate::{operator, workspace};

/// The sessions of a log, run again one after the other.
pub(super) struct Rerun {
    toolsets: Toolsets,
    /// The directory that is replayed on, where one is named.
    directory: DirectoryArgs,
    is_live: bool,
    replayer: Option<Replayer>,
    told: BTreeSet<String>,
    /// The log's name, where it is one of several.
    name: Option<String>,
}

impl Rerun {
    /// Runs what a log holds on what it holds.
    pub(super) fn new(toolsets: &Toolsets, is_live: bool) -> Self {
        let directory = DirectoryArgs::default();
        Self { toolsets: toolsets.clone(), directory, is_live, replayer: None, told: BTreeSet::new(), name: None }
    }

    /// Runs it on a directory, if one is named, which stays as it is.
    pub(super) fn on(self, directory: &DirectoryArgs) -> Self {
        Self { directory: directory.clone(), ..self }
    }

    /// Names the log in what is told of its calls.
    pub(super) fn named(self, name: String) -> Self {
        Self { name: Some(name), ..self }
    }

    /// Begins a session afresh. A tool that is not what it was is told: whether that makes a difference, its calls show.
    ///
    /// # Errors
    ///
    /// When a tool of the session's is gone. When it is to be replayed on a directory, and was not over one.
    pub(super) fn begin(&mut self, header: &Header, name: &str, line: usize, tell: Tell<'_>) -> Result<(), CliError> {
        let before = self.replayer.take().and_then(Replayer::into_overlay);
        let registry = self.toolsets.registry_for(header)?;
        let (gone, differing): (Vec<_>, Vec<_>) =
            header.differing_tools(&registry).into_iter().partition(|tool| tool.members.is_empty());
        for tool in differing {
            if self.told.insert(tool.to_string()) {
                tell(&format!("{name}, line {line}: {tool}"));
            }
        }
        if !gone.is_empty() {
            return Err(CliError::Unreplayable(ReplayError::ToolsGone {
                name: name.to_owned(),
                line,
                tools: gone,
                fitting: self.toolsets.fitting(header),
            }));
        }
        // What the session before wrote is there for the next, as it was in the directory.
        let directory = match before {
            Some(directory) => Some(directory),
            None => workspace::directory(&self.directory)?.map(Overlay::new),
        };
        let replayer = match directory {
            None => Replayer::new(registry, header),
            Some(directory) if header.is_of_directory() => Replayer::new(registry, header).on(directory),
            Some(_) => {
                let name = name.to_owned();
                return Err(CliError::Unreplayable(ReplayError::OfNoDirectory { name, line }));
            }
        };
        self.replayer = Some(if self.is_live { replayer.running_all() } else { replayer });
        Ok(())
    }

    /// Runs a call again; none before a session began.
    pub(super) fn replay(&mut self, entry: &Entry, tell: Tell<'_>) -> Option<Comparison> {
        let comparison = self.replayer.as_mut()?.replay(entry);
        tell_trouble(self.name.as_deref(), entry.number, comparison.result.as_ref(), tell);
        Some(comparison)
    }

    /// Runs the call again whose outcome is the log's next line, and returns its number if it agrees letter by letter.
    ///
    /// # Errors
    ///
    /// When the line can't be read.
    pub(super) fn replay_agreeing(&mut self, log: &mut Log, tell: Tell<'_>) -> Result<Option<u64>, CliError> {
        let Some(replayer) = &mut self.replayer else { return Ok(None) };
        let agreed = log.next_agreeing(replayer)?;
        Ok(agreed.map(|agreed| {
            tell_trouble(self.name.as_deref(), agreed.number(), agreed.result(), tell);
            agreed.number()
        }))
    }

    /// Returns the files as they are after the last call.
    pub(super) fn workspace(&self) -> Option<&MemoryWorkspace> {
        self.replayer.as_ref().map(Replayer::workspace)
    }

    /// Returns the line that would record the outcome of the last call today; empty where nobody knows it.
    pub(super) fn outcome_line(&self) -> &[u8] {
        self.replayer.as_ref().map(Replayer::outcome_line).unwrap_or_default()
    }
}

/// Tells what a model may not read. Of several logs, replayed at the same time, it is told with the rest of what is told of each.
fn tell_trouble(name: Option<&str>, number: u64, result: Option<&ToolResult>, tell: Tell<'_>) {
    let Some(line) = operator::line_of_replayed(number, result) else { return };
    tell(&name.map_or(line.clone(), |name| format!("{name}, {line}")));
}
