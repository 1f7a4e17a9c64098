//! What it takes to edit one place in a file of 50 MiB, beside the program `cp` that copies the file.
//!
//! Neither waits for the disk: `durable(false)`, and `cp --reflink=never` does not either. `Edit` is measured in this process, which is the host's, and as
//! a process of its own as `cp` is. A file that was written just now is read once more before it is replaced, and so is measured apart from one that
//! was not. Each round runs one after the other. What is printed are the medians by the clock with the median of the rounds' ratios, and the processors'
//! time of all rounds together with its ratio: that is counted too coarsely for a round. `-- --mib 50` says how large the file is, and `TMPDIR` on which
//! file system it lies.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark that can't begin ends there, and prints what it measured"
)]

#[cfg(unix)]
mod measured;
#[cfg(unix)]
#[path = "../took/mod.rs"]
mod took;

fn main() {
    #[cfg(unix)]
    measured::main();
}
