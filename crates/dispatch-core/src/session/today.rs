//! What came of a call today, before it is compared.

use std::io;

use super::changed::Changed;
use super::comparison::{Comparison, Difference, How};
use super::digest::Digest;
use super::seen::Seen;
use super::write;
use crate::call::ToolCall;
use crate::result::ToolResult;

/// What came of a call today.
#[derive(Debug)]
pub(super) struct Today {
    pub(super) number: u64,
    /// None where the call was judged and is not to be run.
    pub(super) result: Option<ToolResult>,
    /// The call, where it was admitted and is not to be run.
    pub(super) admitted: Option<ToolCall>,
    pub(super) changed: Changed,
    /// What was seen of the host's files, where it ran on them; otherwise it saw what was recorded.
    pub(super) seen: Option<Seen>,
    pub(super) workspace: Digest,
}

impl Today {
    /// Nothing came of it yet.
    pub(super) fn begin(number: u64, workspace: Digest) -> Self {
        Self { number, result: None, admitted: None, changed: Changed::default(), seen: None, workspace }
    }

    /// Writes the line that would record it.
    pub(super) fn write<W: io::Write>(
        &self,
        out: &mut W,
        seen: &Seen,
        host: impl FnOnce(&mut W) -> io::Result<()>,
    ) -> io::Result<()> {
        let Self { number, result: Some(result), changed, workspace, .. } = self else {
            return Err(io::ErrorKind::NotFound.into());
        };
        let seen = self.seen.as_ref().unwrap_or(seen);
        write::outcome(out, write::Ended { number: *number, result, changed, seen, workspace: *workspace }, host)
    }

    pub(super) fn compared(&mut self, differences: Vec<Difference>) -> Comparison {
        let (result, changed) = (self.result.take(), std::mem::take(&mut self.changed));
        let how = if result.is_some() { How::Ran } else { How::StoodIn };
        Comparison { number: self.number, how, differences, result, before: changed.into_texts() }
    }
}

/// A call that came to what was recorded, letter by letter. See [`Replayer::replay_agreeing`](super::Replayer::replay_agreeing).
#[derive(Debug)]
pub struct Agreed<'r> {
    pub(super) today: &'r mut Today,
}

impl Agreed<'_> {
    /// Returns the call's number in the log.
    pub fn number(&self) -> u64 {
        self.today.number
    }

    /// Returns what the call ended in.
    pub fn result(&self) -> Option<&ToolResult> {
        self.today.result.as_ref()
    }

    /// Returns what replay would have told of it, had the line been read.
    pub fn into_comparison(self) -> Comparison {
        self.today.compared(Vec::new())
    }
}
