//! What becomes of a handler's trouble: who is told what, and that nothing is left half done.

use std::collections::BTreeMap;

use dispatch_core::json::JsonPath;
use dispatch_core::workspace::{View, WorkspaceError};
use dispatch_core::{Code, ErrorCode, FailureClass, Json, Limits, Observation, RegistryBuilder, ToolFailure, tool_fn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use crate::support::{Committing, Counter, Desk, FILES, all, call, files};

/// Stands in every text that is for the operator alone.
const SECRET: &str = "hunter2";

/// What the handler is to do after it has written a file.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum End {
    Succeed,
    PanicWithText,
    PanicWithString,
    PanicWithValue,
    PanicWithBomb,
    PanicInPassing,
    Fail,
    GiveUp,
    ReturnMapWithoutTextKeys,
    ReturnWhatRefuses,
    ReturnWhatPanics,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Args {
    end: End,
}

/// What a panic brought, and what panics again when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        std::panic::resume_unwind(Box::new("hunter2, again"));
    }
}

/// An output that can't be sent.
enum Output {
    Text,
    Map(BTreeMap<(u8, u8), u8>),
    Refuses,
    Panics,
}

impl Serialize for Output {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text => serializer.serialize_str("fine"),
            Self::Map(map) => map.serialize(serializer),
            Self::Refuses => Err(serde::ser::Error::custom("hunter2 is no output")),
            Self::Panics => std::panic::resume_unwind(Box::new("hunter2 is no output")),
        }
    }
}

fn end(args: &Args, view: &mut View<'_>) -> Result<Json<Output>, ToolFailure> {
    view.write("a.txt", "half".to_owned())?;
    view.write("new.txt", "half".to_owned())?;
    match args.end {
        End::Succeed => Ok(Json(Output::Text)),
        End::PanicWithText => std::panic::resume_unwind(Box::new("hunter2 was the password")),
        End::PanicWithString => std::panic::resume_unwind(Box::new(SECRET.to_owned())),
        End::PanicWithValue => std::panic::resume_unwind(Box::new(7)),
        End::PanicWithBomb => std::panic::resume_unwind(Box::new(Bomb)),
        End::PanicInPassing => panic!("hunter2 was the password"),
        End::Fail => Err(ToolFailure::from(ErrorCode::NoSpace).with_operator_text("/home/hunter2: ENOSPC")),
        End::GiveUp => {
            Err(ToolFailure::new(Code::own("gave_up").unwrap(), "It is \"late\".").with_operator_text(SECRET))
        }
        End::ReturnMapWithoutTextKeys => Ok(Json(Output::Map(BTreeMap::from([((1, 2), 3)])))),
        End::ReturnWhatRefuses => Ok(Json(Output::Refuses)),
        End::ReturnWhatPanics => Ok(Json(Output::Panics)),
    }
}

fn desk() -> Desk {
    Desk::of(&[], |builder: RegistryBuilder, runs: &Counter| {
        let runs = runs.clone();
        builder.tool(tool_fn("end", move |args: Args, view: &mut View<'_>| {
            runs.count();
            end(&args, view)
        }))
    })
}

