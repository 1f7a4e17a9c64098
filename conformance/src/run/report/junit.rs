//! The report for CI: JUnit XML, a test suite for each level.

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
            status.set_message(outcome.case.why.as_str());
            status.set_description(format!("rule: {rule}\n{}\nalone: {alone}", told(faults)));
            status
        }
        Verdict::KnownFailure(why) => skipped(&format!("known failure: {why}")),
        Verdict::NotApplicable(reason) => skipped(&format!("not applicable: {reason}")),
    }
}

fn skipped(reason: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message(reason);
    status
}
