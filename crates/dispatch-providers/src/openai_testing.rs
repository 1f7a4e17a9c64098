//! What the tests of the shapes have in common: a text goes in, and lines to read come out.

use dispatch_core::json::Document;
use dispatch_core::protocol::Failure;
use dispatch_core::workspace::MemoryWorkspace;
use dispatch_core::{Args, Gates, Image, Observation, Part, Registry, ToolCall, ToolResult, tool_fn, tools};
use proptest::prelude::*;
use serde_json::Value;

use crate::{Answer, Conversation, Provider};

/// A tool without parameters.
#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

fn registry() -> Registry {
    let pixel = || Part::Image(Image { media_type: "image/png".to_owned(), base64: "iVBORw0KGgo=".to_owned() });
    let seen = tool_fn("look", move |_: Nothing| Ok(Observation::text("a pixel").with(pixel())));
    let nothing = tool_fn("rest", |_: Nothing| Ok(Observation::default()));
    Registry::builder().tool(tools::ReadFile).tool(seen).tool(nothing).build().unwrap()
}

/// Reads a text and returns its calls, a line each, or what is wrong with it.
pub(crate) fn asked(provider: Provider, text: &str) -> String {
    let turn = provider.read(text.into()).and_then(|conversation| conversation.turn());
    match turn {
        Ok(Some(turn)) => turn.calls().iter().map(line).collect::<Vec<_>>().join("\n"),
        Ok(None) => "no calls".to_owned(),
        Err(failure) => fault(&failure),
    }
}

fn line(call: &ToolCall) -> String {
    let id = call.id().map_or("without an id".to_owned(), |id| format!("{id:?}"));
    let args = match call.args() {
        Args::Json(args) => args.raw().to_owned(),
        Args::Malformed(malformed) => format!("no JSON: {malformed}: {:?}", call.args().raw()),
    };
    format!("{id} {:?} {args}", call.tool())
}

fn fault(failure: &Failure) -> String {
    match failure.path() {
        Some(path) => format!("{path}: {}", failure.message()),
        None => failure.message().to_owned(),
    }
}

/// Reads a text, runs its calls on a workspace with a file `notes.txt`, and returns the messages to append.
pub(crate) fn answered(provider: Provider, text: &str) -> String {
    answer(&provider.read(text.into()).unwrap()).to_string()
}

/// Reads a text, runs its calls, and returns the conversation that then is.
pub(crate) fn gone_on_with(provider: Provider, text: &str) -> String {
    let conversation = provider.read(text.into()).unwrap();
    conversation.with_answer(&answer(&conversation))
}

fn answer(conversation: &Conversation) -> Answer {
    let gates = Gates::new(registry()).explaining();
    let mut workspace = MemoryWorkspace::from_iter([("notes.txt", "milk\n")]);
    conversation.turn().unwrap().unwrap().answer(|call| run(&gates, call, &mut workspace)).unwrap()
}

fn run(gates: &Gates, call: ToolCall, workspace: &mut MemoryWorkspace) -> ToolResult {
    match gates.admit(call) {
        Ok(admitted) => admitted.run(workspace),
        Err(rejection) => rejection.into_result(),
    }
}

/// A call as a provider may write it.
#[derive(Debug, Clone)]
pub(crate) struct Written {
    pub(crate) id: String,
    pub(crate) tool: String,
    pub(crate) args: String,
}

/// Makes the calls of a turn: any names and arguments, non-ASCII text and integers of any size among them, and ids that differ.
pub(crate) fn written_calls() -> impl Strategy<Value = Vec<Written>> {
    let args = (".{0,12}", "[1-9][0-9]{0,30}", any::<bool>()).prop_map(|(text, integer, flag)| {
        format!(r#"{{"text": {}, "nested": [{{"integer":{integer}}}, {flag}]}}"#, Value::from(text))
    });
    let calls = prop::collection::vec((".{0,12}", "[^\"]{0,12}", args), 1..5);
    calls.prop_map(|calls| {
        let numbered = calls.into_iter().enumerate();
        numbered.map(|(number, (id, tool, args))| Written { id: format!("{id}{number}"), tool, args }).collect()
    })
}

/// Checks that calls are read as they were written, and that what answers them is read as one result for each.
pub(crate) fn round_trips(provider: Provider, text: &str, calls: &[Written]) -> Result<(), TestCaseError> {
    let turn = provider.read(text.into())?.turn()?.unwrap();
    let read: Vec<_> = turn.calls().iter().map(|call| (call.id().unwrap(), call.tool(), call.args().raw())).collect();
    let written: Vec<_> = calls.iter().map(|call| (&*call.id, &*call.tool, &*call.args)).collect();
    prop_assert_eq!(read, written);

    let conversation = provider.read(text.into())?;
    let answers =
        answer(&conversation).messages().iter().map(|message| answered_ids(provider, message)).collect::<Vec<_>>();
    let ids: Vec<_> = calls.iter().map(|call| Some(call.id.clone())).collect();
    prop_assert_eq!(answers.concat(), ids);
    Ok(())
}

fn answered_ids(provider: Provider, message: &Value) -> Vec<Option<String>> {
    let document = Document::parse(message.to_string().into()).unwrap();
    let read = provider.shape().message(document.root()).unwrap();
    read.results.into_iter().map(|result| result.id).collect()
}
