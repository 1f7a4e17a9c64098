//! Questions: a call that waits for an answer, and what becomes of it.

use dispatch_core::policy::{Decision, PolicyError, Proposal};
use dispatch_core::{AwaitingApproval, Clearance, Stage};
use serde_json::json;

use crate::support::{Desk, FILES, all, allow, call, files};

const GOOD: &str = r#"{"path":"a.txt"}"#;

fn ask(call: &Proposal<'_>) -> Result<Decision, PolicyError> {
    Ok(Decision::Ask(format!("May {} write to {}?", call.tool, call.arguments["path"])))
}

/// A call that waits, and the desk where it does.
fn waiting() -> (Desk, AwaitingApproval) {
    let desk = Desk::new(&[ask, allow]);
    match desk.gates.judge(call("note", GOOD)) {
        Clearance::Ask(awaiting) => (desk, awaiting),
        other => panic!("no question: {other:?}"),
    }
}

#[test]
fn whoever_answers_sees_what_would_run() {
    let (desk, awaiting) = waiting();
    assert_eq!(awaiting.question(), r#"May note write to "a.txt"?"#);
    assert_eq!(awaiting.arguments(), &json!({"path": "a.txt", "text": "a line\n", "times": 1}));
    assert_eq!((awaiting.call().id(), awaiting.call().args().raw()), (Some("c1"), GOOD));
    assert_eq!((desk.runs.get(), desk.asked.get()), (0, 2));
}

#[test]
fn a_call_that_was_allowed_runs_and_no_policy_is_asked_again() {
    let (desk, awaiting) = waiting();
    let mut workspace = files();
    let result = awaiting.allow().run(&mut workspace);
    assert_eq!(result.shown().unwrap().text, "Noted: a.txt");
    assert_eq!(all(&workspace)[0].1, "a line\n");
    assert_eq!((desk.runs.get(), desk.asked.get()), (1, 2));
}

#[test]
fn a_call_that_was_not_allowed_does_not_run() {
    let (desk, awaiting) = waiting();
    let rejection = awaiting.deny("Not today.");
    assert_eq!((rejection.stage(), rejection.call().id()), (Stage::Cleared, Some("c1")));
    assert_eq!(rejection.error().text_for_model(), "policy_denied: Not today.");
    assert_eq!(rejection.error().operator_text, None);
    assert_eq!(desk.runs.get(), 0);
}

#[test]
fn a_call_that_nobody_answers_does_not_run_and_says_so() {
    let (desk, awaiting) = waiting();
    let rejection = awaiting.unanswered();
    assert_eq!((rejection.stage(), rejection.call().id()), (Stage::Cleared, Some("c1")));
    assert_eq!((rejection.error().code.as_str(), rejection.error().message.as_deref()), ("approval_required", None));
    assert_eq!(desk.runs.get(), 0);
}

#[test]
fn a_question_that_is_dropped_has_run_nothing() {
    let (desk, awaiting) = waiting();
    drop(awaiting);
    assert_eq!(desk.runs.get(), 0);
}

/// The question is for whoever answers. Where nobody can, the model learns that somebody would have to.
#[test]
fn the_native_protocol_has_nobody_to_ask() {
    let desk = Desk::new(&[ask]);
    let line =
        format!(r#"{{"error":"approval_required","id":"c1","status":"error","tool":"note","workspace":{FILES}}}"#);
    assert_eq!(desk.ask_in_protocol("note", GOOD), [line.clone() + "\n", line + "\n"]);
    assert_eq!((desk.runs.get(), desk.asked.get()), (0, 2));
    assert_eq!(desk.ask("note", GOOD).code(), "approval_required");
}
