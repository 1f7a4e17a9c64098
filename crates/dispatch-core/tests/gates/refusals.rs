//! Every kind of refusal: no handler ran, policies were asked as often as is due, and nothing has changed.

use dispatch_core::policy::{Decision, PolicyError, Proposal};
use dispatch_core::{Gates, Permissions, RegistryBuilder, Stage, ToolFailure, protocol, tool_fn};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::Error as _;

use crate::support::{Counter, Desk, FILES, Judge, allow, call, note};

/// A call that must be refused.
struct Refusal {
    tool: &'static str,
    args: &'static str,
    policies: &'static [Judge],
    /// The gate that refuses, and the code it refuses with.
    stage: Stage,
    code: &'static str,
    /// How many policies are asked.
    asked: usize,
}

const GOOD: &str = r#"{"path":"a.txt"}"#;

/// One policy that would let everything through, and has no say before the last gate.
const ALLOW: &[Judge] = &[allow];

const fn unknown(tool: &'static str) -> Refusal {
    Refusal { tool, args: GOOD, policies: ALLOW, stage: Stage::Known, code: "unknown_tool", asked: 0 }
}

const fn forbidden(tool: &'static str, args: &'static str) -> Refusal {
    Refusal { tool, args, policies: ALLOW, stage: Stage::Permitted, code: "tool_not_permitted", asked: 0 }
}

const fn invalid(tool: &'static str, args: &'static str) -> Refusal {
    Refusal { tool, args, policies: ALLOW, stage: Stage::Valid, code: "invalid_arguments", asked: 0 }
}

const fn faulty(tool: &'static str) -> Refusal {
    Refusal { tool, args: "{}", policies: ALLOW, stage: Stage::Valid, code: "internal_error", asked: 0 }
}

const fn uncleared(policies: &'static [Judge], code: &'static str, asked: usize) -> Refusal {
    Refusal { tool: "note", args: GOOD, policies, stage: Stage::Cleared, code, asked }
}

