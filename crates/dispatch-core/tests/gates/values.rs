//! What the gates give can wait and travel: on another thread, as long as it takes.

#![expect(clippy::disallowed_methods, reason = "a test that moves values to a thread starts one; core does not")]

use std::thread;

use dispatch_core::admission::{Known, Permitted, Valid};
use dispatch_core::policy::{Decision, PolicyError, Proposal};
use dispatch_core::{
    Admitted, AwaitingApproval, Clearance, Gates, Pending, Registry, Rejection, ToolCall, ToolResult, protocol,
};

use crate::support::{Desk, all, call, files};

const GOOD: &str = r#"{"path":"a.txt"}"#;

#[test]
fn every_value_can_be_sent_and_borrows_nothing() {
    fn can_travel<T: Send + 'static>() {}
    can_travel::<ToolCall>();
    can_travel::<Known>();
    can_travel::<Permitted>();
    can_travel::<Valid>();
    can_travel::<Clearance>();
    can_travel::<Admitted>();
    can_travel::<AwaitingApproval>();
    can_travel::<Pending>();
    can_travel::<Rejection>();
    can_travel::<ToolResult>();
    can_travel::<protocol::Stream>();
}

#[test]
fn gates_can_be_shared() {
    fn can_be_shared<T: Send + Sync + Clone + 'static>() {}
    can_be_shared::<Gates>();
    can_be_shared::<Registry>();
    can_be_shared::<ToolCall>();
    can_be_shared::<ToolResult>();
}

fn elsewhere<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    thread::spawn(work).join().unwrap()
}

fn ask(_: &Proposal<'_>) -> Result<Decision, PolicyError> {
    Ok(Decision::Ask("?".to_owned()))
}

#[test]
fn each_gate_can_stand_on_a_thread_of_its_own() {
    let Desk { gates, runs, asked } = Desk::new(&[ask]);
    let known = elsewhere(move || gates.known(call("note", GOOD))).unwrap();
    let permitted = elsewhere(move || known.permitted()).unwrap();
    let valid = elsewhere(move || permitted.valid()).unwrap();
    let Clearance::Ask(awaiting) = elsewhere(move || valid.cleared()) else { panic!("no question") };
    let admitted = elsewhere(move || awaiting.allow());
    let (workspace, result) = elsewhere(move || {
        let mut workspace = files();
        let result = admitted.run(&mut workspace);
        (workspace, result)
    });
    assert_eq!(result.shown().unwrap().text, "Noted: a.txt");
    assert_eq!(all(&workspace)[0].1, "a line\n");
    assert_eq!((runs.get(), asked.get()), (1, 1));
}

#[test]
fn a_call_outlives_the_gates_that_it_came_through() {
    let desk = Desk::new(&[]);
    let admitted = desk.gates.admit(call("note", GOOD)).unwrap();
    drop(desk);
    assert!(admitted.run(&mut files()).error().is_none());
}

/// A later gate of another session can't be slipped in: the gates travel with the call.
#[test]
fn gates_that_were_narrowed_later_do_not_bind_a_call_on_its_way() {
    let desk = Desk::new(&[]);
    let known = desk.gates.known(call("note", GOOD)).unwrap();
    let narrowed = desk.gates.clone().permitting(&dispatch_core::Permissions::only(["other"]));
    assert!(known.permitted().is_ok());
    assert!(narrowed.known(call("note", GOOD)).unwrap().permitted().is_err());
}
