//! Recording the native protocol.

use std::fmt;

use super::header::Header;
use super::record::{Journal, Recorder, Unrecorded};
use crate::gates::Gates;
use crate::protocol::{self, Failure, Response, Stream};
use crate::workspace::MemoryWorkspace;

/// Why a recorded request was not answered.
#[derive(Debug)]
pub enum NotAnswered<E> {
    /// It breaks the protocol, or asks for a tool that does not exist.
    Failure(Failure),
    /// It could not be recorded, and did not run. A stream counts its line as not read.
    Unrecorded(Unrecorded<E>),
}

impl<E> From<Failure> for NotAnswered<E> {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl<E: fmt::Display> fmt::Display for NotAnswered<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failure(failure) => failure.fmt(f),
            Self::Unrecorded(unrecorded) => unrecorded.fmt(f),
        }
    }
}

impl<E: fmt::Display + fmt::Debug> std::error::Error for NotAnswered<E> {}

/// Answers one request as [`protocol::answer`] does, and records its call.
///
/// The header is that of a session that begins without files: the request brings them.
///
/// # Errors
///
/// [`NotAnswered`]. Nothing ran.
///
/// ```
/// use std::convert::Infallible;
/// use dispatch_core::session::{self, Header, Recorder};
/// use dispatch_core::{Gates, tools, workspace::MemoryWorkspace};
///
/// let gates = Gates::new(tools::core_registry());
/// let mut lines = 0;
/// let keep = |_: &[u8]| { lines += 1; Ok::<_, Infallible>(()) };
/// let mut recorder = Recorder::begin(&Header::new(&gates, MemoryWorkspace::default()), keep)?;
/// let request = br#"{"op":"dispatch","workspace":{"a":""},"call":{"tool":"read_file","args":{"path":"a"}}}"#;
/// assert!(session::answer_recorded(&gates, request.to_vec(), &mut recorder)?.result().is_some());
/// assert_eq!(lines, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn answer_recorded<J: Journal>(
    gates: &Gates,
    request: Vec<u8>,
    recorder: &mut Recorder<J>,
) -> Result<Response<'static>, NotAnswered<J::Error>> {
    protocol::answer_alone_by(request, |asked, workspace| {
        Ok(recorder.intend(asked).map_err(NotAnswered::Unrecorded)?.run(gates, workspace))
    })
}

impl Stream {
    /// Returns the header of a record of what is to come.
    pub fn header(&self) -> Header {
        match self.workspace().as_memory() {
            Some(files) => Header::new(self.gates(), files.clone()),
            None => Header::new(self.gates(), MemoryWorkspace::default()).of_directory(),
        }
    }

    /// Answers the next line as [`answer`](Self::answer) does, and records its call. A request that breaks the protocol is no call; one of an
    /// unknown tool is.
    ///
    /// # Errors
    ///
    /// [`NotAnswered`]. It leaves the session as it was. Trouble with recording what came of a call is none:
    /// [`Recorder::take_trouble`].
    ///
    /// ```
    /// use dispatch_core::{Gates, protocol::Stream, session::{NotAnswered, Recorder}, tools};
    ///
    /// let mut stream = Stream::new(Gates::new(tools::core_registry()));
    /// let mut room = 1;
    /// let full = |_: &[u8]| if room == 0 { Err("the disk is full") } else { room -= 1; Ok(()) };
    /// let mut recorder = Recorder::begin(&stream.header(), full).unwrap();
    /// let write = br#"{"op":"dispatch","call":{"tool":"write_file","args":{"path":"a","content":"x"}}}"#;
    /// let answered = stream.answer_recorded(write, &mut recorder).unwrap();
    /// assert!(matches!(answered, Err(NotAnswered::Unrecorded(unrecorded)) if unrecorded.error == Some("the disk is full")));
    /// assert_eq!(stream.header().workspace().files().count(), 0);
    /// ```
    pub fn answer_recorded<J: Journal>(
        &mut self,
        line: &[u8],
        recorder: &mut Recorder<J>,
    ) -> Option<Result<Response<'_>, NotAnswered<J::Error>>> {
        self.answer_by(line, |asked, gates, workspace| {
            Ok(recorder.intend(asked).map_err(NotAnswered::Unrecorded)?.run(gates, workspace))
        })
    }
}
