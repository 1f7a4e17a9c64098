//! Several policies: in their order, each once, of valid calls alone; all must allow.

use std::sync::{Arc, Mutex};

use dispatch_core::policy::{Decision, PolicyError, Proposal};
use dispatch_core::{Gates, Registry, RegistryError, Stage, tools};
use serde_json::{Map, Value, json};

use crate::support::{Counter, Desk, Judge, allow, call, note};

const GOOD: &str = r#"{"path":"a.txt"}"#;

fn deny_first(_: &Proposal<'_>) -> Result<Decision, PolicyError> {
    Ok(Decision::deny("first"))
}

fn deny_second(_: &Proposal<'_>) -> Result<Decision, PolicyError> {
    Ok(Decision::deny_as("second", "second").unwrap())
}

fn ask_first(_: &Proposal<'_>) -> Result<Decision, PolicyError> {
    Ok(Decision::Ask("first?".to_owned()))
}

fn ask_second(_: &Proposal<'_>) -> Result<Decision, PolicyError> {
    Ok(Decision::Ask("second?".to_owned()))
}

fn fail(_: &Proposal<'_>) -> Result<Decision, PolicyError> {
    Err(PolicyError::new("out of order"))
}

#[test]
fn all_must_allow_and_the_first_denial_speaks() {
    let rows: &[(&[Judge], &str, Option<&str>)] = &[
        (&[], "ok", None),
        (&[allow, allow, allow], "ok", None),
        (&[allow, deny_first], "policy_denied", Some("first")),
        (&[deny_first, deny_second], "policy_denied", Some("first")),
        (&[deny_second, deny_first], "second", Some("second")),
        (&[allow, deny_second, allow], "second", Some("second")),
        (&[fail, deny_first], "policy_failed", None),
        (&[deny_first, fail], "policy_denied", Some("first")),
        (&[ask_first, deny_first], "policy_denied", Some("first")),
        (&[deny_first, ask_first], "policy_denied", Some("first")),
        (&[ask_first, fail], "policy_failed", None),
        (&[allow, ask_first], "approval_required", None),
    ];
    for (policies, code, message) in rows {
        let seen = Desk::new(policies).ask("note", GOOD);
        assert_eq!(seen.code(), *code);
        assert_eq!(seen.result.error().and_then(|error| error.message.as_deref()), *message);
        assert_eq!((seen.runs, seen.is_unchanged), if *code == "ok" { (1, false) } else { (0, true) });
    }
}

#[test]
fn of_several_questions_the_first_is_asked() {
    let asked = |policies: &[Judge]| match Desk::new(policies).gates.judge(call("note", GOOD)) {
        dispatch_core::Clearance::Ask(awaiting) => awaiting.question().to_owned(),
        other => format!("{other:?}"),
    };
    assert_eq!(asked(&[allow, ask_first, ask_second]), "first?");
    assert_eq!(asked(&[ask_second, allow, ask_first]), "second?");
}

#[test]
fn each_is_asked_once_and_none_after_a_denial() {
    assert_eq!(Desk::new(&[allow, allow, ask_first, ask_first]).ask("note", GOOD).asked, 4);
    assert_eq!(Desk::new(&[ask_first, allow, deny_first, allow]).ask("note", GOOD).asked, 3);
    assert_eq!(Desk::new(&[fail, allow]).ask("note", GOOD).asked, 1);
}

type Log = Arc<Mutex<Vec<&'static str>>>;

/// A policy that allows, and writes down that it was asked.
fn noting(log: &Log, name: &'static str) -> impl Fn(&Proposal<'_>) -> Result<Decision, PolicyError> + use<> {
    let log = Arc::clone(log);
    move |_| {
        log.lock().unwrap().push(name);
        Ok(Decision::Allow)
    }
}

#[test]
fn those_of_the_registry_come_before_those_of_the_tool() {
    let log = Log::default();
    let registry = Registry::builder()
        .tool(note(&Counter::default()))
        .policy_for("note", noting(&log, "of the tool"))
        .policy(noting(&log, "of all"))
        .tool(tools::ReadFile)
        .policy_for("read_file", noting(&log, "of another tool"))
        .policy_for("note", noting(&log, "of the tool too"))
        .policy(noting(&log, "of all too"))
        .build();
    let gates = Gates::new(registry.unwrap());
    gates.admit(call("note", GOOD)).unwrap().cancel();
    assert_eq!(*log.lock().unwrap(), ["of all", "of all too", "of the tool", "of the tool too"]);
    log.lock().unwrap().clear();
    gates.admit(call("read_file", GOOD)).unwrap().cancel();
    assert_eq!(*log.lock().unwrap(), ["of all", "of all too", "of another tool"]);
}

#[test]
fn a_denial_of_the_registry_speaks_before_one_of_the_tool() {
    let registry = Registry::builder().tool(note(&Counter::default()));
    let registry = registry.policy_for("note", deny_second).policy(deny_first).build();
    let rejection = Gates::new(registry.unwrap()).admit(call("note", GOOD)).unwrap_err();
    assert_eq!((rejection.error().message.as_deref(), rejection.stage()), (Some("first"), Stage::Cleared));
}

#[test]
fn a_policy_for_a_tool_that_is_not_there_is_an_error() {
    let late = Registry::builder().policy_for("note", allow).tool(note(&Counter::default())).build();
    assert_eq!(late.unwrap_err(), RegistryError::PolicyWithoutTool("note".to_owned()));
}

/// What a policy saw of a call: the tool, the arguments, the facts.
type Sight = Arc<Mutex<Vec<(String, Value, Value)>>>;

fn watched(sight: &Sight, runs: &Counter) -> Gates {
    let sight = Arc::clone(sight);
    let watch = move |call: &Proposal<'_>| {
        let facts = Value::Object(call.facts.clone());
        sight.lock().unwrap().push((call.tool.to_string(), call.arguments.clone(), facts));
        Ok(Decision::Allow)
    };
    let facts = Map::from_iter([("user".to_owned(), "ada".into())]);
    Gates::new(Registry::builder().tool(note(runs)).policy(watch).build().unwrap()).with_facts(facts)
}

#[test]
fn what_a_policy_judges_is_what_runs() {
    let (sight, runs) = (Sight::default(), Counter::default());
    let gates = watched(&sight, &runs);
    let asked = r#"{ "times": 2.0e0, "path": "\u0061.txt" }"#;
    let judged = json!({"path": "a.txt", "text": "a line\n", "times": 2});

    let valid = gates.known(call("note", asked)).unwrap().permitted().unwrap().valid().unwrap();
    assert_eq!(valid.arguments(), &judged);
    assert!(sight.lock().unwrap().is_empty(), "asked before the last gate");
    let dispatch_core::Clearance::Admitted(admitted) = valid.cleared() else { panic!("not admitted") };
    assert_eq!(*sight.lock().unwrap(), [("note".to_owned(), judged.clone(), json!({"user": "ada"}))]);
    assert_eq!((admitted.arguments(), admitted.call().args().raw()), (&judged, asked));

    let mut workspace = crate::support::files();
    let result = admitted.run(&mut workspace);
    assert_eq!(workspace.files().next().unwrap().1, "a line\na line\n");
    assert_eq!((result.call().args().raw(), runs.get()), (asked, 1));
}