const REFUSALS: &[Refusal] = &[
    unknown("notes"),
    unknown("Note"),
    unknown(""),
    forbidden("secret", GOOD),
    forbidden("secret", "null"),
    invalid("note", "{}"),
    invalid("note", "null"),
    invalid("note", "[]"),
    invalid("note", r#"{"path":7}"#),
    invalid("note", r#"{"path":null}"#),
    invalid("note", r#"{"path":"a.txt","mode":"fast"}"#),
    invalid("note", r#"{"path":"a.txt","path":"a.txt"}"#),
    invalid("note", r#"{"path":"a.txt","text":null}"#),
    invalid("note", r#"{"path":"a.txt","times":"1"}"#),
    invalid("note", r#"{"path":"a.txt","times":1.5}"#),
    invalid("note", r#"{"path":"a.txt","times":0}"#),
    invalid("note", r#"{"path":"a.txt","times":11}"#),
    invalid("note", r#"{"path":"a.txt","times":256}"#),
    invalid("even", r#"{"number":3}"#),
    faulty("unreadable"),
    uncleared(&[deny], "policy_denied", 1),
    uncleared(&[deny_as], "not_your_note", 1),
    uncleared(&[fail], "policy_failed", 1),
    uncleared(&[unwind], "policy_failed", 1),
    uncleared(&[ask], "approval_required", 1),
    uncleared(&[allow, allow, deny], "policy_denied", 3),
    uncleared(&[ask, allow, ask], "approval_required", 3),
];

fn deny(_: &Proposal<'_>) -> Result<Decision, PolicyError> {
    Ok(Decision::deny("No."))
}

fn deny_as(_: &Proposal<'_>) -> Result<Decision, PolicyError> {
    Ok(Decision::deny_as("not_your_note", "No.").unwrap())
}

fn ask(_: &Proposal<'_>) -> Result<Decision, PolicyError> {
    Ok(Decision::Ask("Is it fine?".to_owned()))
}

fn fail(_: &Proposal<'_>) -> Result<Decision, PolicyError> {
    Err(PolicyError::new("out of order"))
}

fn unwind(_: &Proposal<'_>) -> Result<Decision, PolicyError> {
    std::panic::resume_unwind(Box::new("out of order"))
}

/// A number that its type holds, and its schema can't tell from others.
#[derive(Debug, Deserialize, JsonSchema)]
struct Even {
    #[serde(deserialize_with = "even")]
    #[expect(dead_code, reason = "decoding it is what matters")]
    number: i64,
}

fn even<'d, D: serde::Deserializer<'d>>(deserializer: D) -> Result<i64, D::Error> {
    let number = i64::deserialize(deserializer)?;
    if number % 2 == 0 { Ok(number) } else { Err(D::Error::custom("an odd number")) }
}

/// Arguments with a schema that can't be judged by.
#[derive(Debug, Deserialize)]
struct Unreadable {}

impl JsonSchema for Unreadable {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Unreadable".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": 7})
    }
}

fn tools(builder: RegistryBuilder, runs: &Counter) -> RegistryBuilder {
    let (even_runs, secret_runs, unreadable_runs) = (runs.clone(), runs.clone(), runs.clone());
    let run = |runs: &Counter| {
        runs.count();
        Ok::<_, ToolFailure>(String::new())
    };
    builder
        .tool(note(runs))
        .tool(tool_fn("even", move |_: Even| run(&even_runs)))
        .tool(tool_fn("secret", move |_: Even| run(&secret_runs)))
        .tool(tool_fn("unreadable", move |_: Unreadable| run(&unreadable_runs)))
}

impl Refusal {
    fn desk(&self) -> Desk {
        let mut desk = Desk::of(self.policies, tools);
        desk.gates = desk.gates.permitting(&Permissions::only(["note", "even", "unreadable"]));
        desk
    }

    fn what(&self) -> String {
        format!("{} {} ({})", self.tool, self.args, self.code)
    }
}

#[test]
fn no_refused_call_runs_or_changes_anything() {
    for refusal in REFUSALS {
        let seen = refusal.desk().ask(refusal.tool, refusal.args);
        assert_eq!(seen.sum(), (refusal.code, 0, refusal.asked, true), "{}", refusal.what());
        assert!(seen.result.observation().is_none() && seen.result.shown().is_none(), "{}", refusal.what());
    }
}

#[test]
fn a_rejection_tells_its_gate_and_gives_the_call_back() {
    for refusal in REFUSALS {
        let rejection = refusal.desk().gates.admit(call(refusal.tool, refusal.args)).unwrap_err();
        assert_eq!(rejection.stage(), refusal.stage, "{}", refusal.what());
        assert_eq!(rejection.call().args().raw(), refusal.args);
        let result = rejection.into_result();
        assert_eq!((result.call().id(), result.call().tool()), (Some("c1"), refusal.tool));
    }
}

#[test]
fn the_native_protocol_refuses_in_the_same_way() {
    for refusal in REFUSALS.iter().filter(|refusal| refusal.stage != Stage::Known) {
        let desk = refusal.desk();
        for answer in desk.ask_in_protocol(refusal.tool, refusal.args) {
            let Refusal { tool, code, .. } = refusal;
            let head = format!(r#""error":"{code}","id":"c1","#);
            let tail = format!(r#""status":"error","tool":"{tool}","workspace":{FILES}}}"#);
            assert!(answer.contains(&head) && answer.trim_end().ends_with(&tail), "{answer}");
        }
        assert_eq!((desk.runs.get(), desk.asked.get()), (0, 2 * refusal.asked), "{}", refusal.what());
    }
}

/// What all of these look at does move.
#[test]
fn an_accepted_call_runs_once_and_changes_the_workspace() {
    let desk = Desk::of(&[allow, allow], tools);
    assert_eq!(desk.ask("note", GOOD).sum(), ("ok", 1, 2, false));
    let after = r#""workspace":{"a.txt":"a line\n","b/c.txt":"\u006bept"}}"#;
    for answer in desk.ask_in_protocol("note", GOOD) {
        assert!(answer.trim_end().ends_with(after), "{answer}");
    }
    assert_eq!((desk.runs.get(), desk.asked.get()), (3, 6));
    assert_eq!(desk.ask("even", r#"{"number":4}"#).sum(), ("ok", 4, 8, true));
}

/// As the results of calls that ran do: a host that shows results needs no second rule for refusals.
#[test]
fn every_refusal_is_shown_as_its_session_says() {
    for refusal in REFUSALS {
        let explaining = refusal.desk().gates.explaining();
        let explains = |gates: &Gates| {
            let result = gates.admit(call(refusal.tool, refusal.args)).unwrap_err().into_result();
            assert!(result.is_rejection() && result.outcome().is_err());
            result.explains()
        };
        assert!(explains(&explaining), "{}", refusal.code);
        assert!(!explains(&refusal.desk().gates), "{}", refusal.code);
    }
}

/// `--explain` is about what ran.
#[test]
fn to_explain_failures_says_nothing_more_of_a_refusal() {
    for refusal in REFUSALS.iter().filter(|refusal| refusal.stage != Stage::Known) {
        let plain = refusal.desk();
        let explaining = Desk { gates: plain.gates.clone().explaining(), ..refusal.desk() };
        let [answers, explained] = [plain, explaining].map(|desk| desk.ask_in_protocol(refusal.tool, refusal.args));
        assert_eq!(answers, explained, "{}", refusal.code);
    }
}

#[test]
fn a_tool_that_is_not_there_is_told_with_the_nearest_that_may_be_used() {
    let all = Desk::of(&[], |builder, runs| builder.tool(note(runs)).tool(dispatch_core::tools::ReadFile)).gates;
    let none_near = all.clone().permitting(&Permissions::only(["read_file"]));
    let check = |gates: &Gates, tool: &str, expected: &str| {
        let rejection = gates.admit(call(tool, GOOD)).unwrap_err();
        assert_eq!(rejection.error().text_for_model(), expected);
        let request = format!(r#"{{"op":"dispatch","workspace":{{}},"call":{{"tool":"{tool}","args":{{}}}}}}"#);
        let failure = protocol::answer(gates, request.into_bytes()).unwrap_err();
        assert_eq!(format!("unknown_tool: {}", failure.message()), expected);
    };
    check(&all, "notes", "unknown_tool: there is no tool `notes`");
    check(&all.clone().explaining(), "notes", "unknown_tool: there is no tool `notes`; the nearest is `note`");
    check(&none_near.explaining(), "notes", "unknown_tool: there is no tool `notes`");
}
