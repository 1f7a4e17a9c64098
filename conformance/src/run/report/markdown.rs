//! The report for the summary page of a CI job, in Markdown.

use std::fmt::Write;

use super::{Report, told};
use crate::case::Case;
use crate::run::fault::Fault;

/// How many failures are shown in full: a summary page takes 1 MiB at most.
const SHOWN: usize = 25;

/// How much of what is wrong with a case is shown, in characters.
const FAULTS: usize = 4000;

/// Writes the report as Markdown.
pub fn markdown(report: &Report<'_>) -> String {
    let tally = report.tally();
    let mark = if report.is_success() { "passed" } else { "failed" };
    let mut out = format!("## Conformance: {mark}\n\n{}. Suite: {}.\n\n", report.reached_in_words(), report.suite);
    out.push_str(
        "| level | passed | failed | known failures | not applicable |\n| --- | ---: | ---: | ---: | ---: |\n",
    );
    for (level, tally) in report.levels() {
        let (passed, failed, known, other) = (tally.passed, tally.failed, tally.known_failures, tally.not_applicable);
        let _ = writeln!(out, "| {level} | {passed} | {failed} | {known} | {other} |");
    }
    if let Some(again) = report.asked_again_in_words() {
        let _ = writeln!(out, "\n{again}.");
    }
    for (case, faults) in report.failures().take(SHOWN) {
        out.push_str(&failure(report, case, faults));
    }
    if tally.failed > SHOWN {
        let _ = writeln!(out, "\n{} more failed: the log names them.", tally.failed - SHOWN);
    }
    out
}

fn failure(report: &Report<'_>, case: &Case, faults: &[Fault]) -> String {
    let (name, why, rule) = (case.full_name(), html(&case.why), text(&report.rule(case)));
    let told = told(faults);
    let block = told.char_indices().nth(FAULTS).map_or(told.as_str(), |(end, _)| told.get(..end).unwrap_or_default());
    let (block, alone) = (code(block), code(&report.alone(case)));
    format!(
        "\n<details><summary><code>{name}</code>: {why}</summary>\n\nRule: {rule}\n\n{block}\n{alone}\n</details>\n"
    )
}

/// Writes a text for a line of HTML, in which Markdown means nothing.
fn html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Writes a text so that no letter of it is markup.
fn text(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '|' | '$') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Writes a block of code, fenced by more marks than stand in it.
fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{text}\n{fence}\n")
}
