//! The report for people: failures first, then the levels.

use std::fmt::Write;

use super::{Report, told};
use crate::case::Case;
use crate::run::fault::Fault;
use crate::subject::Input;

/// How much of a request is shown, in characters.
const SHOWN: usize = 400;

/// Writes the report for people. Of so many failures it shows all that is known, and of the rest the names.
pub fn people(report: &Report<'_>, most: usize) -> String {
    let mut out = String::new();
    for (case, faults) in report.failures().take(most) {
        out.push_str(&failure(report, case, faults));
        out.push('\n');
    }
    let mut rest = report.failures().skip(most).peekable();
    if rest.peek().is_some() {
        let names = rest.map(|(case, _)| format!("FAILED {}\n", case.full_name()));
        out.push_str(&names.collect::<String>());
        let _ =
            writeln!(out, "The first {most} are shown in full above, and all of them with --all or in the reports.\n");
    }
    out.push_str(&levels(report));
    let (tally, reached) = (report.tally(), report.reached_in_words());
    out.push('\n');
    for line in report.asked_again_in_words().into_iter().chain([reached]) {
        let _ = writeln!(out, "{line}");
    }
    let known = match tally.known_failures {
        0 => String::new(),
        count => format!(" (known failures: {count})"),
    };
    let _ = writeln!(out, "{} of {} cases failed{known}", tally.failed, tally.asked());
    out
}

fn failure(report: &Report<'_>, case: &Case, faults: &[Fault]) -> String {
    let input = Input::of_case(case);
    let arguments = input.arguments().join(" ");
    let (name, why, rule) = (case.full_name(), &case.why, report.rule(case));
    let (request, alone) = (shown(&input.stdin), report.alone(case));
    let faults = told(faults).replace('\n', "\n  ");
    format!(
        "FAILED {name}\n  {why}\n  rule:  {rule}\n  asked: {arguments}\n  stdin: {request}\n  {faults}\n  alone: {alone}\n"
    )
}

fn shown(stdin: &[u8]) -> String {
    let text = String::from_utf8_lossy(stdin);
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}... ({} bytes)", text.get(..end).unwrap_or_default(), stdin.len()),
        None => format!("{text:?}"),
    }
}

fn levels(report: &Report<'_>) -> String {
    let mut out = format!("{:10} {:>7} {:>7} {:>7} {:>15}\n", "level", "passed", "failed", "known", "not applicable");
    for (level, tally) in report.levels() {
        let (passed, failed, known, other) = (tally.passed, tally.failed, tally.known_failures, tally.not_applicable);
        let _ = writeln!(out, "{level:10} {passed:>7} {failed:>7} {known:>7} {other:>15}");
    }
    out
}
