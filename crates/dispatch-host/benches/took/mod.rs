//! How long things take.

use std::time::Instant;

/// What something took: by the clock, and of all processors together where the system tells it. On a machine that has other work the second is to be
/// compared.
#[derive(Clone, Copy, Default)]
pub(crate) struct Took {
    pub(crate) clock: f64,
    pub(crate) processors: f64,
}

pub(crate) fn timed(work: impl FnOnce()) -> Took {
    let (begun, before) = (Instant::now(), processors());
    work();
    Took { clock: begun.elapsed().as_secs_f64() * 1e3, processors: processors() - before }
}

/// The milliseconds that this process and those that it started have had of the processors, counted in hundredths of a second.
fn processors() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let behind_name = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    behind_name.skip(11).take(4).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() * 10.0
}

pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}
