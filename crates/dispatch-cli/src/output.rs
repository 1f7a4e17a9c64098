//! Where answers go.

use std::io::{self, BufWriter, IsTerminal, Write};

use dispatch_core::json::{Document, write_value};
use serde_json::Value;

use crate::error::CliError;

/// Standard output, buffered. What is written appears when it is flushed, or is a lot.
pub(crate) type Output = BufWriter<Box<dyn Write>>;

const BUFFER_BYTES: usize = 1 << 16;

/// Opens standard output.
pub(crate) fn stdout() -> Output {
    BufWriter::with_capacity(BUFFER_BYTES, unbuffered_stdout())
}

/// The standard library's own stdout looks for the last newline in all that passes, which for a large workspace is a second reading of it.
fn unbuffered_stdout() -> Box<dyn Write> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd as _;
        if let Ok(descriptor) = io::stdout().as_fd().try_clone_to_owned() {
            return Box::new(std::fs::File::from(descriptor));
        }
    }
    Box::new(io::stdout())
}

/// Returns whether colours are wanted in what goes here.
pub(crate) fn wants_colour(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Prints a value over many lines, its keys sorted.
///
/// # Errors
///
/// When standard output can't be written.
pub(crate) fn print_value(value: &Value) -> Result<(), CliError> {
    let mut out = stdout();
    let written = indented(value).and_then(|text| out.write_all(text.as_bytes())).and_then(|()| out.flush());
    written.map_err(CliError::Unwritable)
}

/// Returns a value as text over many lines, its keys sorted, with a newline at the end.
///
/// # Errors
///
/// None that a value in memory can cause.
pub(crate) fn indented(value: &Value) -> io::Result<String> {
    let (mut compact, mut text) = (Vec::new(), Vec::new());
    write_value(&mut compact, value)?;
    Document::parse(compact).map_err(io::Error::other)?.root().write_indented(&mut text)?;
    text.push(b'\n');
    String::from_utf8(text).map_err(io::Error::other)
}
