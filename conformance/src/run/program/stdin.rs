//! What a program reads: all at once, or a line when it has answered the one before.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread::{self, Builder};
use std::time::Instant;

use super::{FIRST_WAIT, LONGEST_WAIT, Printed, left};

/// Holds what a program reads.
#[derive(Debug, Clone)]
pub enum Stdin {
    /// All at once.
    Whole(Vec<u8>),
    /// Line by line: each is written, and at last stdin closed, when stdout has a line for each before.
    InTurns(Vec<Vec<u8>>),
}

impl From<Vec<u8>> for Stdin {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Whole(bytes)
    }
}

/// Whose turn it is. Where a line has no answer at the deadline, stdin stays open for as long as this is held: **a program whose answer is late
/// never sees the end of its input**, at which it could give all that it kept back, and end, before it is ended.
#[derive(Debug)]
pub(super) struct Turn {
    waited_for: WaitedFor,
    _keeps_open: Sender<()>,
}

impl Turn {
    /// Returns the number of the line whose answer is waited for.
    pub(super) fn unanswered(&self) -> Option<usize> {
        self.waited_for.line()
    }
}

/// The number of the line whose answer is waited for, 0 where none is.
#[derive(Debug, Clone, Default)]
struct WaitedFor(Arc<AtomicUsize>);

impl WaitedFor {
    fn line(&self) -> Option<usize> {
        Some(self.0.load(Ordering::Acquire)).filter(|line| *line > 0)
    }

    fn set(&self, line: usize) {
        self.0.store(line, Ordering::Release);
    }
}

/// Writes stdin while the outputs are read: a program that answers before it has read all would wait for us, and we for it.
pub(super) fn write(
    pipe: Option<impl Write + Send + 'static>,
    stdin: Stdin,
    stdout: Printed,
    deadline: Instant,
) -> io::Result<Turn> {
    let (keeps_open, is_over) = mpsc::channel();
    let waited_for = WaitedFor::default();
    let turn = Turn { waited_for: waited_for.clone(), _keeps_open: keeps_open };
    // Nobody waits for it: what a killed program has started may hold the pipe open.
    Builder::new().spawn(move || {
        let Some(mut pipe) = pipe else { return };
        // A program that reads no further is judged by what it says: the broken pipe is no news.
        let _ = match stdin {
            Stdin::Whole(bytes) => pipe.write_all(&bytes),
            Stdin::InTurns(lines) => in_turns(&mut pipe, &lines, &stdout, &waited_for, deadline),
        };
        if waited_for.line().is_some() {
            let _ = is_over.recv();
        }
    })?;
    Ok(turn)
}

fn in_turns(
    pipe: &mut impl Write,
    lines: &[Vec<u8>],
    stdout: &Printed,
    waited_for: &WaitedFor,
    deadline: Instant,
) -> io::Result<()> {
    for (line, number) in lines.iter().zip(1..) {
        pipe.write_all(line)?;
        waited_for.set(number);
        if !is_answered(number, stdout, deadline) {
            break;
        }
        waited_for.set(0);
    }
    Ok(())
}

/// Waits until stdout has so many lines.
fn is_answered(lines: usize, stdout: &Printed, deadline: Instant) -> bool {
    let mut wait = FIRST_WAIT;
    while stdout.bytes().split(|byte| *byte == b'\n').count() <= lines {
        if left(deadline).is_zero() {
            return false;
        }
        thread::sleep(wait);
        wait = (wait * 2).min(LONGEST_WAIT);
    }
    true
}
