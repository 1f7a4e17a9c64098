//! The report for programs.

use dispatch_core::json::{Document, write_value};
use serde_json::{Map, Value, json as value};

use super::{Report, told};
use crate::level::Level;
use crate::run::verdict::{Outcome, Tally, Verdict};

/// Writes the report as JSON: what was asked, the levels, and every case.
pub fn json(report: &Report<'_>) -> String {
    let levels: Vec<Value> =
        report.levels().into_iter().map(|(level, tally)| counted("level", level.as_str(), tally)).collect();
    let whole = value!({
        "asked_again": report.asked_again,
        "cases": report.outcomes.iter().map(|outcome| case(report, outcome)).collect::<Vec<_>>(),
        "command": report.command,
        "levels": levels,
        "reached": report.reached().map(Level::as_str),
        "success": report.is_success(),
        "suite": report.suite,
        "without": {
            "features": report.waived.features.iter().map(|feature| feature.as_str()).collect::<Vec<_>>(),
            "levels": report.waived.levels.iter().map(|level| level.as_str()).collect::<Vec<_>>(),
        },
    });
    laid_out(&whole).unwrap_or_else(|| whole.to_string()) + "\n"
}

/// Lays the report out over many lines, the keys sorted however `serde_json` was built.
fn laid_out(whole: &Value) -> Option<String> {
    let (mut compact, mut out) = (Vec::new(), Vec::new());
    write_value(&mut compact, whole).ok()?;
    Document::parse(compact).ok()?.root().write_indented(&mut out).ok()?;
    String::from_utf8(out).ok()
}

fn counted(name: &str, named: &str, tally: Tally) -> Value {
    value!({
        name: named,
        "failed": tally.failed,
        "known_failures": tally.known_failures,
        "not_applicable": tally.not_applicable,
        "passed": tally.passed,
    })
}

fn case(report: &Report<'_>, outcome: &Outcome<'_>) -> Value {
    let (verdict, reason) = match &outcome.verdict {
        Verdict::Passed => ("passed", None),
        Verdict::Failed(faults) => ("failed", Some(told(faults))),
        Verdict::KnownFailure(why) => ("known_failure", Some(why.clone())),
        Verdict::NotApplicable(reason) => ("not_applicable", Some(reason.to_string())),
    };
    let mut members = Map::new();
    members.insert("level".into(), outcome.level.as_str().into());
    members.insert("name".into(), outcome.case.full_name().into());
    members.extend(reason.map(|reason| ("reason".to_owned(), reason.into())));
    members.insert("rule".into(), report.rule(outcome.case).into());
    members.insert("verdict".into(), verdict.into());
    Value::Object(members)
}
