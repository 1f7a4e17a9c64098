//! A recorded line, compared with what would be written today while that is written.

use std::io;

use crate::json::{MAX_DEPTH, is_json};

/// What is left of a recorded line behind what was written. A byte that is another ends the writing.
pub(super) struct Agreeing<'l> {
    rest: &'l [u8],
}

impl<'l> Agreeing<'l> {
    /// Returns whether what is written is a line letter by letter.
    pub(super) fn with(line: &'l [u8], write: impl FnOnce(&mut Self) -> io::Result<()>) -> bool {
        let mut agreeing = Self { rest: line };
        write(&mut agreeing).is_ok() && agreeing.rest.is_empty()
    }

    /// Passes over the host's facts, which may be any. Longer ones may be nested too deep for their line.
    pub(super) fn pass_facts(&mut self) -> io::Result<()> {
        let ends = memchr::memchr_iter(b',', self.rest).take_while(|end| *end < MAX_DEPTH);
        let mut parts = ends.filter_map(|end| self.rest.split_at_checked(end));
        let found = parts
            .find(|(_, behind)| behind.starts_with(BEHIND_FACTS))
            .filter(|(facts, _)| is_one_count(facts) || is_json(facts));
        self.rest = found.ok_or(io::ErrorKind::InvalidData)?.1;
        Ok(())
    }
}

/// Facts that hold this themselves are cut short by it, and then are no JSON.
const BEHIND_FACTS: &[u8] = b",\"outcome\":";

/// Whether facts are such as the command line gives, `{"duration_us":41}`: they need no scan.
fn is_one_count(facts: &[u8]) -> bool {
    let name_and_count = facts.strip_prefix(b"{\"").and_then(|facts| facts.strip_suffix(b"}")).unwrap_or_default();
    let is_of_name = |byte: &u8| byte.is_ascii_lowercase() || *byte == b'_';
    let name = name_and_count.iter().take_while(|byte| is_of_name(byte)).count();
    match name_and_count.get(name..).and_then(|behind| behind.strip_prefix(b"\":")) {
        Some([b'1'..=b'9', digits @ ..]) => digits.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

impl io::Write for Agreeing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.rest = self.rest.strip_prefix(bytes).ok_or(io::ErrorKind::InvalidData)?;
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
