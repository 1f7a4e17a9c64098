//! What the operator is told on stderr: a line for each trouble that must not reach the model.
//!
//! **A panic is told once, as one line, and never on stdout.** The hook only notes where it was: whether a gate or a handler is to blame, which core
//! survives, or this program, is known where the panic is caught.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::io::{self, Write as _};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};

use dispatch_core::ToolResult;

/// Where a panic was, and what it said.
struct Noted {
    place: String,
    text: String,
}

impl fmt::Display for Noted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "panicked at {}: {}", self.place, self.text)
    }
}

thread_local! {
    /// The panic that is on its way to where it is caught.
    static NOTED: RefCell<Option<Noted>> = const { RefCell::new(None) };
    /// Whether panics of this thread are caught, and told where that is.
    static IS_WATCHED: Cell<bool> = const { Cell::new(false) };
}

/// Does the work of the whole command. Where it panics, which is a fault of this program, tells so and returns `None`.
pub(crate) fn surviving<T>(work: impl FnOnce() -> T) -> Option<T> {
    panic::set_hook(Box::new(note));
    match watched(work) {
        Ok(done) => Some(done),
        Err(Caught { panic, noted }) => {
            // To drop what it brought may panic again.
            std::mem::forget(panic);
            let what = noted.map_or_else(String::new, |noted| format!(": {noted}"));
            tell(&format!("internal error, please report it{what}"));
            None
        }
    }
}

/// A panic that went through all of a thread's work.
pub(crate) struct Caught {
    panic: Box<dyn Any + Send>,
    noted: Option<Noted>,
}

impl Caught {
    /// Goes on with the panic on this thread, as if it had been one of its own.
    pub(crate) fn resume(self) -> ! {
        NOTED.set(self.noted);
        panic::resume_unwind(self.panic)
    }
}

/// Does work of this program's on a thread, whose panics are then told where they are caught, and once.
pub(crate) fn watched<T>(work: impl FnOnce() -> T) -> Result<T, Caught> {
    IS_WATCHED.set(true);
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|panic| Caught { panic, noted: NOTED.take() })
}

/// Tells the operator what the model may not read: what a panic or the operating system said.
pub(crate) fn log(result: Option<&ToolResult>) {
    if let Some(line) = line_of(format_args!("call"), result) {
        tell(&line);
    }
}

/// Returns the same of a call that is replayed, with its number.
pub(crate) fn line_of_replayed(number: u64, result: Option<&ToolResult>) -> Option<String> {
    line_of(format_args!("call {number},"), result)
}

fn line_of(call: fmt::Arguments<'_>, result: Option<&ToolResult>) -> Option<String> {
    // Taken in any case, so that no panic is taken for one of a later call.
    let place = NOTED.take().map_or_else(String::new, |Noted { place, .. }| format!(" (panicked at {place})"));
    let result = result?;
    let text = result.error()?.operator_text.as_deref()?;
    let (tool, id) = (result.call().tool(), result.call().id().unwrap_or("without id"));
    Some(format!("{call} {id} of `{tool}`: {text}{place}"))
}

fn note(info: &PanicHookInfo<'_>) {
    let place = info.location().map_or_else(|| "an unknown place".to_owned(), ToString::to_string);
    let text = info.payload_as_str().unwrap_or("without a text").to_owned();
    let noted = Noted { place, text };
    // On a thread that a handler began, nobody may ever catch it.
    let untold = if IS_WATCHED.get() { NOTED.replace(Some(noted)) } else { Some(noted) };
    // One that is still here when the next one comes may have been the cause; if the next is a panic's own clean-up, the process ends.
    if let Some(noted) = untold {
        tell(&noted.to_string());
    }
}

/// Tells the operator something, in one line.
pub(crate) fn tell(text: &str) {
    line(format_args!("dispatch: {}", one_line(text)));
}

/// Puts a line on stderr at once, so that those of several processes stay apart.
pub(crate) fn line(text: impl fmt::Display) {
    // Trouble with stderr never changes a result: there is nobody left to tell.
    let _ = io::stderr().write_all(format!("{text}\n").as_bytes());
}

/// Escapes what would end the line or steer a terminal: ids come from the model, and a panic may say anything.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::new();
    for letter in text.chars() {
        if letter.is_control() {
            line.extend(letter.escape_default());
        } else {
            line.push(letter);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_line_is_one_line() {
        assert_eq!(one_line("left: 1\n\u{1b}[2Jright: `é` \"2\""), "left: 1\\n\\u{1b}[2Jright: `é` \"2\"");
    }
}
