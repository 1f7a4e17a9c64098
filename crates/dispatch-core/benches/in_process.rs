//! One call in this process: what the gates cost, beside what anybody would write by hand.
//!
//! Two pairs. `line_by_hand` and `line_dispatched` do the same job: the same line of the native protocol comes in, the same bytes go out, and
//! both refuse unknown fields and repeated keys. `by_hand` and `dispatched` begin with the arguments and end with the observation: there
//! nobody holds a call by hand, and nothing is paired with it. `by_hand` is a `match` on the name, serde for the arguments, serde for the
//! output; `dispatched` is the same function through the whole dispatcher: reading the text strictly, all gates, the run on a workspace, the
//! result. The rows `part_*` show where that goes; their sum is not exact, since each frees what it was given.

#![expect(clippy::expect_used, reason = "a benchmark that can't begin ends there")]
#![expect(
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    reason = "the handlers have the form that a tool's function must have"
)]

use dispatch_core::admission::{Known, Permitted, Valid};
use dispatch_core::json::Document;
use dispatch_core::protocol::Stream;
use dispatch_core::workspace::MemoryWorkspace;
use dispatch_core::{
    Admitted, Annotations, Gates, Json, Registry, RegistryBuilder, ToolCall, ToolFailure, ToolResult, tool_fn,
};
use divan::{Bencher, black_box};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

fn main() {
    divan::main();
}

/// Adds a step to a value.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Increment {
    value: i64,
    #[serde(default = "one")]
    step: i64,
}

fn one() -> i64 {
    1
}

#[derive(Serialize)]
struct Incremented {
    value: i64,
}

fn increment(args: Increment) -> Result<Json<Incremented>, ToolFailure> {
    Ok(Json(Incremented { value: args.value.saturating_add(args.step) }))
}

const TOOL: &str = "increment";
const ARGS: &str = r#"{"value":41,"step":1}"#;

/// As many tools as a small agent has.
const OTHERS: [&str; 7] = ["bash", "glob", "grep", "patch_file", "read_file", "todo", "write_file"];

fn gates() -> Gates {
    let tools = OTHERS.into_iter().chain([TOOL]);
    let add =
        |builder: RegistryBuilder, name| builder.tool(tool_fn(name, increment).annotated(Annotations::read_only()));
    let gates = Gates::new(tools.fold(Registry::builder(), add).build().expect("eight names that differ"));
    assert_eq!(dispatch(&gates, &mut MemoryWorkspace::default(), TOOL, ARGS), r#"{"value":42}"#);
    gates
}

fn call(tool: &str, args: &str) -> ToolCall {
    ToolCall::new(tool, Document::parse(args.into()).expect("JSON"))
}

fn dispatch(gates: &Gates, workspace: &mut MemoryWorkspace, tool: &str, args: &str) -> String {
    let result = gates.admit(call(tool, args)).expect("admitted").run(workspace);
    result.shown().expect("ran").text.into_owned()
}

#[divan::bench(sample_count = 1000, sample_size = 100)]
fn by_hand(bencher: Bencher<'_, '_>) {
    bencher.bench(|| match black_box(TOOL) {
        TOOL => {
            let args: Increment = serde_json::from_str(black_box(ARGS)).expect("valid");
            serde_json::to_string(&increment(args).expect("never fails").0).expect("serialises")
        }
        _ => String::new(),
    });
}

/// The same with a full validator before serde, as a careful host would have it.
#[divan::bench(sample_count = 1000, sample_size = 100)]
fn by_hand_with_a_validator(bencher: Bencher<'_, '_>) {
    let schema = gates().registry().spec(TOOL).expect("registered").input_schema;
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    bencher.bench(|| match black_box(TOOL) {
        TOOL => {
            let args: Value = serde_json::from_str(black_box(ARGS)).expect("JSON");
            assert!(validator.is_valid(&args));
            let args: Increment = serde_json::from_value(args).expect("valid");
            serde_json::to_string(&increment(args).expect("never fails").0).expect("serialises")
        }
        _ => String::new(),
    });
}

#[divan::bench(sample_count = 1000, sample_size = 100)]
fn dispatched(bencher: Bencher<'_, '_>) {
    let (gates, mut workspace) = (gates(), MemoryWorkspace::default());
    bencher.bench_local(|| dispatch(&gates, &mut workspace, black_box(TOOL), black_box(ARGS)));
}

/// A call as the native protocol brings it.
const LINE: &[u8] = br#"{"op":"dispatch","call":{"id":"call_1","tool":"increment","args":{"value":41,"step":1}}}"#;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request<'l> {
    op: &'l str,
    #[serde(borrow)]
    call: Call<'l>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call<'l> {
    id: Option<String>,
    tool: &'l str,
    args: &'l RawValue,
}

#[derive(Serialize)]
struct Answer<'l> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    observation: String,
    status: &'static str,
    tool: &'l str,
}

