//! Random sessions: what was recorded replays to the same.

use dispatch_core::json::{Document, Fragment};
use dispatch_core::protocol::Asked;
use dispatch_core::session::{How, WorkspaceDigest};
use dispatch_core::workspace::MemoryWorkspace;
use dispatch_core::{Args, Gates, Limits, Permissions, ToolCall};
use proptest::prelude::*;
use proptest::sample::select;

use crate::support::{entries, gates, record, record_stream, replay};

/// Names of tools that stay within the workspace, and of none.
fn tool() -> impl Strategy<Value = &'static str> {
    select(vec![
        "read_file",
        "write_file",
        "patch_file",
        "patch_file",
        "shout",
        "shoot",
        "burst",
        "elsewhere",
        "gone",
        "",
    ])
}

/// Arguments of those tools, good and bad, as JSON.
fn args() -> impl Strategy<Value = String> {
    let path = select(vec!["a", "b/c", "b", "./a", "../x", "é\u{2028}", "b/c/d", "~", ""]);
    let text = select(vec!["", "one", "one one", "two\\n\\u00e9\\ud83d\\ude00", "x\\ny\\n", "\\u0000"]);
    let filled = (path, text.clone(), text).prop_flat_map(|(path, one, other)| {
        select(vec![
            format!(r#"{{"path":"{path}","content":"{one}"}}"#),
            format!(r#"{{"path" : "{path}"}}"#),
            format!(r#"{{"path":"{path}","old_str":"{one}","new_str":"{other}"}}"#),
            format!(r#"{{"path":"{path}","offset":2.0,"limit":1e0}}"#),
            format!(r#"{{"text":"{one}"}}"#),
            format!(r#"{{"path":"{path}","path":"{one}"}}"#),
        ])
    });
    let other =
        select(vec!["{}", "[]", "null", "-0", r#"{"path":{"a":[1,{"b":1.5e300}]},"x":"\ud800\udc00"}"#, r#""{}""#]);
    prop_oneof![6 => filled, 1 => other.prop_map(str::to_owned)]
}

fn id() -> impl Strategy<Value = Option<&'static str>> {
    prop::option::of(select(vec!["", "c1", "\\u0063\\n\\\"", "é"]))
}

/// A request of the native protocol, spelled in one of many ways.
fn request() -> impl Strategy<Value = String> {
    let call = (tool(), args(), id(), select(vec!["", " ", "\t", "\r"])).prop_map(|(tool, args, id, white)| {
        let id = id.map_or_else(String::new, |id| format!(r#","id"{white}:"{id}""#));
        format!(r#"{{{white}"args":{args}{id},{white}"tool":"{tool}"}}"#)
    });
    let files =
        prop::option::weighted(0.2, select(vec!["{}", r#"{"a":"one","b/c":"\u0041\n"}"#, r#"{"../x":"é","a":""}"#]));
    let permissions = prop::option::weighted(0.2, select(vec!["[]", r#"["read_file","zz","shout"]"#]));
    let limits =
        prop::option::weighted(0.2, select(vec!["{}", r#"{"max_output_bytes":3}"#, r#"{"max_output_bytes":100000}"#]));
    (call, files, permissions, limits).prop_map(|(call, files, permissions, limits)| {
        let member =
            |name: &str, value: Option<&str>| value.map_or_else(String::new, |value| format!(r#","{name}":{value}"#));
        let rest = member("workspace", files) + &member("permissions", permissions) + &member("limits", limits);
        format!(r#"{{"op":"dispatch","call":{call}{rest}}}"#)
    })
}

/// A line that breaks the protocol, or asks for no call.
fn noise() -> impl Strategy<Value = String> {
    select(vec!["", "{", r#"{"op":"workspace"}"#, r#"{"op":"dispatch","call":{"tool":"read_file"}}"#])
        .prop_map(str::to_owned)
}

/// A call as providers' shapes bring it: beside its own block, its arguments as JSON or as a text that need not be any.
fn of_provider() -> impl Strategy<Value = ToolCall> {
    let text =
        prop_oneof![args(), select(vec!["", "{", "{\"path\":\"a\"", "\u{feff}{}", "{}\n"]).prop_map(str::to_owned)];
    (tool(), text, any::<bool>(), id()).prop_map(|(tool, text, as_text, id)| {
        let id = id.map(str::to_owned);
        let block = if as_text {
            serde_json::json!({"arguments": text}).to_string()
        } else {
            format!("{{\"input\":\n{text}}}")
        };
        let args = Args::from_text(text);
        let block = Document::parse_tolerating(block.into_bytes(), |_| true);
        let raw = block.map_or_else(|_| Fragment::from(Document::parse(b"[]".to_vec()).unwrap()), Fragment::from);
        ToolCall::from_parts(id, tool.to_owned(), args, raw)
    })
}

/// Gates of a session, narrowed in some way.
fn session_gates() -> impl Strategy<Value = Gates> {
    let limits = prop::option::of(select(vec![1, 20, 65536, 1 << 20]));
    (limits, any::<bool>(), any::<bool>()).prop_map(|(limits, explains, narrow)| {
        let mut gates = gates();
        if let Some(limits) = limits {
            gates = gates.limiting(Limits::output_bytes(limits).unwrap());
        }
        if narrow {
            gates = gates.permitting(&Permissions::only(["read_file", "write_file", "shoot", "gone"]));
        }
        if explains { gates.explaining() } else { gates }
    })
}

/// A replay agrees in all, and ends with the files of the session.
fn check(log: &[u8], workspace: &MemoryWorkspace) {
    let (comparisons, replayer) = replay(log);
    for comparison in &comparisons {
        assert!(comparison.differences.is_empty(), "{comparison:?}\n{}", String::from_utf8_lossy(log));
        assert_ne!(comparison.how, How::Unknown);
    }
    let digest = |workspace| WorkspaceDigest::of(workspace).value();
    assert_eq!(digest(replayer.workspace()), digest(workspace));
    if let Some(last) = entries(log).last() {
        assert_eq!(last.outcome.as_ref().unwrap().workspace().unwrap(), digest(workspace).to_string());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_recorded_stream_replays_to_the_same(
        gates in session_gates(),
        requests in prop::collection::vec(prop_oneof![6 => request(), 1 => noise()], 0..12),
    ) {
        let (log, workspace) = record_stream(gates, &requests);
        check(&log, &workspace);
    }

    #[test]
    fn recorded_calls_of_providers_replay_to_the_same(
        gates in session_gates(),
        calls in prop::collection::vec(of_provider(), 0..12),
    ) {
        let mut workspace = MemoryWorkspace::from_iter([("a", "one two"), ("b/c", "x\ny\n")]);
        let log = record(&gates, &mut workspace, calls.into_iter().map(Asked::from).collect());
        check(&log, &workspace);
    }

    /// To record changes no answer.
    #[test]
    fn a_recorded_stream_answers_as_any_other(requests in prop::collection::vec(prop_oneof![6 => request(), 1 => noise()], 0..8)) {
        let answer = |answered: Option<Result<dispatch_core::protocol::Response<'_>, String>>| answered.map(|answered| answered.map(|response| {
            let mut text = Vec::new();
            response.write(&mut text).unwrap();
            text
        }));
        let mut plain = dispatch_core::protocol::Stream::new(gates());
        let mut recorded = dispatch_core::protocol::Stream::new(gates());
        let mut log = Vec::new();
        let mut recorder = crate::support::recorder(&recorded.header(), &mut log);
        for request in &requests {
            let one = answer(plain.answer(request.as_bytes()).map(|answered| answered.map_err(|failure| failure.to_string())));
            let other = recorded.answer_recorded(request.as_bytes(), &mut recorder);
            prop_assert_eq!(one, answer(other.map(|answered| answered.map_err(|failure| failure.to_string()))));
        }
    }
}
