//! A log replayed in this process, and told as `dispatch replay --json` tells it.

use std::collections::BTreeSet;

use dispatch_core::Registry;
use dispatch_core::json::write_value;
use dispatch_core::session::{Comparison, DifferingTool, Entry, Header, How, Item, Reader, Replayer};
use serde_json::{Map, Value, json};

use crate::subject::Output;

/// The name that people know the log by.
const NAME: &str = "standard input";

pub(super) fn replay(registry: &Registry, log: &[u8]) -> Output {
    let mut told = Told::default();
    if let Err(reason) = replayed(registry, log, &mut told) {
        told.note(&reason);
        told.output.exit = 2;
    }
    told.output
}

/// What was told by now.
#[derive(Default)]
struct Told {
    output: Output,
    counts: Counts,
    tools: BTreeSet<String>,
}

#[derive(Default)]
struct Counts {
    agree: u64,
    diverge: u64,
    stood_in: u64,
    unknown: u64,
    workspace_alone: u64,
}

/// Replays a log. The error is why it can't be replayed to its end.
fn replayed(registry: &Registry, log: &[u8], told: &mut Told) -> Result<(), String> {
    let (mut reader, mut replayer) = (Reader::default(), None);
    for (index, line) in log.split_inclusive(|byte| *byte == b'\n').enumerate() {
        for item in reader.push(line).map_err(|error| format!("{NAME}, {error}"))? {
            match item {
                Item::Header(header) => replayer = Some(begin(registry, &header, index + 1, told)?),
                Item::Entry(entry) => told.call(replayer.as_mut(), &entry),
            }
        }
    }
    let end = reader.finish();
    if let Some(torn) = end.torn {
        told.note(&format!("{NAME}, {torn}"));
    }
    if let Some(why) = end.no_session {
        return Err(format!("{NAME} holds no session: {why}"));
    }
    if let Some(entry) = end.interrupted {
        told.call(replayer.as_mut(), &entry);
    }
    told.close();
    Ok(())
}

/// The tools that the session was recorded with: those given, or else an agent's.
fn fitting(registry: &Registry, header: &Header) -> Registry {
    let agent = dispatch_host::agent_registry();
    let has_all = |registry: &Registry| header.tools().all(|(tool, _)| registry.contains(tool));
    if !has_all(registry) && has_all(&agent) { agent } else { registry.clone() }
}

fn begin(registry: &Registry, header: &Header, line: usize, told: &mut Told) -> Result<Replayer, String> {
    if let Some(note) = header.version().note() {
        told.note(&format!("{NAME}, line {line}: {note}"));
    }
    let registry = fitting(registry, header);
    let differing = header.differing_tools(&registry);
    let (gone, differing): (Vec<DifferingTool>, Vec<_>) =
        differing.into_iter().partition(|tool| tool.members.is_empty());
    for tool in differing {
        if told.tools.insert(tool.to_string()) {
            told.note(&format!("{NAME}, line {line}: {tool}"));
        }
    }
    if gone.is_empty() {
        return Ok(Replayer::new(registry, header));
    }
    Err(format!("{NAME}, line {line}: {}", DifferingTool::all_gone(&gone)))
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

    fn call(&mut self, replayer: Option<&mut Replayer>, entry: &Entry) {
        let Some(replayer) = replayer else { return };
        let comparison = replayer.replay(entry);
        match comparison.how {
            How::Unknown => {
                self.counts.unknown += 1;
                return self.line(object(entry, "outcome_unknown"));
            }
            How::StoodIn => self.counts.stood_in += 1,
            How::Ran => {}
        }
        if comparison.differences.is_empty() {
            self.counts.agree += 1;
        } else {
            self.divergence(entry, &comparison);
        }
    }

    fn divergence(&mut self, entry: &Entry, comparison: &Comparison) {
        let differences = comparison
            .differences
            .iter()
            .map(|it| json!({"path": it.path.to_string(), "recorded": it.recorded, "today": it.today}));
        let mut object = object(entry, "divergence");
        object.extend([("differences".to_owned(), differences.collect())]);
        self.line(object);
        let is_alone = comparison.differences.iter().all(|difference| difference.path.to_string() == "$.workspace");
        let has_any = self.counts.diverge + self.counts.workspace_alone > 0;
        *(if is_alone && has_any { &mut self.counts.workspace_alone } else { &mut self.counts.diverge }) += 1;
    }

    fn close(&mut self) {
        let Counts { agree, diverge, stood_in, unknown, workspace_alone } = self.counts;
        let calls = agree + diverge + unknown + workspace_alone;
        self.line(json!({
            "agree": agree, "calls": calls, "diverge": diverge, "kind": "summary", "not_compared": 0,
            "outcome_unknown": unknown, "stood_in": stood_in, "workspace_alone": workspace_alone,
        }));
        self.output.exit = i32::from(diverge > 0);
    }
}

fn object(entry: &Entry, kind: &str) -> Map<String, Value> {
    let call = &entry.intent.asked().call;
    let members = [
        ("call", json!(entry.number)),
        ("id", json!(call.id())),
        ("kind", json!(kind)),
        ("line", json!(entry.line)),
        ("tool", json!(call.tool())),
    ];
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
