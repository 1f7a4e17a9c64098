//! Sessions to record, and how they are read and replayed.

use std::convert::Infallible;

use dispatch_core::json::Document;
use dispatch_core::protocol::{Asked, Stream};
use dispatch_core::session::{
    Comparison, End, Entry, Header, How, Item, LogError, NotAnswered, Reader, Recorder, Replayer, WorkspaceDigest,
};
use dispatch_core::workspace::{MemoryWorkspace, View};
use dispatch_core::{
    Annotations, Code, Gates, GivenTool, Image, Observation, Part, Registry, ToolCall, ToolFailure, tool_fn, tools,
};
use serde_json::json;

#[derive(serde::Deserialize, schemars::JsonSchema)]
pub(crate) struct NoArgs {}

#[derive(serde::Deserialize, schemars::JsonSchema)]
pub(crate) struct Text {
    text: String,
}

const OWN: Code = Code::constant("too_loud");

/// Tools that end in every way there is. Those after the native ones stay within the workspace, but for `reach` and `elsewhere`.
pub(crate) fn registry() -> Registry {
    let screenshot = |_: NoArgs, _: &mut View<'_>| {
        let image = Image { media_type: "image/png".to_owned(), base64: "iVBORw0KGgo=".to_owned() };
        Ok(Observation::text("a page").with(Part::Image(image)).with(Part::Json(json!({"b": 1, "a": 2.0}))))
    };
    let shout = |args: Text, view: &mut View<'_>| {
        view.write("shouted", args.text.clone())?;
        view.write("shouted too", args.text.clone())?;
        if args.text.len() > 3 { Err(ToolFailure::new(OWN, args.text)) } else { Ok(args.text) }
    };
    let burst = |_: NoArgs, _: &mut View<'_>| -> Result<String, ToolFailure> { panic!("within a test") };
    let reach = GivenTool::new("reach", "", &json!({"type": "object", "properties": {}})).unwrap();
    let closed = Annotations { open_world: false, ..Annotations::default() };
    Registry::builder()
        .tool(tools::ReadFile)
        .tool(tools::WriteFile)
        .tool(tools::PatchFile)
        .tool(tool_fn("shoot", screenshot).annotated(closed))
        .tool(tool_fn("shout", shout).annotated(closed))
        .tool(tool_fn("burst", burst).annotated(closed))
        .given(reach.run_by(|_, view| {
            view.write("reached", "far".to_owned())?;
            Ok(Observation::text("far"))
        }))
        .host_run::<NoArgs>("elsewhere", Annotations::read_only())
        .build()
        .unwrap()
}

pub(crate) fn gates() -> Gates {
    Gates::new(registry())
}

/// A log in memory.
pub(crate) fn recorder<'l>(
    header: &Header,
    log: &'l mut Vec<u8>,
) -> Recorder<impl FnMut(&[u8]) -> Result<(), Infallible> + use<'l>> {
    Recorder::begin(header, |line: &[u8]| {
        log.extend_from_slice(line);
        Ok(())
    })
    .unwrap()
}

/// Records a stream of requests. Protocol failures are passed over.
pub(crate) fn record_stream<L: AsRef<str>>(gates: Gates, requests: &[L]) -> (Vec<u8>, MemoryWorkspace) {
    let mut log = Vec::new();
    let mut stream = Stream::new(gates);
    let mut recorder = recorder(&stream.header(), &mut log);
    for request in requests {
        let answered = stream.answer_recorded(request.as_ref().as_bytes(), &mut recorder);
        assert!(!matches!(answered, Some(Err(NotAnswered::Unrecorded(_)))));
    }
    drop(recorder);
    (log, stream.workspace().as_memory().unwrap().clone())
}

/// Records calls on a workspace.
pub(crate) fn record(gates: &Gates, workspace: &mut MemoryWorkspace, asked: Vec<Asked>) -> Vec<u8> {
    let mut log = Vec::new();
    let mut recorder = recorder(&Header::new(gates, workspace.clone()), &mut log);
    for asked in asked {
        recorder.intend(asked).unwrap().run(gates, workspace);
    }
    drop(recorder);
    log
}

/// Reads a whole log.
pub(crate) fn read(log: &[u8]) -> Result<(Vec<Item>, End), LogError> {
    let mut reader = Reader::default();
    let mut items = Vec::new();
    for line in log.split_inclusive(|byte| *byte == b'\n') {
        items.extend(reader.push(line)?);
    }
    Ok((items, reader.finish()))
}

pub(crate) fn header(log: &[u8]) -> Header {
    match read(log).unwrap().0.swap_remove(0) {
        Item::Header(header) => *header,
        Item::Entry(entry) => panic!("no header: {entry:?}"),
    }
}

/// The calls of a log.
pub(crate) fn entries(log: &[u8]) -> Vec<Entry> {
    let items = read(log).unwrap().0.into_iter();
    items.filter_map(|item| if let Item::Entry(entry) = item { Some(*entry) } else { None }).collect()
}

