//! A call that began and was broken off: nobody is told that nothing happened who can't know it.

use dispatch_core::workspace::{MemoryWorkspace, View};
use dispatch_core::{Annotations, CallError, ErrorCode, ToolFailure, ToolResult, tool_fn};
use serde_json::{Map, Value};

use crate::support::{Desk, all, call, files};

const CLOSED: Annotations = Annotations { open_world: false, ..Annotations::read_only() };
const READER: Annotations = Annotations { open_world: true, ..Annotations::read_only() };
const WRITER: Annotations = Annotations { read_only: false, ..CLOSED };
const REACHES_OUT: Annotations = Annotations { open_world: true, ..WRITER };

/// Broken off after it has written.
fn desk(annotations: Annotations, failure: &ToolFailure) -> Desk {
    let failure = failure.clone();
    let work = move |_: Map<String, Value>, view: &mut View<'_>| {
        view.write("a.txt", "half".to_owned())?;
        Err::<String, _>(failure.clone())
    };
    Desk::of(&[], |builder, _| builder.tool(tool_fn("work", work).annotated(annotations)))
}

type Way = fn(&Desk, ToolFailure, &mut MemoryWorkspace) -> ToolResult;

/// All ways in which a call that ran here can end in a failure.
const HERE: [Way; 2] = [
    |desk, _, workspace| desk.gates.admit(call("work", "{}")).unwrap().run(workspace),
    |desk, _, workspace| desk.gates.admit(call("work", "{}")).unwrap().run_listening(workspace, &mut |_| {}),
];

/// And one that ran elsewhere.
const ELSEWHERE: [Way; 2] = [
    |desk, failure, _| desk.gates.admit(call("work", "{}")).unwrap().detach().1.complete(Err::<String, _>(failure)),
    |desk, failure, _| {
        let (_, pending) = desk.gates.admit(call("work", "{}")).unwrap().detach_as::<Map<String, Value>>().unwrap();
        pending.complete(Err::<String, _>(failure))
    },
];

fn check(ways: &[Way], annotations: Annotations, failure: &ToolFailure, expected: &str) -> Vec<CallError> {
    let desk = desk(annotations, failure);
    let ended = |way: &Way| {
        let mut workspace = files();
        let result = way(&desk, failure.clone(), &mut workspace);
        assert_eq!(all(&workspace), all(&files()));
        let error = result.error().unwrap();
        assert_eq!(error.text_for_model(), expected, "{annotations:?} {failure:?}");
        error.clone()
    };
    ways.iter().map(ended).collect()
}

const LATE: &str = "The call did not end within its time.";
const OFF: &str = "The call was called off before it ended.";
const OUTSIDE: &str = "Nobody knows what it did outside of the workspace until then.";

#[test]
fn what_ran_elsewhere_may_have_been_done() {
    for annotations in [WRITER, REACHES_OUT, Annotations::default()] {
        let check = |failure: ToolFailure, expected: &str| check(&ELSEWHERE, annotations, &failure, expected);
        check(ErrorCode::Timeout.into(), &format!("outcome_unknown: {LATE}"));
        check(ErrorCode::Cancelled.into(), &format!("outcome_unknown: {OFF}"));
        check(ToolFailure::new(ErrorCode::Timeout, "No answer in 5 s."), "outcome_unknown: No answer in 5 s.");
    }
}

#[test]
fn the_operator_learns_what_it_was_completed_with() {
    let rows = [
        (ToolFailure::from(ErrorCode::Timeout), "the call was completed as `timeout`, and the host said: nothing more"),
        (
            ToolFailure::from(ErrorCode::Cancelled).with_operator_text("SIGINT"),
            "the call was completed as `cancelled`, and the host said: SIGINT",
        ),
    ];
    for (failure, expected) in rows {
        let failure = failure.with_message("Gone.");
        for error in check(&ELSEWHERE, WRITER, &failure, "outcome_unknown: Gone.") {
            assert_eq!(error.operator_text.as_deref(), Some(expected));
        }
    }
}

#[test]
fn what_ran_here_and_reaches_no_further_has_done_nothing() {
    for annotations in [CLOSED, WRITER] {
        check(&HERE, annotations, &ErrorCode::Timeout.into(), &format!("timeout: {LATE}"));
        check(&HERE, annotations, &ErrorCode::Cancelled.into(), &format!("cancelled: {OFF}"));
    }
}

#[test]
fn what_ran_here_and_reaches_further_may_have_done_something_there() {
    for annotations in [REACHES_OUT, Annotations::default()] {
        check(&HERE, annotations, &ErrorCode::Timeout.into(), &format!("timeout: {LATE} {OUTSIDE}"));
        check(&HERE, annotations, &ErrorCode::Cancelled.into(), &format!("cancelled: {OFF} {OUTSIDE}"));
        let own = ToolFailure::new(ErrorCode::Timeout, "No answer in 5 s.");
        check(&HERE, annotations, &own, &format!("timeout: No answer in 5 s. {OUTSIDE}"));
    }
}

#[test]
fn what_changes_nothing_was_not_left_half_done() {
    for annotations in [CLOSED, READER] {
        for ways in [HERE, ELSEWHERE] {
            check(&ways, annotations, &ErrorCode::Timeout.into(), &format!("timeout: {LATE}"));
            check(&ways, annotations, &ErrorCode::Cancelled.into(), &format!("cancelled: {OFF}"));
        }
    }
}

#[test]
fn other_failures_say_what_they_say() {
    for ways in [HERE, ELSEWHERE] {
        check(&ways, REACHES_OUT, &ToolFailure::new(ErrorCode::NotReady, "Later."), "not_ready: Later.");
    }
}
