//! A case as it is put to a program: in a process of its own, or as a line of a stream that it shares.
//!
//! **A process is shared only where that changes no meaning**: by requests that bring a workspace and end in a response. Where
//! anything is odd about a shared one, its cases are asked again, each alone.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder};
use std::time::Duration;

use crate::case::{Case, Expectation};
use crate::run::fault::{Fault, printed, said, unexpected};
use crate::run::place::Place;
use crate::run::program::{Bounds, Ended, Program, Said, Stdin};
use crate::subject::{Input, Output};

/// How many cases share a process at most, so that a stream that ends early costs few of them a second run.
const SHARED: usize = 50;

/// What a program may print in any case, in bytes.
const LEAST_OUTPUT_BYTES: usize = 1 << 20;

/// How many times the bytes of the request it may print besides: escapes make a text up to six times as long.
const OUTPUT_PER_INPUT: usize = 8;

/// Puts cases to a program.
#[derive(Debug)]
pub struct Asker {
    /// The program.
    pub program: Program,
    /// How long one case may take.
    pub timeout: Duration,
    /// How many processes there are at a time.
    pub jobs: usize,
    /// Where the program has its workspace.
    pub place: Place,
    /// Whether cases may share a process as the lines of a stream.
    pub is_sharing: bool,
    /// How many cases in a row may take too long before no more are asked.
    pub give_up_after: usize,
}

/// Holds what came of cases.
#[derive(Debug)]
pub struct Asked {
    /// What is wrong with each, in their order.
    pub faults: Vec<Vec<Fault>>,
    /// How many were asked again, each alone, because a process that they shared took too long, ended otherwise than it should or gave more lines or fewer.
    pub again: usize,
}

impl Asker {
    /// Puts cases to the program.
    ///
    /// # Errors
    ///
    /// The program could not be started, or the files of a case not be written.
    pub fn ask(&self, cases: &[&Case]) -> io::Result<Asked> {
        let batches = self.batches(cases);
        let Together { mut faults, unanswered } = self.ask_together(cases, &batches)?;
        let rest: Vec<usize> = (0..cases.len()).filter(|index| !faults.get(index).is_some_and(Vec::is_empty)).collect();
        let alone = self.in_turns(&rest, |index| self.ask_alone(case_at(cases, *index)?), |faults| is_hung(faults));
        let mut again = 0;
        for (index, found) in rest.into_iter().zip(alone) {
            again += usize::from(found.is_some() && unanswered.contains(&index));
            let found = found.unwrap_or_else(|| Ok(vec![Fault::NotAsked(self.give_up_after)]))?;
            let in_a_stream = faults.remove(&index).unwrap_or_default();
            faults.insert(index, either(found, in_a_stream));
        }
        Ok(Asked { faults: one_each(cases.len(), faults.into_iter().collect())?, again })
    }

    /// Tells whether a case that is to be answered is: with its exit code, and something on stdout.
    ///
    /// # Errors
    ///
    /// As [`Asker::ask`].
    pub fn is_answered(&self, case: &Case) -> io::Result<bool> {
        let asked = self.place.prepare(Input::of_case(case))?;
        let bounds = self.bounds(asked.input.stdin.len());
        let ended = self.program.run(&asked.arguments(), asked.input.stdin.clone(), bounds)?;
        Ok(matches!(ended, Ended::Exited { exit, stdout, .. } if exit == case.exit && !stdout.trim_ascii().is_empty()))
    }

    /// Asks those that may share a process.
    fn ask_together(&self, cases: &[&Case], batches: &[Vec<usize>]) -> io::Result<Together> {
        let answered =
            self.in_turns(batches, |batch| self.ask_batch(cases, batch), |came| matches!(came, Answers::Late));
        let mut together = Together::default();
        for (batch, answers) in batches.iter().zip(answered) {
            match answers.transpose()? {
                Some(Answers::Lines(found)) => together.faults.extend(found),
                Some(Answers::Odd | Answers::Late) => together.unanswered.extend(batch),
                None => {}
            }
        }
        Ok(together)
    }

    /// Sorts the cases that may share a process into processes, by their indexes.
    fn batches(&self, cases: &[&Case]) -> Vec<Vec<usize>> {
        let mut together: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
        for (index, case) in cases.iter().enumerate().filter(|(_, case)| self.is_sharing && may_share(case)) {
            together.entry(as_a_line(case).arguments()).or_default().push(index);
        }
        together.values().flat_map(|indexes| indexes.chunks(SHARED).map(<[usize]>::to_vec)).collect()
    }