fn answer_by_hand(line: &[u8]) -> Vec<u8> {
    // Faster than `from_slice`, which checks each string by itself.
    let line = std::str::from_utf8(line).expect("UTF-8");
    let request: Request<'_> = serde_json::from_str(line).expect("valid");
    assert_eq!(request.op, "dispatch");
    let Call { id, tool, args } = request.call;
    let observation = match tool {
        TOOL => {
            let args: Increment = serde_json::from_str(args.get()).expect("valid");
            serde_json::to_string(&increment(args).expect("never fails").0).expect("serialises")
        }
        _ => String::new(),
    };
    let mut text = serde_json::to_vec(&Answer { id, observation, status: "ok", tool }).expect("serialises");
    text.push(b'\n');
    text
}

fn answer(stream: &mut Stream, line: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(128);
    stream.answer(line).expect("a request").expect("no failure").write(&mut text).expect("written");
    text
}

#[divan::bench(sample_count = 1000, sample_size = 100)]
fn line_by_hand(bencher: Bencher<'_, '_>) {
    bencher.bench(|| answer_by_hand(black_box(LINE)));
}

#[divan::bench(sample_count = 1000, sample_size = 100)]
fn line_dispatched(bencher: Bencher<'_, '_>) {
    let mut stream = Stream::new(gates());
    assert_eq!(answer(&mut stream, LINE), answer_by_hand(LINE));
    bencher.bench_local(|| answer(&mut stream, black_box(LINE)));
}

/// Reading the text: every byte checked, every value indexed.
#[divan::bench(sample_count = 1000, sample_size = 100)]
fn part_1_reading(bencher: Bencher<'_, '_>) {
    bencher.bench(|| call(black_box(TOOL), black_box(ARGS)));
}

#[divan::bench(sample_count = 1000, sample_size = 100)]
fn part_2_known_and_permitted(bencher: Bencher<'_, '_>) {
    let gates = gates();
    bencher.with_inputs(|| call(TOOL, ARGS)).bench_values(|call| gates.known(call).and_then(Known::permitted));
}

/// Judging and decoding the arguments.
#[divan::bench(sample_count = 1000, sample_size = 100)]
fn part_3_valid(bencher: Bencher<'_, '_>) {
    let gates = gates();
    let permitted = || gates.known(call(TOOL, ARGS)).and_then(Known::permitted).expect("permitted");
    bencher.with_inputs(permitted).bench_values(Permitted::valid);
}

#[divan::bench(sample_count = 1000, sample_size = 100)]
fn part_4_cleared(bencher: Bencher<'_, '_>) {
    let gates = gates();
    let permitted = || gates.known(call(TOOL, ARGS)).and_then(Known::permitted).expect("permitted");
    bencher.with_inputs(|| permitted().valid().expect("valid")).bench_values(Valid::cleared);
}

#[divan::bench(sample_count = 1000, sample_size = 100)]
fn part_5_run(bencher: Bencher<'_, '_>) {
    let (gates, mut workspace) = (gates(), MemoryWorkspace::default());
    let admitted = || gates.admit(call(TOOL, ARGS)).expect("admitted");
    bencher.with_inputs(admitted).bench_local_values(|admitted: Admitted| admitted.run(&mut workspace));
}

#[divan::bench(sample_count = 1000, sample_size = 100)]
fn part_6_shown(bencher: Bencher<'_, '_>) {
    let gates = gates();
    let ran = || gates.admit(call(TOOL, ARGS)).expect("admitted").run(&mut MemoryWorkspace::default());
    bencher.with_inputs(ran).bench_refs(|result: &mut ToolResult| result.shown().map(|shown| shown.text.into_owned()));
}
