//! What a program reads: all at once, or a line when it has answered the one before.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
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

/// The number of the line whose answer is waited for, 0 where none is.
#[derive(Debug, Clone, Default)]
pub(super) struct Turn(Arc<AtomicUsize>);

impl Turn {
    /// Returns the number of the line whose answer is waited for.
    pub(super) fn unanswered(&self) -> Option<usize> {
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
    let turn = Turn::default();
    let told = turn.clone();
    // Nobody waits for it: what a killed program has started may hold the pipe open.
    Builder::new().spawn(move || {
        pipe.map(|mut pipe| match stdin {
            Stdin::Whole(bytes) => pipe.write_all(&bytes),
            Stdin::InTurns(lines) => in_turns(&mut pipe, &lines, &stdout, &told, deadline),
        })
    })?;
    Ok(turn)
}

fn in_turns(
    pipe: &mut impl Write,
    lines: &[Vec<u8>],
    stdout: &Printed,
    turn: &Turn,
    deadline: Instant,
) -> io::Result<()> {
    for (line, number) in lines.iter().zip(1..) {
        pipe.write_all(line)?;
        turn.set(number);
        if !is_answered(number, stdout, deadline) {
            break;
        }
        turn.set(0);
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
