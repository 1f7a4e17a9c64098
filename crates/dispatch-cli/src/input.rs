//! Where requests come from.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal as _, Read};
use std::path::Path;

use crate::error::CliError;

/// An input with the name that people know it by.
pub(crate) struct Input {
    name: String,
    source: Box<dyn Read>,
}

/// Room for many small lines, or a good part of a large one.
const BUFFER_BYTES: usize = 1 << 17;

impl Input {
    /// Opens a file, or standard input for `-`.
    ///
    /// # Errors
    ///
    /// When the file can't be opened.
    pub(crate) fn open(file: &Path) -> Result<Self, CliError> {
        if file == Path::new("-") {
            return Ok(Self { name: "standard input".to_owned(), source: Box::new(io::stdin()) });
        }
        let name = file.display().to_string();
        match File::open(file) {
            Ok(source) => Ok(Self { name, source: Box::new(source) }),
            Err(source) => Err(CliError::Unreadable { name, source }),
        }
    }

    /// Opens a file or, where none was given, standard input.
    ///
    /// # Errors
    ///
    /// When the file can't be opened, or standard input is a terminal, at which somebody may be waiting for an answer.
    pub(crate) fn open_or_stdin(file: Option<&Path>) -> Result<Self, CliError> {
        Self::open_or_stdin_that_is(io::stdin().is_terminal(), file)
    }

    fn open_or_stdin_that_is(terminal: bool, file: Option<&Path>) -> Result<Self, CliError> {
        match file {
            Some(file) => Self::open(file),
            None if terminal => Err(CliError::NoInput),
            None => Self::open(Path::new("-")),
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Reads all of it.
    ///
    /// # Errors
    ///
    /// When it can't be read.
    pub(crate) fn read_all(mut self) -> Result<Vec<u8>, CliError> {
        let mut bytes = Vec::new();
        match self.source.read_to_end(&mut bytes) {
            Ok(_) => Ok(bytes),
            Err(source) => Err(CliError::Unreadable { name: self.name, source }),
        }
    }

    /// Reads it line by line.
    pub(crate) fn lines(self) -> Lines {
        Lines { name: self.name, source: BufReader::with_capacity(BUFFER_BYTES, self.source), line: Vec::new() }
    }
}

/// The lines of an input, which end at `\n` alone.
pub(crate) struct Lines {
    name: String,
    source: BufReader<Box<dyn Read>>,
    line: Vec<u8>,
}

impl Lines {
    /// Returns whether the next line may have to be waited for.
    pub(crate) fn may_wait(&self) -> bool {
        !self.source.buffer().contains(&b'\n')
    }

    /// Returns the next line, without the `\n` that ends it.
    ///
    /// # Errors
    ///
    /// When the input can't be read.
    pub(crate) fn next(&mut self) -> Result<Option<&[u8]>, CliError> {
        self.line.clear();
        match self.source.read_until(b'\n', &mut self.line) {
            Ok(0) => Ok(None),
            Ok(_) => Ok(Some(self.line.strip_suffix(b"\n").unwrap_or(&self.line))),
            Err(source) => Err(CliError::Unreadable { name: self.name.clone(), source }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_is_read_only_when_it_is_asked_for() {
        let opened = |file: Option<&str>| Input::open_or_stdin_that_is(true, file.map(Path::new));
        assert!(matches!(opened(None), Err(CliError::NoInput)));
        assert_eq!(opened(Some("-")).ok().unwrap().name(), "standard input");
        assert!(Input::open_or_stdin_that_is(false, None).is_ok());
    }
}
