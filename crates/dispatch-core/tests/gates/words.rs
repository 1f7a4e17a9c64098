//! Who reads what: of a policy's trouble not a word reaches the model, of its decision every one does.

use dispatch_core::policy::{Decision, PolicyError, Proposal};
use dispatch_core::workspace::WorkspaceError;
use dispatch_core::{CallError, ErrorCode, ToolFailure, ToolResult, UnserialisableOutput};

use crate::support::{Desk, FILES, Judge};

const GOOD: &str = r#"{"path":"a.txt"}"#;

/// Stands in every text that is for the operator alone.
const SECRET: &str = "hunter2";

fn fail(_: &Proposal<'_>) -> Result<Decision, PolicyError> {
    Err(PolicyError::new("no connection to db://root:hunter2@host"))
}

fn panic_with_a_text(_: &Proposal<'_>) -> Result<Decision, PolicyError> {
    std::panic::resume_unwind(Box::new("hunter2 is no number"))
}

fn panic_with_a_string(_: &Proposal<'_>) -> Result<Decision, PolicyError> {
    std::panic::resume_unwind(Box::new(format!("{} is no number", "hunter2")))
}

fn panic_with_a_value(_: &Proposal<'_>) -> Result<Decision, PolicyError> {
    std::panic::resume_unwind(Box::new(7))
}

/// What a panic brought, and what panics again when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        std::panic::resume_unwind(Box::new("hunter2, again"));
    }
}

fn panic_with_a_bomb(_: &Proposal<'_>) -> Result<Decision, PolicyError> {
    std::panic::resume_unwind(Box::new(Bomb))
}

/// Panics as code does: an argument that is not there.
fn panic_in_passing(call: &Proposal<'_>) -> Result<Decision, PolicyError> {
    let owner = call.arguments.get("owner").and_then(|owner| owner.as_str()).expect("hunter2");
    Ok(Decision::deny(owner))
}

/// Everything that a model could be shown of a result, whatever the provider.
fn all_for_the_model(result: &ToolResult) -> String {
    let error = result.error().unwrap();
    let details = error.details.iter().map(ToString::to_string);
    let texts = [error.code.to_string(), error.text_for_model(), error.message.clone().unwrap_or_default()];
    texts.into_iter().chain(details).collect::<Vec<_>>().join("\n")
}

#[test]
fn no_word_of_a_policy_s_trouble_reaches_the_model() {
    let rows: [(Judge, &str); 6] = [
        (fail, "a policy failed: no connection to db://root:hunter2@host"),
        (panic_with_a_text, "a policy panicked: hunter2 is no number"),
        (panic_with_a_string, "a policy panicked: hunter2 is no number"),
        (panic_with_a_value, "a policy panicked: without a text"),
        (panic_with_a_bomb, "a policy panicked: without a text"),
        (panic_in_passing, "a policy panicked: hunter2"),
    ];
    for (policy, operator_text) in rows {
        let desk = Desk::new(&[policy]);
        let seen = desk.ask("note", GOOD);
        assert_eq!(seen.sum(), ("policy_failed", 0, 1, true));
        assert_eq!(seen.error().operator_text.as_deref(), Some(operator_text));
        assert!(!all_for_the_model(&seen.result).contains(SECRET));

        let line =
            format!(r#"{{"error":"policy_failed","id":"c1","status":"error","tool":"note","workspace":{FILES}}}"#);
        assert_eq!(desk.ask_in_protocol("note", GOOD), [line.clone() + "\n", line + "\n"]);
    }
}

#[test]
fn a_rejection_that_is_printed_tells_no_secret() {
    let rejection = Desk::new(&[fail]).gates.admit(crate::support::call("note", GOOD)).unwrap_err();
    assert_eq!(rejection.to_string(), "call of `note` refused: policy_failed");
}

/// Whoever debugs what they hold, and be it into a text for the model, pours out nobody's password.
#[test]
fn what_is_debugged_tells_no_secret() {
    let rejection = Desk::new(&[fail]).gates.admit(crate::support::call("note", GOOD)).unwrap_err();
    let failure = ToolFailure::from(ErrorCode::IoError).with_operator_text(SECRET);
    let printed = [
        format!("{:?}", rejection.error()),
        format!("{rejection:#?}"),
        format!("{:?}", rejection.into_result()),
        format!("{failure:?} {failure:#?} {failure}"),
        format!("{:?}", CallError::from(failure)),
        format!("{:?}", PolicyError::new(SECRET)),
        format!("{:?}", WorkspaceError::new(ErrorCode::IoError, SECRET)),
        format!("{:?}", UnserialisableOutput::new(SECRET)),
    ];
    for printed in printed {
        assert!(!printed.contains(SECRET), "{printed}");
    }
}

fn deny(_: &Proposal<'_>) -> Result<Decision, PolicyError> {
    Ok(Decision::deny("Write into \"notes/\",\nplease."))
}

fn deny_as(_: &Proposal<'_>) -> Result<Decision, PolicyError> {
    Ok(Decision::deny_as("not_your_note", "It is Ada's.").unwrap())
}

#[test]
fn what_a_denial_says_reaches_the_model() {
    let rows: [(Judge, &str, &str); 2] = [
        (
            deny,
            r#""error":"policy_denied","id":"c1","message":"Write into \"notes/\",\nplease.""#,
            "policy_denied: Write into \"notes/\",\nplease.",
        ),
        (deny_as, r#""error":"not_your_note","id":"c1","message":"It is Ada's.""#, "not_your_note: It is Ada's."),
    ];
    for (policy, members, text) in rows {
        let desk = Desk::new(&[policy]);
        let line = format!(r#"{{{members},"status":"error","tool":"note","workspace":{FILES}}}"#);
        assert_eq!(desk.ask_in_protocol("note", GOOD), [line.clone() + "\n", line + "\n"]);
        let seen = desk.ask("note", GOOD);
        assert_eq!(seen.error().text_for_model(), text);
        assert_eq!(seen.error().operator_text, None);
    }
}

#[test]
fn a_policy_s_own_code_takes_no_built_in_name() {
    for taken in dispatch_core::ErrorCode::ALL {
        assert!(Decision::deny_as(taken.as_str(), "").is_err(), "{taken}");
    }
    for ill_formed in ["", "Denied", "not-yours", "1st", "a b"] {
        assert!(Decision::deny_as(ill_formed, "").is_err(), "{ill_formed:?}");
    }
}
