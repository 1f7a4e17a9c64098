//! Code that is neither a gate's nor a handler's: the workspace, whoever listens, what a tool says of itself. Its trouble is its own.

use std::borrow::Cow;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};

use dispatch_core::workspace::{Progress, View, Workspace};
use dispatch_core::{Annotations, Stage, Tool, ToolFailure, tool_fn};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::support::{Committing, Desk, all, call, files};

/// Stands in every text that is for the operator alone.
const SECRET: &str = "hunter2";

/// A workspace that panics when it is asked to change, half way.
fn breaking() -> Committing {
    Committing(files(), |files, changes| {
        files.commit(changes)?;
        resume_unwind(Box::new("hunter2 pulled the plug"))
    })
}

#[test]
fn a_workspace_that_panics_leaves_the_outcome_unknown() {
    let mut workspace = breaking();
    let result = Desk::new(&[]).gates.admit(call("note", r#"{"path":"a.txt"}"#)).unwrap().run(&mut workspace);
    let error = result.error().unwrap();
    assert_eq!((error.code.as_str(), error.message.as_deref()), ("outcome_unknown", None));
    let said = "the workspace panicked while it committed: hunter2 pulled the plug";
    assert_eq!(error.operator_text.as_deref(), Some(said));
    assert!(!error.text_for_model().contains(SECRET));
    assert_ne!(all(&workspace.0), all(&files()));
}

#[test]
fn where_nothing_is_written_nothing_is_committed() {
    let desk = Desk::of(&[], |builder, _| builder.tool(dispatch_core::tools::ReadFile));
    let admitted = desk.gates.admit(call("read_file", r#"{"path":"a.txt"}"#)).unwrap();
    assert_eq!(admitted.run(&mut breaking()).shown().unwrap().text, "1: old\n");
}

fn reporting() -> Desk {
    let work = |_: Map<String, Value>, view: &mut View<'_>| {
        view.report(Progress { text: "one".to_owned(), fraction: None });
        view.write("a.txt", "new".to_owned())?;
        view.report(Progress { text: "two".to_owned(), fraction: None });
        Ok::<_, ToolFailure>("done".to_owned())
    };
    Desk::of(&[], |builder, _| builder.tool(tool_fn("work", work)))
}

/// What a panic brought, and what panics again when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        resume_unwind(Box::new("hunter2, again"));
    }
}

#[test]
fn to_listen_changes_nothing() {
    let mut heard = Vec::new();
    let mut listen = |progress: Progress| {
        heard.push(progress.text);
        resume_unwind(Box::new(Bomb));
    };
    let mut workspace = files();
    let result = reporting().gates.admit(call("work", "{}")).unwrap().run_listening(&mut workspace, &mut listen);
    assert_eq!(result.shown().unwrap().text, "done");
    assert_eq!(workspace.files().next().unwrap(), ("a.txt", "new".into()));
    assert_eq!(heard, ["one"], "who has panicked hears no more");
}

/// Says something else each time it is asked, and panics in the end.
#[derive(Default)]
struct Fickle(AtomicUsize);

impl Tool for Fickle {
    type Args = Map<String, Value>;
    type Output = String;

    fn name(&self) -> &'static str {
        "fickle"
    }

    fn annotations(&self) -> Annotations {
        match self.0.fetch_add(1, Ordering::SeqCst) {
            0 => Annotations::read_only(),
            _ => resume_unwind(Box::new("hunter2, asked again")),
        }
    }

    fn run(&self, _: Self::Args, _: &mut View<'_>) -> Result<String, ToolFailure> {
        Ok("ran".to_owned())
    }
}

#[test]
fn a_tool_says_once_what_it_does() {
    let desk = Desk::of(&[], |builder, _| builder.tool(Fickle::default()));
    let known = desk.gates.known(call("fickle", "{}")).unwrap();
    assert_eq!(known.annotations(), Annotations::read_only());
    assert_eq!(desk.gates.registry().spec("fickle").unwrap().annotations, Annotations::read_only());
    assert_eq!(desk.gates.admit(call("fickle", "{}")).unwrap().annotations(), Annotations::read_only());
    assert_eq!(desk.ask("fickle", "{}").code(), "ok");
}

/// Arguments whose schema can't be made.
#[derive(Deserialize)]
struct Unmakable {}

impl JsonSchema for Unmakable {
    fn schema_name() -> Cow<'static, str> {
        "Unmakable".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        resume_unwind(Box::new("hunter2 is no schema"))
    }
}

#[test]
fn a_schema_that_can_t_be_made_refuses_every_call() {
    let work = |_: Unmakable| Ok::<_, ToolFailure>(String::new());
    let desk = Desk::of(&[], |builder, _| builder.tool(tool_fn("work", work)));
    for _again in 0..2 {
        let rejection = desk.gates.admit(call("work", "{}")).unwrap_err();
        assert_eq!((rejection.stage(), rejection.error().code.as_str()), (Stage::Valid, "internal_error"));
        let said = "reading the schema panicked: hunter2 is no schema";
        assert_eq!(rejection.error().operator_text.as_deref(), Some(said));
        assert!(!rejection.error().text_for_model().contains(SECRET));
    }
}