/// Replays a whole log with tools of today, also with the lines passed over that agree: that must come to the same.
pub(crate) fn replay_with(registry: &Registry, log: &[u8]) -> (Vec<Comparison>, Replayer) {
    let mut replayed = Replayed::default();
    let (items, end) = read(log).unwrap();
    let interrupted = end.interrupted.map(Item::Entry);
    items.into_iter().chain(interrupted).for_each(|item| replayed.take(registry, item));
    let mut passing_over = Replayed::default();
    passing_over.pass_over(registry, log).unwrap();
    assert_eq!(format!("{:?}", passing_over.comparisons), format!("{:?}", replayed.comparisons));
    assert_eq!(passing_over.lines, replayed.lines);
    let session = replayed.replayer.unwrap();
    let digest = |replayer: &Replayer| WorkspaceDigest::of(replayer.workspace()).value();
    assert_eq!(digest(&passing_over.replayer.unwrap()), digest(&session));
    (replayed.comparisons, session)
}

/// What a replay has come to.
#[derive(Default)]
pub(crate) struct Replayed {
    replayer: Option<Replayer>,
    pub(crate) comparisons: Vec<Comparison>,
    /// The lines that would record what came today.
    lines: Vec<Vec<u8>>,
    pub(crate) passed_over: usize,
}

impl Replayed {
    fn take(&mut self, registry: &Registry, item: Item) {
        match item {
            Item::Header(header) => self.replayer = Some(Replayer::new(registry.clone(), &header)),
            Item::Entry(entry) => {
                let comparison = self.replayer.as_mut().unwrap().replay(&entry);
                self.note(comparison);
            }
        }
    }

    fn note(&mut self, comparison: Comparison) {
        self.comparisons.push(comparison);
        self.lines.push(self.replayer.as_ref().unwrap().outcome_line().to_vec());
    }

    /// Replays a log whose lines are not read where they agree and more stands behind them.
    pub(crate) fn pass_over(&mut self, registry: &Registry, log: &[u8]) -> Result<(), LogError> {
        let (mut reader, mut rest) = (Reader::default(), log);
        for line in log.split_inclusive(|byte| *byte == b'\n') {
            rest = &rest[line.len()..];
            let goes_on = rest.iter().any(|byte| !matches!(byte, 0 | b'\n'));
            let replayer = self.replayer.as_mut().filter(|_| goes_on);
            if let Some(agreed) = replayer.and_then(|replayer| replayer.replay_agreeing(&mut reader, line)) {
                self.passed_over += 1;
                let comparison = agreed.into_comparison();
                self.note(comparison);
            } else {
                reader.push(line)?.for_each(|item| self.take(registry, item));
            }
        }
        reader.finish().interrupted.into_iter().for_each(|entry| self.take(registry, Item::Entry(entry)));
        Ok(())
    }
}

pub(crate) fn replay(log: &[u8]) -> (Vec<Comparison>, Replayer) {
    replay_with(&registry(), log)
}

/// The paths at which a replay with today's tools differs, each behind its call's number.
pub(crate) fn differing_paths(log: &[u8]) -> Vec<String> {
    let (comparisons, _) = replay(log);
    let paths = |comparison: &Comparison| {
        let number = comparison.number;
        comparison.differences.iter().map(move |difference| format!("{number} {}", difference.path)).collect::<Vec<_>>()
    };
    comparisons.iter().flat_map(paths).collect()
}

pub(crate) fn how(log: &[u8]) -> Vec<How> {
    replay(log).0.iter().map(|comparison| comparison.how).collect()
}

pub(crate) fn call(tool: &str, args: &str) -> ToolCall {
    ToolCall::new(tool, Document::parse(args.into()).unwrap())
}

/// A request of the native protocol.
pub(crate) fn request(tool: &str, args: &str) -> String {
    format!(r#"{{"op":"dispatch","call":{{"tool":"{tool}","args":{args}}}}}"#)
}

/// The lines of a log as text.
pub(crate) fn lines(log: &[u8]) -> Vec<String> {
    std::str::from_utf8(log).unwrap().lines().map(str::to_owned).collect()
}

/// A session of fifty calls, of which some fail, with a workspace set in its middle.
pub(crate) fn fifty_calls() -> Vec<String> {
    let one = |number: usize| match number % 5 {
        0 => request("write_file", &format!(r#"{{"path":"f{}","content":"line {number}\n\u00e9"}}"#, number % 3)),
        1 => request("read_file", &format!(r#"{{"path":"f{}"}}"#, number % 4)),
        2 => request("patch_file", r#"{"path":"f0","old_str":"line","new_str":"row"}"#),
        3 => request("gone", "{}"),
        _ if number == 29 => {
            r#"{"op":"dispatch","workspace":{"f1":"\u0041"},"call":{"id":"x","tool":"read_file","args":{"path":7}}}"#
                .to_owned()
        }
        _ => request("shout", r#"{"text":"héé"}"#),
    };
    (0..50).map(one).collect()
}
