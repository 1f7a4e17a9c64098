//! What the tests of the shapes have in common: a text goes in, and lines to read come out.

use dispatch_core::protocol::Failure;
use dispatch_core::workspace::MemoryWorkspace;
use dispatch_core::{Args, Gates, Image, Observation, Part, Registry, ToolCall, ToolResult, tool_fn, tools};

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
