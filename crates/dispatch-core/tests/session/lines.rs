//! What the lines are, letter by letter.

use dispatch_core::json::{Document, Fragment};
use dispatch_core::protocol::Asked;
use dispatch_core::workspace::MemoryWorkspace;
use dispatch_core::{Args, Gates, Limits, Permissions, Registry, ToolCall, tools};
use serde_json::Map;

use crate::support::{call, entries, gates, header, lines, record, record_stream, replay, request};

/// What stands in the one intent of a call.
fn intent(asked: impl Into<Asked>) -> String {
    lines(&record(&gates(), &mut MemoryWorkspace::default(), vec![asked.into()]))[1].clone()
}

/// The result that is recorded of a call.
fn outcome(tool: &str, args: &str) -> String {
    lines(&record(&gates(), &mut MemoryWorkspace::default(), vec![call(tool, args).into()]))[2].clone()
}

const NO_FILES: &str = "sha256:0000000000000000000000000000000000000000000000000000000000000000";

#[test]
fn a_header_tells_what_narrows_the_session() {
    let registry = Registry::builder()
        .host_run::<crate::support::NoArgs>("t", dispatch_core::Annotations::read_only())
        .build()
        .unwrap();
    let facts = Map::from_iter([("role".to_owned(), "guest".into())]);
    let gates =
        Gates::new(registry).permitting(&Permissions::only(["t", "a"])).limiting(Limits::output_bytes(9).unwrap());
    let workspace = MemoryWorkspace::from_iter([("b", "é\n")]);
    let log = record(&gates.with_facts(facts).explaining(), &mut workspace.clone(), Vec::new());
    let expected = concat!(
        r#"{"explains":true,"facts":{"role":"guest"},"format":"dispatch-session","host":{},"limits":{"max_output_bytes":9},"#,
        r#""permissions":["a","t"],"provider":null,"strict":false,"tools":[{"annotations":{"destructiveHint":false,"#,
        r#""idempotentHint":true,"openWorldHint":false,"readOnlyHint":true},"description":"","input_schema":{"#,
        r#""additionalProperties":false,"type":"object"},"name":"t"}],"version":"1.0","workspace":{"b":"é\n"}}"#,
    );
    assert_eq!(lines(&log), [expected]);
    let read = header(&log);
    assert_eq!(read.tools().map(|(name, _)| name).collect::<Vec<_>>(), ["t"]);
    assert!(read.gates(Registry::default()).facts().contains_key("role"));
    assert_eq!(read.gates(Registry::default()).limits(), Limits::output_bytes(9).unwrap());
}

#[test]
fn a_header_keeps_provider_and_strictness() {
    let mut log = Vec::new();
    let header = dispatch_core::session::Header::new(&gates(), MemoryWorkspace::default()).for_provider("gemini", true);
    drop(crate::support::recorder(&header, &mut log));
    let read = crate::support::header(&log);
    assert_eq!((read.provider(), read.is_strict()), (Some("gemini"), true));
}

#[test]
fn a_request_stands_as_it_came_but_for_its_line_feeds() {
    let request = "{\"op\":\"dispatch\", \"call\" :{ \"args\":\t{\"path\" :\"\\u0061\\n\"\r, \"x\":1.0},\"tool\":\"\\u0072ead_file\"},\"permissions\":[\"b\",\"a\",\"b\"],\"limits\":{\"max_output_bytes\":1e2},\"workspace\":{\"\\u0061\":\"\\u0041\"}}";
    let (log, _) = record_stream(gates(), &[request]);
    let expected = "{\"call\":{ \"args\":\t{\"path\" :\"\\u0061\\n\"\r, \"x\":1.0},\"tool\":\"\\u0072ead_file\"},\"host\":{},\"intent\":1,\"limits\":{\"max_output_bytes\":100},\"permissions\":[\"a\",\"b\"],\"workspace\":{\"a\":\"\\u0041\"}}";
    assert_eq!(lines(&log)[1], expected);

    let spread = Document::parse(b"{\"tool\":\"read_file\",\n\"args\":\n{\"path\": \"a\\n\"}\n}".to_vec()).unwrap();
    let args = spread.root().get("args").unwrap().to_fragment();
    let native = ToolCall::from_parts(None, "read_file".to_owned(), args, spread.into());
    let expected = r#"{"call":{"tool":"read_file", "args": {"path": "a\n"} },"host":{},"intent":1}"#;
    assert_eq!(intent(native), expected);
}

