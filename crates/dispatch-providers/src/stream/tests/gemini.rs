//! Gemini's streams.

use super::{assemble, check, parts, refuse, sse};
use crate::Provider;

#[track_caller]
fn check_parts(chunks: &[&str], expected: &str) {
    let mut events: Vec<String> = chunks.iter().map(|chunk| parts(chunk)).collect();
    events.push(r#"{"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"n":1}}"#.to_owned());
    let around = [
        r#"{"candidates":[{"content":{"parts":["#,
        r#"],"role":"model"},"finishReason":"STOP"}],"usageMetadata":{"n":1}}"#,
    ];
    check(Provider::Gemini, &events.iter().map(String::as_str).collect::<Vec<_>>(), &around.join(expected));
    let array = format!("[{}]\n", events.join("\n,"));
    assert_eq!(assemble(Provider::Gemini, &array).map_err(|failure| failure.to_string()), Ok(around.join(expected)));
}

#[test]
fn gemini_parts_come_one_after_the_other_and_text_grows() {
    check_parts(
        &[
            r#"{"text":"Hm","thought":true}"#,
            r#"{"text":"m.","thought":true},{"text":"a"}"#,
            r#"{"text":"b"}"#,
            r#"{"functionCall": {"name":"f", "args":{"b": 1.0, "a": 1}},"thoughtSignature":"Eq=="},{"functionCall":{"name":"g"}}"#,
            r#"{"text":"","thoughtSignature":"Er=="}"#,
            r#"{"text":"c"}"#,
        ],
        concat!(
            r#"{"text":"Hmm.","thought":true},{"text":"ab"},"#,
            r#"{"functionCall": {"name":"f", "args":{"b": 1.0, "a": 1}},"thoughtSignature":"Eq=="},{"functionCall":{"name":"g"}},"#,
            r#"{"text":"","thoughtSignature":"Er=="},{"text":"c"}"#
        ),
    );
}

#[test]
fn gemini_arguments_come_in_pieces_by_path() {
    check_parts(
        &[
            r#"{"functionCall":{"name":"f","id":"1","willContinue":true},"thoughtSignature":"Eq=="}"#,
            r#"{"functionCall":{"partialArgs":[{"jsonPath":"$.a[0].b","stringValue":"x","willContinue":true}],"willContinue":true}}"#,
            r#"{"functionCall":{"partialArgs":[{"jsonPath":"$.a[0].b","stringValue":"é"}],"willContinue":true}}"#,
            r#"{"functionCall":{"partialArgs":[{"jsonPath":"$.a[1]","numberValue":1.0},{"jsonPath":"$['odd \\'k\"']","boolValue":false}],"willContinue":true}}"#,
            r#"{"functionCall":{"partialArgs":[{"jsonPath":"$[\"n\"]","nullValue":"NULL_VALUE"},{"jsonPath":"$.s","stringValue":""}],"willContinue":true}}"#,
            r#"{"functionCall":{}}"#,
            r#"{"functionCall":{"name":"g","willContinue":true}}"#,
            r#"{"functionCall":{}}"#,
        ],
        concat!(
            r#"{"functionCall":{"args":{"a":[{"b":"xé"},1.0],"n":null,"odd 'k\"":false,"s":""},"id":"1","name":"f"},"thoughtSignature":"Eq=="},"#,
            r#"{"functionCall":{"name":"g"}}"#
        ),
    );
}

#[test]
fn gemini_streams_that_are_not_whole_are_refused() {
    let begun = parts(r#"{"functionCall":{"name":"f","willContinue":true}}"#);
    let end = r#"{"candidates":[{"finishReason":"MAX_TOKENS"}]}"#;
    let cut = "the stream is cut off in the middle of the call `f`";
    let piece = |partial: &str| parts(&format!(r#"{{"functionCall":{{"partialArgs":[{partial}]}}}}"#));
    for (events, at, message) in [
        (&["{}"][..], (3, 1), "the stream is cut off: it ends without `finishReason`"),
        (
            &[&parts(r#"{"functionCall":{"name":"f"}}"#)],
            (3, 1),
            "the stream is cut off: it ends without `finishReason`",
        ),
        (&[&begun], (3, 1), cut),
        (&[&begun, &begun], (3, 59), cut),
        (&[&begun, end], (5, 1), "the call `f` is cut off: the model stopped for `MAX_TOKENS`"),
        (
            &[&begun, &piece(r#"{"jsonPath":"$.a","stringValue":"x","willContinue":true}"#)],
            (3, 59),
            "the call `f` ends in the middle of its argument $.a",
        ),
        (&[&begun, &piece(r#"{"jsonPath":"a","stringValue":"x"}"#)], (3, 87), "`a` is no path to an argument"),
        (&[&begun, &piece(r#"{"jsonPath":"$","stringValue":"x"}"#)], (3, 87), "`$` is no path to an argument"),
        (&[&begun, &piece(r#"{"jsonPath":"$.a[x]"}"#)], (3, 87), "`$.a[x]` is no path to an argument"),
        (&[&begun, &piece(r#"{"jsonPath":"$.a[1]"}"#)], (3, 87), "element 1 comes before those in front of it"),
        (
            &[&begun, &piece(r#"{"jsonPath":"$.a","numberValue":1},{"jsonPath":"$.a","numberValue":2}"#)],
            (3, 142),
            "does not go on what the events before have begun",
        ),
        (
            &[&begun, &piece(r#"{"jsonPath":"$.a","numberValue":1},{"jsonPath":"$.a.b","numberValue":2}"#)],
            (3, 122),
            "the path leads through a value of another type",
        ),
        (&[r#"{"error":{"code":503,"message":"busy"}}"#], (1, 7), "the stream reports an error: busy"),
    ] {
        refuse(Provider::Gemini, &sse(events), at, message);
    }
    let deep = format!("$.a{}", "[0]".repeat(100_000));
    let deep = sse(&[&begun, &piece(&format!(r#"{{"jsonPath":"{deep}","numberValue":1}}"#))]);
    refuse(Provider::Gemini, &deep, (3, 87), "objects and arrays are nested 128 deep or more");
}

#[test]
fn gemini_arrays_of_chunks_are_told_from_conversations() {
    let failure = assemble(
        Provider::Gemini,
        r#"[{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","willContinue":true}}]}}]}]"#,
    );
    assert_eq!(failure.unwrap_err().message(), "the stream is cut off in the middle of the call `f`");
    let failure = assemble(Provider::Gemini, r#"[{"candidates":[]},{"candidates":[{"index":"x"}]}]"#).unwrap_err();
    assert_eq!(failure.path().unwrap().to_string(), "$[1].candidates[0].index");
    for other in [r#"[{"role":"user","parts":[]}]"#, "[]", r#"{"candidates":[]}"#, "[7]"] {
        assert_eq!(assemble(Provider::Gemini, other).unwrap(), other);
    }
    let blocked = r#"{"promptFeedback":{"blockReason":"SAFETY"}}"#;
    check(Provider::Gemini, &[blocked], blocked);
}
