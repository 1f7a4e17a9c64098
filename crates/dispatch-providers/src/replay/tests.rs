use dispatch_core::json::Document;
use dispatch_core::protocol::write_workspace;
use dispatch_core::workspace::MemoryWorkspace;
use dispatch_core::{Gates, Image, Json, Limits, Observation, Part, Registry, ToolFailure, tool_fn, tools};
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::Provider;
use crate::testing::{config, quoted};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Which {
    which: u8,
}

/// Gives an observation of each kind that is written in its own way, or fails.
fn show(Which { which }: Which) -> Result<Observation, ToolFailure> {
    let image = |media_type: &str| Part::Image(Image { media_type: media_type.to_owned(), base64: "QUJD".to_owned() });
    Ok(match which {
        0 => Observation::default(),
        1 => Observation::text(" \n"),
        2 => Observation::text("a").with(image("image/png")).with(Part::Text("b".to_owned())),
        3 => Observation::default().with(image("IMAGE/jpg")),
        4 => Observation::default().with(image("image/bmp")),
        5 => Observation::default().with(Part::Json(json!({"b": 1.5, "a": [null, "x"]}))),
        6 => Observation::default().with(Part::Json(json!([1]))),
        _ => return Err(ToolFailure::from(dispatch_core::ErrorCode::Timeout)),
    })
}

fn gates(limit: u64) -> Gates {
    let deep = tool_fn("deep", |_: Which| {
        Ok::<_, ToolFailure>(Json((0..126).fold(json!({}), |inner, _| json!({"a": inner}))))
    });
    let tools = Registry::builder().tool(tools::ReadFile).tool(tools::WriteFile).tool(tools::PatchFile);
    let registry = tools.tool(tool_fn("show", show)).tool(deep).build().unwrap();
    Gates::new(registry).limiting(Limits::output_bytes(limit).unwrap())
}

fn files() -> MemoryWorkspace {
    MemoryWorkspace::from_iter([("a", "one\ntwo\nthree\n"), ("b", "xx\n")])
}

fn bytes(workspace: &MemoryWorkspace) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_workspace(workspace, &mut bytes).unwrap();
    bytes
}

