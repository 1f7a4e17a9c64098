//! A program that is put to the test: its command line, and one run of it within bounds.
//!
//! **It always comes back**: a program that goes on for too long or prints too much is ended, and with it, where the system can
//! do that, whatever it has started.

mod stdin;

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::mem;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

pub use stdin::Stdin;
use stdin::Turn;
use thiserror::Error;

/// What a program finds of our environment: where programs, its own files and the temporary ones are.
pub const ENVIRONMENT: [&str; 9] =
    ["PATH", "HOME", "TMPDIR", "SystemRoot", "PATHEXT", "USERPROFILE", "APPDATA", "TEMP", "TMP"];

/// How long to wait at first for a program to end that has closed its outputs.
const FIRST_WAIT: Duration = Duration::from_micros(50);
/// How long at most, from one look to the next.
const LONGEST_WAIT: Duration = Duration::from_millis(5);

/// How long to wait at most for what a program has said that has ended or was: another may hold the pipe open. So long it is waited for before
/// the process group is ended, and behind that anew: on a busy machine what was said is read late.
const LONGEST_REST: Duration = Duration::from_millis(500);
/// How much is read at a time, in bytes.
const CHUNK: usize = 1 << 16;

/// Holds a program's command line, and what else it is started with.
#[derive(Debug, Clone)]
pub struct Program {
    command: String,
    words: Vec<String>,
    environment: Vec<String>,
}

/// Bounds one run.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// How long it may take.
    pub timeout: Duration,
    /// How much it may print, to stdout and to stderr each, in bytes.
    pub output_bytes: usize,
}

/// Says how a run ended.
#[derive(Debug)]
pub enum Ended {
    /// By itself.
    Exited {
        /// The exit code.
        exit: i32,
        /// The bytes of stdout.
        stdout: Vec<u8>,
        /// The bytes of stderr.
        stderr: Vec<u8>,
    },
    /// By a signal that did not come from here.
    Killed {
        /// How it ended.
        status: ExitStatus,
        /// What it has printed.
        said: Said,
    },
    /// It was ended because it took too long.
    TimedOut {
        /// The number of the line whose answer was waited for, where its lines are written [in turns](Stdin::InTurns).
        unanswered: Option<usize>,
        /// What it has printed until then.
        said: Said,
    },
    /// It was ended because it printed too much.
    TooMuch {
        /// Where to: `stdout` or `stderr`.
        stream: &'static str,
        /// What it has printed until then.
        said: Said,
    },
}

/// Holds what a program has printed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
    /// The bytes of stdout.
    pub stdout: Vec<u8>,
    /// The bytes of stderr.
    pub stderr: Vec<u8>,
}

/// Says why a text is no command.
#[derive(Debug, Error)]
#[error("`{0}` is no command: a quote is left open, or there is no word")]
pub struct NoCommand(String);

impl Program {
    /// Splits a command into its words, as a shell does; no shell is run.
    ///
    /// # Errors
    ///
    /// A quote is left open, or there is no word.
    ///
    /// # Example
    ///
    /// ```
    /// use conformance::run::program::Program;
    ///
    /// let program = Program::of_command("python3 'my dispatcher.py'").unwrap();
    /// assert_eq!(program.words(), ["python3", "my dispatcher.py"]);
    /// assert!(Program::of_command("python3 'x").is_err());
    /// ```
    pub fn of_command(command: &str) -> Result<Self, NoCommand> {
        let words = shlex::split(command).filter(|words| !words.is_empty());
        let words = words.ok_or_else(|| NoCommand(command.to_owned()))?;
        Ok(Self { command: command.to_owned(), words, environment: Vec::new() })
    }

    /// Lets the program see these variables as well, beside those of [`ENVIRONMENT`].
    #[must_use]
    pub fn seeing(mut self, variables: &[String]) -> Self {
        self.environment.extend_from_slice(variables);
        self
    }

    /// Returns the command as it was given.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// Returns the words of the command.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Runs it once, with more arguments behind the words.
    ///
    /// # Errors
    ///
    /// It could not be started, or what it says not be read.
    pub fn run(&self, arguments: &[OsString], stdin: impl Into<Stdin>, bounds: Bounds) -> io::Result<Ended> {
        let deadline = Instant::now() + bounds.timeout;
        let mut child = self.spawn(arguments)?;
        let watched = converse(&mut child, stdin.into(), bounds, deadline);
        // Also behind one that has ended by itself: what it has started may go on without it.
        end(&mut child);
        let (watched, outputs, turn) = watched?;
        let said = outputs.rest();
        Ok(match watched {
            Watched::Ended(status) => match status.code() {
                Some(exit) => Ended::Exited { exit, stdout: said.stdout, stderr: said.stderr },
                None => Ended::Killed { status, said },
            },
            Watched::TimedOut => Ended::TimedOut { unanswered: turn.unanswered(), said },
            Watched::TooMuch(stream) => Ended::TooMuch { stream, said },
        })
    }

    fn spawn(&self, arguments: &[OsString]) -> io::Result<Child> {
        let (name, words) =
            self.words.split_first().map_or(("", [].as_slice()), |(name, words)| (name.as_str(), words));
        let mut command = Command::new(name);
        command.args(words).args(arguments).env_clear().envs(self.variables());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        alone(&mut command);
        command.spawn()
    }

