//! How far a dispatcher has come: the levels, in the order in which they are reached.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use thiserror::Error;

use crate::case::Case;

/// Names a level. Each has its cases, and is reached when they and those of all levels before it pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Requests, responses, streams, and what the tools do.
    Protocol,
    /// Which gate refuses a call, and that nothing has happened then.
    Gates,
    /// The arguments against the schema.
    Arguments,
    /// The bound of an observation.
    Limits,
    /// The shapes of the providers.
    Providers,
    /// Logs and conversations, and their replay.
    Sessions,
}

/// The level of each area, where a topic is named of that topic alone. **The order of the rows is that of a run**, the one in which a newcomer
/// mends what fails; topics that share a row stand by their names.
const LEVELS: [(&str, Option<&str>, Level); 29] = [
    ("protocol", Some("request"), Level::Protocol),
    ("tools", Some("read_file"), Level::Protocol),
    ("tools", Some("write_file"), Level::Protocol),
    ("tools", Some("patch_file"), Level::Protocol),
    ("tools", None, Level::Protocol),
    ("protocol", Some("response"), Level::Protocol),
    ("protocol", Some("workspace"), Level::Protocol),
    ("protocol", Some("failures"), Level::Protocol),
    ("protocol", None, Level::Protocol),
    ("stream", Some("session"), Level::Protocol),
    ("stream", None, Level::Protocol),
    ("reports", None, Level::Protocol),
    ("explain", None, Level::Protocol),
    ("agent", Some("toolset"), Level::Protocol),
    ("agent", Some("read"), Level::Protocol),
    ("agent", Some("write"), Level::Protocol),
    ("agent", None, Level::Protocol),
    ("gates", Some("known"), Level::Gates),
    ("gates", Some("permissions"), Level::Gates),
    ("gates", None, Level::Gates),
    ("arguments", Some("types"), Level::Arguments),
    ("arguments", None, Level::Arguments),
    ("reports", Some("arguments"), Level::Arguments),
    ("limits", Some("truncation"), Level::Limits),
    ("limits", None, Level::Limits),
    ("reports", Some("truncation"), Level::Limits),
    ("providers", None, Level::Providers),
    ("sessions", Some("replay"), Level::Sessions),
    ("sessions", None, Level::Sessions),
];

/// Returns the place of a topic's row, and its level. A row that names the topic goes before one of the whole area.
fn row(area: &str, topic: &str) -> Option<(usize, Level)> {
    let named = |wanted: Option<&str>| LEVELS.iter().position(|row| row.0 == area && row.1 == wanted);
    let place = named(Some(topic)).or_else(|| named(None))?;
    LEVELS.get(place).map(|row| (place, row.2))
}

/// Puts cases into the order of a run: by level, and in each from basic to special.
///
/// # Errors
///
/// The area of one has no level.
pub fn ordered<'c>(cases: impl IntoIterator<Item = &'c Case>) -> Result<Vec<(Level, &'c Case)>, NoLevel> {
    let leveled = cases.into_iter().map(|case| Ok((Level::of(case)?, case)));
    let mut ordered = leveled.collect::<Result<Vec<_>, NoLevel>>()?;
    ordered.sort_by_key(|(level, case)| (*level, row(&case.area, &case.topic).map(|(place, _)| place)));
    Ok(ordered)
}

impl Level {
    /// Every level, in the order in which they are reached.
    pub const ALL: [Self; 6] =
        [Self::Protocol, Self::Gates, Self::Arguments, Self::Limits, Self::Providers, Self::Sessions];

    /// Returns the level of the cases of a topic. `None` where the area has none.
    ///
    /// # Example
    ///
    /// ```
    /// use conformance::level::Level;
    ///
    /// assert_eq!(Level::of_topic("reports", "truncation"), Some(Level::Limits));
    /// assert_eq!(Level::of_topic("weather", "rain"), None);
    /// ```
    pub fn of_topic(area: &str, topic: &str) -> Option<Self> {
        row(area, topic).map(|(_, level)| level)
    }

