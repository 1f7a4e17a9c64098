//! Admission: what was refused did not run, and what failed changed nothing.

#![expect(clippy::unwrap_used, reason = "a test fails where something is not there")]

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dispatch_core::admission::{Known, Permitted, Valid};
use dispatch_core::json::Document;
use dispatch_core::workspace::{
    ChangeSet, Entry, Listed, MemoryWorkspace, Reading, View, Workspace, WorkspaceError, WorkspacePath,
};
use dispatch_core::{
    Admitted, Args, CallError, Clearance, Code, ErrorCode, Gates, Permissions, Registry, Rejection, Stage, Tool,
    ToolCall, ToolFailure, ToolResult, protocol, tools,
};
use proptest::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;

/// A text that no model may read.
const SECRET: &str = "for the operator alone";

/// How a handler ends, after it has counted itself and written `n` files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum End {
    Well,
    Failing,
    FailingInItsOwnWay,
    PretendingToBeAGate,
    PanickingWithAText,
    PanickingWithAString,
    PanickingWithSomethingElse,
}

/// Ends as it is told.
#[derive(Debug, Deserialize, JsonSchema)]
struct EndArgs {
    end: End,
    #[serde(default)]
    writes: u8,
}

#[derive(Clone, Default)]
struct Ends(Arc<AtomicUsize>);

impl Tool for Ends {
    type Args = EndArgs;
    type Output = String;

    fn name(&self) -> &'static str {
        "ends"
    }

    fn run(&self, args: EndArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
        self.0.fetch_add(1, Ordering::SeqCst);
        for file in 0..args.writes {
            view.write(&format!("written/{file}"), "half done".to_owned())?;
        }
        match args.end {
            End::Well => Ok("well".to_owned()),
            End::Failing => Err(ToolFailure::from(ErrorCode::IoError).with_operator_text(SECRET)),
            End::FailingInItsOwnWay => {
                let code = Code::own("gave_up").unwrap();
                Err(ToolFailure::new(code, "for the model").with_operator_text(SECRET))
            }
            End::PretendingToBeAGate => Err(ToolFailure::from(ErrorCode::PolicyDenied).with_operator_text(SECRET)),
            End::PanickingWithAText => resume_unwind(Box::new(SECRET)),
            End::PanickingWithAString => resume_unwind(Box::new(SECRET.to_owned())),
            End::PanickingWithSomethingElse => resume_unwind(Box::new(7)),
        }
    }
}

const WORKSPACE: &str = r#"{"\u0061.txt":"x\u0041\/\n","d/b":"é\ud83d\ude00\t"}"#;
const KEYS_WRITTEN_ANEW: &str = r#"{"a.txt":"x\u0041\/\n","d/b":"é\ud83d\ude00\t"}"#;

fn gates(counter: &Ends) -> Gates {
    Gates::new(Registry::builder().tool(counter.clone()).tool(dispatch_core::tools::ReadFile).build().unwrap())
}

