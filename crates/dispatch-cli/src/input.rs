//! Where requests come from.

use std::fs::{File, Metadata};
use std::io::{self, IsTerminal as _, Read};
use std::ops::Range;
use std::path::Path;

use memchr::memchr;

use crate::error::CliError;

/// An input with the name that people know it by.
pub(crate) struct Input {
    name: String,
    source: Box<dyn Read + Send>,
    length: Option<u64>,
}

/// Room for many small lines, or a good part of a large one.
const BUFFER_BYTES: usize = 1 << 16;

/// So much white space is held while what stands behind it is looked for.
pub(crate) const MOST_BLANK_BYTES: usize = 1 << 20;

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

    /// Opens a file that may be something else, such as a pipe, which would be waited for.
    ///
    /// # Errors
    ///
    /// When it can't be opened, or is something else.
    pub(crate) fn open_file(file: &Path) -> Result<Self, CliError> {
        let is_other = file.metadata().is_ok_and(|there| !there.is_file() && !there.is_dir());
        if is_other {
            let (name, source) = (file.display().to_string(), io::Error::other("it is no file"));
            return Err(CliError::Unreadable { name, source });
        }
        Self::open(file)
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
        Lines { name, source, length, buffer: Vec::new(), filled: 0, line: 0..0, is_ahead: false }
    }
}

/// How long a file is; unknown of a pipe.
fn length(file: &File) -> Option<u64> {
    file.metadata().ok().filter(Metadata::is_file).map(|metadata| metadata.len())
}

/// The lines of an input, which end at `\n` alone.
pub(crate) struct Lines {
    name: String,
    source: Box<dyn Read + Send>,
    length: Option<u64>,
    buffer: Vec<u8>,
    /// How many bytes of the buffer were read into it.
    filled: usize,
    /// Where the line that was read last stands in the buffer: a line is copied only where it goes on behind the buffer's end.
    line: Range<usize>,
    /// Whether the line was read, and is still to be given.
    is_ahead: bool,
}

impl Lines {
    /// Returns whether the next line may have to be waited for.
    pub(crate) fn may_wait(&self) -> bool {
        memchr(b'\n', self.ahead()).is_none()
    }

    /// Returns whether it is known already that something stands behind the line that was read last: more than zeros and line feeds.
    pub(crate) fn goes_on(&self) -> bool {
        self.ahead().iter().any(|byte| !matches!(byte, 0 | b'\n'))
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
        Ok(Some(self.last()).filter(|line| !line.is_empty()))
    }

    /// Returns the line that was read last, with the `\n` that ends it.
    pub(crate) fn last(&self) -> &[u8] {
        self.buffer.get(self.line.clone()).unwrap_or_default()
    }

    /// What was read and stands behind the last line.
    fn ahead(&self) -> &[u8] {
        self.buffer.get(self.line.end..self.filled).unwrap_or_default()
    }

    /// Returns the line that is next, empty at the end, and leaves it to be taken.
    ///
    /// # Errors
    ///
    /// When the input can't be read.
    pub(crate) fn peek(&mut self) -> Result<&[u8], CliError> {
        if !self.is_ahead {
            self.read_line().map_err(|source| CliError::Unreadable { name: self.name.clone(), source })?;
            self.is_ahead = true;
        }
        Ok(self.last())
    }

    /// Returns the first line from the next one on that is not of white space, and leaves all of them to be taken. Empty where there is none, and where more of
    /// white space stands before it than can be held.
    ///
    /// # Errors
    ///
    /// When the input can't be read.
    pub(crate) fn peek_past_blank(&mut self) -> Result<&[u8], CliError> {
        if self.is_ahead {
            (self.line.end, self.is_ahead) = (self.line.start, false);
        }
        let mut line = 0..0;
        loop {
            line =
                self.find_line(line.end).map_err(|source| CliError::Unreadable { name: self.name.clone(), source })?;
            let found = self.ahead().get(line.clone()).unwrap_or_default();
            if found.is_empty() || !found.trim_ascii().is_empty() {
                return Ok(self.ahead().get(line).unwrap_or_default());
            }
            if line.end > MOST_BLANK_BYTES {
                return Ok(&[]);
            }
        }
    }

    fn read_line(&mut self) -> io::Result<()> {
        let found = self.find_line(0)?;
        self.line = self.line.end..self.line.end + found.end;
        Ok(())
    }

    /// Finds the line that begins so many bytes behind the last one, and reads it. Where it stands is counted from there too.
    fn find_line(&mut self, start: usize) -> io::Result<Range<usize>> {
        let mut searched = start;
        loop {
            let unsearched = self.ahead().get(searched..).unwrap_or_default();
            let end = memchr(b'\n', unsearched).map(|end| searched + end + 1);
            searched += unsearched.len();
            if end.is_some() || self.read_more()? == 0 {
                return Ok(start..end.unwrap_or(searched));
            }
        }
    }

    /// Reads what there is, behind what is still to be given.
    fn read_more(&mut self) -> io::Result<usize> {
        self.buffer.copy_within(self.line.end..self.filled, 0);
        self.filled -= self.line.end;
        self.line = 0..0;
        if self.filled == self.buffer.len() {
            self.buffer.resize(BUFFER_BYTES.max(2 * self.filled), 0);
        }
        let read = loop {
            match self.source.read(self.buffer.get_mut(self.filled..).unwrap_or_default()) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        self.filled += read;
        Ok(read)
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

    /// A source that gives a few bytes at a time, and is interrupted in between.
    struct Dripping<'t>(&'t [u8], usize, bool);

    impl Read for Dripping<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.2 = !self.2;
            if self.2 {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let room = buffer.len().min(self.1);
            self.0.read(&mut buffer[..room])
        }
    }

    fn lines(text: &'static [u8], at_once: usize) -> Vec<Vec<u8>> {
        let source = Box::new(Dripping(text, at_once, false));
        let mut lines = Input { name: String::new(), source, length: None }.lines();
        let mut found = Vec::new();
        lines.peek().ok().unwrap();
        let held = lines.peek_past_blank().ok().unwrap().to_vec();
        let mut all = text.split_inclusive(|byte| *byte == b'\n');
        assert_eq!(held, all.find(|line| !line.trim_ascii().is_empty()).unwrap_or_default());
        while let Some(line) = lines.next_whole().ok().unwrap() {
            found.push(line.to_vec());
            assert_eq!(lines.last(), found.last().unwrap());
        }
        found
    }

    #[test]
    fn what_stands_behind_white_space_without_end_is_not_looked_for() {
        let endless = io::repeat(b'\n').take(1 << 30);
        let mut lines = Input { name: String::new(), source: Box::new(endless), length: None }.lines();
        assert_eq!(lines.peek_past_blank().ok().unwrap(), b"");
        assert!(lines.buffer.len() <= 4 * MOST_BLANK_BYTES);
        assert_eq!(lines.peek().ok().unwrap(), b"\n");
    }

    #[test]
    fn lines_are_the_same_however_they_come() {
        let long: &[u8] = Box::leak([vec![b'x'; 3 * BUFFER_BYTES], b"\nend".to_vec()].concat().into());
        for text in [&b""[..], b"\n", b"a", b"a\n", b"a\n\nbc\n\0d", b"\n \n\nbc\nd", long] {
            let expected: Vec<_> = text.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
            for at_once in [1, 2, 3, 7, BUFFER_BYTES - 1, 4 * BUFFER_BYTES] {
                assert_eq!(lines(text, at_once), expected, "{at_once}");
            }
        }
    }
}