#[test]
fn a_call_of_another_shape_stands_as_the_dispatcher_sees_it_beside_what_came() {
    let block = Document::parse(br#"{"name":"read_file","input":{"path":"a","path":1},"x":[]}"#.to_vec());
    assert!(block.is_err());
    let block =
        Document::parse_tolerating(br#"{"name":"read_file","input":{"path":"a","path":1},"x":[]}"#.to_vec(), |_| true);
    let block = Fragment::from(block.unwrap());
    let args = block.node().get("input").unwrap().to_fragment();
    let of_provider = ToolCall::from_parts(Some("t\"1".to_owned()), "read_file".to_owned(), args, block);
    let expected = concat!(
        r#"{"call":{"args":{"path":"a","path":1},"id":"t\"1","tool":"read_file"},"host":{},"intent":1,"#,
        r#""raw":{"name":"read_file","input":{"path":"a","path":1},"x":[]}}"#,
    );
    assert_eq!(intent(of_provider.clone()), expected);
    let log = record(&gates(), &mut MemoryWorkspace::default(), vec![of_provider.into()]);
    assert_eq!(
        entries(&log)[0].intent.asked().call.raw(),
        r#"{"name":"read_file","input":{"path":"a","path":1},"x":[]}"#
    );
}

#[test]
fn arguments_that_are_no_json_stand_as_text() {
    let raw = Fragment::from(Document::parse(br#"{"arguments":"{\"path\":"}"#.to_vec()).unwrap());
    let broken = ToolCall::from_parts(None, "read_file".to_owned(), Args::from_text("{\"path\":"), raw);
    let expected = concat!(
        r#"{"call":{"args_text":"{\"path\":","tool":"read_file"},"host":{},"intent":1,"#,
        r#""raw":{"arguments":"{\"path\":"}}"#,
    );
    assert_eq!(intent(broken), expected);
}

#[test]
fn a_call_made_of_its_parts_has_nothing_raw() {
    let expected = r#"{"call":{"args":{"path": 1},"id":"c","tool":"read_file"},"host":{},"intent":1}"#;
    assert_eq!(intent(call("read_file", r#"{"path": 1}"#).with_id("c")), expected);
}

/// As deep as JSON may be by itself is too deep within a line.
#[test]
fn what_is_nested_too_deep_for_a_line_stands_as_text() {
    let deep = |levels: usize| format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
    for levels in [1, 124, 125, 126, 127] {
        let text = deep(levels);
        let made = call("read_file", &text);
        let raw = Fragment::from(Document::parse(format!(r#"{{"a":{},"b":""}}"#, deep(levels - 1)).into()).unwrap());
        let args = raw.node().get("a").unwrap().to_fragment();
        let of_provider = ToolCall::from_parts(None, "read_file".to_owned(), args, raw.clone());
        let native = Document::parse(format!(r#"{{"tool":"read_file","args":{}}}"#, deep(levels - 1)).into()).unwrap();
        let args = native.root().get("args").unwrap().to_fragment();
        let native = ToolCall::from_parts(None, "read_file".to_owned(), args, native.into());
        let calls = [made, of_provider, native];
        let asked = calls.iter().cloned().map(Asked::from).collect();
        let log = record(&gates(), &mut MemoryWorkspace::default(), asked);
        for (entry, call) in entries(&log).iter().zip(&calls) {
            assert_eq!(entry.intent.asked().call.args().raw(), call.args().raw(), "{levels}");
        }
        assert_eq!(entries(&log)[1].intent.asked().call.raw(), raw.raw(), "{levels}");
        let (comparisons, _) = replay(&log);
        assert_eq!(comparisons.len(), 3);
        assert!(comparisons.iter().all(|comparison| comparison.differences.is_empty()), "{comparisons:?}");
    }
}

/// Many brackets beside each other are not deep.
#[test]
fn what_is_wide_is_not_deep() {
    let wide = format!("[{}1]", "[],".repeat(300));
    assert!(intent(call("read_file", &wide)).starts_with(r#"{"call":{"args":[[],[],"#));
}

#[test]
fn an_outcome_tells_the_stage_and_the_whole_result() {
    let alone = |result: &str, stage: &str| {
        format!(
            r#"{{"files":{{}},"host":{{}},"outcome":1,"result":{result},"stage":"{stage}","workspace":"{NO_FILES}"}}"#
        )
    };
    for (tool, args, result, stage) in [
        (
            "gone",
            "{}",
            r#"{"error":"unknown_tool","message":"there is no tool `gone`","status":"error","tool":"gone"}"#,
            "known",
        ),
        (
            "read_file",
            r#"{"path":1}"#,
            r#"{"details":[{"message":"expected string, found integer","path":"$.path"}],"error":"invalid_arguments","status":"error","tool":"read_file"}"#,
            "valid",
        ),
        ("read_file", r#"{"path":"a"}"#, r#"{"error":"file_not_found","status":"error","tool":"read_file"}"#, "ran"),
        (
            "shout",
            r#"{"text":"loud"}"#,
            r#"{"error":"too_loud","message":"loud","status":"error","tool":"shout"}"#,
            "ran",
        ),
        (
            "shoot",
            "{}",
            r#"{"observation":[{"text":"a page"},{"base64":"iVBORw0KGgo=","media_type":"image/png"},{"text":"{\"a\":2.0,\"b\":1}"}],"status":"ok","tool":"shoot"}"#,
            "ran",
        ),
        // The text of the panic is not the model's to read, and not the log's to keep.
        ("burst", "{}", r#"{"error":"internal_error","status":"error","tool":"burst"}"#, "ran"),
    ] {
        assert_eq!(outcome(tool, args), alone(result, stage));
    }
}

#[test]
fn an_outcome_tells_the_files_that_were_changed_and_the_workspace() {
    let expected = concat!(
        r#"{"files":{"shouted":"sha256:8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4","#,
        r#""shouted too":"sha256:8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4"},"host":{},"outcome":1,"#,
        r#""result":{"observation":"hi","status":"ok","tool":"shout"},"stage":"ran","workspace":"sha256:52b84d93fa8918e2d15214b05381b9a9a0b5d6b96287d1199b8b3d8ada364946"}"#,
    );
    assert_eq!(outcome("shout", r#"{"text":"hi"}"#), expected);
}

#[test]
fn what_was_cut_stands_whole_and_says_how_much_was_shown() {
    let files = r#"{"a":"one\ntwo\nthree\n"}"#;
    let request = format!(
        r#"{{"op":"dispatch","workspace":{files},"call":{{"tool":"read_file","args":{{"path":"a"}}}},"limits":{{"max_output_bytes":7}}}}"#
    );
    let (log, _) = record_stream(gates(), &[request]);
    let outcome = &lines(&log)[2];
    assert!(outcome.contains(r#""observation":"1: one\n2: two\n3: three\n","#), "{outcome}");
    assert!(outcome.contains(r#""shown":{"max_output_bytes":7,"text_bytes":7}"#), "{outcome}");
}

#[test]
fn a_protocol_failure_is_no_call_and_an_unknown_tool_is_one() {
    let (log, workspace) = record_stream(
        Gates::new(tools::core_registry()),
        &[
            "{".to_owned(),
            r#"{"op":"workspace"}"#.to_owned(),
            r#"{"op":"dispatch"}"#.to_owned(),
            String::new(),
            r#"{"op":"dispatch","workspace":{"a":""},"call":{"tool":"gone","args":{}}}"#.to_owned(),
            request("read_file", r#"{"path":"a"}"#),
        ],
    );
    let codes: Vec<_> = entries(&log).iter().map(|entry| entry.code().unwrap()).collect();
    // A request of an unknown tool has not set the session's workspace.
    assert_eq!(codes, ["unknown_tool", "file_not_found"]);
    assert_eq!(workspace.files().count(), 0);
    assert_eq!(replay(&log).1.workspace().files().count(), 0);
}
