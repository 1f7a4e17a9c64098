//! Where requests come from.

use std::fs::{File, Metadata};
use std::io::{self, BufRead, BufReader, IsTerminal as _, Read};
use std::path::Path;

use crate::error::CliError;

/// An input with the name that people know it by.
pub(crate) struct Input {
    name: String,
    source: Box<dyn Read + Send>,
    length: Option<u64>,
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
            return Ok(Self { name: "standard input".to_owned(), source: Box::new(io::stdin()), length: None });
        }
        let name = file.display().to_string();
        match File::open(file) {
            Ok(source) => Ok(Self::of(source, name)),
            Err(source) => Err(CliError::Unreadable { name, source }),
        }
    }

    /// Takes a file that was opened already.
    pub(crate) fn of(file: File, name: String) -> Self {
        Self { name, length: length(&file), source: Box::new(file) }
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
        let Self { name, source, length } = self;
        let source = BufReader::with_capacity(BUFFER_BYTES, source);
        Lines { name, source, length, line: Vec::new(), is_ahead: false }
    }
}

/// How long a file is; unknown of a pipe.
fn length(file: &File) -> Option<u64> {
    file.metadata().ok().filter(Metadata::is_file).map(|metadata| metadata.len())
}

/// The lines of an input, which end at `\n` alone.
pub(crate) struct Lines {
    name: String,
    source: BufReader<Box<dyn Read + Send>>,
    length: Option<u64>,
    line: Vec<u8>,
    /// Whether the line was read, and is still to be given.
    is_ahead: bool,
}

impl Lines {
    /// Returns whether the next line may have to be waited for.
    pub(crate) fn may_wait(&self) -> bool {
        !self.source.buffer().contains(&b'\n')
    }

    /// Returns whether it is known already that something stands behind the line that was read last: more than zeros and line feeds.
    pub(crate) fn goes_on(&self) -> bool {
        self.source.buffer().iter().any(|byte| !matches!(byte, 0 | b'\n'))
    }

    /// Returns the name that people know the input by.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns how many bytes there are in all, if that is known.
    pub(crate) fn length(&self) -> Option<u64> {
        self.length
    }

    /// Returns the next line, without the `\n` that ends it.
    ///
    /// # Errors
    ///
    /// When the input can't be read.
    pub(crate) fn next(&mut self) -> Result<Option<&[u8]>, CliError> {
        let line = self.next_whole()?;
        Ok(line.map(|line| line.strip_suffix(b"\n").unwrap_or(line)))
    }

    /// Returns the next line, with the `\n` that ends it: the last one may lack it.
    ///
    /// # Errors
    ///
    /// When the input can't be read.
    pub(crate) fn next_whole(&mut self) -> Result<Option<&[u8]>, CliError> {
        self.peek()?;
        self.is_ahead = false;
        Ok(Some(self.line.as_slice()).filter(|line| !line.is_empty()))
    }

    /// Returns the line that was read last, with the `\n` that ends it.
    pub(crate) fn last(&self) -> &[u8] {
        &self.line
    }

    /// Returns the line that is next, empty at the end, and leaves it to be taken.
    ///
    /// # Errors
    ///
    /// When the input can't be read.
    pub(crate) fn peek(&mut self) -> Result<&[u8], CliError> {
        if !self.is_ahead {
            self.line.clear();
            let read = self.source.read_until(b'\n', &mut self.line);
            read.map_err(|source| CliError::Unreadable { name: self.name.clone(), source })?;
            self.is_ahead = true;
        }
        Ok(&self.line)
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
