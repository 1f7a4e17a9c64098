//! A long log, recorded and replayed: it must agree, in memory that does not grow with it.

use std::fs::{self, File};
use std::io::{BufWriter, Write, stdout};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::calls::{self, FILES};
use super::measured::{self, Taken};
use crate::cargo;

/// How much more memory the replay of ten times the calls may take. Whatever is kept of each call, were it but a number of eight bytes, makes
/// more of a million.
const MOST_GROWTH_KIB: u64 = 4 * 1024;

/// What one session took in each way.
struct Measured {
    calls: u64,
    stream: Taken,
    recorded: Taken,
    replayed: Taken,
    log_bytes: u64,
}

/// Replays a log of so many calls, and one of a tenth of them, and tells what it took.
///
/// # Errors
///
/// A replay does not agree, the longer one takes more memory than it may, or a program fails.
pub(super) fn run(root: &Path, calls: u64) -> Result<()> {
    cargo::run(root, &["build", "--locked", "--quiet", "--release", "--package=dispatch-cli", "--bin=dispatch"])?;
    let dispatch = cargo::program("release", "dispatch")?;
    let (short, long) = (measure(&dispatch, calls / 10)?, measure(&dispatch, calls)?);
    write!(stdout(), "{}", summary(&short, &long))?;
    judge_growth(short.replayed.peak_kib, long.replayed.peak_kib)
}

fn measure(dispatch: &Path, calls: u64) -> Result<Measured> {
    let folder = tempfile::tempdir().context("no temporary folder")?;
    let at = |name: &str| folder.path().join(name);
    let (requests, log, answers) = (at("requests.jsonl"), at("session.log"), at("answers"));
    let mut out = BufWriter::new(File::create(&requests)?);
    calls::write(calls, &mut out)?;
    out.into_inner()?.sync_all()?;

    let stream = || {
        let mut command = Command::new(dispatch);
        command.args(["dispatch", "--stream"]);
        command
    };
    let nowhere = Path::new(if cfg!(windows) { "NUL" } else { "/dev/null" });
    let recorded = measured::run(stream().arg("--record").arg(&log).arg(&requests), nowhere)?;
    let stream = measured::run(stream().arg(&requests), nowhere)?;
    let replayed = measured::run(Command::new(dispatch).arg("replay").arg(&log), &answers)?;

    let told = fs::read_to_string(&answers)?;
    ensure!(told.contains(&format!("{calls} calls: {calls} agree, 0 diverge\n")), "the replay says: {told}");
    Ok(Measured { calls, stream, recorded, replayed, log_bytes: fs::metadata(&log)?.len() })
}

type Cell<'c> = &'c dyn Fn(&Measured) -> String;

/// Returns what came out as a table for people.
fn summary(short: &Measured, long: &Measured) -> String {
    let rate = |taken: Taken, calls| format!("{:.0}", per_second(calls, taken));
    let rows: [(&str, Cell<'_>); 7] = [
        ("calls", &|of| of.calls.to_string()),
        ("calls per second, stream", &|of| rate(of.stream, of.calls)),
        ("calls per second, stream recorded", &|of| rate(of.recorded, of.calls)),
        ("calls per second, replay", &|of| rate(of.replayed, of.calls)),
        ("replay / stream", &|of| format!("{:.2}", of.stream.time.as_secs_f64() / of.replayed.time.as_secs_f64())),
        ("peak memory of the replay, KiB", &|of| {
            of.replayed.peak_kib.map_or_else(|| "?".into(), |kib| kib.to_string())
        }),
        ("size of the log, KiB", &|of| (of.log_bytes / 1024).to_string()),
    ];
    let row = |(name, cell): &(&str, Cell<'_>)| format!("{name:<34} {:>10} {:>10}\n", cell(short), cell(long));
    let rows: String = rows.iter().map(row).collect();
    format!("A long log on a workspace of {FILES} files: every call agrees.\n{rows}")
}

#[expect(clippy::cast_precision_loss, reason = "a rate for people")]
fn per_second(calls: u64, taken: Taken) -> f64 {
    calls as f64 / taken.time.as_secs_f64()
}

fn judge_growth(short_kib: Option<u64>, long_kib: Option<u64>) -> Result<()> {
    let (Some(short), Some(long)) = (short_kib, long_kib) else {
        writeln!(stdout(), "The memory was not judged: this system does not tell it.")?;
        return Ok(());
    };
    let growth = long.saturating_sub(short);
    ensure!(growth <= MOST_GROWTH_KIB, "ten times the calls took {growth} KiB more; at most {MOST_GROWTH_KIB} may be");
    writeln!(stdout(), "Ten times the calls took {growth} KiB more; up to {MOST_GROWTH_KIB} may be.")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_grows_with_the_log_is_refused() {
        assert!(judge_growth(Some(10_000), Some(10_000 + MOST_GROWTH_KIB)).is_ok());
        let error = judge_growth(Some(10_000), Some(10_001 + MOST_GROWTH_KIB)).unwrap_err();
        assert_eq!(error.to_string(), "ten times the calls took 4097 KiB more; at most 4096 may be");
    }
}
