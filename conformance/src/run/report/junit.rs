//! The report for CI: JUnit XML, a test suite for each level.
//!
//! **Whatever a program, its command or a list says, what comes is XML.**

use quick_junit::{NonSuccessKind, Report as Document, SerializeError, TestCase, TestCaseStatus, TestSuite};

use super::{Report, told};
use crate::level::Level;
use crate::run::verdict::{Outcome, Verdict};

/// Writes the report as JUnit XML.
///
/// # Errors
///
/// The XML can't be written.
pub fn junit(report: &Report<'_>) -> Result<String, SerializeError> {
    let mut document = Document::new("conformance");
    for (level, _) in report.levels() {
        document.add_test_suite(suite(report, level));
    }
    document.to_string()
}

fn suite(report: &Report<'_>, level: Level) -> TestSuite {
    let mut suite = TestSuite::new(level.as_str());
    for outcome in report.outcomes.iter().filter(|outcome| outcome.level == level) {
        suite.add_test_case(case(report, outcome));
    }
    suite
}

fn case(report: &Report<'_>, outcome: &Outcome<'_>) -> TestCase {
    let mut case = TestCase::new(outcome.case.full_name(), status(report, outcome));
    case.set_classname(format!("{}::{}", outcome.case.area, outcome.case.topic));
    case
}

fn status(report: &Report<'_>, outcome: &Outcome<'_>) -> TestCaseStatus {
    match &outcome.verdict {
        Verdict::Passed => TestCaseStatus::success(),
        Verdict::Failed(faults) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            let (rule, alone) = (report.rule(outcome.case), report.alone(outcome.case));
            status.set_message(text(&outcome.case.why));
            status.set_description(text(&format!("rule: {rule}\n{}\nalone: {alone}", told(faults))));
            status
        }
        Verdict::KnownFailure(why) => skipped(&format!("known failure: {why}")),
        Verdict::NotApplicable(reason) => skipped(&format!("not applicable: {reason}")),
    }
}

fn skipped(reason: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message(text(reason));
    status
}

/// Escapes the characters that XML 1.0 has no place for, in the way of all reports: not all of them are control characters.
fn text(text: &str) -> String {
    let is_in_xml = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
    text.chars().map(|c| if is_in_xml(c) { c.to_string() } else { c.escape_default().to_string() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_has_no_place_for_is_escaped() {
        let odd = "\0\u{1}\u{8}\u{b}\u{c}\u{e}\u{1b}\u{1f}\u{fffe}\u{ffff}";
        assert_eq!(text(odd), r"\u{0}\u{1}\u{8}\u{b}\u{c}\u{e}\u{1b}\u{1f}\u{fffe}\u{ffff}");
        let even = "\t\n\r a\u{7f}\u{85}é\u{d7ff}\u{e000}\u{fdd0}\u{fffd}\u{10000}\u{1fffe}\u{10ffff}";
        assert_eq!(text(even), even);
    }
}
