//! What a search takes, beside the program `rg` on the same files: `RG` names it, else it is looked for in `PATH`.
//!
//! The files are made anew, always the same: `-- --mib 1024` says how much of them, `-- --tree FOLDER` keeps them for the next run. Each round runs one
//! after the other; what is printed are the medians, and the median of the rounds' ratios. The tools are called in this process, which is the host's.

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
#[cfg(unix)]
mod tree;

fn main() {
    #[cfg(unix)]
    measured::main();
}
