//! Streams: a session of lines is the same calls one by one, each on the workspace that the last one left.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails where something is not there")]

use dispatch_core::protocol::{self, Stream};
use dispatch_core::{Gates, tools};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

fn gates() -> Gates {
    Gates::new(tools::core_registry())
}

/// What a stream gives for a line, without the line number of a failure.
fn ask(stream: &mut Stream, line: &str) -> Option<Result<Value, String>> {
    Some(match stream.answer(line.as_bytes())? {
        Ok(response) => {
            let mut text = Vec::new();
            response.write(&mut text).unwrap();
            Ok(serde_json::from_slice(&text).unwrap())
        }
        Err(failure) => Err(failure.code().as_str().to_owned()),
    })
}

fn workspace(stream: &mut Stream) -> Value {
    ask(stream, r#"{"op":"workspace"}"#).unwrap().unwrap()["workspace"].take()
}

/// Lines that ask, fail, are refused, break the protocol and are white.
fn lines() -> impl Strategy<Value = String> {
    let call = select(vec![
        json!({"tool": "write_file", "args": {"path": "a", "content": "one\n"}}),
        json!({"tool": "write_file", "args": {"path": "b/c", "content": "two"}}),
        json!({"tool": "patch_file", "args": {"path": "a", "old_str": "one", "new_str": "three"}}),
        json!({"tool": "read_file", "args": {"path": "a"}}),
        json!({"tool": "read_file", "args": {"path": 1}}),
        json!({"tool": "gone", "args": {}}),
        json!({"tool": "read_file"}),
    ]);
    let files =
        prop::option::weighted(0.3, select(vec![json!({}), json!({"a": "one one"}), json!({"b": "x"}), json!([])]));
    let request = (call, files).prop_map(|(call, files)| match files {
        Some(files) => json!({"op": "dispatch", "workspace": files, "call": call}).to_string(),
        None => json!({"op": "dispatch", "call": call}).to_string(),
    });
    let others = select(vec![
        "",
        " \t\r",
        "{",
        "{\"op\":\"workspace\"}",
        "{\"op\":\"workspace\",\"x\":1}",
        "{\"op\":\"none\"}",
        "\u{feff}{}",
    ]);
    prop_oneof![4 => request, 1 => others.prop_map(str::to_owned)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_session_is_its_calls_one_by_one(lines in prop::collection::vec(lines(), 0..8)) {
        let mut stream = Stream::new(gates());
        let mut files = json!({});
        for (before, line) in lines.iter().enumerate() {
            let answered = ask(&mut stream, line);
            // A mark at the start of the first line is skipped.
            let line = if before == 0 { line.trim_start_matches('\u{feff}') } else { line };
            let request: Option<Value> = serde_json::from_str(line).ok();
            let expected = match request {
                None if line.trim().is_empty() => None,
                None => Some(Err("malformed_json".to_owned())),
                Some(request) if request == json!({"op": "workspace"}) => Some(Ok(json!({"status": "ok", "workspace": files}))),
                Some(mut request) => {
                    let brings_files = request.get("workspace").is_some();
                    if request["op"] == "dispatch" && !brings_files {
                        request["workspace"] = files.clone();
                    }
                    Some(alone(&request, brings_files, &mut files))
                }
            };
            prop_assert_eq!(answered, expected, "{}", line);
            prop_assert_eq!(workspace(&mut stream), files.clone(), "{}", line);
        }
    }
}

/// The request answered outside a stream, its workspace kept for the next one.
fn alone(request: &Value, brings_files: bool, files: &mut Value) -> Result<Value, String> {
    let code = |code: &str| if request["op"] == "workspace" { "invalid_request".to_owned() } else { code.to_owned() };
    let response =
        protocol::answer(&gates(), request.to_string().into()).map_err(|failure| code(failure.code().as_str()))?;
    let mut text = Vec::new();
    response.write(&mut text).unwrap();
    let mut value: Value = serde_json::from_slice(&text).unwrap();
    *files = value["workspace"].clone();
    if !brings_files {
        value.as_object_mut().unwrap().remove("workspace");
    }
    Ok(value)
}

#[test]
fn failures_count_lines_from_the_start_of_the_stream() {
    let mut stream = Stream::new(gates());
    for (line, expected) in [
        ("\u{feff}?", Some((1, Some(1)))),
        ("", None),
        ("  ?", Some((3, Some(3)))),
        ("{\"op\":\"workspace\"}", None),
        ("\u{feff}{\"op\":\"workspace\"}", Some((5, Some(1)))),
        ("{\"op\":1}", Some((6, None))),
        (" {", Some((7, Some(3)))),
    ] {
        let failure = stream.answer(line.as_bytes()).and_then(Result::err);
        let place = failure.map(|failure| {
            let position = failure.position();
            assert!(position.is_none_or(|position| position.line == failure.first_line()));
            (failure.first_line(), position.map(|position| position.column))
        });
        assert_eq!(place, expected, "{line:?}");
    }
}

#[test]
fn a_stream_skips_no_more_than_one_byte_order_mark() {
    let mut stream = Stream::new(gates());
    assert_eq!(ask(&mut stream, "\u{feff}\u{feff}{\"op\":\"workspace\"}"), Some(Err("malformed_json".to_owned())));
}