/// The response to a call as text, its workspace split off.
fn respond(gates: &Gates, tool: &str, args: &str) -> (String, String) {
    let request = format!(r#"{{"op":"dispatch","workspace":{WORKSPACE},"call":{{"tool":"{tool}","args":{args}}}}}"#);
    let mut line = Vec::new();
    protocol::answer(gates, request.into_bytes()).unwrap().write(&mut line).unwrap();
    let line = String::from_utf8(line).unwrap();
    let (before, workspace) = line.split_once(",\"workspace\":").unwrap();
    (format!("{before}}}"), workspace.strip_suffix("}\n").unwrap().to_owned())
}

fn call(tool: &str, args: &str) -> ToolCall {
    ToolCall::new(tool, Document::parse_tolerating(args.into(), |_| true).unwrap())
}

#[test]
fn the_first_gate_that_refuses_decides_and_nothing_runs() {
    let counter = Ends::default();
    let all = gates(&counter);
    let none = all.clone().permitting(&Permissions::only(["read_file", "gone"]));
    for (gates, tool, args, stage, code) in [
        (&none, "gone", "[]", Stage::Known, "unknown_tool"),
        (&all, "Ends", r#"{"end":"well"}"#, Stage::Known, "unknown_tool"),
        (&none, "ends", "[]", Stage::Permitted, "tool_not_permitted"),
        (&none, "ends", r#"{"end":"well"}"#, Stage::Permitted, "tool_not_permitted"),
        (&all, "ends", "[]", Stage::Valid, "invalid_arguments"),
        (&all, "ends", "{}", Stage::Valid, "invalid_arguments"),
        (&all, "ends", r#"{"end":"well","writes":256}"#, Stage::Valid, "invalid_arguments"),
        (&all, "ends", r#"{"end":"well","extra":null}"#, Stage::Valid, "invalid_arguments"),
        (&all, "ends", r#"{"end":"well","end":"well"}"#, Stage::Valid, "invalid_arguments"),
    ] {
        let rejection = gates.admit(call(tool, args)).unwrap_err();
        assert_eq!((rejection.stage(), rejection.error().code.as_str()), (stage, code), "{tool} {args}");
        assert_eq!(rejection.call().args().raw(), args);
        assert_eq!(rejection.error().details.is_empty(), stage != Stage::Valid, "{tool} {args}");
        if stage != Stage::Known {
            let (response, workspace) = respond(gates, tool, args);
            assert!(response.contains(code), "{response}");
            assert_eq!(workspace, KEYS_WRITTEN_ANEW);
        }
    }
    assert_eq!(counter.0.load(Ordering::SeqCst), 0);
}

#[test]
fn a_handler_that_does_not_end_well_has_changed_nothing_and_tells_nothing() {
    for (end, expected) in [
        ("failing", r#"{"error":"io_error","status":"error","tool":"ends"}"#),
        ("failing_in_its_own_way", r#"{"error":"gave_up","message":"for the model","status":"error","tool":"ends"}"#),
        ("pretending_to_be_a_gate", r#"{"error":"internal_error","status":"error","tool":"ends"}"#),
        ("panicking_with_a_text", r#"{"error":"internal_error","status":"error","tool":"ends"}"#),
        ("panicking_with_a_string", r#"{"error":"internal_error","status":"error","tool":"ends"}"#),
        ("panicking_with_something_else", r#"{"error":"internal_error","status":"error","tool":"ends"}"#),
    ] {
        let counter = Ends::default();
        let args = format!(r#"{{"end":"{end}","writes":3}}"#);
        let (response, workspace) = respond(&gates(&counter), "ends", &args);
        assert_eq!(response, expected, "{end}");
        assert_eq!(workspace, KEYS_WRITTEN_ANEW, "{end}");
        assert_eq!(counter.0.load(Ordering::SeqCst), 1, "{end}");
    }
    let (response, workspace) = respond(&gates(&Ends::default()), "ends", r#"{"end":"well","writes":1}"#);
    assert_eq!(response, r#"{"observation":"well","status":"ok","tool":"ends"}"#);
    assert_eq!(workspace, KEYS_WRITTEN_ANEW.replace('}', r#","written/0":"half done"}"#));
}

#[test]
fn the_operator_learns_what_a_panic_said() {
    let told = |end: &str| {
        let admitted = gates(&Ends::default()).admit(call("ends", &format!(r#"{{"end":"{end}"}}"#))).unwrap();
        let result = admitted.run(&mut MemoryWorkspace::default());
        result.error().unwrap().operator_text.clone().unwrap_or_default()
    };
    assert!(told("panicking_with_a_text").contains(SECRET));
    assert!(told("panicking_with_a_string").contains(SECRET));
    assert!(told("failing").contains(SECRET));
    assert!(!told("panicking_with_something_else").is_empty());
}

/// A workspace to which nothing can be written.
struct Full;

impl Workspace for Full {
    fn entry(&self, _: &WorkspacePath) -> Result<Entry, WorkspaceError> {
        Ok(Entry::Absent)
    }

    fn read(&self, _: &WorkspacePath) -> Result<Reading<'_>, WorkspaceError> {
        Err(WorkspaceError::new(ErrorCode::FileNotFound, SECRET))
    }

    fn list(&self, _: &WorkspacePath) -> Result<Vec<Listed>, WorkspaceError> {
        Ok(Vec::new())
    }

    fn commit(&mut self, _: ChangeSet) -> Result<(), WorkspaceError> {
        Err(WorkspaceError::new(ErrorCode::NoSpace, SECRET))
    }
}

#[test]
fn success_is_not_reported_when_nothing_was_written() {
    let admitted = gates(&Ends::default()).admit(call("ends", r#"{"end":"well","writes":1}"#)).unwrap();
    let result = admitted.run(&mut Full);
    let CallError { code, message, operator_text, .. } = result.error().unwrap();
    assert_eq!((code.as_str(), message.as_deref(), operator_text.as_deref()), ("no_space", None, Some(SECRET)));
}

#[test]
fn gates_one_by_one_are_all_gates() {
    let gates = gates(&Ends::default());
    let args = r#"{"end":"well","writes":2.0e0}"#;
    let valid = gates.known(call("ends", args)).unwrap().permitted().unwrap().valid().unwrap();
    let Clearance::Admitted(one_by_one) = valid.cleared() else { panic!("nothing is against it") };
    let at_once = gates.admit(call("ends", args)).unwrap();
    assert_eq!(one_by_one.arguments(), at_once.arguments());
    assert_eq!(at_once.arguments(), &serde_json::json!({"end": "well", "writes": 2}));
    assert_eq!(at_once.call().args().raw(), args);
    let filled_in = gates.admit(call("ends", r#"{"end":"well"}"#)).unwrap();
    assert_eq!(filled_in.arguments(), &serde_json::json!({"end": "well", "writes": 0}));
}

/// Whether a type is `Clone`: the inherent constant, where there is one, hides that of the trait.
struct Probe<T>(std::marker::PhantomData<T>);

trait NotClone {
    const IS_CLONE: bool = false;
}

impl<T> NotClone for Probe<T> {}

impl<T: Clone> Probe<T> {
    const IS_CLONE: bool = true;
}

#[test]
fn what_gates_make_can_be_sent_and_kept_but_not_copied() {
    const fn sent<T: Send + 'static>() {}
    const { sent::<(ToolCall, Known, Permitted, Valid, Admitted, Rejection, ToolResult, Gates)>() };
    const {
        assert!(Probe::<ToolCall>::IS_CLONE);
        assert!(!Probe::<Known>::IS_CLONE && !Probe::<Permitted>::IS_CLONE);
        assert!(!Probe::<Valid>::IS_CLONE && !Probe::<Admitted>::IS_CLONE);
    }
}

fn native_calls() -> impl Strategy<Value = (&'static str, String)> {
    let tool = prop::sample::select(vec!["read_file", "write_file", "patch_file"]);
    let name = prop::sample::select(vec!["path", "offset", "limit", "content", "old_str", "new_str", "extra"]);
    let value = prop::sample::select(vec![
        "\"a.txt\"",
        "\"d\"",
        "\"d/b\"",
        "\"../a\"",
        "\"a.txt/b\"",
        "\"x\"",
        "\"xA\"",
        "\"\"",
        "null",
        "0",
        "1",
        "2",
        "99",
        "1.5",
        "[]",
        "{}",
    ]);
    (tool, prop::collection::vec((name, value), 0..6)).prop_map(|(tool, members)| {
        let members: Vec<_> = members.into_iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
        (tool, format!("{{{}}}", members.join(",")))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rejected_or_failed_means_unchanged((tool, args) in native_calls()) {
        let gates = Gates::new(dispatch_core::tools::core_registry());
        let (response, workspace) = respond(&gates, tool, &args);
        if response.contains("\"status\":\"error\"") || tool == "read_file" {
            prop_assert_eq!(workspace, KEYS_WRITTEN_ANEW, "{}", response);
        }
    }
}

#[test]
fn arguments_that_are_no_json_meet_the_gates_in_their_order() {
    let raw = Document::parse(br#""{\"path\":""#.to_vec()).unwrap();
    let call =
        |tool: &str| ToolCall::from_parts(None, tool.to_owned(), Args::from_text("{\"path\":\n"), raw.clone().into());
    let gates = Gates::new(tools::core_registry()).permitting(&Permissions::only(["read_file"]));
    let code = |tool: &str| gates.admit(call(tool)).unwrap_err().error().code.as_str().to_owned();
    assert_eq!(code("missing"), "unknown_tool");
    assert_eq!(code("write_file"), "tool_not_permitted");
    assert_eq!(code("read_file"), "invalid_arguments");
    let rejection = gates.admit(call("read_file")).unwrap_err();
    let details: Vec<String> = rejection.error().details.iter().map(ToString::to_string).collect();
    assert_eq!(details, ["$: not JSON, at line 2, column 1: the input ends in the middle of an object"]);
}
