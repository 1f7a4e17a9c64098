//! What the tests of the shapes share: bodies go in, texts come out.

use dispatch_core::json::Document;
use dispatch_core::{Gates, Limits, Observation, Registry, ToolCall, tool_fn, tools, workspace::MemoryWorkspace};
use proptest::prelude::*;

use crate::{Answer, Conversation, Provider, Turn};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Nothing {}

/// Gates to a tool `show`, which gives this observation, and to `read_file`.
pub(crate) fn gates_showing(observation: &Observation) -> Gates {
    let observation = observation.clone();
    let show = tool_fn("show", move |_: Nothing| Ok(observation.clone()));
    Gates::new(Registry::builder().tool(show).tool(tools::ReadFile).build().unwrap()).explaining()
}

pub(crate) fn read(provider: Provider, body: &str) -> Conversation {
    provider.read(body.into()).unwrap()
}

fn answer_through(gates: &Gates, conversation: &Conversation) -> Answer {
    let turn = conversation.turn().unwrap().expect("there is a call in it");
    let mut workspace = MemoryWorkspace::default();
    turn.answer(|call| match gates.admit(call) {
        Ok(admitted) => admitted.run(&mut workspace),
        Err(rejection) => rejection.into_result(),
    })
    .unwrap()
}

/// Answers a body whose calls are of `show`.
pub(crate) fn answer(provider: Provider, body: &str, shown: &Observation) -> String {
    answer_through(&gates_showing(shown), &read(provider, body)).to_string()
}

/// As [`answer`], within a limit.
pub(crate) fn answer_within(limit: u64, provider: Provider, body: &str, shown: &Observation) -> String {
    let gates = gates_showing(shown).limiting(Limits::output_bytes(limit).unwrap());
    answer_through(&gates, &read(provider, body)).to_string()
}

/// Returns the whole conversation, its calls answered with `done`.
pub(crate) fn continued(provider: Provider, body: &str) -> String {
    let conversation = read(provider, body);
    conversation.with_answer(&answer_through(&gates_showing(&Observation::text("done")), &conversation))
}

/// Returns the calls that wait, one a line: id, tool, arguments.
pub(crate) fn calls(provider: Provider, body: &str) -> String {
    let turn = read(provider, body).turn().unwrap();
    let line = |call: &ToolCall| format!("{:?} {:?} {}", call.id(), call.tool(), call.args().raw());
    turn.iter().flat_map(Turn::calls).map(line).collect::<Vec<_>>().join("\n")
}

/// Returns the results in a body, one a line: the place of the message, the id.
pub(crate) fn results(provider: Provider, body: &str) -> String {
    let document = Document::parse(body.into()).unwrap();
    let messages = provider.shape().layout(document.root()).unwrap().messages;
    let lines = messages.into_iter().flat_map(|(path, message)| {
        let results = provider.shape().message(message).unwrap().results;
        results.into_iter().map(move |result| format!("{path} {:?}", result.id))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns what is wrong with a body, and where.
pub(crate) fn fault(provider: Provider, body: &str) -> String {
    let read = provider.read(body.into());
    let failure = read.and_then(|conversation| conversation.turn().map(drop)).unwrap_err();
    format!("{}: {}", failure.path().unwrap(), failure.message())
}

/// A call as a model may ask for it: its arguments are JSON text.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    pub(crate) id: Option<String>,
    pub(crate) tool: String,
    pub(crate) args: String,
}

pub(crate) fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

fn json_text() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        any::<i64>().prop_map(|number| number.to_string()),
        "[1-9][0-9]{18,40}",
        "-?[0-9]\\.[0-9]{1,20}e[0-9]{1,2}",
        any::<String>().prop_map(|text| quoted(&text)),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[ {}]", items.join(","))),
            object_text(inner),
        ]
    })
}

fn object_text(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    prop::collection::btree_map(any::<String>(), value, 0..4).prop_map(|members| {
        let members: Vec<_> = members.iter().map(|(name, value)| format!("{}: {value}", quoted(name))).collect();
        format!("{{{}}}", members.join(", "))
    })
}

/// Calls whose ids, where they have any, are all different.
pub(crate) fn wanted() -> impl Strategy<Value = Vec<Wanted>> {
    let call = (any::<Option<String>>(), any::<String>(), object_text(json_text()));
    prop::collection::vec(call, 1..5).prop_map(|calls| {
        let numbered = calls.into_iter().enumerate();
        let call = |(place, (id, tool, args)): (usize, (Option<String>, String, String))| Wanted {
            id: id.map(|id| format!("{place}-{id}")),
            tool,
            args,
        };
        numbered.map(call).collect()
    })
}

/// Checks that calls are read as they were written, and that the answer pairs with them: one result a call, in order.
pub(crate) fn check_round_trip(provider: Provider, body: &str, wanted: &[Wanted]) {
    let conversation = read(provider, body);
    let turn = conversation.turn().unwrap().unwrap();
    assert_eq!(turn.calls().len(), wanted.len());
    for (call, wanted) in turn.calls().iter().zip(wanted) {
        assert_eq!(call.id(), wanted.id.as_deref());
        assert_eq!((call.tool(), call.args().raw()), (wanted.tool.as_str(), wanted.args.as_str()));
    }
    let answer = answer_through(&Gates::new(Registry::default()), &conversation);
    let documents = answer.messages().iter().map(|message| Document::parse(message.to_string().into_bytes()).unwrap());
    let results: Vec<_> =
        documents.flat_map(|message| provider.shape().message(message.root()).unwrap().results).collect();
    let answered: Vec<_> = results.iter().map(|result| result.id.as_deref()).collect();
    assert_eq!(answered, wanted.iter().map(|wanted| wanted.id.as_deref()).collect::<Vec<_>>());
    assert!(read(provider, &conversation.with_answer(&answer)).turn().unwrap().is_none());
}

/// Gives every call an id.
pub(crate) fn with_ids(mut calls: Vec<Wanted>) -> Vec<Wanted> {
    for (place, call) in calls.iter_mut().enumerate() {
        call.id.get_or_insert_with(|| place.to_string());
    }
    calls
}

pub(crate) fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}
