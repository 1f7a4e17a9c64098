//! Many logs at a time: a line for each, in the order in which they were given.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::{fs, thread};

use serde_json::{Value, json};

use super::ReplayError;
use super::log::Log;
use super::report::{Counts, Diverging, Named, Report, head, place, with};
use super::rerun::Rerun;
use super::session::{Part, replay, tell};
use super::text::{compact, one_line};
use crate::args::ReplayArgs;
use crate::error::CliError;
use crate::input::Input;
use crate::output::{self, Output};
use crate::toolset::Toolsets;
use crate::{Ending, operator};

/// Replays logs, several at a time.
///
/// # Errors
///
/// When a directory can't be read or holds none, or standard output can't be written. A log that can't be replayed is told in its line; the others go on.
pub(super) fn run(args: &ReplayArgs, files: &[PathBuf], toolsets: &Toolsets) -> Result<Ending, CliError> {
    let mut logs = Vec::new();
    for file in files {
        expand(file, &mut logs)?;
    }
    let jobs = args.jobs.map_or_else(|| thread::available_parallelism().map_or(1, Into::into), usize::from);
    let work = |log: &Given| Replayed::of(log, args, toolsets);
    let mut report = Overview { out: output::stdout(), as_json: args.session.json, totals: Totals::default() };
    in_order(&logs, jobs, work, |log, replayed| report.tell(&log.path, &replayed)).map_err(CliError::Unwritable)?;
    report.close().map_err(CliError::Unwritable)
}

/// A log that is to be replayed.
struct Given {
    path: PathBuf,
    /// Whether a directory held it: nobody named it, so that it may be a pipe to which nobody writes.
    is_found: bool,
}

impl Given {
    fn open(&self) -> Result<Input, CliError> {
        if self.is_found { Input::open_file(&self.path) } else { Input::open(&self.path) }
    }
}

/// Takes a file, or the logs of a directory, sorted.
fn expand(file: &Path, logs: &mut Vec<Given>) -> Result<(), CliError> {
    if !file.is_dir() {
        logs.push(Given { path: file.to_owned(), is_found: false });
        return Ok(());
    }
    let name = file.display().to_string();
    let entries: io::Result<Vec<_>> =
        fs::read_dir(file).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    let entries = entries.map_err(|source| CliError::Unreadable { name: name.clone(), source })?;
    let mut found: Vec<_> =
        entries.into_iter().filter(|path| path.extension().is_some_and(|end| end == "jsonl")).collect();
    found.sort();
    if found.is_empty() {
        return Err(CliError::Unreplayable(ReplayError::NoLogs { name }));
    }
    logs.extend(found.into_iter().map(|path| Given { path, is_found: true }));
    Ok(())
}

/// Does work on several threads, and takes what comes of it in the order of the items, whichever is done first.
fn in_order<I: Sync, T: Send>(
    items: &[I],
    jobs: usize,
    work: impl Fn(&I) -> T + Sync,
    mut take: impl FnMut(&I, T) -> io::Result<()>,
) -> io::Result<()> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        let worker = |_| {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                operator::watched(|| {
                    while let Some((index, item)) = take_next(items, next) {
                        // Nobody waits for it any longer where what is told can't be written.
                        let _ = sender.send((index, work(item)));
                    }
                })
            })
        };
        let workers: Vec<_> = (0..jobs.min(items.len())).map(worker).collect();
        drop(sender);
        let told = deliver(items, &receiver, &mut take);
        if told.is_err() {
            next.store(items.len(), Ordering::Relaxed);
        }
        for worker in workers {
            if let Ok(Err(caught)) = worker.join() {
                caught.resume();
            }
        }
        told
    })
}

fn take_next<'i, I>(items: &'i [I], next: &AtomicUsize) -> Option<(usize, &'i I)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    Some((index, items.get(index)?))
}

fn deliver<I, T>(
    items: &[I],
    done: &mpsc::Receiver<(usize, T)>,
    take: &mut impl FnMut(&I, T) -> io::Result<()>,
) -> io::Result<()> {
    let mut early = BTreeMap::new();
    for (index, item) in items.iter().enumerate() {
        while !early.contains_key(&index) {
            // A thread that panicked sends nothing, and goes on panicking where the threads are joined.
            let Ok((index, value)) = done.recv() else { return Ok(()) };
            early.insert(index, value);
        }
        early.remove(&index).map_or(Ok(()), |value| take(item, value))?;
    }
    Ok(())
}

/// What came of a log.
struct Replayed {
    counts: Result<Counts, String>,
    first: Option<FirstDivergence>,
    notes: Vec<String>,
}

