use dispatch_core::Observation;
use proptest::prelude::*;

use crate::Provider;
use crate::testing::{Wanted, config, image, quoted, wanted, with_ids};

const MESSAGE: &str = r#"{"role":"assistant","content":[{"text":"Let me look."},{"toolUse":{"toolUseId":"t1","name":"show","input":{}}}]}"#;

#[test]
fn calls_are_found_wherever_a_message_stands() {
    let asked = r#"{"role":"user","content":[{"text":"Look."}]}"#;
    for body in [
        format!(r#"{{"metrics":{{}},"output":{{"message":{MESSAGE}}},"stopReason":"tool_use"}}"#),
        MESSAGE.to_owned(),
        format!("[{asked},{MESSAGE}]"),
        format!(r#"{{"messages":[{asked},{MESSAGE}],"toolConfig":{{}}}}"#),
        MESSAGE.replace(r#","input":{}"#, ""),
        MESSAGE.replace(r#""input":{}"#, r#""input":null"#),
        MESSAGE.replace(r#""input":{}"#, r#""input":{},"type":"tool_use""#),
    ] {
        assert_eq!(Provider::Bedrock.asked(&body), r#""t1" "show" {}"#, "{body}");
    }
}

#[test]
fn messages_without_a_call_have_no_turn() {
    for body in [
        r#"{"output":{"message":{"role":"assistant","content":[{"text":"Done."}]}},"stopReason":"end_turn"}"#,
        r#"{"role":"assistant","content":[{"toolUse":{"toolUseId":"t1","name":"nova_grounding","input":{},"type":"server_tool_use"}},{"toolResult":{"toolUseId":"t1","content":[],"type":"nova_grounding_result"}}]}"#,
        r#"{"role":"assistant","content":[{"reasoningContent":{}},{"cachePoint":{"type":"default"}}]}"#,
        r#"[{"role":"user","content":[{"toolResult":{"toolUseId":"t1","content":[]}}]}]"#,
        r#"{"messages":[]}"#,
    ] {
        assert_eq!(Provider::Bedrock.asked(body), "no calls", "{body}");
    }
}

#[test]
fn a_result_in_the_models_own_message_is_the_providers() {
    let result = r#"{"toolResult":{"toolUseId":"t1","content":[]}}"#;
    let results = |role| {
        let message = format!(r#"{{"role":"{role}","content":[{{"text":"a"}},{result}]}}"#);
        Provider::Bedrock.results(&message)
    };
    assert_eq!(results("user"), r#"$ Some("t1")"#);
    assert_eq!(results("assistant"), "");
}

#[test]
fn what_is_of_another_shape_is_told_where_it_stands() {
    let other =
        "$: expected a response with `output`, a message with `role` and `content`, or a conversation with `messages`";
    let cases = [
        (r#"{"message":"The text field is blank."}"#, "$.message: the body reports an error: The text field is blank."),
        (
            r#"{"messages":[{"role":"user","content":[{"toolUse":{"toolUseId":"t1","name":"show"}}]}]}"#,
            "$.messages[0].role: expected the role `assistant` of a message with calls, found `user`",
        ),
        ("null", other),
        (r#"{"output":{}}"#, "$.output: missing member `message`"),
        (r#"{"output":{"message":{"role":"assistant"}}}"#, "$.output.message: missing member `content`"),
        (r#"{"messages":{}}"#, "$.messages: expected array, found object"),
        (r#"{"messages":[{"role":"user","content":"Hi."}]}"#, "$.messages[0].content: expected array, found string"),
        (r#"["Hi."]"#, "$[0]: expected object, found string"),
        (r#"{"role":"assistant","content":["Hi."]}"#, "$.content[0]: expected object, found string"),
        (
            r#"{"role":"assistant","content":[{"toolUse":{"name":"show"}}]}"#,
            "$.content[0].toolUse: missing member `toolUseId`",
        ),
        (
            r#"{"role":"assistant","content":[{"toolUse":{"toolUseId":"t1","name":null}}]}"#,
            "$.content[0].toolUse: missing member `name`",
        ),
        (
            r#"[{"role":"user","content":[{"text":"a"},{"toolResult":{"toolUseId":1}}]}]"#,
            "$[0].content[1].toolResult.toolUseId: expected string, found integer",
        ),
        (
            r#"{"role":"assistant","content":[{"toolUse":{"toolUseId":"","name":"a"}},{"toolUse":{"toolUseId":"","name":"b"}}]}"#,
            "$.content[1]: the id `` is that of the call at $.content[0] too",
        ),
    ];
    for (body, told) in cases {
        assert_eq!(Provider::Bedrock.asked(body), told, "{body}");
    }
}

#[test]
fn every_call_is_answered_in_one_message() {
    let second = r#"{"toolUse":{"toolUseId":"t.2:ü","name":"read_file","input":{"path":"a.txt"}}}]}"#;
    let body = MESSAGE.replace("]}", &format!(",{second}"));
    insta::assert_snapshot!(Provider::Bedrock.answered(&body, &Observation::text("seen")), @r#"{"content":[{"toolResult":{"content":[{"text":"seen"}],"toolUseId":"t1"}},{"toolResult":{"content":[{"text":"file_not_found: There is no file at the path.\n$.path: no path of the workspace is like it"}],"status":"error","toolUseId":"t.2:ü"}}],"role":"user"}"#);
}

#[test]
fn a_blank_text_is_told_as_json() {
    insta::assert_snapshot!(
        Provider::Bedrock.answered(MESSAGE, &Observation::text("")),
        @r#"{"content":[{"toolResult":{"content":[{"json":{"output":""}}],"toolUseId":"t1"}}],"role":"user"}"#
    );
    let blank_and_image = Observation::text(" \n").with(image("image/png"));
    insta::assert_snapshot!(
        Provider::Bedrock.answered(MESSAGE, &blank_and_image),
        @r#"{"content":[{"toolResult":{"content":[{"json":{"output":" \n"}},{"image":{"format":"png","source":{"bytes":"QUJD"}}}],"toolUseId":"t1"}}],"role":"user"}"#
    );
}

#[test]
fn images_are_blocks_in_the_formats_that_there_are() {
    let media_types = ["image/jpg", "image/gif", "IMAGE/webp", "image/bmp"];
    let shown = media_types.into_iter().map(image).fold(Observation::text("a"), Observation::with);
    insta::assert_snapshot!(
        Provider::Bedrock.answered(MESSAGE, &shown),
        @r#"{"content":[{"toolResult":{"content":[{"text":"a"},{"image":{"format":"jpeg","source":{"bytes":"QUJD"}}},{"image":{"format":"gif","source":{"bytes":"QUJD"}}},{"image":{"format":"webp","source":{"bytes":"QUJD"}}},{"text":"[image/bmp]"}],"toolUseId":"t1"}}],"role":"user"}"#
    );
}

#[test]
fn the_conversation_goes_on_with_what_came_untouched() {
    let body = format!(r#"{{"output":{{"message": {MESSAGE}}},"stopReason":"tool_use"}}"#);
    let answer = r#"{"content":[{"toolResult":{"content":[{"text":"done"}],"toolUseId":"t1"}}],"role":"user"}"#;
    assert_eq!(Provider::Bedrock.continued(&body), format!("[{MESSAGE},{answer}]\n"));
}

fn encode(calls: &[Wanted]) -> String {
    let block = |call: &Wanted| {
        let (id, name) = (quoted(call.id.as_ref().unwrap()), quoted(&call.tool));
        format!(r#"{{"toolUse":{{"toolUseId":{id},"name":{name},"input":{}}}}}"#, call.args)
    };
    let blocks: Vec<_> = calls.iter().map(block).collect();
    format!(r#"{{"output":{{"message":{{"role":"assistant","content":[{}]}}}}}}"#, blocks.join(","))
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn what_is_written_is_read(calls in wanted().prop_map(with_ids)) {
        Provider::Bedrock.check_round_trip(&encode(&calls), &calls);
    }
}
