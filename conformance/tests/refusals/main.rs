//! Nothing that was refused has run, and nothing has changed: gate by gate, kind by kind.
//!
//! Every refusal is of a call that would count itself. It is asked for once alone, and once within a
//! session, whose workspace is then asked for and must be as it was, byte for byte.

mod refusal;
mod table;

use std::collections::BTreeSet;

use conformance::library::Library;
use conformance::raw;
use conformance::subject::{Input, SubjectError};
use dispatch_core::{ErrorCode, FailureClass};
use refusal::Refusal;

/// The workspace before: what stands here is what must come back. Its keys are sorted.
const FILES: &str = r#"{"a":"\u00e9\/","count":"before","z":"1\n"}"#;

/// What a protocol failure brings along: it must not become the session's workspace.
const OTHER_FILES: &str = r#"{"other":"x"}"#;

/// The first request of each session. It sets the workspace, runs nothing that counts, and needs no
/// permission.
const OPENING: &str = r#""call":{"tool":"patch_file","args":{}}"#;

/// What is seen of a refusal.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    code: Option<String>,
    exit: i32,
    workspace: Option<String>,
    runs: usize,
}

impl Seen {
    fn new(refused: &str, workspace: &str, exit: i32, runs: usize) -> Self {
        let code = raw::member_named(refused, "error").map(|code| code.trim_matches('"').to_owned());
        let workspace = raw::member_named(workspace, "workspace").map(str::to_owned);
        Self { code, exit, workspace, runs }
    }

    /// What must be seen: of a protocol failure no workspace, unless a session is asked for its own.
    fn expected(refusal: &Refusal, is_session: bool) -> Self {
        Self {
            code: Some(refusal.code.to_owned()),
            exit: i32::from(!refusal.is_rejection()),
            workspace: (is_session || refusal.is_rejection()).then(|| FILES.to_owned()),
            runs: 0,
        }
    }
}

fn run(input: &Input) -> Result<(Vec<String>, i32, usize), SubjectError> {
    let (output, runs) = Library.run_counted(input)?;
    let text = [output.stdout, output.stderr].concat();
    let lines = String::from_utf8_lossy(&text).lines().map(str::to_owned).collect();
    Ok((lines, output.exit, runs))
}

/// Asks alone.
fn alone(refusal: &Refusal) -> Result<Seen, SubjectError> {
    let (lines, exit, runs) = run(&refusal.input(refusal.with_workspace(FILES), false))?;
    let answer = lines.concat();
    Ok(Seen::new(&answer, &answer, exit, runs))
}

/// Asks within a session that has a workspace, and then for that.
fn in_session(refusal: &Refusal) -> Result<Seen, SubjectError> {
    let asked = if refusal.is_rejection() { refusal.without_workspace() } else { refusal.with_workspace(OTHER_FILES) };
    let (lines, exit, runs) = run(&refusal.input(session(&asked), true))?;
    let [_, refused, workspace] = lines.as_slice() else {
        return Ok(Seen::new("", &lines.concat(), exit, runs));
    };
    Ok(Seen::new(refused, workspace, exit, runs))
}

/// Sets the workspace, asks, and asks for the workspace.
fn session(asked: &[u8]) -> Vec<u8> {
    let opening = format!(r#"{{"op":"dispatch","workspace":{FILES},{OPENING}}}"#);
    [opening.as_bytes(), b"\n", asked, b"\n", br#"{"op":"workspace"}"#, b"\n"].concat()
}

/// Says how what was seen differs from what must be seen.
fn fault(refusal: &Refusal, seen: &Seen, is_session: bool) -> Option<String> {
    let expected = Seen::expected(refusal, is_session);
    (*seen != expected).then(|| format!("{refusal}\n  expected {expected:?}\n  seen     {seen:?}"))
}

#[test]
fn a_refused_call_runs_nothing_and_changes_nothing() -> Result<(), SubjectError> {
    let mut faults = Vec::new();
    for refusal in table::all().iter().filter(|refusal| refusal.is_for_alone) {
        faults.extend(fault(refusal, &alone(refusal)?, false));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    Ok(())
}

#[test]
fn a_refused_call_leaves_the_session_as_it_was() -> Result<(), SubjectError> {
    let mut faults = Vec::new();
    for refusal in table::all().iter().filter(|refusal| refusal.is_for_session) {
        faults.extend(fault(refusal, &in_session(refusal)?, true));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    Ok(())
}

#[test]
fn every_code_of_a_refusal_is_tried() {
    let runs =
        |code: &ErrorCode| matches!(code.class(), FailureClass::ExecutionFailure | FailureClass::InternalFailure);
    let expected: BTreeSet<&str> = ErrorCode::ALL.iter().filter(|code| !runs(code)).map(|code| code.as_str()).collect();
    let tried: BTreeSet<&str> = table::all().iter().map(|refusal| refusal.code).collect();
    assert_eq!(tried, expected);
}

/// The calls of the table, with nothing wrong: what the tests above look at does move.
#[test]
fn an_accepted_call_runs_once_and_changes_the_workspace() -> Result<(), SubjectError> {
    let accepted = Refusal::new("none", r#"{"op":"dispatch",@W@C}"#).allowing(&["count"]);
    let after = r#"{"a":"\u00e9\/","count":"1","z":"1\n"}"#;
    let expected = Seen { code: None, exit: 0, workspace: Some(after.to_owned()), runs: 1 };
    assert_eq!(alone(&accepted)?, expected);
    let (lines, exit, runs) = run(&accepted.input(session(&accepted.without_workspace()), true))?;
    let [_, ran, workspace] = lines.as_slice() else {
        assert_eq!(lines.len(), 3, "{lines:?}");
        return Ok(());
    };
    assert_eq!(Seen::new(ran, workspace, exit, runs), expected);
    Ok(())
}

#[test]
fn the_other_tool_that_counts_does_count() -> Result<(), SubjectError> {
    let call = r#"{"op":"dispatch",@W"call":{"tool":"typed","args":{"flag":true}}}"#;
    let seen = alone(&Refusal::new("none", call))?;
    assert_eq!((seen.code, seen.exit, seen.runs), (None, 0, 1));
    Ok(())
}