    /// Does work for each item, and gives up where that takes too long too often in a row.
    fn in_turns<T: Sync, R: Send>(
        &self,
        items: &[T],
        work: impl Fn(&T) -> io::Result<R> + Sync,
        is_late: impl Fn(&R) -> bool + Sync,
    ) -> Vec<Option<io::Result<R>>> {
        in_parallel(self.jobs, self.give_up_after, items, work, |came| came.as_ref().is_ok_and(&is_late))
    }

    fn ask_alone(&self, case: &Case) -> io::Result<Vec<Fault>> {
        let asked = self.place.prepare(Input::of_case(case))?;
        let bounds = self.bounds(asked.input.stdin.len());
        let ended = self.program.run(&asked.arguments(), stdin(case, &asked.input.stdin), bounds)?;
        let shown = |bytes: Vec<u8>| asked.without_place(bytes);
        let with = |fault: Fault, Said { stdout, stderr }: Said| {
            [fault].into_iter().chain(printed(&shown(stdout))).chain(said(&shown(stderr))).collect()
        };
        Ok(match ended {
            Ended::Exited { exit, stdout, stderr } => {
                let output = Output { stdout: shown(stdout), stderr: shown(stderr), exit, ..Output::default() };
                let besides = Said { stderr: output.stderr.clone(), ..Said::default() };
                asked
                    .read_back(output)
                    .map_or_else(|fault| with(Fault::Files(fault), besides), |output| unexpected(case, &output))
            }
            Ended::TimedOut { unanswered: None, said } => with(Fault::TimedOut(bounds.timeout), said),
            Ended::TimedOut { unanswered: Some(line), said } => with(Fault::Unanswered(line, bounds.timeout), said),
            Ended::TooMuch { stream, said } => with(Fault::TooMuch(stream, bounds.output_bytes), said),
            Ended::Killed { status, said } => with(Fault::Killed(status), said),
        })
    }

    fn bounds(&self, stdin_bytes: usize) -> Bounds {
        let output_bytes = LEAST_OUTPUT_BYTES + OUTPUT_PER_INPUT * stdin_bytes;
        Bounds { timeout: self.timeout, output_bytes }
    }

    /// Asks these as the lines of a stream.
    fn ask_batch(&self, cases: &[&Case], indexes: &[usize]) -> io::Result<Answers> {
        let cases = indexes.iter().map(|index| case_at(cases, *index)).collect::<io::Result<Vec<_>>>()?;
        let Some(first) = cases.first() else { return Ok(Answers::Odd) };
        let arguments: Vec<OsString> = as_a_line(first).arguments().into_iter().map(OsString::from).collect();
        let stdin: Vec<u8> = cases.iter().flat_map(|case| [case.request.bytes(), b"\n".to_vec()].concat()).collect();
        let bounds = self.bounds(stdin.len());
        Ok(match self.program.run(&arguments, stdin, bounds)? {
            Ended::Exited { exit: 0, stdout, .. } => Answers::of(&stdout, indexes, &cases),
            Ended::TimedOut { .. } => Answers::Late,
            Ended::Exited { .. } | Ended::Killed { .. } | Ended::TooMuch { .. } => Answers::Odd,
        })
    }
}

/// What came of the cases that may share a process, by their indexes. Those that were given up are in neither.
#[derive(Default)]
struct Together {
    /// What is wrong with each that was answered.
    faults: BTreeMap<usize, Vec<Fault>>,
    /// Those whose process gave no line for each.
    unanswered: BTreeSet<usize>,
}

/// What a process said that cases share.
enum Answers {
    /// A line for each case: what is wrong with each.
    Lines(Vec<(usize, Vec<Fault>)>),
    /// Something else.
    Odd,
    /// It took too long.
    Late,
}

impl Answers {
    fn of(stdout: &[u8], indexes: &[usize], cases: &[&Case]) -> Self {
        let lines: Vec<Vec<u8>> = stdout.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        if lines.len() != cases.len() {
            return Self::Odd;
        }
        let judged = |case: &Case, stdout| unexpected(case, &Output { stdout, ..Output::default() });
        let faults = cases.iter().zip(lines).map(|(case, line)| judged(case, line));
        Self::Lines(indexes.iter().copied().zip(faults).collect())
    }
}

