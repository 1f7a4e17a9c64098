//! What the tests of the shapes share: a text goes in, and lines to read come out.

use dispatch_core::json::Document;
use dispatch_core::protocol::Failure;
use dispatch_core::workspace::MemoryWorkspace;
use dispatch_core::{Args, Gates, Image, Limits, Observation, Part, Registry, ToolCall, tool_fn, tools};
use proptest::prelude::*;
use serde_json::Value;

use crate::{Answer, Conversation, Provider, Turn};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Nothing {}

/// An image of this type, to be shown.
pub(crate) fn image(media_type: &str) -> Part {
    Part::Image(Image { media_type: media_type.to_owned(), base64: "QUJD".to_owned() })
}

/// Gates to a tool `show`, which gives this observation, to `rest`, which gives none, and to `read_file`.
fn gates_showing(observation: &Observation) -> Gates {
    let observation = observation.clone();
    let show = tool_fn("show", move |_: Nothing| Ok(observation.clone()));
    let rest = tool_fn("rest", |_: Nothing| Ok(Observation::default()));
    Gates::new(Registry::builder().tool(show).tool(rest).tool(tools::ReadFile).build().unwrap()).explaining()
}

/// Runs the calls that wait, on a workspace with a file `notes.txt`.
fn answer(gates: &Gates, conversation: &Conversation) -> Answer {
    let turn = conversation.turn().unwrap().expect("there is a call in it");
    let mut workspace = MemoryWorkspace::from_iter([("notes.txt", "milk\n")]);
    turn.answer(|call| match gates.admit(call) {
        Ok(admitted) => admitted.run(&mut workspace),
        Err(rejection) => rejection.into_result(),
    })
    .unwrap()
}

fn call_line(call: &ToolCall) -> String {
    let id = call.id().map_or("without an id".to_owned(), |id| format!("{id:?}"));
    let args = match call.args() {
        Args::Json(args) => args.raw().to_owned(),
        Args::Malformed(malformed) => format!("no JSON: {malformed}: {:?}", call.args().raw()),
    };
    format!("{id} {:?} {args}", call.tool())
}

fn fault_line(failure: &Failure) -> String {
    let place = failure.path().map_or(String::new(), |path| format!("{path}: "));
    place + failure.message()
}

fn ids_answered(provider: Provider, message: &Value) -> Vec<Option<String>> {
    let document = Document::parse(message.to_string().into()).unwrap();
    let message = provider.shape().message(document.root()).unwrap();
    message.results.into_iter().map(|result| result.id).collect()
}

impl Provider {
    fn read_right(self, text: &str) -> Conversation {
        self.read(text.into()).unwrap()
    }

    /// Reads a text and returns the calls that wait, a line each: id, tool, arguments. Else what is wrong with it, and where.
    pub(crate) fn asked(self, text: &str) -> String {
        match self.read(text.into()).and_then(|conversation| conversation.turn()) {
            Ok(Some(turn)) => turn.calls().iter().map(call_line).collect::<Vec<_>>().join("\n"),
            Ok(None) => "no calls".to_owned(),
            Err(failure) => fault_line(&failure),
        }
    }

    /// Reads a text and returns the messages that answer its calls. The tool `show` gives what is to be shown.
    pub(crate) fn answered(self, text: &str, shown: &Observation) -> String {
        answer(&gates_showing(shown), &self.read_right(text)).to_string()
    }

    /// As [`answered`](Self::answered), within a limit.
    pub(crate) fn answered_within(self, limit: u64, text: &str, shown: &Observation) -> String {
        let gates = gates_showing(shown).limiting(Limits::output_bytes(limit).unwrap());
        answer(&gates, &self.read_right(text)).to_string()
    }

    /// Returns the whole conversation, its calls of `show` answered with `done`.
    pub(crate) fn continued(self, text: &str) -> String {
        let conversation = self.read_right(text);
        conversation.with_answer(&answer(&gates_showing(&Observation::text("done")), &conversation))
    }

    /// Returns the results in a text, one a line: the place of the message, the id.
    pub(crate) fn results(self, text: &str) -> String {
        let conversation = self.read_right(text);
        let lines = conversation
            .messages()
            .iter()
            .flat_map(|placed| placed.message.results.iter().map(|result| format!("{} {:?}", placed.path, result.id)));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Checks that calls are read as they were written, and that the answer pairs with them: one result a call, in order.
    pub(crate) fn check_round_trip(self, text: &str, wanted: &[Wanted]) {
        let conversation = self.read_right(text);
        let turn = conversation.turn().unwrap();
        let calls = turn.iter().flat_map(Turn::calls);
        let read: Vec<_> = calls.map(|call| (call.id(), call.tool(), call.args().raw())).collect();
        let written: Vec<_> = wanted.iter().map(|call| (call.id.as_deref(), &*call.tool, &*call.args)).collect();
        assert_eq!(read, written);

        let answer = answer(&Gates::new(Registry::default()), &conversation);
        let answered: Vec<_> = answer.messages().iter().flat_map(|message| ids_answered(self, message)).collect();
        assert_eq!(answered, wanted.iter().map(|call| call.id.clone()).collect::<Vec<_>>());
        assert_eq!(self.asked(&conversation.with_answer(&answer)), "no calls");
    }
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
