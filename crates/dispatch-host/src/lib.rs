//! What touches the world: a directory as the workspace, and the tools that an agent works with there.
//!
//! **Authority is an open directory, never the text of a path.** **A file is whole, old or new, at every moment.** **No text of the operating system
//! reaches the model.** Nothing here judges a call: that is done by the [dispatcher](dispatch_core) before a handler runs.

#[cfg(unix)]
pub mod directory;
mod search;
pub mod skills;
pub mod tools;

#[cfg(unix)]
pub use directory::DirectoryWorkspace;
pub use skills::Skills;
pub use tools::{AgentTools, agent_registry};
