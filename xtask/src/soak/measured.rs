//! A process, with the time that it took and the most memory that it held.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

/// So short that little of a peak at the very end is missed, and so long that the watching costs nothing.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// What a process took.
#[derive(Debug, Clone, Copy)]
pub(super) struct Taken {
    pub(super) time: Duration,
    /// The most memory held at once; `None` where the system does not tell.
    pub(super) peak_kib: Option<u64>,
}

/// Runs a command to its end, its stdout going into a file.
///
/// # Errors
///
/// It can't be started, or fails.
pub(super) fn run(command: &mut Command, stdout: &Path) -> Result<Taken> {
    let out = File::create(stdout).with_context(|| stdout.display().to_string())?;
    let begun = Instant::now();
    let mut child = command.stdin(Stdio::null()).stdout(out).spawn().context("dispatch can't be started")?;
    let mut peak_kib = None;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        // What the system keeps is the peak so far: the last look that succeeds has it.
        peak_kib = read_peak_kib(child.id()).or(peak_kib);
        thread::sleep(LOOK_EVERY);
    };
    let time = begun.elapsed();
    ensure!(status.success(), "{command:?}: {status}");
    Ok(Taken { time, peak_kib })
}

fn read_peak_kib(process: u32) -> Option<u64> {
    peak_kib(&fs::read_to_string(format!("/proc/{process}/status")).ok()?)
}

fn peak_kib(status: &str) -> Option<u64> {
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    peak.trim().strip_suffix(" kB")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_read_from_a_status() {
        assert_eq!(peak_kib("Name:\tdispatch\nVmHWM:\t    5124 kB\nVmRSS:\t    4096 kB\n"), Some(5124));
    }

    #[test]
    fn a_process_that_is_over_has_no_peak() {
        assert_eq!(peak_kib("Name:\tdispatch\nState:\tZ (zombie)\n"), None);
    }
}