/// Returns what is wrong with a case alone, or with what it was in a stream where it is that alone.
fn either(alone: Vec<Fault>, mut in_a_stream: Vec<Fault>) -> Vec<Fault> {
    if !alone.is_empty() || in_a_stream.is_empty() {
        return alone;
    }
    in_a_stream.push(Fault::InAStreamAlone);
    in_a_stream
}

fn is_hung(faults: &[Fault]) -> bool {
    faults.iter().any(|fault| matches!(fault, Fault::TimedOut(_) | Fault::Unanswered(..)))
}

/// Puts what was found into the cases' order. **Each has been judged, once**: a case that nobody looked at would have no fault.
fn one_each(cases: usize, mut faults: Vec<(usize, Vec<Fault>)>) -> io::Result<Vec<Vec<Fault>>> {
    faults.sort_by_key(|(index, _)| *index);
    if !faults.iter().map(|(index, _)| *index).eq(0..cases) {
        return Err(io::Error::other("a case was not judged, or twice"));
    }
    Ok(faults.into_iter().map(|(_, faults)| faults).collect())
}

fn case_at<'c>(cases: &[&'c Case], index: usize) -> io::Result<&'c Case> {
    cases.get(index).copied().ok_or_else(|| io::Error::other("a case that is not there"))
}

/// Tells whether a request means the same as a line of a stream: it brings its workspace, and its response has one.
fn may_share(case: &Case) -> bool {
    let ends_in_a_response = match &case.expectation {
        Expectation::Response(..) => true,
        Expectation::Stdout(text) => text.matches('\n').count() == 1 && text.ends_with('\n'),
        Expectation::Messages(..) | Expectation::Failure(_) | Expectation::Answers(..) | Expectation::Report(..) => {
            false
        }
    };
    let options = &case.options;
    let is_native = !case.request.is_stream() && options.provider.is_none() && !options.replay && !options.pretty;
    ends_in_a_response && is_native && case.exit == 0 && is_a_line(&case.request.bytes())
}

/// A byte order mark is skipped at the start of the first line alone.
fn is_a_line(request: &[u8]) -> bool {
    !request.contains(&b'\n') && !request.starts_with("\u{feff}".as_bytes())
}

/// Parts what a case asks into lines where each waits for the answer to the one before.
fn stdin(case: &Case, bytes: &[u8]) -> Stdin {
    if case.is_in_turns {
        Stdin::InTurns(bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect())
    } else {
        Stdin::Whole(bytes.to_vec())
    }
}

fn as_a_line(case: &Case) -> Input {
    Input { is_stream: true, ..Input::of_case(case) }
}

/// Does the work for each item, `jobs` at a time, and returns what came of it, in the items' order. Behind as many late ones in a row as
/// `give_up_after` says, in that order, there is nothing: so it is the same however many work.
fn in_parallel<T: Sync, R: Send>(
    jobs: usize,
    give_up_after: usize,
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
    is_late: impl Fn(&R) -> bool + Sync,
) -> Vec<Option<R>> {
    let (next, late) = (AtomicUsize::new(0), Mutex::new(BTreeSet::new()));
    let late = || late.lock().unwrap_or_else(PoisonError::into_inner);
    let take_turns = || {
        let mut done = Vec::new();
        while end_of_row(&late(), give_up_after).is_none() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { break };
            let came = work(item);
            if is_late(&came) {
                late().insert(index);
            }
            done.push((index, came));
        }
        done
    };
    let mut done: BTreeMap<usize, R> = thread::scope(|scope| {
        let more = 1..jobs.min(items.len());
        // One that the system does not start leaves its work to the others, of whom this one is always there.
        let workers: Vec<_> = more.map_while(|_| Builder::new().spawn_scoped(scope, take_turns).ok()).collect();
        let mine = take_turns();
        let others = workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
        others.flatten().chain(mine).collect()
    });
    let end = end_of_row(&late(), give_up_after);
    done.retain(|index: &usize, _: &mut R| end.is_none_or(|end| *index <= end));
    (0..items.len()).map(|index| done.remove(&index)).collect()
}

/// Returns the last of the first so many indexes that stand in a row.
fn end_of_row(indexes: &BTreeSet<usize>, length: usize) -> Option<usize> {
    let mut row = 0;
    let mut before = None;
    indexes.iter().copied().find(|index| {
        row = if before.is_some_and(|before: usize| before + 1 == *index) { row + 1 } else { 1 };
        before = Some(*index);
        row >= length
    })
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