    /// Returns the level of a case: that of its topic, but what asks about a provider or replays is of no level before theirs.
    ///
    /// # Errors
    ///
    /// Its area has none.
    pub fn of(case: &Case) -> Result<Self, NoLevel> {
        let level = Self::of_topic(&case.area, &case.topic).ok_or_else(|| NoLevel(case.area.clone()))?;
        let needed = match &case.options {
            options if options.replay => Self::Sessions,
            options if options.provider.is_some() => Self::Providers,
            _ => Self::Protocol,
        };
        Ok(level.max(needed))
    }

    /// Returns the name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Protocol => "protocol",
            Self::Gates => "gates",
            Self::Arguments => "arguments",
            Self::Limits => "limits",
            Self::Providers => "providers",
            Self::Sessions => "sessions",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let all = Self::ALL.map(Self::as_str).join(", ");
        let found = Self::ALL.into_iter().find(|level| level.as_str() == name);
        found.ok_or_else(|| format!("there are the levels {all}"))
    }
}

/// Tells that an area has no level.
#[derive(Debug, Error)]
#[error("the area `{0}` has no level: conformance/src/level.rs says which has which")]
pub struct NoLevel(String);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::case;

    #[test]
    fn every_level_is_read_by_its_name() {
        for level in Level::ALL {
            assert_eq!(level.to_string().parse(), Ok(level));
        }
        assert_eq!(
            "all".parse::<Level>().unwrap_err(),
            "there are the levels protocol, gates, arguments, limits, providers, sessions"
        );
    }

    #[test]
    fn a_case_needs_no_more_than_its_level_has() {
        let level = |area: &str, replay, provider: Option<&str>| {
            let mut case = Case { area: area.into(), ..case("any") };
            case.options.replay = replay;
            case.options.provider = provider.map(str::to_owned);
            Level::of(&case).unwrap()
        };
        assert_eq!(level("gates", false, None), Level::Gates);
        assert_eq!(level("gates", false, Some("mcp")), Level::Providers);
        assert_eq!(level("gates", true, None), Level::Sessions);
        assert_eq!(level("sessions", false, Some("mcp")), Level::Sessions);
        let topics = [Level::of_topic("reports", "arguments"), Level::of_topic("reports", "edit")];
        assert_eq!(topics, [Some(Level::Arguments), Some(Level::Protocol)]);
    }

    #[test]
    fn cases_are_asked_from_basic_to_special() {
        let of = |area: &str, topic: &str, is_replay: bool| {
            let mut case = Case { area: area.into(), topic: topic.into(), ..case("any") };
            case.options.replay = is_replay;
            case
        };
        let places = [
            "agent edit",
            "arguments numbers",
            "arguments types",
            "protocol encoding",
            "protocol request",
            "reports arguments",
            "reports edit",
            "tools paths",
            "tools read_file",
            "tools write_file",
        ];
        let mut cases: Vec<Case> = places
            .iter()
            .filter_map(|place| place.split_once(' '))
            .map(|(area, topic)| of(area, topic, false))
            .collect();
        cases.insert(0, of("agent", "first", true));
        let ordered: Vec<String> =
            ordered(&cases).unwrap().iter().map(|(_, case)| format!("{} {}", case.area, case.topic)).collect();
        let expected = [
            "protocol request",
            "tools read_file",
            "tools write_file",
            "tools paths",
            "protocol encoding",
            "reports edit",
            "agent edit",
            "arguments types",
            "arguments numbers",
            "reports arguments",
            "agent first",
        ];
        assert_eq!(ordered, expected);
        assert!(LEVELS.is_sorted_by_key(|row| row.2));
    }

    #[test]
    fn a_topic_that_is_named_is_there() {
        // Asked at run time: where checkouts share a target folder, a program may have been compiled in another one.
        let package = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| ".".into(), std::path::PathBuf::from);
        let cases = package.join("cases");
        let is_there = |area: &str, topic: Option<&str>| {
            topic.map_or(cases.join(area), |topic| cases.join(format!("{area}/{topic}.yaml"))).exists()
        };
        let gone: Vec<_> = LEVELS.iter().filter(|(area, topic, _)| !is_there(area, *topic)).collect();
        assert!(gone.is_empty(), "{gone:?}");
    }

    #[test]
    fn levels_are_ordered_as_they_are_reached() {
        assert!(Level::ALL.is_sorted());
    }
}
