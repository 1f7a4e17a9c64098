//! Which cases are asked, and which of those do not apply.

use std::collections::BTreeSet;
use std::fmt;

use crate::case::Case;
use crate::level::Level;
use crate::run::feature::Feature;
use crate::run::place::Place;
use crate::yaml::Toolset;

/// Says which cases are asked. By default all.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Texts of which one stands in the case's full name. None: every name will do.
    pub names: Vec<String>,
    /// Whether one of the texts must be the whole name.
    pub is_exact: bool,
    /// The last level that is asked about.
    pub up_to: Option<Level>,
    /// The cases of the version of the suite that is asked. `None`: all there are.
    pub suite: Option<BTreeSet<String>>,
}

impl Selection {
    /// Tells whether a case is asked.
    pub fn holds(&self, case: &Case, level: Level) -> bool {
        let name = case.full_name();
        (self.names.is_empty() || self.names.iter().any(|wanted| self.is_meant(wanted, &name)))
            && self.up_to.is_none_or(|last| level <= last)
            && self.suite.as_ref().is_none_or(|suite| suite.contains(&name))
    }

    fn is_meant(&self, wanted: &str, name: &str) -> bool {
        if self.is_exact { wanted == name } else { name.contains(wanted) }
    }

    /// Returns the first of the texts that selects none of these cases: misspelt beside one that is right it would be missed by nobody.
    pub fn idle_name(&self, cases: &[(Level, &Case)]) -> Option<&str> {
        let held = cases.iter().filter(|(level, case)| self.holds(case, *level)).map(|(_, case)| case.full_name());
        let held: Vec<String> = held.collect();
        self.names.iter().map(String::as_str).find(|wanted| !held.iter().any(|name| self.is_meant(wanted, name)))
    }

    /// Tells whether nothing is left out of the levels that are asked about, so that they can be reached.
    pub fn is_of_whole_levels(&self) -> bool {
        self.names.is_empty()
    }
}

/// Says what a program does not claim to do, and where it does the rest.
#[derive(Debug, Clone, Default)]
pub struct Waived {
    /// The features that it does without.
    pub features: BTreeSet<Feature>,
    /// The levels that it does not speak of.
    pub levels: BTreeSet<Level>,
    /// Where it has its workspace.
    pub place: Place,
}

impl Waived {
    /// Returns why a case does not apply, if it does not.
    pub fn excuse(&self, case: &Case, level: Level) -> Option<NotApplicable> {
        if case.toolset == Toolset::Test {
            return Some(NotApplicable::TestTools);
        }
        if let Some(excuse) = self.place.excuse(case) {
            return Some(excuse);
        }
        if self.levels.contains(&level) {
            return Some(NotApplicable::Level(level));
        }
        let feature = self.features.iter().find(|feature| feature.is_needed_by(case));
        feature.copied().map(NotApplicable::Feature)
    }

    /// Tells whether everything is claimed.
    pub fn is_empty(&self) -> bool {
        self.features.is_empty() && self.levels.is_empty()
    }
}

impl fmt::Display for Waived {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let levels = self.levels.iter().map(|level| level.as_str());
        let names: Vec<_> = levels.chain(self.features.iter().map(|feature| feature.as_str())).collect();
        f.write_str(&names.join(", "))
    }
}

/// Says why a case does not apply to a program.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum NotApplicable {
    /// It is asked of tools that are made for the tests, which a library alone can have.
    TestTools,
    /// It is kept to one subject, for this reason.
    Kept(String),
    /// No directory can hold its workspace, for this reason.
    NotLaidOut(String),
    /// It needs a feature that the program does without.
    Feature(Feature),
    /// It is of a level that is skipped.
    Level(Level),
}

impl fmt::Display for NotApplicable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TestTools => f.write_str("asks tools that are made for the tests"),
            Self::Kept(reason) => write!(f, "kept to one subject: {reason}"),
            Self::NotLaidOut(reason) => write!(f, "no directory can hold it: {reason}"),
            Self::Feature(feature) => write!(f, "without {feature}"),
            Self::Level(level) => write!(f, "without the level {level}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::case;

    #[test]
    fn a_level_brings_those_before_it() {
        let selection = Selection { up_to: Some(Level::Arguments), ..Selection::default() };
        let held = Level::ALL.map(|level| selection.holds(&case("any"), level));
        assert_eq!(held, [true, true, true, false, false, false]);
    }

    #[test]
    fn a_name_is_a_part_of_the_whole_one_unless_exact() {
        let holds = |name: &str, is_exact: bool| {
            let selection = Selection { names: vec![name.to_owned()], is_exact, ..Selection::default() };
            selection.holds(&case("any"), Level::Gates)
        };
        assert!(holds("topic::an", false) && !holds("topic::an", true) && holds("area::topic::any", true));
        assert!(!holds("other", false));
    }

    #[test]
    fn each_name_selects_something() {
        let any = case("any");
        let idle = |names: &[&str], is_exact, up_to| {
            let names = names.iter().map(|name| (*name).to_owned()).collect();
            let selection = Selection { names, is_exact, up_to, ..Selection::default() };
            selection.idle_name(&[(Level::Gates, &any)]).map(str::to_owned)
        };
        assert_eq!(idle(&[], false, None), None);
        assert_eq!(idle(&["any", "topic"], false, Some(Level::Gates)), None);
        assert_eq!(idle(&["any", "topci", "none"], false, None).as_deref(), Some("topci"));
        assert_eq!(idle(&["area::topic::any", "any"], true, None).as_deref(), Some("any"));
        assert_eq!(idle(&["any"], false, Some(Level::Protocol)).as_deref(), Some("any"));
    }

    #[test]
    fn a_version_of_the_suite_holds_its_cases_alone() {
        let suite = |name: &str| Some(BTreeSet::from([name.to_owned()]));
        let holds =
            |name: &str| Selection { suite: suite(name), ..Selection::default() }.holds(&case("any"), Level::Gates);
        assert!(holds("area::topic::any") && !holds("area::topic::other"));
    }

    #[test]
    fn what_does_not_apply_has_its_reason() {
        let waived =
            Waived { features: [Feature::Explain].into(), levels: [Level::Limits].into(), ..Waived::default() };
        let told = |case: &Case, level| waived.excuse(case, level).map(|excuse| excuse.to_string());
        assert_eq!(told(&case("any"), Level::Gates), None);
        assert_eq!(told(&case("any"), Level::Limits).as_deref(), Some("without the level limits"));

        let mut explained = case("any");
        explained.options.explain = true;
        assert_eq!(told(&explained, Level::Gates).as_deref(), Some("without explain"));
        assert_eq!(Waived::default().excuse(&explained, Level::Gates), None);

        let asks_test_tools = Case { toolset: Toolset::Test, ..case("any") };
        assert_eq!(told(&asks_test_tools, Level::Gates).as_deref(), Some("asks tools that are made for the tests"));
        assert_eq!(waived.to_string(), "limits, explain");
    }
}
