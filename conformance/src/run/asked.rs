//! A case as it is put to a program: in a process of its own, or as a line of a stream that it shares.
//!
//! **A process is shared only where that changes no meaning**: by requests that bring a workspace and end in a response. Where
//! anything is odd about a shared one, its cases are asked again, each alone.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::panic::resume_unwind;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crate::case::{Case, Expectation};
use crate::judge::judge_meaning;
use crate::layout::NotReadBack;
use crate::mismatch::Mismatch;
use crate::run::place::Place;
use crate::run::program::{Bounds, Ended, Program};
use crate::subject::{Input, Output};

/// How many cases share a process at most, so that a stream that ends early costs few of them a second run.
const SHARED: usize = 50;

/// What a program may print in any case, in bytes.
const LEAST_OUTPUT_BYTES: usize = 1 << 20;

/// How many times the bytes of the request it may print besides: escapes make a text up to six times as long.
const OUTPUT_PER_INPUT: usize = 8;

/// How much of what a program said on stderr is shown, in characters.
const SAID: usize = 1000;

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
}

/// Says what is wrong with what a program did.
#[derive(Debug)]
#[non_exhaustive]
pub enum Fault {
    /// Something else came out than the case expects.
    Unexpected(Mismatch),
    /// The directory can't be what the case expects, whatever that is.
    Files(NotReadBack),
    /// It took too long.
    TimedOut(Duration),
    /// It printed too much, to this stream, the bound being so many bytes.
    TooMuch(&'static str, usize),
    /// A signal ended it.
    Killed(ExitStatus),
    /// What it said on stderr besides, which is not judged.
    Said(String),
    /// All this came in a stream of other requests; alone, the request is answered as it should.
    InAStreamAlone,
    /// It is listed as a known failure, for this reason, and passes.
    ListedAndPasses(String),
    /// It is listed as a known failure, for this reason, and does not apply.
    ListedAndNotApplicable(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unexpected(mismatch) => fmt::Display::fmt(mismatch, f),
            Self::Files(fault) => fmt::Display::fmt(fault, f),
            Self::TimedOut(timeout) => write!(f, "took longer than {} ms, and was ended", timeout.as_millis()),
            Self::TooMuch(stream, bytes) => write!(f, "{stream}: more than {bytes} bytes; the program was ended"),
            Self::Killed(status) => write!(f, "the program was killed: {status}"),
            Self::Said(stderr) => write!(f, "it said: {stderr}"),
            Self::InAStreamAlone => f.write_str("so it is in a stream of other requests; alone it passes"),
            Self::ListedAndPasses(why) => write!(f, "passes, and is listed as a known failure: {why}"),
            Self::ListedAndNotApplicable(why) => write!(f, "does not apply, and is listed as a known failure: {why}"),
        }
    }
}

impl Asker {
    /// Puts cases to the program, and returns what is wrong with each, in their order.
    ///
    /// # Errors
    ///
    /// The program could not be started, or the files of a case not be written.
    pub fn ask(&self, cases: &[&Case]) -> io::Result<Vec<Vec<Fault>>> {
        let batches = self.batches(cases);
        let asked = in_parallel(self.jobs, &batches, |batch| match batch.as_slice() {
            [index] => Ok(vec![(*index, self.ask_alone(case_at(cases, *index)?)?)]),
            indexes => self.ask_together(cases, indexes),
        });
        let faults = asked.into_iter().collect::<io::Result<Vec<_>>>()?;
        one_each(cases.len(), faults.into_iter().flatten().collect())
    }

    /// Sorts the cases into processes, by their indexes.
    fn batches(&self, cases: &[&Case]) -> Vec<Vec<usize>> {
        let mut alone = Vec::new();
        let mut together: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
        for (index, case) in cases.iter().enumerate() {
            if self.is_sharing && may_share(case) {
                together.entry(as_a_line(case).arguments()).or_default().push(index);
            } else {
                alone.push(vec![index]);
            }
        }
        let shared = together.values().flat_map(|indexes| indexes.chunks(SHARED).map(<[usize]>::to_vec));
        shared.chain(alone).collect()
    }

