//! The native protocol: every text is answered or refused, in one line, as the schemas say.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails where something is not there")]

use dispatch_core::json::{Document, Node, skip_byte_order_mark};
use dispatch_core::{ErrorCode, FailureClass, Gates, protocol, tools};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn gates() -> Gates {
    Gates::new(tools::core_registry())
}

/// What one request gives: a response, or the failure and its code. Each is one line.
fn answer(request: &[u8]) -> Result<String, (ErrorCode, String)> {
    match protocol::answer(&gates(), request.to_vec()) {
        Ok(response) => {
            let (mut line, mut lines) = (Vec::new(), Vec::new());
            response.write(&mut line).unwrap();
            response.write_indented(&mut lines).unwrap();
            let line = String::from_utf8(line).unwrap();
            assert_eq!(value(&line), value(std::str::from_utf8(&lines).unwrap()));
            Ok(line)
        }
        Err(failure) => Err((failure.code(), format!("{failure}\n"))),
    }
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Whether the keys of all objects stand sorted by code point.
fn is_sorted(node: Node<'_>) -> bool {
    let keys: Vec<_> = node.members().map(|member| member.name).collect();
    keys.is_sorted() && node.members().all(|member| is_sorted(member.value)) && node.elements().all(is_sorted)
}

/// Checks what holds for whatever comes back.
fn check(request: &[u8], schema: &jsonschema::Validator) -> Result<(), TestCaseError> {
    let answered = answer(request);
    prop_assert_eq!(&answered, &answer(request), "the same request, the same answer");
    let line = match &answered {
        Ok(line) | Err((_, line)) => line,
    };
    prop_assert_eq!(line.find('\n'), Some(line.len() - 1), "one line: {}", line);
    let document = Document::parse(line.clone().into_bytes()).unwrap();
    prop_assert!(is_sorted(document.root()), "{}", line);
    prop_assert_eq!(document.root().raw().len(), line.len() - 1, "nothing around it: {}", line);
    prop_assert!(schema.is_valid(&value(line)), "{}", line);
    let text = skip_byte_order_mark(request).to_vec();
    let is_malformed = Document::parse_tolerating(text, |path| path.starts_with(&["call", "args"])).is_err();
    match answered {
        Ok(_) => prop_assert!(!is_malformed),
        Err((code, _)) => {
            prop_assert_eq!(is_malformed, code == ErrorCode::MalformedJson);
            prop_assert!([FailureClass::ProtocolFailure, FailureClass::UnknownTool].contains(&code.class()));
        }
    }
    Ok(())
}

/// A request with every member, edited in a few places.
fn requests() -> impl Strategy<Value = Value> {
    let whole = select(vec![
        json!({"op": "dispatch", "workspace": {"a": "x\ny\n", "b\u{7f}é": "\u{1}\u{2028}\"\\"}, "limits": {"max_output_bytes": 50},
            "call": {"id": "c1", "tool": "read_file", "args": {"path": "a"}}, "permissions": ["read_file"]}),
        json!({"op": "dispatch", "workspace": {"a": "x"}, "call": {"tool": "write_file", "args": {"path": "z\u{0}é", "content": "\u{1f}😀\n"}}}),
        json!({"op": "dispatch", "workspace": {"a": "x"}, "call": {"tool": "patch_file", "args": {"path": "a", "old_str": "x", "new_str": "\t"}}}),
        json!({"op": "workspace"}),
    ]);
    let small = vec![
        json!(null),
        json!(0),
        json!(1),
        json!(1e2),
        json!(2.5),
        json!(9_007_199_254_740_991_u64),
        json!(9_007_199_254_740_992_u64),
        json!(""),
        json!("a"),
        json!("\n"),
        json!("read_file"),
        json!("write_file"),
        json!("dispatch"),
        json!("workspace"),
        json!([]),
        json!(["read_file"]),
        json!([1]),
        json!({}),
        json!({"a": ""}),
    ];
    let name = select(vec![
        "op",
        "workspace",
        "call",
        "permissions",
        "limits",
        "max_output_bytes",
        "id",
        "tool",
        "args",
        "path",
        "offset",
        "x",
    ]);
    let edit = (any::<Index>(), prop::option::of(name), prop::option::weighted(0.8, select(small)));
    (whole, prop::collection::vec(edit, 0..3)).prop_map(|(whole, edits)| edits.into_iter().fold(whole, edited))
}

/// Sets a value or a member of it, or without another value takes that member out.
fn edited(mut whole: Value, (place, member, value): (Index, Option<&str>, Option<Value>)) -> Value {
    let mut places = vec![String::new()];
    for at in 0.. {
        let Some(here) = places.get(at).cloned() else { break };
        let names = whole.pointer(&here).and_then(Value::as_object).into_iter().flatten().map(|(name, _)| name.clone());
        places.extend(names.map(|name| format!("{here}/{name}")));
    }
    let target = whole.pointer_mut(&places[place.index(places.len())]).unwrap();
    match (target, member, value) {
        (Value::Object(members), Some(name), Some(value)) => drop(members.insert(name.to_owned(), value)),
        (Value::Object(members), Some(name), None) => drop(members.remove(name)),
        (target, _, value) => *target = value.unwrap_or_default(),
    }
    whole
}

/// A request's text with pieces put in or taken out.
fn nearly_requests() -> impl Strategy<Value = Vec<u8>> {
    let piece = select(vec![
        &b"\""[..],
        b"{",
        b"}",
        b",",
        b"\"path\":\"a\",",
        b"\"op\":\"dispatch\",",
        b"\\",
        b"\\ud800",
        b"\xff",
        b"\n",
        b" ",
        b"1",
        b"\xef\xbb\xbf",
    ]);
    (requests(), prop::collection::vec((any::<Index>(), piece, 0..2usize), 0..3)).prop_map(|(request, edits)| {
        edits.into_iter().fold(request.to_string().into_bytes(), |mut text, (place, piece, removed)| {
            let start = place.index(text.len() + 1);
            text.splice(start..text.len().min(start + removed), piece.iter().copied());
            text
        })
    })
}

#[test]
fn any_bytes_are_answered_or_refused_in_one_line() {
    let schema = jsonschema::draft202012::new(&protocol::response_schema()).unwrap();
    proptest!(config(1000), |(request in prop_oneof![prop::collection::vec(any::<u8>(), 0..30), nearly_requests(), nearly_requests()])| {
        check(&request, &schema)?;
    });
}

/// Outside a stream a request is what its schema says, with a workspace and the op `dispatch`.
#[test]
fn requests_are_taken_just_when_they_fit_the_schema() {
    let schema = jsonschema::draft202012::new(&protocol::request_schema()).unwrap();
    proptest!(config(3000), |(request in requests())| {
        let fits = schema.is_valid(&request) && request["op"] == "dispatch" && request.get("workspace").is_some();
        let answered = answer(request.to_string().as_bytes());
        let taken = !matches!(answered, Err((ErrorCode::InvalidRequest | ErrorCode::UnsupportedOp, _)));
        prop_assert_eq!(taken, fits, "{} gave {:?}", request, answered);
        let id = request.pointer("/call/id");
        if let Ok(line) = answered {
            let response = value(&line);
            prop_assert_eq!(response.get("id"), id);
            prop_assert_eq!(&response["tool"], &request["call"]["tool"]);
        }
    });
}

#[test]
fn files_pass_through_as_they_were_written() {
    let files = r#"{"z":"\u0041\/","\u0061":"\ud83d\ude00é","b":"x","":"\u000a"}"#;
    let request = format!(
        r#"{{"op":"dispatch","workspace":{files},"call":{{"tool":"write_file","args":{{"path":"b","content":"\u0041\/\u001f\u007f\u00e9"}}}}}}"#
    );
    let sorted = "{\"\":\"\\u000a\",\"a\":\"\\ud83d\\ude00é\",\"b\":\"A/\\u001f\u{7f}é\",\"z\":\"\\u0041\\/\"}";
    let expected = format!(
        "{{\"observation\":\"File written: b\",\"status\":\"ok\",\"tool\":\"write_file\",\"workspace\":{sorted}}}\n"
    );
    assert_eq!(answer(request.as_bytes()), Ok(expected));
}

#[test]
fn what_the_request_asks_for_narrows_the_gates() {
    let request = |limits: &str| {
        format!(r#"{{"op":"dispatch","workspace":{{"a":"{}"}},"call":{{"tool":"read_file","args":{{"path":"a"}}}}{limits}}}"#, "x".repeat(70_000)).into_bytes()
    };
    let shown = |gates: &Gates, limits: &str| {
        let response = protocol::answer(gates, request(limits)).unwrap();
        response.result().unwrap().shown().unwrap().text.len()
    };
    let host = |bytes| gates().limiting(dispatch_core::Limits::output_bytes(bytes).unwrap());
    assert_eq!(shown(&host(10), r#","limits":{"max_output_bytes":20}"#), 10);
    assert_eq!(shown(&host(10), r#","limits":{"max_output_bytes":5}"#), 5);
    assert_eq!(shown(&host(10), r#","limits":{}"#), 10);
    assert_eq!(shown(&gates(), r#","limits":{"max_output_bytes":80000}"#), 70_003);
    assert_eq!(shown(&host(80_000), r#","limits":{"max_output_bytes":90000}"#), 70_003);
    for (gates, limits) in [(gates(), ""), (gates(), r#","limits":{}"#), (host(80_000), "")] {
        assert!((65_000..=65_536).contains(&shown(&gates, limits)), "the default: {limits}");
    }
}
