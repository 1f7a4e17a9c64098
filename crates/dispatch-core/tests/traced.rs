//! What a traced tool tells of its runs, as a subscriber that writes lines shows it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io;
use std::sync::{Arc, Mutex};

use dispatch_core::workspace::MemoryWorkspace;
use dispatch_core::{
    Annotations, Code, ErrorCode, Gates, Json, Registry, Tool, ToolCall, ToolFailure, json::Document, tool_fn, tools,
    traced,
};

/// Divides ten by a number.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Divide {
    by: i64,
}

fn divide(Divide { by }: Divide) -> Result<Json<i64>, ToolFailure> {
    match by {
        0 => Err(ToolFailure::new(Code::own("division_by_zero").unwrap(), "nothing can be divided by zero")),
        1 => Err(ErrorCode::InvalidArguments.into()),
        by => Ok(Json(10 / by)),
    }
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Runs something, and returns what was told meanwhile.
fn told(run: impl FnOnce()) -> String {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt().without_time().with_ansi(false).with_target(false);
    let subscriber = subscriber.with_writer(move || writer.clone()).finish();
    tracing::subscriber::with_default(subscriber, run);
    let told = log.0.lock().unwrap().clone();
    String::from_utf8(told).unwrap()
}

fn told_of_call(tool: impl Tool, id: Option<&str>, args: &str) -> String {
    let call = ToolCall::new(tool.name(), Document::parse(args.into()).unwrap());
    let call = id.map_or(call.clone(), |id| call.with_id(id));
    let gates = Gates::new(Registry::builder().tool(tool).build().unwrap());
    told(|| drop(gates.admit(call).map(|admitted| admitted.run(&mut MemoryWorkspace::default()))))
}

#[test]
fn a_run_is_told_before_and_after() {
    insta::assert_snapshot!(told_of_call(traced(tool_fn("divide", divide)), Some("c1"), r#"{"by": 5}"#), @r#"
    INFO execute_tool{otel.name="execute_tool divide" otel.kind="internal" gen_ai.operation.name="execute_tool" gen_ai.tool.name="divide" gen_ai.tool.call.id="c1" gen_ai.tool.description="Divides ten by a number." gen_ai.tool.type="function"}: execute_tool started gen_ai.operation.name="execute_tool" gen_ai.tool.name="divide" gen_ai.tool.call.id="c1"
    INFO execute_tool{otel.name="execute_tool divide" otel.kind="internal" gen_ai.operation.name="execute_tool" gen_ai.tool.name="divide" gen_ai.tool.call.id="c1" gen_ai.tool.description="Divides ten by a number." gen_ai.tool.type="function"}: execute_tool ended gen_ai.operation.name="execute_tool" gen_ai.tool.name="divide" gen_ai.tool.call.id="c1"
    "#);
}

#[test]
fn a_failure_is_told_by_its_code_alone() {
    insta::assert_snapshot!(told_of_call(traced(tool_fn("divide", divide)), None, r#"{"by": 0}"#), @r#"
    INFO execute_tool{otel.name="execute_tool divide" otel.kind="internal" gen_ai.operation.name="execute_tool" gen_ai.tool.name="divide" gen_ai.tool.description="Divides ten by a number." gen_ai.tool.type="function"}: execute_tool started gen_ai.operation.name="execute_tool" gen_ai.tool.name="divide"
    INFO execute_tool{otel.name="execute_tool divide" otel.kind="internal" gen_ai.operation.name="execute_tool" gen_ai.tool.name="divide" gen_ai.tool.description="Divides ten by a number." gen_ai.tool.type="function" error.type="division_by_zero" otel.status_code="ERROR"}: execute_tool ended gen_ai.operation.name="execute_tool" gen_ai.tool.name="divide" error.type="division_by_zero"
    "#);
}

#[test]
fn a_code_that_is_not_a_handler_s_is_told_as_what_becomes_of_it() {
    let told = told_of_call(traced(tool_fn("divide", divide)), None, r#"{"by": 1}"#);
    assert!(told.ends_with("error.type=\"internal_error\"\n"), "{told}");
}

#[test]
fn a_panic_is_told_as_what_the_dispatcher_makes_of_it() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct NoArgs {}
    let crash = |_: NoArgs| -> Result<String, ToolFailure> { panic!("a secret") };
    insta::assert_snapshot!(told_of_call(traced(tool_fn("crash", crash)), Some("c1"), "{}"), @r#"
    INFO execute_tool{otel.name="execute_tool crash" otel.kind="internal" gen_ai.operation.name="execute_tool" gen_ai.tool.name="crash" gen_ai.tool.call.id="c1" gen_ai.tool.type="function"}: execute_tool started gen_ai.operation.name="execute_tool" gen_ai.tool.name="crash" gen_ai.tool.call.id="c1"
    INFO execute_tool{otel.name="execute_tool crash" otel.kind="internal" gen_ai.operation.name="execute_tool" gen_ai.tool.name="crash" gen_ai.tool.call.id="c1" gen_ai.tool.type="function" error.type="internal_error" otel.status_code="ERROR"}: execute_tool ended gen_ai.operation.name="execute_tool" gen_ai.tool.name="crash" gen_ai.tool.call.id="c1" error.type="internal_error"
    "#);
}

#[test]
fn a_panic_goes_on_its_way() {
    let crash = |_: Divide| -> Result<String, ToolFailure> { panic!("a secret") };
    let gates = Gates::new(Registry::builder().tool(traced(tool_fn("crash", crash))).build().unwrap());
    let call = ToolCall::new("crash", Document::parse(br#"{"by": 5}"#.to_vec()).unwrap());
    let result = gates.admit(call).unwrap().run(&mut MemoryWorkspace::default());
    let error = result.error().unwrap();
    assert_eq!(error.code.built_in(), Some(ErrorCode::InternalError));
    assert_eq!(error.operator_text.as_deref(), Some("the handler panicked: a secret"));
}

#[test]
fn a_refused_call_is_no_run() {
    assert_eq!(told_of_call(traced(tool_fn("divide", divide)), Some("c1"), r#"{"by": "5"}"#), "");
}

#[test]
fn what_the_handler_tells_stands_between() {
    let chatty = |_: Divide| {
        tracing::warn!("dividing");
        Ok(String::new())
    };
    let told = told_of_call(traced(tool_fn("chatty", chatty)), None, r#"{"by": 5}"#);
    let levels: Vec<_> = told.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(levels, ["INFO", "WARN", "INFO"], "{told}");
    assert!(told.lines().all(|line| line.contains("execute_tool{")), "{told}");
}

#[test]
fn the_wrapper_keeps_name_annotations_arguments_and_output() {
    fn keeps_its_types(_: &impl Tool<Args = tools::ReadFileArgs, Output = String>) {}
    let tool = traced(tools::ReadFile);
    assert_eq!(tool.name(), "read_file");
    assert_eq!(tool.annotations(), Annotations::read_only());
    keeps_its_types(&tool);

    let spec = |registry: Registry| registry.spec("read_file").unwrap();
    let plain = Registry::builder().tool(tools::ReadFile).build().unwrap();
    let wrapped = Registry::builder().tool(traced(tools::ReadFile)).build().unwrap();
    assert_eq!(spec(wrapped), spec(plain));
}