impl Replayed {
    fn of(log: &Given, args: &ReplayArgs, toolsets: &Toolsets) -> Self {
        let mut first = First(None);
        let mut notes = Vec::new();
        let counts = log.open().and_then(|input| {
            let mut rerun = Rerun::new(toolsets, args.session.live).on(&args.directory).named(input.name().to_owned());
            let mut note = |line: &str| notes.push(line.to_owned());
            replay(&mut Log::silent(input.lines()), Part::default(), &mut rerun, &mut first, &mut note)
        });
        Self { counts: counts.map_err(|error| error.to_string()), first: first.0, notes }
    }
}

/// Keeps what names the first divergence.
struct First(Option<FirstDivergence>);

struct FirstDivergence {
    for_people: String,
    for_programs: Value,
}

impl Report for First {
    fn divergence(&mut self, divergence: &dyn Diverging, _before: u64) -> io::Result<()> {
        self.0.get_or_insert_with(|| FirstDivergence {
            for_people: head(divergence.named()),
            for_programs: place(divergence.named()),
        });
        Ok(())
    }

    fn unknown(&mut self, _named: &dyn Named, _why: &str) -> io::Result<()> {
        Ok(())
    }
}

#[derive(Debug, Default)]
struct Totals {
    agree: u64,
    diverge: u64,
    unreplayable: u64,
}

struct Overview {
    out: Output,
    as_json: bool,
    totals: Totals,
}

impl Overview {
    fn tell(&mut self, log: &Path, replayed: &Replayed) -> io::Result<()> {
        replayed.notes.iter().for_each(|note| tell(note));
        let Totals { agree, diverge, unreplayable } = &mut self.totals;
        *match &replayed.counts {
            Err(_) => unreplayable,
            Ok(counts) if counts.has_diverged() => diverge,
            Ok(_) => agree,
        } += 1;
        let name = log.display().to_string();
        let line = if self.as_json { compact(&to_json(&name, replayed)) } else { to_text(&name, replayed) };
        writeln!(self.out, "{line}")?;
        // Who waits for many logs wants to see the first ones.
        self.out.flush()
    }

    fn close(mut self) -> Result<Ending, io::Error> {
        let Totals { agree, diverge, unreplayable } = self.totals;
        let logs = agree + diverge + unreplayable;
        if self.as_json {
            let summary = json!({
                "agree": agree, "diverge": diverge, "kind": "summary", "logs": logs, "unreplayable": unreplayable,
            });
            writeln!(self.out, "{}", compact(&summary))?;
        } else {
            let plural = if logs == 1 { "" } else { "s" };
            writeln!(
                self.out,
                "{logs} log{plural}: {agree} agree, {diverge} diverge, {unreplayable} can't be replayed"
            )?;
        }
        self.out.flush()?;
        Ok(match (diverge, unreplayable) {
            (0, 0) => Ending::Fine,
            (_, 0) => Ending::Failed,
            _ => Ending::Unable,
        })
    }
}

fn to_text(name: &str, replayed: &Replayed) -> String {
    let what = match (&replayed.counts, &replayed.first) {
        (Err(error), _) => {
            let error = error.strip_prefix(name).and_then(|error| error.strip_prefix(", ")).unwrap_or(error);
            format!("can't be replayed: {error}")
        }
        (Ok(counts), None) => counts.to_text(),
        (Ok(counts), Some(first)) => format!("{}; the first is {}", counts.to_text(), first.for_people),
    };
    one_line(&format!("{name}: {what}"))
}

fn to_json(name: &str, replayed: &Replayed) -> Value {
    let first = replayed.first.as_ref().map(|first| &first.for_programs);
    let counts = replayed.counts.as_ref().map_or_else(|error| json!({"error": error}), |counts| counts.to_json());
    with(counts, [("kind", json!("log")), ("log", json!(name)), ("first", json!(first))])
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn what_is_done_first_waits_for_its_turn() {
        let mut told = Vec::new();
        let slowest_first = |delay: &u64| thread::sleep(Duration::from_millis(*delay));
        in_order(&[60, 30, 0, 0], 4, slowest_first, |delay, ()| {
            told.push(*delay);
            Ok(())
        })
        .unwrap();
        assert_eq!(told, [60, 30, 0, 0]);
    }

    #[test]
    fn nothing_more_is_begun_once_nobody_listens() {
        let begun = AtomicUsize::new(0);
        let work = |(): &()| {
            begun.fetch_add(1, Ordering::Relaxed);
            thread::sleep(Duration::from_millis(5));
        };
        let told = in_order(&[(); 100], 2, work, |(), ()| Err(io::Error::other("closed")));
        assert!(told.is_err());
        assert!(begun.into_inner() < 100);
    }
}
