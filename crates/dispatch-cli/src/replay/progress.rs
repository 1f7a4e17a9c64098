//! How far it is, for who waits at a terminal.

use std::io::{self, IsTerminal as _};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shorter logs are through before anybody could read it.
const SHORT_BYTES: u64 = 1 << 22;

/// A bar on stderr, where that is a terminal and the log is long.
pub(super) struct Progress(Option<ProgressBar>);

impl Progress {
    pub(super) fn of(length: Option<u64>) -> Self {
        let length = length.filter(|length| *length >= SHORT_BYTES && io::stderr().is_terminal());
        Self(length.map(|length| {
            let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{bar:40} {bytes} of {total_bytes}, {eta} to go");
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        }))
    }

    pub(super) fn advance(&self, bytes: usize) {
        if let Some(bar) = &self.0 {
            bar.inc(u64::try_from(bytes).unwrap_or_default());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
