//! Every kind of refusal, as requests that differ from one that runs in this alone.

use crate::refusal::Refusal;

/// Every kind of refusal.
pub(crate) fn all() -> Vec<Refusal> {
    let of_calls = [unknown_tools(), not_permitted(), invalid_arguments(), not_cleared()];
    let kinds = of_calls.into_iter().chain([unsupported_ops(), invalid_requests(), malformed()]);
    kinds.flatten().collect()
}

fn unknown_tools() -> Vec<Refusal> {
    let names = ["counts", "Count", "count ", "", "no_such_tool"];
    let request = |name| format!(r#"{{"op":"dispatch",@W"call":{{"tool":"{name}","args":{{}}}}}}"#);
    names.map(|name| Refusal::new("unknown_tool", request(name))).into()
}

fn not_permitted() -> Vec<Refusal> {
    let by_request = |names| format!(r#"{{"op":"dispatch",@W"permissions":{names},@C}}"#);
    let refusal = |request: String, allow| Refusal::new("tool_not_permitted", request).allowing(allow);
    vec![
        refusal(r#"{"op":"dispatch",@W@C}"#.to_owned(), &["read_file"]),
        refusal(by_request("[]"), &[]),
        refusal(by_request(r#"["read_file","Count"]"#), &[]),
        refusal(by_request(r#"["count"]"#), &["read_file"]),
        refusal(by_request(r#"["read_file"]"#), &["count"]),
        refusal(by_request(r#"["read_file"]"#), &["write_file"]),
    ]
}

/// Arguments that are wrong in one way each: of `count`, which takes none, and of `typed`.
fn invalid_arguments() -> Vec<Refusal> {
    let request = |tool, args| {
        let call = format!(r#"{{"op":"dispatch",@W"call":{{"tool":"{tool}","args":{args}}}}}"#);
        Refusal::new("invalid_arguments", call)
    };
    let of_count = ["[]", "null", "true", "0", "1.5", r#""{}""#, r#"{"x":1}"#, r#"{"x":1,"x":1}"#];
    let of_typed = [
        r"{}",
        r#"{"flag":null}"#,
        r#"{"flag":1}"#,
        r#"{"flag":"true"}"#,
        r#"{"flag":true,"flag":true}"#,
        r#"{"flag":true,"tiny":128}"#,
        r#"{"flag":true,"tiny":-129}"#,
        r#"{"flag":true,"tiny":1.5}"#,
        r#"{"flag":true,"tiny":"1"}"#,
        r#"{"flag":true,"tiny":null}"#,
        r#"{"flag":true,"large":-1}"#,
        r#"{"flag":true,"large":18446744073709551616}"#,
        r#"{"flag":true,"ratio":1e39}"#,
        r#"{"flag":true,"mode":"Fast"}"#,
        r#"{"flag":true,"note":7}"#,
        r#"{"flag":true,"point":{"x":1}}"#,
        r#"{"flag":true,"point":{"x":1,"y":2,"z":3}}"#,
        r#"{"flag":true,"point":[1,2]}"#,
        r#"{"flag":true,"points":{"x":1,"y":2}}"#,
        r#"{"flag":true,"points":[{"x":1,"y":2},{"x":1}]}"#,
        r#"{"flag":true,"points":[{"x":1,"x":1,"y":2}]}"#,
        r#"{"flag":true,"action":{"kind":"run"}}"#,
        r#"{"flag":true,"action":{"by":{"x":1,"y":2}}}"#,
        r#"{"flag":true,"action":{"kind":"move"}}"#,
        r#"{"flag":true,"action":{"kind":"stop","by":1}}"#,
        r#"{"flag":true,"action":{"kind":"say","text":"x","times":256}}"#,
        r#"{"flag":true,"target":1.5}"#,
        r#"{"flag":true,"target":[]}"#,
        r#"{"flag":true,"labels":{"a":"1"}}"#,
        r#"{"flag":true,"labels":{"a":1,"a":1}}"#,
    ];
    let of_count = of_count.into_iter().map(|args| request("count", args));
    of_count.chain(of_typed.into_iter().map(|args| request("typed", args))).collect()
}

/// Calls of `guarded` that its policy does not let through.
fn not_cleared() -> Vec<Refusal> {
    let of_policies = [
        ("policy_denied", r"{}"),
        ("policy_denied", r#"{"policy":"deny"}"#),
        ("policy_failed", r#"{"policy":"fail"}"#),
        ("policy_failed", r#"{"policy":"panic"}"#),
        ("policy_failed", r#"{"policy":"?"}"#),
        ("approval_required", r#"{"policy":"ask"}"#),
    ];
    let request = |args| format!(r#"{{"op":"dispatch",@W"call":{{"tool":"guarded","args":{args}}}}}"#);
    of_policies.map(|(code, args)| Refusal::new(code, request(args))).into()
}

fn unsupported_ops() -> Vec<Refusal> {
    let request = |op| format!(r#"{{"op":"{op}",@W@C}}"#);
    let ops = ["", "Dispatch", "dispatch ", "run"].into_iter();
    let everywhere = ops.map(|op| Refusal::new("unsupported_op", request(op)));
    let alone = Refusal::new("unsupported_op", r#"{"op":"workspace"}"#).only_alone();
    everywhere.chain([alone]).collect()
}

fn invalid_requests() -> Vec<Refusal> {
    let everywhere = [
        r"[]",
        r"null",
        r#""dispatch""#,
        r"{@W@C}",
        r#"{"op":1,@W@C}"#,
        r#"{"op":"dispatch",@W@C,"extra":1}"#,
        r#"{"op":"dispatch","workspace":[],@C}"#,
        r#"{"op":"dispatch","workspace":null,@C}"#,
        r#"{"op":"dispatch","workspace":{"a":1},@C}"#,
        r#"{"op":"dispatch",@W"call":null}"#,
        r#"{"op":"dispatch",@W"call":[]}"#,
        r#"{"op":"dispatch","workspace":{}}"#,
        r#"{"op":"dispatch",@W"call":{"tool":"count","args":{},"extra":1}}"#,
        r#"{"op":"dispatch",@W"call":{"tool":"count","args":{},"id":1}}"#,
        r#"{"op":"dispatch",@W"call":{"tool":"count","args":{},"id":null}}"#,
        r#"{"op":"dispatch",@W"call":{"tool":1,"args":{}}}"#,
        r#"{"op":"dispatch",@W"call":{"args":{}}}"#,
        r#"{"op":"dispatch",@W"call":{"tool":"count"}}"#,
        r#"{"op":"dispatch",@W@C,"permissions":null}"#,
        r#"{"op":"dispatch",@W@C,"permissions":"count"}"#,
        r#"{"op":"dispatch",@W@C,"permissions":["count",1]}"#,
        r#"{"op":"dispatch",@W@C,"limits":null}"#,
        r#"{"op":"dispatch",@W@C,"limits":{"extra":1}}"#,
        r#"{"op":"dispatch",@W@C,"limits":{"max_output_bytes":null}}"#,
        r#"{"op":"dispatch",@W@C,"limits":{"max_output_bytes":0}}"#,
        r#"{"op":"dispatch",@W@C,"limits":{"max_output_bytes":1.5}}"#,
        r#"{"op":"dispatch",@W@C,"limits":{"max_output_bytes":9007199254740992}}"#,
    ];
    let everywhere = everywhere.map(|request| Refusal::new("invalid_request", request));
    let alone = Refusal::new("invalid_request", r#"{"op":"dispatch",@C}"#).only_alone();
    let in_session = Refusal::new("invalid_request", r#"{"op":"workspace",@C}"#).only_in_session();
    everywhere.into_iter().chain([alone, in_session]).collect()
}

fn malformed() -> Vec<Refusal> {
    let texts = [
        r#"{"op":"dispatch",@W@C"#,
        r#"{"op":"dispatch",@W@C}}"#,
        r#"{"op":"dispatch",@W@C}{}"#,
        r#"{"op":"dispatch",@W@C,}"#,
        r#"{"op":"dispatch",@W@C,"op":"dispatch"}"#,
        r#"{"op":"dispatch",@W@C,"\u006fp":"dispatch"}"#,
        r#"{"op":"dispatch","workspace":{"a":"1","a":"2"},@C}"#,
        r#"{"op":"dispatch",@W"call":{"tool":"count","args":{},"tool":"count"}}"#,
        r#"{"op":"dispatch",@W@C,"limits":{"max_output_bytes":1,"max_output_bytes":1}}"#,
        r#"{"op":"dispatch",@W@C,"permissions":["count",]}"#,
        r#"{"op":"dispatch",@W@C,"limits":{"max_output_bytes":01}}"#,
        r#"{"op":"dispatch",@W@C,"limits":{"max_output_bytes":1e400}}"#,
        r#"{"op":"dispatch",@W"call":{"tool":"count","args":{"x":NaN}}}"#,
        r#"{"op":"dispatch",@W"call":{"tool":"count","args":{"x":1e400}}}"#,
        r#"{"op":"dispatch",@W"call":{"tool":"count","args":{"x":"\ud800"}}}"#,
        r#"{"op":"dispatch",@W"call":{"tool":"count","args":{"x":"\x"}}}"#,
        r#"{"op":"dispatch",@W"call":{"tool":"count","args":{}},"id":"\udc00"}"#,
        "{\"op\":\"dispatch\",@W@C,\"id\":\"\t\"}",
        "{'op':'dispatch',@W@C}",
        "{\"op\":\"dispatch\",@W@C} // a comment",
        "\u{feff}\u{feff}{\"op\":\"dispatch\",@W@C}",
    ];
    let deep = ["[".repeat(126), "]".repeat(126)].concat();
    let deep = format!(r#"{{"op":"dispatch",@W"call":{{"tool":"count","args":{deep}}}}}"#);
    let not_utf8 = [br#"{"op":"dispatch",@W@C,"id":""#.as_slice(), b"\xff\"}"].concat();
    let empty = Refusal::new("malformed_json", " ").only_alone();
    let texts = texts.map(|text| Refusal::new("malformed_json", text)).into_iter();
    let bytes = [deep.into_bytes(), not_utf8].map(|bytes| Refusal::new("malformed_json", bytes));
    texts.chain(bytes).chain([empty]).collect()
}