/// How a handler ends, the code, the members of the native response, and what the operator reads.
const ENDS: [(&str, &str, &str, Option<&str>); 10] = [
    ("panic_with_text", "internal_error", "", Some("the handler panicked: hunter2 was the password")),
    ("panic_with_string", "internal_error", "", Some("the handler panicked: hunter2")),
    ("panic_with_value", "internal_error", "", Some("the handler panicked: without a text")),
    ("panic_with_bomb", "internal_error", "", Some("the handler panicked: without a text")),
    ("panic_in_passing", "internal_error", "", Some("the handler panicked: hunter2 was the password")),
    ("fail", "no_space", "", Some("/home/hunter2: ENOSPC")),
    ("give_up", "gave_up", r#""message":"It is \"late\".","#, Some("hunter2")),
    (
        "return_map_without_text_keys",
        "internal_error",
        "",
        Some("the handler returned what can't be serialised: key must be a string"),
    ),
    (
        "return_what_refuses",
        "internal_error",
        "",
        Some("the handler returned what can't be serialised: hunter2 is no output"),
    ),
    ("return_what_panics", "internal_error", "", Some("the handler panicked: hunter2 is no output")),
];

#[test]
fn a_handler_that_does_not_succeed_has_changed_nothing() {
    for (end, code, _, operator_text) in ENDS {
        let seen = desk().ask("end", &format!(r#"{{"end":"{end}"}}"#));
        assert_eq!(seen.sum(), (code, 1, 0, true), "{end}");
        assert_eq!(seen.error().operator_text.as_deref(), operator_text, "{end}");
        assert!(!seen.error().text_for_model().contains(SECRET), "{end}");
    }
    assert_eq!(desk().ask("end", r#"{"end":"succeed"}"#).sum(), ("ok", 1, 0, false));
}

#[test]
fn the_native_protocol_tells_the_model_what_is_meant_for_it() {
    for (end, code, message, _) in ENDS {
        let answers = desk().ask_in_protocol("end", &format!(r#"{{"end":"{end}"}}"#));
        let line = format!(
            r#"{{"error":"{code}","id":"c1",{message}"status":"error","tool":"end","workspace":{FILES}}}{}"#,
            "\n"
        );
        assert_eq!(answers, [line.clone(), line], "{end}");
    }
}

#[test]
fn failures_that_are_explained_tell_no_secret_either() {
    for (end, ..) in ENDS {
        let mut desk = desk();
        desk.gates = desk.gates.explaining();
        for answer in desk.ask_in_protocol("end", &format!(r#"{{"end":"{end}"}}"#)) {
            assert!(!answer.contains(SECRET), "{answer}");
        }
    }
}

/// A handler that spoke with a gate's voice would make the host believe that nothing ran.
#[test]
fn no_handler_speaks_for_a_gate() {
    for code in ErrorCode::ALL {
        let desk = Desk::of(&[], |builder, runs| {
            let runs = runs.clone();
            builder.tool(tool_fn("say", move |_: serde_json::Map<String, serde_json::Value>, view: &mut View<'_>| {
                runs.count();
                view.write("a.txt", "half".to_owned())?;
                let failure = ToolFailure::from(*code).with_message("A text.").with_operator_text(SECRET);
                Err::<String, _>(failure.with_detail(JsonPath::root(), "a detail"))
            }))
        });
        let is_a_handler_s = code.class() == FailureClass::ExecutionFailure;
        let expected = if is_a_handler_s { code.as_str() } else { "internal_error" };
        let seen = desk.ask("say", "{}");
        assert_eq!(seen.sum(), (expected, 1, 0, true), "{code}");
        assert_eq!(seen.error().message.is_some(), is_a_handler_s, "{code}");
        let said = "which is not a handler's to say, and said: hunter2; A text.; $: a detail";
        assert_eq!(seen.error().operator_text.as_deref().unwrap().ends_with(said), !is_a_handler_s, "{code}");
    }
}

#[test]
fn what_was_done_is_no_error_because_its_output_is_long() {
    let long = "a line\n".repeat(100);
    let mut desk = Desk::of(&[], |builder, runs| {
        let (runs, long) = (runs.clone(), long.clone());
        builder.tool(tool_fn("tell", move |_: serde_json::Map<String, serde_json::Value>, view: &mut View<'_>| {
            runs.count();
            view.write("a.txt", "done".to_owned())?;
            Ok(Observation::text(&long))
        }))
    });
    desk.gates = desk.gates.limiting(Limits::output_bytes(90).unwrap());
    let seen = desk.ask("tell", "{}");
    assert_eq!(seen.sum(), ("ok", 1, 0, false));
    let shown = seen.result.shown().unwrap();
    assert!(shown.text.len() <= 90 && shown.truncated_from == Some(700), "{shown:?}");
    assert_eq!(seen.result.observation().unwrap().to_text(), long);
    for answer in desk.ask_in_protocol("tell", "{}") {
        assert!(answer.contains(r#""truncated":{"original_bytes":700},"workspace":{"a.txt":"done","#), "{answer}");
    }
}

#[test]
fn a_call_whose_changes_can_t_be_made_has_failed() {
    let desk = desk();
    let mut workspace =
        Committing(files(), |_, _| Err(WorkspaceError::new(ErrorCode::NoSpace, "/home/hunter2: ENOSPC, os error 28")));
    let result = desk.gates.admit(call("end", r#"{"end":"succeed"}"#)).unwrap().run(&mut workspace);
    let error = result.error().unwrap();
    assert_eq!((error.code.as_str(), error.message.as_deref(), desk.runs.get()), ("no_space", None, 1));
    assert!(error.operator_text.as_deref().unwrap().contains("os error 28"));
    assert!(!error.text_for_model().contains(SECRET));
    assert_eq!(all(&workspace.0), all(&files()));
}
