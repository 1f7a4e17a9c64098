//! One case, run through every subject that can show it.

use std::fmt;

use crate::case::Case;
use crate::judge::judge;
use crate::mismatch::Mismatch;
use crate::subject::{Input, Output, Subject, SubjectError};

/// Tells what went wrong with a case.
#[derive(Debug)]
#[non_exhaustive]
pub enum Finding {
    /// A subject could not be run.
    Failed(String, SubjectError),
    /// A subject gave something else than the case expects.
    Unexpected(String, Mismatch),
    /// Two subjects gave different bytes where the case leaves room.
    Disagreement(String, Mismatch),
    /// None of the subjects can show the case.
    NoSubject,
}

/// Runs a case through the subjects that can show it, and returns what all of them gave.
///
/// # Errors
///
/// All that went wrong: a subject that could not be run or gave something else than the case
/// expects, or, where all gave what is expected, subjects that differ in the rest.
pub fn run(case: &Case, subjects: &[&dyn Subject]) -> Result<Output, Vec<Finding>> {
    let input = Input::of_case(case);
    let mut findings = Vec::new();
    let mut outputs = Vec::new();
    for subject in subjects.iter().filter(|subject| subject.can_show(case)) {
        let name = subject.name().to_owned();
        match subject.run(&input) {
            Ok(output) => {
                let mismatches = judge(case, &output).into_iter();
                findings.extend(mismatches.map(|found| Finding::Unexpected(name.clone(), found)));
                outputs.push((name, output));
            }
            Err(error) => findings.push(Finding::Failed(name, error)),
        }
    }
    if !findings.is_empty() {
        return Err(findings);
    }
    agreed(outputs)
}

/// Returns the one output that all subjects gave.
fn agreed(outputs: Vec<(String, Output)>) -> Result<Output, Vec<Finding>> {
    let mut outputs = outputs.into_iter();
    let Some((first, agreed)) = outputs.next() else {
        return Err(vec![Finding::NoSubject]);
    };
    let findings: Vec<Finding> = outputs
        .flat_map(|(name, output)| {
            let names = format!("{first} (expected) and {name} (got)");
            let differences = differences(&agreed, &output).into_iter();
            differences.map(move |found| Finding::Disagreement(names.clone(), found))
        })
        .collect();
    if findings.is_empty() { Ok(agreed) } else { Err(findings) }
}

fn differences(first: &Output, other: &Output) -> Vec<Mismatch> {
    let mut found = Vec::new();
    if first.exit != other.exit {
        found.push(Mismatch::Exit { expected: first.exit, got: other.exit });
    }
    let nothing = Vec::new();
    let workspace = |output: &'_ Output| output.workspace.clone().unwrap_or(nothing.clone());
    let (first_workspace, other_workspace) = (workspace(first), workspace(other));
    let streams = [
        ("stdout", &first.stdout, &other.stdout),
        ("stderr", &first.stderr, &other.stderr),
        ("workspace", &first_workspace, &other_workspace),
    ];
    for (stream, expected, got) in streams {
        if expected != got {
            let (expected, got) = (expected.clone(), got.clone());
            found.push(Mismatch::Bytes { stream, expected, got });
        }
    }
    found
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(name, error) => write!(f, "{name}: {}", chain(error)),
            Self::Unexpected(name, mismatch) => write!(f, "{name}: {mismatch}"),
            Self::Disagreement(names, mismatch) => write!(f, "{names} differ: {mismatch}"),
            Self::NoSubject => f.write_str("no subject can show this case"),
        }
    }
}

/// Writes an error with what is behind it.
fn chain(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {}", chain(source)),
        None => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Expectation, Piece, Request};
    use crate::testing::{Canned, case};
    use crate::yaml::{Only, SubjectName, Toolset};

    fn canned(name: &'static str, stdout: &str) -> Canned {
        let output = Output { stdout: stdout.into(), ..Output::default() };
        Canned { name, output }
    }

    /// Runs a case that expects the bytes `yes`, and returns what is found.
    fn found(case: &Case, subjects: &[&dyn Subject]) -> Vec<String> {
        let case = Case { expectation: Expectation::Stdout("yes".into()), ..case.clone() };
        let findings = run(&case, subjects).err().unwrap_or_default();
        findings.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_subject_is_judged() {
        let (yes, no) = (canned("one", "yes"), canned("two", "no"));
        let findings = found(&case("any"), &[&yes, &no, &no]);
        assert_eq!(findings.len(), 2);
        assert!(findings.iter().all(|text| text.starts_with("two: stdout: ")), "{findings:?}");
        assert!(found(&case("any"), &[&yes, &yes]).is_empty());
    }

    #[test]
    fn what_no_rule_gives_is_still_the_same() {
        let mut other = canned("two", "yes");
        other.output.stderr = b"oh".to_vec();
        let mut case = case("any");
        case.exit = 2;
        let mut one = canned("one", "yes");
        (one.output.exit, other.output.exit) = (2, 2);
        let findings = found(&case, &[&one, &other]);
        assert!(findings.concat().starts_with("one (expected) and two (got) differ: stderr"));
    }

    #[test]
    fn a_case_that_nothing_can_show_is_no_success() {
        let only = Only { subject: SubjectName::Binary, reason: "why".into() };
        let kept = Case { only: Some(only), ..case("any") };
        let tools = Case { toolset: Toolset::Test, ..case("any") };
        for case in [kept, tools] {
            assert_eq!(found(&case, &[&canned("one", "yes")]), ["no subject can show this case"]);
        }
    }

    #[test]
    fn the_bytes_of_the_request_go_in() {
        let request = Request::One(vec![Piece::Bytes(b"in".to_vec())]);
        assert_eq!(Input::of_case(&Case { request, ..case("any") }).stdin, b"in");
    }
}
