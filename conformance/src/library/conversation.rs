//! A provider's conversation replayed in this process, and told as `dispatch replay --json --provider` tells it.

use std::collections::BTreeSet;

use dispatch_core::Gates;
use dispatch_core::json::write_value;
use dispatch_core::session::Difference;
use dispatch_providers::{ConversationReplayer, Exchange, Replayed};
use serde_json::{Map, Value, json};

use crate::subject::{Input, Output, SubjectError};

/// The name that people know the conversation by.
const NAME: &str = "standard input";

pub(super) fn replay(provider: &str, gates: &Gates, input: &Input) -> Result<Output, SubjectError> {
    let conversation = match super::read(provider, input)? {
        Ok(conversation) => conversation,
        Err(failure) => return Ok(refused(&failure.to_string())),
    };
    let exchanges = match conversation.exchanges() {
        Ok(exchanges) => exchanges,
        Err(faults) => return Ok(refused(&conversation.unpaired(&faults).to_string())),
    };
    let mut told = Told::default();
    conversation.note().iter().for_each(|note| told.note(&format!("{NAME}: {note}")));
    let replayer = ConversationReplayer::new(gates.clone(), super::workspace(input)?);
    let mut replayer = if input.options.strict { replayer.strictly() } else { replayer };
    for exchange in &exchanges {
        told.call(exchange, &replayer.replay(exchange));
    }
    told.close();
    told.output.workspace = replayer.workspace().as_memory().map(super::written).transpose()?;
    Ok(told.output)
}

fn refused(line: &str) -> Output {
    Output { stderr: format!("{line}\n").into_bytes(), exit: 1, ..Output::default() }
}

/// What was told by now.
#[derive(Default)]
struct Told {
    output: Output,
    agree: u64,
    diverge: u64,
    unknown: u64,
    stood_in: u64,
    unknown_tool: u64,
    tools: BTreeSet<String>,
}

impl Told {
    fn note(&mut self, text: &str) {
        self.output.stderr.extend_from_slice(format!("dispatch: {text}\n").as_bytes());
    }

    fn line(&mut self, object: impl Into<Value>) {
        // Writing to memory does not fail.
        let _ = write_value(&mut self.output.stdout, &object.into());
        self.output.stdout.push(b'\n');
    }

    fn call(&mut self, exchange: &Exchange, replayed: &Replayed) {
        match replayed {
            Replayed::Compared(compared) if compared.differences.is_empty() => self.agree += 1,
            Replayed::Compared(compared) => {
                self.diverge += 1;
                let mut object = object(exchange, "divergence");
                object.insert("differences".to_owned(), compared.differences.iter().map(difference).collect());
                self.line(object);
            }
            Replayed::UnknownTool => {
                self.unknown_tool += 1;
                self.tool(exchange.call().tool());
            }
            Replayed::StoodIn => self.stood_in += 1,
            Replayed::OutcomeUnknown => {
                self.unknown += 1;
                self.line(object(exchange, "outcome_unknown"));
            }
        }
    }

    fn tool(&mut self, tool: &str) {
        if self.tools.insert(tool.to_owned()) {
            self.note(&Replayed::no_such_tool(tool));
        }
    }

    fn close(&mut self) {
        let Self { agree, diverge, unknown, stood_in, unknown_tool, .. } = self;
        let calls = *agree + *diverge + *unknown + *stood_in + *unknown_tool;
        let summary = json!({
            "agree": agree, "calls": calls, "diverge": diverge, "kind": "summary", "not_compared": 0,
            "outcome_unknown": unknown, "stood_in": stood_in, "unknown_tool": unknown_tool,
        });
        self.output.exit = i32::from(*diverge > 0);
        self.line(summary);
    }
}

fn difference(difference: &Difference) -> Value {
    let path = difference.path.to_string();
    json!({"path": path, "recorded": difference.recorded, "today": difference.today})
}

fn object(exchange: &Exchange, kind: &str) -> Map<String, Value> {
    let call = exchange.call();
    let members = [
        ("call", json!(exchange.number())),
        ("id", json!(call.id())),
        ("kind", json!(kind)),
        ("path", json!(exchange.path().to_string())),
        ("tool", json!(call.tool())),
    ];
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
