//! Calls that the host runs: judged as others are, and completed with what came of them.

use dispatch_core::json::JsonPath;
use dispatch_core::{
    Annotations, Code, ErrorCode, FailureClass, Json, Limits, Observation, Part, Pending, Permissions, Stage,
    ToolFailure,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};

use crate::support::{Desk, allow, call};

/// Fetches a page.
#[derive(Debug, Deserialize, JsonSchema)]
struct Fetch {
    url: String,
    #[serde(default = "five")]
    #[schemars(range(max = 60))]
    seconds: u8,
}

fn five() -> u8 {
    5
}

fn desk() -> Desk {
    Desk::of(&[allow], |builder, _| builder.host_run::<Fetch>("fetch", Annotations::read_only()))
}

const GOOD: &str = r#"{"url":"https://example.com"}"#;

fn detached() -> (Value, Pending) {
    desk().gates.admit(call("fetch", GOOD)).unwrap().detach()
}

#[test]
fn a_call_that_its_host_runs_meets_every_gate() {
    for (args, code, asked) in [
        ("{}", "invalid_arguments", 0),
        (r#"{"url":"a","seconds":61}"#, "invalid_arguments", 0),
        (r#"{"url":"a","seconds":"5"}"#, "invalid_arguments", 0),
        (r#"{"url":"a","retries":5}"#, "invalid_arguments", 0),
        // There is no handler here: to run the call here is the host's fault.
        (GOOD, "internal_error", 1),
    ] {
        assert_eq!(desk().ask("fetch", args).sum(), (code, 0, asked, true), "{args}");
    }
    let mut closed = desk();
    closed.gates = closed.gates.permitting(&Permissions::only(["other"]));
    assert_eq!(closed.ask("fetch", GOOD).sum(), ("tool_not_permitted", 0, 0, true));
}

#[test]
fn what_was_judged_is_handed_over() {
    let (arguments, pending) = detached();
    assert_eq!(arguments, json!({"seconds": 5, "url": "https://example.com"}));
    assert_eq!((pending.call().id(), pending.call().args().raw()), (Some("c1"), GOOD));
}

#[test]
fn a_tool_with_a_handler_can_be_run_elsewhere_too() {
    let desk = Desk::new(&[allow]);
    let (arguments, pending) = desk.gates.admit(call("note", r#"{"path":"a"}"#)).unwrap().detach();
    assert_eq!(arguments["times"], 1);
    assert_eq!(pending.complete(Ok("done".to_owned())).shown().unwrap().text, "done");
    assert_eq!((desk.runs.get(), desk.asked.get()), (0, 1));
}

#[test]
fn what_was_judged_is_handed_over_as_its_type() {
    let (fetch, pending) = desk().gates.admit(call("fetch", GOOD)).unwrap().detach_as::<Fetch>().unwrap();
    assert_eq!((fetch.url.as_str(), fetch.seconds), ("https://example.com", 5));
    assert_eq!(pending.complete(Ok("fine".to_owned())).call().id(), Some("c1"));
}

#[test]
fn a_type_that_can_t_hold_what_was_judged_refuses_it() {
    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "it is never made")]
    struct Text {
        seconds: String,
    }

    let gates = desk().gates.limiting(Limits::output_bytes(4).unwrap()).explaining();
    let rejection = gates.admit(call("fetch", GOOD)).unwrap().detach_as::<Text>().unwrap_err();
    assert_eq!((rejection.stage(), rejection.error().code.as_str()), (Stage::Valid, "invalid_arguments"));
    let [detail] = rejection.error().details.as_slice() else { panic!("{rejection:?}") };
    assert_eq!(detail.to_string(), "$.seconds: invalid type: integer `5`, expected a string");
    assert!(rejection.into_result().explains());
}

#[test]
fn a_type_that_panics_over_what_was_judged_refuses_it() {
    #[derive(Debug)]
    struct Panics;

    impl<'d> Deserialize<'d> for Panics {
        fn deserialize<D: serde::Deserializer<'d>>(_: D) -> Result<Self, D::Error> {
            std::panic::resume_unwind(Box::new("hunter2"))
        }
    }

    let rejection = desk().gates.admit(call("fetch", GOOD)).unwrap().detach_as::<Panics>().unwrap_err();
    assert_eq!((rejection.stage(), rejection.error().code.as_str()), (Stage::Valid, "internal_error"));
    assert_eq!(rejection.error().operator_text.as_deref(), Some("decoding the arguments panicked: hunter2"));
}

#[test]
fn an_outcome_is_normalised_and_paired() {
    let text = detached().1.complete(Ok("fine".to_owned()));
    assert_eq!((text.shown().unwrap().text.as_ref(), text.call().id()), ("fine", Some("c1")));
    let json = detached().1.complete(Ok(Json(json!({"b": 1, "a": 2}))));
    assert_eq!(json.shown().unwrap().text, r#"{"a":2,"b":1}"#);
    let parts = detached().1.complete(Ok(Observation::text("one").with(Part::Text("two".to_owned()))));
    assert_eq!(parts.shown().unwrap().text, "one\ntwo");
}

#[test]
fn the_limits_in_force_when_it_was_admitted_hold() {
    let gates = desk().gates.limiting(Limits::output_bytes(4).unwrap());
    let (_, pending) = gates.admit(call("fetch", GOOD)).unwrap().detach();
    let result = pending.complete(Ok("abcdef".to_owned()));
    let shown = result.shown().unwrap();
    assert_eq!((shown.text.as_ref(), shown.truncated_from), ("abcd", Some(6)));
    assert_eq!(result.observation().unwrap().to_text(), "abcdef");
}

#[test]
fn a_failure_keeps_what_it_says_and_to_whom() {
    let failure = ToolFailure::new(Code::own("no_route").unwrap(), "There is no route.")
        .with_detail(JsonPath::root().member("url"), "no such host")
        .with_operator_text("getaddrinfo: hunter2");
    let result = detached().1.complete(Err::<String, _>(failure));
    let error = result.error().unwrap();
    assert_eq!(error.text_for_model(), "no_route: There is no route.\n$.url: no such host");
    assert_eq!(error.operator_text.as_deref(), Some("getaddrinfo: hunter2"));
}

#[test]
fn a_host_speaks_for_no_gate() {
    for code in ErrorCode::ALL {
        let result = detached().1.complete(Err::<String, _>(ToolFailure::from(*code)));
        let is_a_handler_s = code.class() == FailureClass::ExecutionFailure;
        let expected = if is_a_handler_s { *code } else { ErrorCode::InternalError };
        assert_eq!(result.error().unwrap().code.built_in(), Some(expected), "{code}");
    }
}

/// Output that can't be sent.
enum Unsent {
    Refuses,
    Panics,
}

impl Serialize for Unsent {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Refuses => Err(serde::ser::Error::custom("hunter2 is no output")),
            Self::Panics => std::panic::resume_unwind(Box::new("hunter2 is no output")),
        }
    }
}

#[test]
fn output_that_can_t_be_sent_is_an_internal_error_here_too() {
    for output in [Unsent::Refuses, Unsent::Panics] {
        let result = detached().1.complete(Ok(Json(output)));
        let error = result.error().unwrap();
        assert_eq!((error.code.as_str(), error.message.as_deref()), ("internal_error", None));
        assert!(error.operator_text.as_deref().unwrap().ends_with("hunter2 is no output"));
        assert!(!error.text_for_model().contains("hunter2"));
    }
}

#[test]
fn a_call_that_was_given_up_may_have_had_its_effects_and_says_so() {
    let result = detached().1.abandon("The deadline passed.");
    assert_eq!(result.error().unwrap().text_for_model(), "outcome_unknown: The deadline passed.");
    assert_eq!(result.call().id(), Some("c1"));
}

#[test]
fn a_call_that_broke_inside_tells_the_operator_alone() {
    let result = detached().1.fail_internally("hunter2 panicked");
    let error = result.error().unwrap();
    assert_eq!((error.code.as_str(), error.message.as_deref()), ("internal_error", None));
    assert_eq!(error.operator_text.as_deref(), Some("hunter2 panicked"));
    assert!(!error.text_for_model().contains("hunter2"));
}

#[test]
fn a_call_that_was_called_off_before_it_began_has_run_nothing() {
    let desk = Desk::new(&[allow]);
    let result = desk.gates.admit(call("note", r#"{"path":"a"}"#)).unwrap().cancel();
    assert_eq!((result.error().unwrap().code.as_str(), result.call().id()), ("cancelled", Some("c1")));
    assert_eq!(desk.runs.get(), 0);
}
