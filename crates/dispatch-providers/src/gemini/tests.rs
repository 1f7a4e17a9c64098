use dispatch_core::{Observation, Part};
use proptest::prelude::*;

use crate::Provider;
use crate::testing::{Wanted, config, image, quoted, wanted};

const CALL: &str = r#"{"functionCall":{"name":"show","args":{}}}"#;

#[test]
fn calls_are_found_wherever_a_content_stands() {
    let content = format!(r#"{{"role":"model","parts":[{{"text":"Let me look."}},{CALL}]}}"#);
    let asked = r#"{"role":"user","parts":[{"text":"Look."}]}"#;
    let candidate = format!(r#"{{"candidates":[{{"content":{content},"finishReason":"STOP"}}],"modelVersion":"m"}}"#);
    let with_text = r#"{"content":{"role":"model","parts":[{"text":"No."}]}}"#;
    for body in [
        candidate.clone(),
        format!(r#"{{"candidates":[{with_text},{{"content":{content}}}]}}"#),
        format!(r#"{{"candidates":[{{"finishReason":"SAFETY"}},{{"content":{content}}}]}}"#),
        content.clone(),
        format!("[{asked},{content}]"),
        format!(r#"{{"contents":[{asked},{content}],"tools":[]}}"#),
        format!(r#"{{"contents":{content}}}"#),
        format!(r#"[{candidate},{{"usageMetadata":{{}}}}]"#),
        content.replace(r#""role":"model","#, ""),
        content.replace("functionCall", "function_call"),
        content.replace(r#","args":{}"#, ""),
        content.replace(r#""args":{}"#, r#""args":null,"id":null"#),
        format!(r#"{{"role":"model","parts":{CALL}}}"#),
        candidate.replace("STOP", "UNEXPECTED_TOOL_CALL"),
    ] {
        assert_eq!(Provider::Gemini.asked(&body), r#"without an id "show" {}"#, "{body}");
    }
}

#[test]
fn bodies_without_a_call_have_no_turn() {
    for body in [
        r#"{"promptFeedback":{"blockReason":"SAFETY"}}"#,
        r#"{"candidates":[]}"#,
        r#"{"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL","finishMessage":"print(show())"}]}"#,
        r#"{"candidates":[{"content":{"role":"model"},"finishReason":"MAX_TOKENS"}]}"#,
        r#"{"candidates":[{"content":{"role":"model","parts":[{"executableCode":{"code":"show()","language":"PYTHON"}}]}}]}"#,
        r#"{"role":"model","parts":[{"toolCall":{"id":"s1","toolType":"GOOGLE_SEARCH_WEB"}},{"toolResponse":{"id":"s1"}}]}"#,
        r#"{"contents":{"parts":{"text":"Hello."}}}"#,
        r#"[{"parts":[{"text":"Hello."}]}]"#,
        r#"[{"role":"model","parts":[{"functionCall":{"name":"show"}}]},{"role":"user","parts":[{"functionResponse":{"name":"show","response":{}}}]}]"#,
        r#"[{"parts":[{"functionCall":{"name":"show"}}]},{"role":"function","parts":[{"function_response":{"name":"show","response":{}}}]}]"#,
        "[]",
    ] {
        assert_eq!(Provider::Gemini.asked(body), "no calls", "{body}");
    }
}

#[test]
fn what_is_of_another_shape_is_told_where_it_stands() {
    let cases = [
        ("{}", "$: expected a response with `candidates`, a content with `parts`, or a conversation with `contents`"),
        ("7", "$: expected a response with `candidates`, a content with `parts`, or a conversation with `contents`"),
        (r#"{"candidates":{}}"#, "$.candidates: expected array, found object"),
        (r#"{"contents":"Hello."}"#, "$.contents: expected array, found string"),
        (r#"{"contents":["Hello."]}"#, "$.contents[0]: expected object, found string"),
        (r#"[{"role":"user","content":"Hello."}]"#, "$[0]: missing member `parts`"),
        (r#"{"role":7,"parts":[]}"#, "$.role: expected string, found integer"),
        (
            r#"{"contents":[{"role":"user","parts":[{"functionCall":{"name":"show"}}]}]}"#,
            "$.contents[0].role: expected the role `model` of a message with calls, found `user`",
        ),
        (r#"{"parts":7}"#, "$.parts: expected array, found integer"),
        (r#"{"parts":[{"functionCall":{}}]}"#, "$.parts[0].functionCall: missing member `name`"),
        (r#"{"parts":{"functionCall":{"name":[]}}}"#, "$.parts.functionCall.name: expected string, found array"),
        (
            r#"{"candidates":[{},{"content":{"parts":[{"function_call":{"name":"show","id":1}}]}}]}"#,
            "$.candidates[1].content.parts[0].function_call.id: expected string, found integer",
        ),
        (
            r#"[{"candidates":[{"content":{"parts":[{"functionCall":{"name":"show","willContinue":true}}]}}]}]"#,
            "$: the stream is cut off in the middle of the call `show`",
        ),
        (
            r#"{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"b"}]}}]}"#,
            "$.parts[0].functionCall: expected a whole call, found one whose arguments come in pieces",
        ),
        (
            r#"{"parts":[{"functionCall":{"name":"a","id":"x"}},{"functionCall":{"name":"b","id":"x"}}],"role":"model"}"#,
            "$.parts[1]: the id `x` is that of the call at $.parts[0] too",
        ),
    ];
    for (body, told) in cases {
        assert_eq!(Provider::Gemini.asked(body), told, "{body}");
    }
}

#[test]
fn several_candidates_with_calls_are_refused() {
    let candidate = format!(r#"{{"content":{{"role":"model","parts":[{CALL}]}}}}"#);
    insta::assert_snapshot!(
        Provider::Gemini.asked(&format!(r#"{{"candidates":[{candidate},{candidate}]}}"#)),
        @"$.candidates: expected one candidate with calls, found 2: a conversation goes on with one"
    );
}

#[test]
fn every_call_is_answered_in_one_content_with_its_id_where_it_has_one() {
    let body = r#"{"role":"model","parts":[
        {"functionCall":{"name":"show","args":{}},"thoughtSignature":"c2ln"},
        {"functionCall":{"name":"show","args":{},"id":"\u0061 1"}},
        {"functionCall":{"name":"show","args":[]}},
        {"functionCall":{"name":"","id":""}}]}"#;
    insta::assert_snapshot!(Provider::Gemini.answered(body, &Observation::text("")), @r#"{"parts":[{"functionResponse":{"name":"show","response":{"output":""}}},{"functionResponse":{"id":"a 1","name":"show","response":{"output":""}}},{"functionResponse":{"name":"show","response":{"error":"invalid_arguments: The arguments do not fit the tool's schema.\n$: expected object, found array"}}},{"functionResponse":{"id":"","name":"","response":{"error":"unknown_tool: there is no tool ``"}}}],"role":"user"}"#);
}

#[test]
fn images_stand_beside_the_text_where_they_are_taken() {
    let shown =
        Observation::text("before").with(image("image/PNG")).with(image("image/gif")).with(Part::Json(7.into()));
    insta::assert_snapshot!(
        Provider::Gemini.answered(&format!(r#"{{"role":"model","parts":[{CALL}]}}"#), &shown),
        @r#"{"parts":[{"functionResponse":{"name":"show","parts":[{"inlineData":{"data":"QUJD","mimeType":"image/png"}}],"response":{"output":"before\n[image/PNG]\n[image/gif]\n7"}}}],"role":"user"}"#
    );
}

#[test]
fn the_conversation_goes_on_with_what_came_untouched() {
    let part = r#"{ "functionCall":{"args":{},"name":"show"}, "thoughtSignature":"c2ln" }"#;
    let continued = |body: &str| Provider::Gemini.continued(body);
    insta::assert_snapshot!(
        continued(&format!(r#"{{"candidates":[{{"content":{{"parts":[{part}]}},"finishReason":"STOP"}}]}}"#)),
        @r#"[{"parts":[{ "functionCall":{"args":{},"name":"show"}, "thoughtSignature":"c2ln" }],"role":"model"},{"parts":[{"functionResponse":{"name":"show","response":{"output":"done"}}}],"role":"user"}]"#
    );
    insta::assert_snapshot!(
        continued(&format!(r#"{{"contents":[{{"parts":[{part}],"role":"model"}} ],"tools":[]}}"#)),
        @r#"{"contents":[{"parts":[{ "functionCall":{"args":{},"name":"show"}, "thoughtSignature":"c2ln" }],"role":"model"},{"parts":[{"functionResponse":{"name":"show","response":{"output":"done"}}}],"role":"user"} ],"tools":[]}"#
    );
}

fn encode(calls: &[Wanted]) -> String {
    let part = |call: &Wanted| {
        let id = call.id.as_ref().map_or(String::new(), |id| format!(r#""id":{},"#, quoted(id)));
        format!(r#"{{"functionCall":{{{id}"name":{},"args":{}}}}}"#, quoted(&call.tool), call.args)
    };
    let parts: Vec<_> = calls.iter().map(part).collect();
    format!(r#"{{"role":"model","parts":[{}]}}"#, parts.join(","))
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn what_is_written_is_read(calls in wanted()) {
        Provider::Gemini.check_round_trip(&encode(&calls), &calls);
    }
}
