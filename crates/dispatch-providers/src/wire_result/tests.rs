use serde_json::{Value, json};

use crate::Provider;
use crate::pairing::short::written;

/// Returns what a result tells, each member in its turn. The call and its result are found in a conversation, in which the result is put.
fn told(provider: Provider, result: &Value) -> String {
    let mut messages: Vec<Value> = serde_json::from_str(&written(provider, "?1 !1")).unwrap();
    put(&mut messages[1], result);
    let conversation = provider.read(Value::from(messages).to_string().into()).unwrap();
    let exchanges = conversation.exchanges().unwrap();
    exchanges[0].recorded().unwrap().to_json().to_string()
}

/// Puts members where those of the result stand, in its message.
fn put(message: &mut Value, members: &Value) {
    const PLACES: [&str; 3] = ["/content/0/toolResult", "/content/0", "/parts/0/functionResponse"];
    let place = PLACES.into_iter().find(|place| message.pointer(place).is_some()).unwrap_or_default();
    let result = message.pointer_mut(place).unwrap().as_object_mut().unwrap();
    result.extend(members.as_object().unwrap().clone());
    result.retain(|_, value| !value.is_null());
}

fn check(provider: Provider, results: &[Value], expected: &str) {
    for result in results {
        assert_eq!(told(provider, result), expected, "{provider}: {result}");
    }
}

#[test]
fn each_way_to_write_a_text_is_the_same() {
    let block = json!({"type": "text", "text": "x"});
    check(
        Provider::Anthropic,
        &[
            json!({"content": "x"}),
            json!({"content": [block]}),
            json!({"content": [{"type": "text", "text": ""}, {"type": "text", "text": "x"}], "is_error": false}),
            json!({"content": "x", "cache_control": {"type": "ephemeral"}}),
        ],
        r#"{"content":"x","status":"ok"}"#,
    );
    check(Provider::OpenAiChat, &[json!({"content": "x"}), json!({"content": [block]})], r#"{"content":"x"}"#);
    check(
        Provider::OpenAiResponses,
        &[
            json!({"output": "x"}),
            json!({"output": [{"type": "input_text", "text": "x"}], "status": "completed", "id": "fco_1"}),
        ],
        r#"{"content":"x"}"#,
    );
    check(
        Provider::Gemini,
        &[json!({"response": {"output": "x"}}), json!({"response": {"output": "x"}, "parts": []})],
        r#"{"content":"x","status":"ok"}"#,
    );
    check(
        Provider::Bedrock,
        &[json!({"content": [{"text": "x"}]}), json!({"content": [{"text": "x"}], "status": "success"})],
        r#"{"content":"x","status":"ok"}"#,
    );
    check(
        Provider::Mcp,
        &[
            json!({"result": {"content": [block]}}),
            json!({"result": {"content": [{"type": "text", "text": "x", "annotations": {}}], "isError": false, "_meta": {}}}),
        ],
        r#"{"content":"x","status":"ok"}"#,
    );
}

#[test]
fn no_text_is_the_empty_one() {
    check(
        Provider::Anthropic,
        &[json!({"content": null}), json!({"content": ""}), json!({"content": []})],
        r#"{"content":"","status":"ok"}"#,
    );
    check(Provider::OpenAiChat, &[json!({"content": null}), json!({"content": ""})], r#"{"content":""}"#);
    check(
        Provider::Bedrock,
        &[json!({"content": []}), json!({"content": [{"text": ""}]}), json!({"content": [{"json": {"output": ""}}]})],
        r#"{"content":"","status":"ok"}"#,
    );
    check(Provider::Mcp, &[json!({"result": {}})], r#"{"content":"","status":"ok"}"#);
}

#[test]
fn an_error_is_told_where_the_provider_has_a_field_for_it() {
    check(Provider::Anthropic, &[json!({"content": "no", "is_error": true})], r#"{"content":"no","status":"error"}"#);
    check(Provider::Gemini, &[json!({"response": {"error": "no"}})], r#"{"content":"no","status":"error"}"#);
    check(
        Provider::Bedrock,
        &[json!({"content": [{"text": "no"}], "status": "error"})],
        r#"{"content":"no","status":"error"}"#,
    );
    let no = json!([{"type": "text", "text": "no"}]);
    check(
        Provider::Mcp,
        &[json!({"result": {"content": no, "isError": true}})],
        r#"{"content":"no","status":"error"}"#,
    );
    check(
        Provider::Mcp,
        &[json!({"result": null, "error": {"code": -32602, "message": "no"}})],
        r#"{"code":-32602,"content":"no","status":"error"}"#,
    );
}

#[test]
fn what_is_no_text_stands_as_it_is_in_its_order() {
    let image = json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QUJD"}});
    check(
        Provider::Anthropic,
        &[json!({"content": [{"type": "text", "text": "a"}, image, {"type": "text", "text": "b"}]})],
        r#"{"content":["a",{"source":{"data":"QUJD","media_type":"image/png","type":"base64"},"type":"image"},"b"],"status":"ok"}"#,
    );
    check(
        Provider::OpenAiResponses,
        &[json!({"output": [{"type": "input_file", "file_id": "f"}]})],
        r#"{"content":[{"file_id":"f","type":"input_file"}]}"#,
    );
    check(
        Provider::Gemini,
        &[
            json!({"response": {"output": "a"}, "parts": [{"inlineData": {"mimeType": "image/png", "data": "QUJD"}}]}),
            json!({"response": {"output": "a"}, "parts": [{"inline_data": {"mime_type": "image/png", "data": "QUJD"}}]}),
        ],
        r#"{"content":["a",{"inlineData":{"data":"QUJD","mimeType":"image/png"}}],"status":"ok"}"#,
    );
    check(
        Provider::Gemini,
        &[json!({"response": {"output": "a", "rest": 1}})],
        r#"{"content":[{"output":"a","rest":1}],"status":"ok"}"#,
    );
    check(Provider::Gemini, &[json!({"response": {"rain": true}})], r#"{"content":[{"rain":true}],"status":"ok"}"#);
    check(
        Provider::Bedrock,
        &[json!({"content": [{"json": {"output": "a"}}]})],
        r#"{"content":[{"json":{"output":"a"}}],"status":"ok"}"#,
    );
    check(
        Provider::Mcp,
        &[json!({"result": {"content": [{"type": "text", "text": "{}"}], "structuredContent": {}}})],
        r#"{"content":"{}","status":"ok","structured":{}}"#,
    );
}

#[test]
fn two_texts_are_not_one() {
    let two = json!([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]);
    check(Provider::OpenAiChat, &[json!({"content": two})], r#"{"content":["a","b"]}"#);
}