/// A tool and the text of its arguments: such as run, such as fail, and such as are refused.
fn call() -> impl Strategy<Value = (String, String)> {
    let path = prop_oneof![Just("a"), Just("b"), Just("new/c"), Just("../d"), Just("a/e")];
    let text = prop_oneof![Just("x"), Just("two"), Just("é\u{0}\n"), Just("")];
    let with = |tool: &'static str| move |args: serde_json::Value| (tool.to_owned(), args.to_string());
    prop_oneof![
        (path.clone(), 1..5_u8)
            .prop_map(|(path, offset)| json!({"path": path, "offset": offset}))
            .prop_map(with("read_file")),
        (path.clone(), text.clone())
            .prop_map(|(path, content)| json!({"path": path, "content": content}))
            .prop_map(with("write_file")),
        (path, text.clone(), text)
            .prop_map(|(path, old, new)| json!({"path": path, "old_str": old, "new_str": new}))
            .prop_map(with("patch_file")),
        (0..8_u8).prop_map(|which| json!({"which": which})).prop_map(with("show")),
        Just(json!({"path": 7, "more": null})).prop_map(with("read_file")),
        Just(json!({})).prop_map(with("no_such_tool")),
        Just(("read_file".to_owned(), r#"{"path": "a", "path": "b"}"#.to_owned())),
    ]
}

/// Writes a message of the model's, or several where each has one call. A provider that takes no id gets none.
fn asking(provider: Provider, turn: usize, calls: &[(String, String)]) -> Vec<String> {
    let each = |write: fn(&str, &str, &str) -> String| -> Vec<String> {
        let numbered = calls.iter().enumerate();
        numbered.map(|(place, (tool, args))| write(&format!("t{turn}-{place}"), &quoted(tool), args)).collect()
    };
    match provider {
        Provider::Anthropic => {
            let blocks =
                each(|id, tool, args| format!(r#"{{"type":"tool_use","id":"{id}","name":{tool},"input":{args}}}"#));
            vec![format!(r#"{{"role":"assistant","content":[{}]}}"#, blocks.join(","))]
        }
        Provider::OpenAiChat => {
            let calls = each(|id, tool, args| {
                let args = quoted(args);
                format!(r#"{{"type":"function","id":"{id}","function":{{"name":{tool},"arguments":{args}}}}}"#)
            });
            vec![format!(r#"{{"role":"assistant","tool_calls":[{}]}}"#, calls.join(","))]
        }
        Provider::OpenAiResponses => each(|id, tool, args| {
            let args = quoted(args);
            format!(r#"{{"type":"function_call","call_id":"{id}","name":{tool},"arguments":{args}}}"#)
        }),
        Provider::Gemini => {
            let parts = each(|_, tool, args| format!(r#"{{"functionCall":{{"name":{tool},"args":{args}}}}}"#));
            vec![format!(r#"{{"role":"model","parts":[{}]}}"#, parts.join(","))]
        }
        Provider::Bedrock => {
            let blocks =
                each(|id, tool, args| format!(r#"{{"toolUse":{{"toolUseId":"{id}","name":{tool},"input":{args}}}}}"#));
            vec![format!(r#"{{"role":"assistant","content":[{}]}}"#, blocks.join(","))]
        }
        Provider::Mcp => each(|id, tool, args| {
            let params = format!(r#"{{"name":{tool},"arguments":{args}}}"#);
            format!(r#"{{"jsonrpc":"2.0","id":"{id}","method":"tools/call","params":{params}}}"#)
        }),
    }
}

/// Holds a conversation: each turn is answered here. Returns it, and the files as they are then.
fn held(provider: Provider, gates: &Gates, turns: &[Vec<(String, String)>]) -> (String, MemoryWorkspace) {
    let (gates, mut workspace, mut messages) = (gates.clone().explaining(), files(), Vec::new());
    for (number, calls) in turns.iter().enumerate() {
        messages.extend(asking(provider, number, calls));
        let conversation = provider.read(format!("[{}]", messages.join(",")).into()).unwrap();
        let turn = conversation.turn().unwrap().unwrap();
        let answer = turn.answer(|call| match gates.admit(call) {
            Ok(admitted) => admitted.run(&mut workspace),
            Err(rejection) => rejection.into_result(),
        });
        messages.extend(answer.unwrap().messages().iter().map(ToString::to_string));
    }
    (format!("[{}]", messages.join(",")), workspace)
}

/// Replays a conversation and returns a line for each call, with the files as they are then.
fn replayed(provider: Provider, gates: Gates, text: &str) -> (Vec<String>, MemoryWorkspace) {
    let exchanges = provider.read(text.into()).unwrap().exchanges().unwrap();
    let mut replayer = ConversationReplayer::new(gates, files()).running_all();
    let lines = exchanges.iter().map(|exchange| line(&replayer.replay(exchange))).collect();
    (lines, replayer.workspace().as_memory().unwrap().clone())
}

fn line(replayed: &Replayed) -> String {
    match replayed {
        Replayed::Compared(compared) => {
            let told =
                compared.differences.iter().map(|it| format!("{}: {} became {}", it.path, it.recorded, it.today));
            told.collect::<Vec<_>>().join("; ")
        }
        Replayed::UnknownTool => "unknown tool".to_owned(),
        Replayed::StoodIn => "stood in".to_owned(),
        Replayed::OutcomeUnknown => "outcome unknown".to_owned(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..config() })]

    #[test]
    fn what_was_answered_here_agrees(
        turns in prop::collection::vec(prop::collection::vec(call(), 1..4), 0..4),
        limit in prop_oneof![Just(65536), Just(30)],
    ) {
        for provider in Provider::ALL.iter().copied() {
            let (text, workspace) = held(provider, &gates(limit), &turns);
            let (lines, after) = replayed(provider, gates(limit), &text);
            prop_assert_eq!(lines.concat(), "", "{}: {}", provider, text);
            prop_assert_eq!(lines.len(), turns.iter().map(Vec::len).sum::<usize>());
            prop_assert_eq!(bytes(&after), bytes(&workspace));
        }
    }

    /// Where one text of a conversation was changed, that one call diverges.
    #[test]
    fn what_was_changed_diverges(before in 0..3_usize, after in 0..3_usize) {
        let read = || ("read_file".to_owned(), r#"{"path":"a"}"#.to_owned());
        let other = ("read_file".to_owned(), r#"{"path":"b"}"#.to_owned());
        let calls: Vec<_> = (0..before).map(|_| read()).chain([other]).chain((0..after).map(|_| read())).collect();
        for provider in Provider::ALL.iter().copied() {
            let (text, _) = held(provider, &gates(65536), std::slice::from_ref(&calls));
            let (lines, _) = replayed(provider, gates(65536), &text.replace("1: xx", "1: xy"));
            let expected = |place| if place == before { "$.content: \"1: xy\\n\" became \"1: xx\\n\"" } else { "" };
            prop_assert_eq!(lines, (0..calls.len()).map(expected).collect::<Vec<_>>(), "{}", provider);
        }
    }
}

fn anthropic(calls: &[(&str, &str)], results: &str) -> String {
    let calls: Vec<_> = calls.iter().map(|(tool, args)| ((*tool).to_owned(), (*args).to_owned())).collect();
    format!("[{},{results}]", asking(Provider::Anthropic, 0, &calls).concat())
}

fn results(results: &[serde_json::Value]) -> String {
    let number = |(place, result): (usize, &serde_json::Value)| {
        let mut result = result.clone();
        result["type"] = json!("tool_result");
        result["tool_use_id"] = json!(format!("t0-{place}"));
        result
    };
    let blocks: Vec<_> = results.iter().enumerate().map(number).collect();
    json!({"role": "user", "content": blocks}).to_string()
}

#[test]
fn each_thing_that_differs_is_told() {
    let gone = ("read_file", r#"{"path":"gone"}"#);
    let text = anthropic(
        &[gone, ("show", r#"{"which":2}"#)],
        &results(&[json!({"content": "1: hi"}), json!({"content": "a"})]),
    );
    let (lines, _) = replayed(Provider::Anthropic, gates(65536), &text);
    assert_eq!(
        lines,
        [
            r#"$.content: "1: hi" became "file_not_found: There is no file at the path.\n$.path: no path of the workspace is like it"; $.status: "ok" became "error""#,
            r#"$.content: "a" became ["a",{"source":{"data":"QUJD","media_type":"image/png","type":"base64"},"type":"image"},"b"]"#,
        ]
    );
}

/// A foreign agent's tools are not here; where the record says that a tool was not there, that agrees.
#[test]
fn what_was_recorded_of_tools_that_are_not_here_stands_in() {
    let here = Gates::new(Registry::default()).admit(dispatch_core::ToolCall::new("nope", empty())).unwrap_err();
    let here = here.into_result().error().unwrap().text_for_model();
    let text = anthropic(
        &[("bash", r#"{"command":"ls"}"#), ("nope", "{}")],
        &results(&[json!({"content": "a"}), json!({"content": here, "is_error": true})]),
    );
    assert_eq!(replayed(Provider::Anthropic, gates(65536), &text).0, ["unknown tool", ""]);
}

fn empty() -> Document {
    Document::parse(b"{}".to_vec()).unwrap()
}

/// Nobody knows how such a call ended: not to run it again is all that can be done.
#[test]
fn calls_without_an_outcome_are_not_run_again() {
    let write = ("write_file", r#"{"path":"new","content":"x"}"#);
    let waits = anthropic(&[write], r#"{"role":"user","content":[]}"#).replace(r#",{"role":"user","content":[]}"#, "");
    let conversation = Provider::Anthropic.read(waits.into()).unwrap();
    for text in [conversation.document().text().to_owned(), conversation.repaired().text().to_owned()] {
        let (lines, workspace) = replayed(Provider::Anthropic, gates(65536), &text);
        assert_eq!(lines, ["outcome unknown"], "{text}");
        assert_eq!(bytes(&workspace), bytes(&files()));
    }
}

/// A result that is written, but can't be read back, agrees with nothing.
#[test]
fn a_result_that_is_nested_too_deep_to_be_recorded_diverges() {
    let asked = asking(Provider::Mcp, 0, &[("deep".to_owned(), r#"{"which":0}"#.to_owned())]).concat();
    let recorded = r#"{"jsonrpc":"2.0","id":"t0-0","result":{"content":[]}}"#;
    let (lines, _) = replayed(Provider::Mcp, gates(65536), &format!("[{asked},{recorded}]"));
    assert_eq!(lines, [r#"$.content: "" became "the result can't be read back"; $.status: "ok" became null"#]);
}

#[test]
fn what_reaches_beyond_the_workspace_is_run_only_when_that_is_asked_for() {
    let look = |_, _: &mut dispatch_core::workspace::View<'_>| Ok(Observation::text("sun"));
    let tool = |name: &str| {
        let schema = json!({"type": "object", "properties": {}});
        dispatch_core::GivenTool::new(name, "Looks out.", &schema).unwrap()
    };
    let registry = Registry::builder().given(tool("look").run_by(look)).given(tool("theirs")).build().unwrap();
    let rain = json!({"content": "rain"});
    let text = anthropic(&[("look", "{}"), ("theirs", "{}")], &results(&[rain.clone(), rain]));
    let exchanges = Provider::Anthropic.read(text.into()).unwrap().exchanges().unwrap();
    let lines = |mut replayer: ConversationReplayer| -> Vec<String> {
        exchanges.iter().map(|exchange| line(&replayer.replay(exchange))).collect()
    };
    let replayer = || ConversationReplayer::new(Gates::new(registry.clone()), files());
    assert_eq!(lines(replayer()), ["stood in", "stood in"]);
    assert_eq!(lines(replayer().running_all()), [r#"$.content: "rain" became "sun""#, "stood in"]);
}
