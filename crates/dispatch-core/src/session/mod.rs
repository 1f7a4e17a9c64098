//! Sessions: their record, and what today makes of it.
//!
//! A log is JSON Lines: a header, then for each call an intent, which is kept before the call has any effect, and an outcome. It is described in
//! docs/protocol.md. Here lines are made and read; where they are kept is the host's business ([`Journal`]).
//!
//! **A recorded call has no effect before its intent was kept.** **Trouble with recording changes no result.** **A line that was not written whole
//! is told, and never taken for something else.** **What the host said of time and place is never compared.**

mod digest;
mod changed;
mod version;
mod header;
mod sight;
mod seen;
mod write;
mod watched;
mod record;
mod stream;
mod error;
mod shape;
mod line;
mod members;
mod read;
mod comparison;
mod today;
mod agreeing;
mod replay;

pub use comparison::{Comparison, Difference, How};
pub use digest::{Digest, WorkspaceDigest};
pub use error::{LogError, LogErrorKind};
pub use header::{DifferingTool, Header};
pub use line::{Torn, TornKind, is_session_log, is_void_line, judge_line, read_line};
pub use read::{End, Entry, Intent, Item, NoSession, Outcome, Reader};
pub use record::{Intended, Journal, LineKind, Open, Recorder, Unrecorded};
pub use replay::Replayer;
pub use stream::{NotAnswered, answer_recorded};
pub use today::Agreed;
pub use version::Version;
pub use watched::Watched;