    fn variables(&self) -> impl Iterator<Item = (&OsStr, OsString)> {
        let names = ENVIRONMENT.into_iter().chain(self.environment.iter().map(String::as_str));
        names.filter_map(|name| Some((OsStr::new(name), env::var_os(name)?)))
    }
}

/// Puts it into a process group of its own, so that it can be ended with all that it starts.
#[cfg(unix)]
fn alone(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(not(unix))]
fn alone(_: &mut Command) {}

/// Ends a program, if it is still there, and its process group. It is asked for nothing more: that it may have gone in the meantime is no news.
fn end(child: &mut Child) {
    end_group(child);
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(unix)]
fn end_group(child: &Child) {
    let _ = rustix::process::kill_process_group(rustix::process::Pid::from_child(child), rustix::process::Signal::KILL);
}

#[cfg(not(unix))]
fn end_group(_: &Child) {}

/// Writes stdin while the outputs are read: a program that answers before it has read all would wait for us, and we for it.
fn converse(
    child: &mut Child,
    stdin: Stdin,
    bounds: Bounds,
    deadline: Instant,
) -> io::Result<(Watched, Outputs, Turn)> {
    let outputs = outputs(child, bounds.output_bytes)?;
    let turn = stdin::write(child.stdin.take(), stdin, outputs.stdout.clone(), deadline)?;
    Ok((watch(child, &outputs, deadline)?, outputs, turn))
}

/// What a program has printed so far.
#[derive(Debug, Clone, Default)]
struct Printed(Arc<Mutex<Vec<u8>>>);

impl Printed {
    fn bytes(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> Vec<u8> {
        mem::take(&mut self.bytes())
    }
}

/// What came of one output: whether it was within its bound.
type Came = (&'static str, io::Result<bool>);

/// Both outputs, each read by a thread of its own.
#[derive(Debug)]
struct Outputs {
    stdout: Printed,
    stderr: Printed,
    came: Receiver<Came>,
}

impl Outputs {
    /// Returns what a program has printed that has ended or was. What it had said is in the pipes, and read in a moment.
    fn rest(&self) -> Said {
        let deadline = Instant::now() + LONGEST_REST;
        // Once both are read nobody is left who could tell more.
        while self.came.recv_timeout(left(deadline)).is_ok() {}
        Said { stdout: self.stdout.take(), stderr: self.stderr.take() }
    }
}

fn outputs(child: &mut Child, bound: usize) -> io::Result<Outputs> {
    let (tells, came) = mpsc::channel();
    let (stdout, stderr) = (Printed::default(), Printed::default());
    read("stdout", child.stdout.take(), stdout.clone(), bound, tells.clone())?;
    read("stderr", child.stderr.take(), stderr.clone(), bound, tells)?;
    Ok(Outputs { stdout, stderr, came })
}

fn read(
    name: &'static str,
    pipe: Option<impl Read + Send + 'static>,
    printed: Printed,
    bound: usize,
    tells: Sender<Came>,
) -> io::Result<()> {
    Builder::new().spawn(move || {
        let came = pipe.map_or(Ok(true), |pipe| read_within(pipe, &printed, bound));
        // Nobody listens any longer where the program was ended.
        let _ = tells.send((name, came));
    })?;
    Ok(())
}

/// Reads a pipe to its end, and tells whether it has no more than the bound.
fn read_within(mut pipe: impl Read, printed: &Printed, bound: usize) -> io::Result<bool> {
    let mut chunk = vec![0; CHUNK];
    loop {
        let count = match pipe.read(&mut chunk) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let mut bytes = printed.bytes();
        bytes.extend_from_slice(chunk.get(..count).unwrap_or_default());
        if count == 0 || bytes.len() > bound {
            return Ok(bytes.len() <= bound);
        }
    }
}

/// What was seen of a program.
enum Watched {
    Ended(ExitStatus),
    TimedOut,
    TooMuch(&'static str),
}

/// Waits until both outputs are closed and the program has ended. Where it has ended and they are still open, what it has started holds them: that is
/// waited for no longer than for the rest of what was said.
fn watch(child: &mut Child, outputs: &Outputs, deadline: Instant) -> io::Result<Watched> {
    let (mut open, mut wait, mut until, mut has_ended) = (2, FIRST_WAIT, deadline, false);
    while open > 0 && !left(until).is_zero() {
        match outputs.came.recv_timeout(wait.min(left(until))) {
            Ok((_, Ok(true))) => open -= 1,
            Ok((name, Ok(false))) => return Ok(Watched::TooMuch(name)),
            Ok((_, Err(error))) => return Err(error),
            Err(_) => wait = (wait * 2).min(LONGEST_WAIT),
        }
        if !has_ended && child.try_wait()?.is_some() {
            has_ended = true;
            until = deadline.min(Instant::now() + LONGEST_REST);
        }
    }
    Ok(ended_by(child, deadline)?.map_or(Watched::TimedOut, Watched::Ended))
}

/// Waits for a program that has closed its outputs: mostly it ends at once.
fn ended_by(child: &mut Child, deadline: Instant) -> io::Result<Option<ExitStatus>> {
    let mut wait = FIRST_WAIT;
    loop {
        let status = child.try_wait()?;
        if status.is_some() || left(deadline).is_zero() {
            return Ok(status);
        }
        thread::sleep(wait.min(left(deadline)));
        wait = (wait * 2).min(LONGEST_WAIT);
    }
}

fn left(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
