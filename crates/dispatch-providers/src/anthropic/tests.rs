use dispatch_core::Observation;
use proptest::prelude::*;

use crate::Provider;
use crate::testing::{Wanted, config, image, quoted, wanted, with_ids};

const MESSAGE: &str = r#"{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"c2ln"},{"type":"tool_use","id":"t1","name":"show","input":{}}]}"#;

#[test]
fn calls_are_found_wherever_a_message_stands() {
    let asked = r#"{"role":"user","content":"Look."}"#;
    for body in [
        MESSAGE.to_owned(),
        MESSAGE
            .replace(r#"{"role""#, r#"{"type":"message","id":"msg_1","model":"m","stop_reason":"max_tokens","role""#),
        format!("[{asked},{MESSAGE}]"),
        format!(r#"{{"model":"m","messages":[{asked},{MESSAGE}],"tools":[]}}"#),
        MESSAGE.replace(r#","input":{}"#, ""),
        MESSAGE.replace(r#""input":{}"#, r#""input":null,"caller":{"type":"direct"}"#),
    ] {
        assert_eq!(Provider::Anthropic.asked(&body), r#""t1" "show" {}"#, "{body}");
    }
}

#[test]
fn messages_without_a_call_have_no_turn() {
    for body in [
        r#"{"role":"assistant","content":"Done."}"#,
        r#"{"role":"assistant","content":[]}"#,
        r#"{"role":"assistant","content":[{"type":"server_tool_use","id":"s1","name":"web_search","input":{}},{"type":"web_search_tool_result","tool_use_id":"s1","content":[]}]}"#,
        r#"{"role":"assistant","content":[{"type":"mcp_tool_use","id":"m1","name":"ask","server_name":"wiki","input":{}},{"type":"mcp_tool_result","tool_use_id":"m1"}]}"#,
        r#"{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1"}]}]}"#,
        "[]",
    ] {
        assert_eq!(Provider::Anthropic.asked(body), "no calls", "{body}");
    }
}

#[test]
fn what_is_of_another_shape_is_told_where_it_stands() {
    let other = "$: expected a message with `role` and `content`, or a conversation with `messages`";
    let cases = [
        (
            r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
            "$.error: the body reports an error: Overloaded",
        ),
        (
            r#"[{"role":"user","content":[{"type":"tool_use","id":"t1","name":"show"}]}]"#,
            "$[0].role: expected the role `assistant` of a message with calls, found `user`",
        ),
        (r#""Hi.""#, other),
        (r#"{"messages":7}"#, "$.messages: expected array, found integer"),
        (r#"{"messages":[{"role":"user"}]}"#, "$.messages[0]: missing member `content`"),
        (r#"{"role":"assistant","content":null}"#, "$: missing member `content`"),
        (r#"{"role":"assistant","content":7}"#, "$.content: expected array, found integer"),
        (r#"{"role":"assistant","content":[{"type":"tool_use","name":"show"}]}"#, "$.content[0]: missing member `id`"),
        (
            r#"{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":7}]}"#,
            "$.content[0].name: expected string, found integer",
        ),
        (
            r#"[{"role":"user","content":[{"type":"text"},{"type":"tool_result"}]}]"#,
            "$[0].content[1]: missing member `tool_use_id`",
        ),
        (
            r#"{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"x"},{"type":"tool_use","id":"\u0061","name":"y"}]}"#,
            "$.content[1]: the id `a` is that of the call at $.content[0] too",
        ),
    ];
    for (body, told) in cases {
        assert_eq!(Provider::Anthropic.asked(body), told, "{body}");
    }
}

#[test]
fn every_call_is_answered_in_one_message() {
    let more = r#",{"type":"tool_use","id":"t.2:ü","name":"nope","input":{}},{"type":"tool_use","id":"","name":"show","input":[]}]}"#;
    insta::assert_snapshot!(Provider::Anthropic.answered(&MESSAGE.replace("]}", more), &Observation::text("")), @r#"{"content":[{"content":"","tool_use_id":"t1","type":"tool_result"},{"content":"unknown_tool: there is no tool `nope`","is_error":true,"tool_use_id":"t.2:ü","type":"tool_result"},{"content":"invalid_arguments: The arguments do not fit the tool's schema.\n$: expected object, found array","is_error":true,"tool_use_id":"","type":"tool_result"}],"role":"user"}"#);
}

#[test]
fn images_are_blocks_in_the_formats_that_there_are() {
    let shown = Observation::text("a").with(image("image/png")).with(image("image/bmp"));
    insta::assert_snapshot!(
        Provider::Anthropic.answered(MESSAGE, &shown),
        @r#"{"content":[{"content":[{"text":"a","type":"text"},{"source":{"data":"QUJD","media_type":"image/png","type":"base64"},"type":"image"},{"text":"[image/bmp]","type":"text"}],"tool_use_id":"t1","type":"tool_result"}],"role":"user"}"#
    );
}

#[test]
fn images_are_told_from_others_however_their_type_is_written() {
    let shown = Observation::default().with(image("IMAGE/PNG")).with(image("image/jpg")).with(image("text/png"));
    insta::assert_snapshot!(Provider::Anthropic.answered(MESSAGE, &shown), @r#"{"content":[{"content":[{"source":{"data":"QUJD","media_type":"image/png","type":"base64"},"type":"image"},{"source":{"data":"QUJD","media_type":"image/jpeg","type":"base64"},"type":"image"},{"text":"[text/png]","type":"text"}],"tool_use_id":"t1","type":"tool_result"}],"role":"user"}"#);
}

/// [Reported](https://github.com/anthropics/claude-code/issues/23369): a block of white space makes every later request fail.
#[test]
fn of_blank_text_no_block_is_made() {
    let shown = Observation::text(" \n").with(image("image/png"));
    insta::assert_snapshot!(Provider::Anthropic.answered(MESSAGE, &shown), @r#"{"content":[{"content":[{"source":{"data":"QUJD","media_type":"image/png","type":"base64"},"type":"image"}],"tool_use_id":"t1","type":"tool_result"}],"role":"user"}"#);
    insta::assert_snapshot!(Provider::Anthropic.answered(MESSAGE, &Observation::text(" ")), @r#"{"content":[{"content":" ","tool_use_id":"t1","type":"tool_result"}],"role":"user"}"#);
}

#[test]
fn the_conversation_goes_on_with_what_came_untouched() {
    let body = MESSAGE.replace(r#"{"role""#, r#"{"id":"msg_1","stop_reason":"tool_use","role""#);
    insta::assert_snapshot!(
        Provider::Anthropic.continued(&body),
        @r#"[{"content":[{"type":"thinking","thinking":"","signature":"c2ln"},{"type":"tool_use","id":"t1","name":"show","input":{}}],"role":"assistant"},{"content":[{"content":"done","tool_use_id":"t1","type":"tool_result"}],"role":"user"}]"#
    );
}

fn encode(calls: &[Wanted]) -> String {
    let block = |call: &Wanted| {
        let (id, name) = (quoted(call.id.as_ref().unwrap()), quoted(&call.tool));
        format!(r#"{{"type":"tool_use","id":{id},"name":{name},"input":{}}}"#, call.args)
    };
    let blocks: Vec<_> = calls.iter().map(block).collect();
    format!(r#"{{"role":"assistant","content":[{}]}}"#, blocks.join(","))
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn what_is_written_is_read(calls in wanted().prop_map(with_ids)) {
        Provider::Anthropic.check_round_trip(&encode(&calls), &calls);
    }
}
