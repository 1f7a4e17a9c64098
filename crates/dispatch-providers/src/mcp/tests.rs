use dispatch_core::Observation;
use proptest::prelude::*;
use serde_json::json;

use crate::Provider;
use crate::testing::{Wanted, config, image, quoted, wanted, with_ids};

const CALL: &str = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"show","arguments":{}}}"#;
const PROGRESS: &str =
    r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}"#;

#[test]
fn calls_are_found_at_the_end_of_a_session() {
    let earlier = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"},{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}"#;
    for body in [
        CALL.to_owned(),
        format!("[{CALL}]"),
        format!("[{earlier},{CALL}]"),
        format!("[{CALL},{PROGRESS}]"),
        format!(r#"[{CALL},{{"jsonrpc":"2.0","id":3,"method":"ping"}},{{"jsonrpc":"2.0","id":3,"result":{{}}}}]"#),
        CALL.replace(r#","arguments":{}"#, ""),
        CALL.replace(r#""arguments":{}"#, r#""arguments":null"#),
    ] {
        assert_eq!(Provider::Mcp.asked(&body), r#""2" "show" {}"#, "{body}");
    }
}

#[test]
fn sessions_without_a_waiting_call_have_no_turn() {
    let answered = r#"{"jsonrpc":"2.0","id":2,"result":{"content":[]}}"#;
    let in_vain = r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"Unknown tool: show"}}"#;
    for body in [
        PROGRESS.to_owned(),
        answered.to_owned(),
        format!("[{CALL},{answered}]"),
        format!("[{CALL},{in_vain}]"),
        format!("[{CALL},{in_vain},{PROGRESS}]"),
        r#"[{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}]"#.to_owned(),
        "[]".to_owned(),
    ] {
        assert_eq!(Provider::Mcp.asked(&body), "no calls", "{body}");
    }
}

#[test]
fn a_response_is_a_result_unless_it_answers_another_method() {
    let result = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#);
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let session = format!("[{list},{},{CALL},{},{}]", result("1"), result("2"), result(r#""z""#));
    assert_eq!(Provider::Mcp.results(&session), "$[3] Some(\"2\")\n$[4] Some(\"z\")");
}

#[test]
fn an_id_comes_again_only_after_its_response() {
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"show"}}"#;
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let result = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    let session = |first: &str, second: &str| format!("[{first},{result},{second},{result}]");
    assert_eq!(Provider::Mcp.results(&session(call, list)), "$[1] Some(\"1\")");
    assert_eq!(Provider::Mcp.results(&session(list, call)), "$[3] Some(\"1\")");
    for (first, second) in [(call, list), (list, call)] {
        let told = "$[1]: the id is that of the request at $[0] too, which has no response yet";
        assert_eq!(Provider::Mcp.asked(&format!("[{first},{second}]")), told);
    }
}

#[test]
fn a_number_and_a_text_are_two_ids() {
    let list = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;
    let call = CALL.replace(r#""id":2"#, r#""id":"2""#);
    let result = r#"{"jsonrpc":"2.0","id":"2","result":{}}"#;
    assert_eq!(Provider::Mcp.asked(&format!("[{list},{call},{result}]")), "no calls");
}

#[test]
fn what_is_of_another_shape_is_told_where_it_stands() {
    let cases = [
        (r#"{"method":"tools/call"}"#, "$: expected a JSON-RPC message with `jsonrpc`, or an array of such messages"),
        ("[7]", "$[0]: expected object, found integer"),
        (r#"[{"role":"user"}]"#, "$[0]: missing member `jsonrpc`"),
        (r#"{"jsonrpc":"1.0"}"#, "$.jsonrpc: expected `2.0`"),
        (r#"{"jsonrpc":2.0}"#, "$.jsonrpc: expected string, found integer"),
        (r#"{"jsonrpc":"2.0","id":1}"#, "$: expected a request with `method`, or a response with `result` or `error`"),
        (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, "$.method: expected string, found integer"),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, "$: missing member `params`"),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#, "$.params: missing member `name`"),
        (r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"show"}}"#, "$: missing member `id`"),
        (r#"{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"show"}}"#, "$: missing member `id`"),
        (
            r#"{"jsonrpc":"2.0","id":1.0,"method":"tools/call","params":{"name":"show"}}"#,
            "$.id: expected a string or an integer of 64 bits, found 1.0",
        ),
        (
            r#"[{"jsonrpc":"2.0","id":18446744073709551616,"method":"tools/call","params":{"name":"show"}}]"#,
            "$[0].id: expected a string or an integer of 64 bits, found 18446744073709551616",
        ),
        (r#"{"jsonrpc":"2.0","id":[],"result":{}}"#, "$.id: expected a string or an integer of 64 bits, found array"),
    ];
    for (body, told) in cases {
        assert_eq!(Provider::Mcp.asked(body), told, "{body}");
    }
    let twice = Provider::Mcp.asked(&format!("[{CALL},{CALL}]"));
    assert_eq!(twice, "$[1]: the id `2` is that of the call at $[0] too");
}

#[test]
fn every_request_has_a_response_with_its_id_as_it_was_written() {
    let request = |id: &str| CALL.replace(r#""id":2"#, &format!(r#""id":{id}"#));
    let body = format!("[{},{},{}]", request("-7"), request("18446744073709551615"), request(r#""\u0061 1""#));
    insta::assert_snapshot!(Provider::Mcp.answered(&body, &Observation::text("seen")), @r#"
    {"id":-7,"jsonrpc":"2.0","result":{"content":[{"text":"seen","type":"text"}],"isError":false}}
    {"id":18446744073709551615,"jsonrpc":"2.0","result":{"content":[{"text":"seen","type":"text"}],"isError":false}}
    {"id":"a 1","jsonrpc":"2.0","result":{"content":[{"text":"seen","type":"text"}],"isError":false}}
    "#);
}

#[test]
fn only_an_unknown_tool_is_an_error_of_the_protocol() {
    let asking = |name: &str, arguments: &str| CALL.replace("show", name).replace("{}", arguments);
    let told = |name, arguments| Provider::Mcp.answered(&asking(name, arguments), &Observation::default());
    // https://github.com/modelcontextprotocol/servers/issues/4159
    insta::assert_snapshot!(told("nope", "{}"), @r#"{"error":{"code":-32602,"message":"Unknown tool: nope"},"id":2,"jsonrpc":"2.0"}"#);
    insta::assert_snapshot!(told("show", "[]"), @r#"{"id":2,"jsonrpc":"2.0","result":{"content":[{"text":"invalid_arguments: The arguments do not fit the tool's schema.\n$: expected object, found array","type":"text"}],"isError":true}}"#);
    insta::assert_snapshot!(told("read_file", r#"{"path":"a.txt"}"#), @r#"{"id":2,"jsonrpc":"2.0","result":{"content":[{"text":"file_not_found: There is no file at the path.\n$.path: no path of the workspace is like it","type":"text"}],"isError":true}}"#);
}

#[test]
fn an_object_is_given_as_one_beside_its_text_unless_it_was_cut() {
    let shown = Observation::json(json!({"sum": 3, "of": ["a", "b"]}));
    insta::assert_snapshot!(
        Provider::Mcp.answered(CALL, &shown),
        @r#"{"id":2,"jsonrpc":"2.0","result":{"content":[{"text":"{\"of\":[\"a\",\"b\"],\"sum\":3}","type":"text"}],"isError":false,"structuredContent":{"of":["a","b"],"sum":3}}}"#
    );
    insta::assert_snapshot!(
        Provider::Mcp.answered_within(9, CALL, &shown),
        @r#"{"id":2,"jsonrpc":"2.0","result":{"content":[{"text":"{\"of\":[\"a","type":"text"}],"isError":false}}"#
    );
    insta::assert_snapshot!(
        Provider::Mcp.answered(CALL, &Observation::json(json!([1]))),
        @r#"{"id":2,"jsonrpc":"2.0","result":{"content":[{"text":"[1]","type":"text"}],"isError":false}}"#
    );
}

#[test]
fn images_are_content_and_nothing_is_no_content() {
    insta::assert_snapshot!(
        Provider::Mcp.answered(CALL, &Observation::text("a").with(image("image/bmp"))),
        @r#"{"id":2,"jsonrpc":"2.0","result":{"content":[{"text":"a","type":"text"},{"data":"QUJD","mimeType":"image/bmp","type":"image"}],"isError":false}}"#
    );
    insta::assert_snapshot!(
        Provider::Mcp.answered(CALL, &Observation::default()),
        @r#"{"id":2,"jsonrpc":"2.0","result":{"content":[],"isError":false}}"#
    );
}

#[test]
fn a_request_that_says_its_version_is_told_the_type_of_its_result() {
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"},"arguments""#;
    insta::assert_snapshot!(
        Provider::Mcp.answered(&CALL.replace(r#""arguments""#, meta), &Observation::text("a")),
        @r#"{"id":2,"jsonrpc":"2.0","result":{"content":[{"text":"a","type":"text"}],"isError":false,"resultType":"complete"}}"#
    );
}

#[test]
fn a_session_goes_on_after_whatever_stands_last_in_it() {
    let body = format!("[ {CALL}, {PROGRESS} ]");
    let answer = r#"{"id":2,"jsonrpc":"2.0","result":{"content":[{"text":"done","type":"text"}],"isError":false}}"#;
    assert_eq!(Provider::Mcp.continued(&body), format!("[ {CALL}, {PROGRESS},{answer} ]\n"));
}

/// Calls without an id get a number, which is what its text looks like too.
fn encode(calls: &[(bool, Wanted)]) -> String {
    let request = |(is_numbered, call): &(bool, Wanted)| {
        let (id, name) = (call.id.as_ref().unwrap(), quoted(&call.tool));
        let id = if *is_numbered { id.clone() } else { quoted(id) };
        let params = format!(r#"{{"name":{name},"arguments":{}}}"#, call.args);
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#)
    };
    let requests: Vec<_> = calls.iter().map(request).collect();
    format!("[{}]", requests.join(","))
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn what_is_written_is_read(calls in wanted()) {
        let is_numbered: Vec<_> = calls.iter().map(|call| call.id.is_none()).collect();
        let calls = with_ids(calls);
        let body = encode(&is_numbered.into_iter().zip(calls.iter().cloned()).collect::<Vec<_>>());
        Provider::Mcp.check_round_trip(&body, &calls);
    }
}
