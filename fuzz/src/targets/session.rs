//! Session logs.

use dispatch_core::session::{Comparison, Item, Reader, Replayer};
use dispatch_core::tools;

use super::{Check, hold};

/// A log that can be read replays and, with today's outcomes in place of those that were recorded, agrees with today.
pub(super) fn check(input: &[u8]) -> Check {
    let Some(Replayed { accepted, .. }) = replay(input) else { return Ok(()) };
    let again = replay(&accepted).ok_or_else(|| format!("can't be read back: {}", accepted.escape_ascii()))?;
    hold(again.accepted == accepted, || format!("{} became another", accepted.escape_ascii()))?;
    again.comparisons.iter().try_for_each(|comparison| {
        hold(comparison.differences.is_empty(), || format!("{comparison:?} in {}", accepted.escape_ascii()))
    })
}

/// What became of a log.
#[derive(Default)]
struct Replayed {
    comparisons: Vec<Comparison>,
    /// The log with today's outcomes.
    accepted: Vec<u8>,
    replayer: Option<Replayer>,
}

fn replay(log: &[u8]) -> Option<Replayed> {
    let mut reader = Reader::default();
    let mut replayed = Replayed::default();
    for line in log.split_inclusive(|byte| *byte == b'\n') {
        for item in reader.push(line).ok()? {
            replayed.take(item, line);
        }
    }
    if let Some(interrupted) = reader.finish().interrupted {
        replayed.take(Item::Entry(interrupted), b"");
    }
    Some(replayed)
}

impl Replayed {
    fn take(&mut self, item: Item, line: &[u8]) {
        match (item, &mut self.replayer) {
            (Item::Header(header), replayer) => {
                self.accepted.extend_from_slice(line);
                *replayer = Some(Replayer::new(tools::core_registry(), &header));
            }
            (Item::Entry(entry), Some(replayer)) => {
                self.comparisons.push(replayer.replay(&entry));
                self.accepted.extend_from_slice(entry.intent.line().as_bytes());
                self.accepted.push(b'\n');
                self.accepted.extend_from_slice(replayer.outcome_line());
            }
            (Item::Entry(_), None) => {}
        }
    }
}
