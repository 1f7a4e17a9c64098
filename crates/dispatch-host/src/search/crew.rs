//! Threads that share work, none of whose results depends on who did it.

use std::panic::resume_unwind;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// How many jobs are done before others are called to help: what is done sooner than a thread starts is done alone.
const ALONE: usize = 16;

/// Returns how many threads can work at a time.
pub(super) fn hands() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Lets workers run at a time, the caller's own thread being one, and gathers what they return.
pub(super) fn together<R: Send>(workers: usize, work: impl Fn() -> R + Sync) -> Vec<R> {
    thread::scope(|scope| {
        let others: Vec<_> = (1..workers).map(|_| scope.spawn(&work)).collect();
        let own = work();
        let others = others.into_iter().map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        [own].into_iter().chain(others).collect()
    })
}

/// Does a job and those that come of it, in no order, and gathers what they give.
pub(super) fn work_off<J: Send, R: Send>(first: J, work: impl Fn(J, &mut Vec<J>) -> R + Sync) -> Vec<R> {
    let queue = Queue::new(first);
    let mut results = queue.work(&work, ALONE);
    if !queue.is_done() {
        let others = together(hands(), || queue.work(&work, usize::MAX));
        results.extend(others.into_iter().flatten());
    }
    results
}

struct Queue<J> {
    jobs: Mutex<Jobs<J>>,
    changed: Condvar,
}

struct Jobs<J> {
    waiting: Vec<J>,
    /// How many were taken and are not done.
    taken: usize,
}

/// A job that was taken. When it is let go of, by a panic too, it counts as done: nobody waits for it in vain.
struct Taken<'q, J>(&'q Queue<J>);

impl<J> Queue<J> {
    fn new(first: J) -> Self {
        Self { jobs: Mutex::new(Jobs { waiting: vec![first], taken: 0 }), changed: Condvar::new() }
    }

    fn work<R>(&self, work: impl Fn(J, &mut Vec<J>) -> R, most: usize) -> Vec<R> {
        let mut results = Vec::new();
        let mut new = Vec::new();
        while results.len() < most {
            let Some((job, taken)) = self.take() else { break };
            results.push(work(job, &mut new));
            self.lock().waiting.append(&mut new);
            drop(taken);
        }
        results
    }

    /// Takes a job, once there is one: none when all are done.
    fn take(&self) -> Option<(J, Taken<'_, J>)> {
        let is_idle = |jobs: &mut Jobs<J>| jobs.waiting.is_empty() && jobs.taken > 0;
        let mut jobs = self.changed.wait_while(self.lock(), is_idle).unwrap_or_else(PoisonError::into_inner);
        let job = jobs.waiting.pop()?;
        jobs.taken += 1;
        Some((job, Taken(self)))
    }

    fn is_done(&self) -> bool {
        self.lock().waiting.is_empty()
    }

    fn lock(&self) -> MutexGuard<'_, Jobs<J>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<J> Drop for Taken<'_, J> {
    fn drop(&mut self) {
        self.0.lock().taken -= 1;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Counts down from a number, twice each.
    fn halves(number: u32, new: &mut Vec<u32>) -> u64 {
        new.extend([number / 2, number / 2].into_iter().filter(|half| *half > 0));
        u64::from(number)
    }

    #[test]
    fn all_that_comes_of_a_job_is_done_once() {
        for first in [1, 7, 8, 4096] {
            let results = work_off(first, halves);
            let expected = u64::from(first) * u64::from(first.ilog2() + 1);
            if first.is_power_of_two() {
                assert_eq!(results.iter().sum::<u64>(), expected, "{first}");
            }
            assert_eq!(results.len(), (1 << (first.ilog2() + 1)) - 1, "{first}");
        }
    }

    #[test]
    fn a_panic_is_the_callers_and_nobody_waits_for_ever() {
        for last in [ALONE / 2, ALONE * 4] {
            let done = AtomicUsize::new(0);
            let work = |number: u32, new: &mut Vec<u32>| {
                assert!(done.fetch_add(1, Ordering::Relaxed) != last, "the last job");
                halves(number, new)
            };
            let panic = catch_unwind(AssertUnwindSafe(|| work_off(1 << 10, work)));
            assert!(panic.is_err());
        }
    }
}
