//! What a traced tool tells of its runs, as a subscriber that writes lines shows it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io;
use std::sync::{Arc, Mutex};

use dispatch_core::workspace::MemoryWorkspace;
use dispatch_core::{
    Annotations, Code, ErrorCode, Gates, GivenTool, Json, Observation, Registry, RegistryBuilder, Tool, ToolCall,
    ToolFailure, ToolResult, json::Document, tool_fn, tools, traced,
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

/// What a call of a registry's tool tells and ends in.
fn told_of_registry(builder: RegistryBuilder, tool: &str, args: &str) -> (String, ToolResult) {
    let gates = Gates::new(builder.build().unwrap());
    let admitted = gates.admit(ToolCall::new(tool, Document::parse(args.into()).unwrap()).with_id("c1")).unwrap();
    let mut result = None;
    let told = told(|| result = Some(admitted.run(&mut MemoryWorkspace::default())));
    (told, result.unwrap())
}

fn given(description: &str) -> GivenTool {
    let schema = serde_json::json!({"type": "object", "properties": {"fail": {"type": "boolean"}}});
    GivenTool::new("given", description, &schema).unwrap().run_by(|arguments, _view| match arguments.get("fail") {
        None => Ok(Observation::text("ran")),
        Some(_) => Err(ErrorCode::NotReady.into()),
    })
}

#[test]
fn a_tool_without_types_is_told_as_one_with_them() {
    let typed = told_of_call(traced(tool_fn("divide", divide)), Some("c1"), r#"{"by": 5}"#);
    let given = Registry::builder().given(given("Divides ten by a number.")).traced();
    let (told, result) = told_of_registry(given, "given", "{}");
    assert_eq!(told, typed.replace("divide", "given"));
    assert_eq!(result.shown().unwrap().text, "ran");
    let wrapped_later = Registry::builder().tool(tool_fn("divide", divide)).traced();
    assert_eq!(told_of_registry(wrapped_later, "divide", r#"{"by": 5}"#).0, typed);
}

#[test]
fn a_tool_without_types_tells_its_failure_by_its_code() {
    let (told, result) = told_of_registry(Registry::builder().given(given("")).traced(), "given", r#"{"fail": true}"#);
    assert!(told.ends_with("error.type=\"not_ready\"\n"), "{told}");
    assert!(!told.contains("description"), "{told}");
    assert_eq!(result.error().unwrap().code.as_str(), "not_ready");
}

#[test]
fn output_that_can_t_be_sent_is_told_by_a_traced_registry() {
    let no_text_keys = |_: Divide| Ok(Json(std::collections::BTreeMap::from([((1, 2), 3)])));
    let builder = Registry::builder().tool(tool_fn("map", no_text_keys)).traced();
    let (told, result) = told_of_registry(builder, "map", r#"{"by": 5}"#);
    assert!(told.ends_with("error.type=\"internal_error\"\n"), "{told}");
    assert_eq!(result.error().unwrap().code.as_str(), "internal_error");
}

#[test]
fn a_traced_registry_keeps_what_its_tools_are() {
    let builder = || {
        let builder = Registry::builder().given(given("")).tool(tools::ReadFile);
        builder.host_run::<Divide>("far", Annotations::default())
    };
    let [plain, wrapped] = [builder(), builder().traced()].map(|builder| builder.build().unwrap());
    assert!(plain.specs().eq(wrapped.specs()));
    let (told, result) = told_of_registry(builder().traced(), "far", r#"{"by": 5}"#);
    assert_eq!((told.as_str(), result.error().unwrap().code.as_str()), ("", "internal_error"));
}
