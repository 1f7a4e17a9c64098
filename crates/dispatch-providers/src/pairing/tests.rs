use super::short::written;
use crate::{Provider, Turn};

/// Checks a conversation and returns its faults, a line each.
fn check(provider: Provider, text: &str) -> String {
    let faults = provider.read(text.into()).unwrap().check();
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

fn anthropic(words: &str) -> String {
    written(Provider::Anthropic, words)
}

#[test]
fn each_fault_is_told_with_its_place() {
    for (words, faults) in [
        ("go", ""),
        ("go ?a !a", ""),
        ("go ?a+?b !a+!b+stop said", ""),
        ("go ?a+?b !b+!a", ""),
        ("go ?a ?b !a+!b", ""),
        ("go ?a !a ?a !a", ""),
        ("go ?a", r#"$[1].content[0]: call waits for its result: id "a""#),
        (
            "go ?a+hm+?b ?a",
            "\
$[1].content[0]: call waits for its result: id \"a\"
$[1].content[2]: call waits for its result: id \"b\"
$[2].content[0]: id of another call without a result yet: id \"a\", see $[1].content[0]
$[2].content[0]: call waits for its result: id \"a\"",
        ),
        (
            "go ?a+?b stop",
            "\
$[1].content[0]: call without a result: id \"a\"
$[1].content[1]: call without a result: id \"b\"",
        ),
        ("go ?a+?b !b", r#"$[1].content[0]: call without a result: id "a""#),
        ("go !a", r#"$[1].content[0]: result for no call: id "a""#),
        ("go ?a !a !b", r#"$[3].content[0]: result for no call: id "b""#),
        ("go ?a !a+!a", r#"$[2].content[1]: second result of one call: id "a", see $[2].content[0]"#),
        ("go ?a !a said !a", r#"$[4].content[0]: second result of one call: id "a", see $[2].content[0]"#),
        ("go ?a !a ?a !a !a", r#"$[5].content[0]: second result of one call: id "a", see $[4].content[0]"#),
        ("!a ?a stop", r#"$[0].content[0]: result before its call: id "a", see $[1].content[0]"#),
        (
            "!a !a ?a+?a",
            "\
$[0].content[0]: result before its call: id \"a\", see $[2].content[0]
$[1].content[0]: result before its call: id \"a\", see $[2].content[1]
$[2].content[1]: id of another call without a result yet: id \"a\", see $[2].content[0]",
        ),
        ("go ?a stop+!a", r#"$[2].content[1]: result out of place: id "a", see $[1].content[0]"#),
        ("go ?a+!a stop", r#"$[1].content[1]: result out of place: id "a", see $[1].content[0]"#),
        ("go ?a stop !a", r#"$[3].content[0]: result out of place: id "a", see $[1].content[0]"#),
        ("go ?a stop ?b !b+!a", r#"$[4].content[1]: result out of place: id "a", see $[1].content[0]"#),
        ("go ?a+?b !a+hm+!b", r#"$[2].content[2]: result out of place: id "b", see $[1].content[1]"#),
        ("go ?a+?a !a+!a", r#"$[1].content[1]: id of another call without a result yet: id "a", see $[1].content[0]"#),
        (
            "go ?a stop ?a !a",
            "\
$[1].content[0]: call without a result: id \"a\"
$[3].content[0]: id of another call without a result yet: id \"a\", see $[1].content[0]",
        ),
    ] {
        assert_eq!(check(Provider::Anthropic, &anthropic(words)), faults, "{words}");
    }
}

#[test]
fn each_provider_looks_for_results_in_its_own_place() {
    const BLOCKS: [Provider; 3] = [Provider::Anthropic, Provider::Bedrock, Provider::Gemini];
    const ITEMS: [Provider; 2] = [Provider::OpenAiResponses, Provider::Mcp];
    let out_of_place = |words: &str, providers: &[Provider]| {
        for provider in Provider::ALL.iter().copied() {
            let faults = check(provider, &written(provider, words));
            let expected = usize::from(providers.contains(&provider));
            assert_eq!(faults.matches("result out of place").count(), expected, "{provider}: {words}: {faults}");
            assert_eq!(faults.lines().count(), expected, "{provider}: {words}: {faults}");
        }
    };
    out_of_place("go ?a !a go", &[]);
    out_of_place("go ?a+?b !b+!a go", &[]);
    out_of_place("go ?a+?b !b !a", &BLOCKS);
    out_of_place("go ?a go+!a", &[Provider::Anthropic, Provider::OpenAiChat]);
    out_of_place("go ?a go !a", &[Provider::Anthropic, Provider::Bedrock, Provider::Gemini, Provider::OpenAiChat]);
    out_of_place("go ?a ?b !a+!b", &[Provider::OpenAiChat]);
    assert_eq!(ITEMS.map(|provider| check(provider, &written(provider, "go ?a go ?b !b !a"))), ["", ""]);
}

/// [Reported](https://github.com/router-for-me/CLIProxyAPI/issues/5199): an id says which call it is, and where there is none, the position does.
#[test]
fn without_ids_results_pair_by_position_and_name() {
    let call = |name: &str, id: &str| format!(r#"{{"functionCall": {{"name": "{name}", "args": {{}}{id}}}}}"#);
    let result =
        |name: &str, id: &str| format!(r#"{{"functionResponse": {{"name": "{name}", "response": {{}}{id}}}}}"#);
    let (c1, c2) = (r#", "id": "c1""#, r#", "id": "c2""#);
    for (calls, results, faults) in [
        ([call("r", c1), call("r", c2)], vec![result("r", c2), result("r", c1)], ""),
        ([call("r", ""), call("r", "")], vec![result("r", ""), result("r", "")], ""),
        ([call("r", ""), call("w", "")], vec![result("r", ""), result("w", "")], ""),
        ([call("r", c1), call("w", c2)], vec![result("r", ""), result("w", "")], ""),
        (
            [call("r", ""), call("w", "")],
            vec![result("w", ""), result("r", "")],
            r#"$[1].parts[1]: result out of order: tool "r", see $[0].parts[0]"#,
        ),
        ([call("r", ""), call("w", "")], vec![result("w", "")], r#"$[0].parts[0]: call without a result: tool "r""#),
        (
            [call("r", ""), call("w", "")],
            vec![result("r", ""), result("w", ""), result("w", "")],
            r#"$[1].parts[2]: second result of one call: tool "w", see $[1].parts[1]"#,
        ),
        (
            [call("r", ""), call("r", c2)],
            vec![result("r", ""), result("r", ""), result("x", "")],
            r#"$[1].parts[2]: result for no call: tool "x""#,
        ),
        (
            [call("r", c1), call("r", c1)],
            vec![result("r", c1), result("r", c1)],
            r#"$[0].parts[1]: id of another call without a result yet: id "c1", see $[0].parts[0]"#,
        ),
        ([call("r", c1), call("r", r#", "id": """#)], vec![result("r", r#", "id": """#), result("r", c1)], ""),
        ([call("r", c1), call("r", c2)], vec![result("r", ""), result("r", c1)], ""),
        ([call("r", ""), call("w", "")], vec![result("r", c1), result("w", c2)], ""),
        (
            [call("r", ""), call("w", "")],
            vec![result("w", c2), result("r", c1)],
            r#"$[1].parts[1]: result out of order: id "c1", see $[0].parts[0]"#,
        ),
        (
            [call("r", ""), call("r", c1)],
            vec![result("r", c1), result("r", c1)],
            "\
$[0].parts[0]: call without a result: tool \"r\"
$[1].parts[1]: second result of one call: id \"c1\", see $[1].parts[0]",
        ),
        (
            [call("r", ""), call("r", c1)],
            vec![result("r", c2), result("r", c2)],
            "\
$[0].parts[1]: call without a result: id \"c1\"
$[1].parts[1]: result for no call: id \"c2\"",
        ),
    ] {
        let text = format!(
            r#"[{{"role": "model", "parts": [{}]}}, {{"role": "user", "parts": [{}]}}]"#,
            calls.join(","),
            results.join(",")
        );
        assert_eq!(check(Provider::Gemini, &text), faults, "{text}");
    }
}

#[test]
fn a_result_without_its_call_is_no_fault_where_the_provider_keeps_the_history() {
    let input = written(Provider::OpenAiResponses, "!a ?b !b !b ?a");
    for (kept, faults) in [
        (
            "",
            "\
$.input[0]: result before its call: id \"a\", see $.input[4]
$.input[3]: second result of one call: id \"b\", see $.input[2]",
        ),
        (
            r#", "previous_response_id": null"#,
            "\
$.input[0]: result before its call: id \"a\", see $.input[4]
$.input[3]: second result of one call: id \"b\", see $.input[2]",
        ),
        (
            r#", "previous_response_id": "resp_1""#,
            "\
$.input[3]: second result of one call: id \"b\", see $.input[2]
$.input[4]: call waits for its result: id \"a\"",
        ),
        (
            r#", "conversation": "conv_1""#,
            "\
$.input[3]: second result of one call: id \"b\", see $.input[2]
$.input[4]: call waits for its result: id \"a\"",
        ),
    ] {
        assert_eq!(check(Provider::OpenAiResponses, &format!(r#"{{"input": {input}{kept}}}"#)), faults, "{kept}");
    }
}

#[test]
fn an_empty_id_is_none_of_a_call_without() {
    let text = r#"[{"role": "user", "parts": [{"functionResponse": {"id": "", "name": "ls", "response": {}}}]},
        {"role": "model", "parts": [{"functionCall": {"name": "ls", "args": {}}}]}]"#;
    assert_eq!(
        check(Provider::Gemini, text),
        "\
$[0].parts[0]: result for no call: id \"\"
$[1].parts[0]: call waits for its result: tool \"ls\""
    );
}

#[test]
fn an_id_that_is_no_calls_may_be_that_of_a_call_in_a_history_that_is_kept() {
    let contents = written(Provider::Gemini, "? !a");
    let text = format!(r#"{{"contents": {contents}, "cachedContent": "cachedContents/1"}}"#);
    assert_eq!(check(Provider::Gemini, &text), r#"$.contents[0].parts[0]: call without a result: tool "ls""#);
}

/// [Reported](https://github.com/MoonshotAI/kimi-cli/issues/1975): strict endpoints refuse them.
#[test]
fn results_in_messages_of_their_own_are_out_of_place() {
    let faults = check(Provider::Anthropic, &anthropic("go ?a+?b !b !a"));
    assert_eq!(faults, r#"$[3].content[0]: result out of place: id "a", see $[1].content[0]"#);
}

#[test]
fn a_fault_is_one_line_whatever_the_id() {
    let faults = check(Provider::Anthropic, &anthropic("go !X").replace('X', r"a\n\u2028\u0022b"));
    assert_eq!(faults, r#"$[1].content[0]: result for no call: id "a\n\u{2028}\"b""#);
}

#[test]
fn paths_lead_into_the_whole_text() {
    let text = format!(r#"{{"model": "m", "messages": {}}}"#, anthropic("go !a"));
    assert_eq!(check(Provider::Anthropic, &text), r#"$.messages[1].content[0]: result for no call: id "a""#);
}

#[test]
fn calls_that_the_provider_runs_itself_pair_with_nothing() {
    let text = r#"[{"role": "assistant", "content": [
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}},
        {"type": "web_search_tool_result", "tool_use_id": "s1", "content": []}
    ]}]"#;
    assert_eq!(check(Provider::Anthropic, text), "");
}

#[test]
fn a_turn_is_given_only_when_every_call_before_it_has_a_result() {
    for (words, turn) in [
        ("go ?a !a ?b+?c", "b c"),
        ("go ?a ?b", "a b"),
        ("go ?a !a said", ""),
        ("go ?a !a", ""),
        ("!a ?a", "a"),
        ("go ?a stop ?b", "$[1].content[0]: expected a result of this call before the conversation goes on"),
        (
            "go ?a+?b+?c !b",
            "$[1].content[0]: expected a result of this call beside that of its turn at $[2].content[0]: whoever gave that may be running this one too",
        ),
        ("go ?a+?b !a said", "$[1].content[1]: expected a result of this call before the conversation goes on"),
        ("go ?a !b", "$[1].content[0]: expected a result of this call before the conversation goes on"),
        ("go ?b+?b", "$[1].content[1]: the id `b` is that of the call at $[1].content[0] too"),
    ] {
        let asked = match Provider::Anthropic.read(anthropic(words).into()).unwrap().turn() {
            Ok(turn) => turn.iter().flat_map(Turn::calls).filter_map(|it| it.id()).collect::<Vec<_>>().join(" "),
            Err(failure) => format!("{}: {}", failure.path().unwrap(), failure.message()),
        };
        assert_eq!(asked, turn, "{words}");
    }
}