    fn ask_alone(&self, case: &Case) -> io::Result<Vec<Fault>> {
        let asked = self.place.prepare(Input::of_case(case))?;
        let bounds = self.bounds(asked.input.stdin.len());
        Ok(match self.program.run(&asked.arguments(), asked.input.stdin.clone(), bounds)? {
            Ended::Exited { exit, stdout, stderr } => {
                let output = Output { stdout, stderr, exit, ..Output::default() };
                asked
                    .read_back(output)
                    .map_or_else(|fault| vec![Fault::Files(fault)], |output| unexpected(case, &output))
            }
            Ended::TimedOut => vec![Fault::TimedOut(bounds.timeout)],
            Ended::TooMuch(stream) => vec![Fault::TooMuch(stream, bounds.output_bytes)],
            Ended::Killed(status) => vec![Fault::Killed(status)],
        })
    }

    fn bounds(&self, stdin_bytes: usize) -> Bounds {
        let output_bytes = LEAST_OUTPUT_BYTES + OUTPUT_PER_INPUT * stdin_bytes;
        Bounds { timeout: self.timeout, output_bytes }
    }

    fn ask_together(&self, cases: &[&Case], indexes: &[usize]) -> io::Result<Vec<(usize, Vec<Fault>)>> {
        let cases = indexes.iter().map(|index| case_at(cases, *index)).collect::<io::Result<Vec<_>>>()?;
        let answers = self.answers(&cases)?;
        let mut faults = Vec::new();
        for (place, (index, case)) in indexes.iter().zip(&cases).enumerate() {
            let answer = answers.as_ref().and_then(|answers| answers.get(place));
            faults.push((*index, self.judge_line(case, answer)?));
        }
        Ok(faults)
    }

    /// Returns the lines that answer these requests. `None` where there is not one for each.
    fn answers(&self, cases: &[&Case]) -> io::Result<Option<Vec<Vec<u8>>>> {
        let Some(first) = cases.first() else { return Ok(None) };
        let arguments: Vec<OsString> = as_a_line(first).arguments().into_iter().map(OsString::from).collect();
        let stdin: Vec<u8> = cases.iter().flat_map(|case| [case.request.bytes(), b"\n".to_vec()].concat()).collect();
        let bounds = self.bounds(stdin.len());
        let Ended::Exited { exit: 0, stdout, .. } = self.program.run(&arguments, stdin, bounds)? else {
            return Ok(None);
        };
        let lines: Vec<Vec<u8>> = stdout.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        Ok((lines.len() == cases.len()).then_some(lines))
    }

    fn judge_line(&self, case: &Case, line: Option<&Vec<u8>>) -> io::Result<Vec<Fault>> {
        let Some(line) = line else { return self.ask_alone(case) };
        let mut faults = unexpected(case, &Output { stdout: line.clone(), ..Output::default() });
        if faults.is_empty() {
            return Ok(faults);
        }
        let alone = self.ask_alone(case)?;
        if alone.is_empty() {
            faults.push(Fault::InAStreamAlone);
            return Ok(faults);
        }
        Ok(alone)
    }
}

/// Puts what was found into the cases' order. **Each has been judged, once**: a case that nobody looked at would have no fault.
fn one_each(cases: usize, mut faults: Vec<(usize, Vec<Fault>)>) -> io::Result<Vec<Vec<Fault>>> {
    faults.sort_by_key(|(index, _)| *index);
    if !faults.iter().map(|(index, _)| *index).eq(0..cases) {
        return Err(io::Error::other("a case was not judged, or twice"));
    }
    Ok(faults.into_iter().map(|(_, faults)| faults).collect())
}

fn unexpected(case: &Case, output: &Output) -> Vec<Fault> {
    let mut faults: Vec<Fault> = judge_meaning(case, output).into_iter().map(Fault::Unexpected).collect();
    if !faults.is_empty() {
        faults.extend(said(&output.stderr).map(Fault::Said));
    }
    faults
}

/// Returns the end of what was said: of a trace, that is where the reason stands.
fn said(stderr: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(stderr);
    let text = text.trim_end();
    let skipped = text.chars().count().saturating_sub(SAID);
    let shown: String = text.chars().skip(skipped).collect();
    let mark = if skipped > 0 { "..." } else { "" };
    (!shown.is_empty()).then(|| format!("{mark}{shown}"))
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

fn as_a_line(case: &Case) -> Input {
    Input { is_stream: true, ..Input::of_case(case) }
}

/// Does the work for each item, `jobs` at a time, and returns what came of it, in the items' order.
fn in_parallel<T: Sync, R: Send>(jobs: usize, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let take_turns = || {
        let mut done = Vec::new();
        while let Some((index, item)) = items.iter().enumerate().nth(next.fetch_add(1, Ordering::Relaxed)) {
            done.push((index, work(item)));
        }
        done
    };
    let mut done = thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(take_turns)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .collect::<Vec<_>>()
    });
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
