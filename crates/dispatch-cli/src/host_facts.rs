//! What only a host knows of a session: when, how long, by which program. It goes into a log for people, and no replay looks at it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value};

/// Returns what is told of a session's begin.
pub(crate) fn of_session() -> Map<String, Value> {
    facts([("program", "dispatch".into()), ("time", now().into()), ("version", env!("CARGO_PKG_VERSION").into())])
}

/// Returns what is told of a call that is about to run.
pub(crate) fn of_intent() -> Map<String, Value> {
    facts([("time", now().into())])
}

/// Returns what is told of a call that has ended.
pub(crate) fn of_outcome(duration: Duration) -> Map<String, Value> {
    facts([("duration_us", u64::try_from(duration.as_micros()).unwrap_or(u64::MAX).into())])
}

fn facts<const N: usize>(facts: [(&str, Value); N]) -> Map<String, Value> {
    facts.into_iter().map(|(name, fact)| (name.to_owned(), fact)).collect()
}

/// Now, in UTC, as RFC 3339 with microseconds.
fn now() -> String {
    rfc3339(SystemTime::now())
}

/// A clock that was never set may stand before what can be written.
fn rfc3339(time: SystemTime) -> String {
    humantime::format_rfc3339_micros(time.max(UNIX_EPOCH)).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_utc_with_microseconds() {
        let time = UNIX_EPOCH + Duration::from_nanos(1_709_210_096_000_007_999);
        assert_eq!(rfc3339(time), "2024-02-29T12:34:56.000007Z");
        assert_eq!(rfc3339(UNIX_EPOCH - Duration::from_secs(1)), "1970-01-01T00:00:00.000000Z");
    }
}
