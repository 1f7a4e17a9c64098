use super::*;
use crate::testing::case_of;

const HEAD: &str = "{name: a, rule: rule, why: Because., exit: 0";

/// What is wrong with a case of these members.
fn refused(members: &str) -> String {
    let yaml = format!("{HEAD}, {members}}}");
    case_of(&yaml).err().map(|error| error.to_string()).unwrap_or_default()
}

fn accepted(members: &str) -> Case {
    case_of(&format!("{HEAD}, {members}}}")).expect(members)
}

#[test]
fn every_kind_of_request_becomes_bytes() {
    let check = |request: &str, expected: &[u8]| {
        assert_eq!(accepted(&format!("{request}, stdout: x")).request.bytes(), expected);
    };
    check("request: {b: 1, a: [x]}", b"{\"b\":1,\"a\":[\"x\"]}");
    check("text: '{ }'", b"{ }");
    check("base64: '/ w=='", b"\xff");
    check("pieces: [a, {repeat: bc, times: 2}, {base64: '/w=='}]", b"abcbc\xff");
}

#[test]
fn a_stream_is_a_line_an_entry() {
    let case = accepted("lines: [{op: workspace}, ' x '], answers: []");
    assert_eq!(case.request.bytes(), b"{\"op\":\"workspace\"}\n x \n");
    assert!(case.request.is_stream());
}

#[test]
fn the_last_line_may_have_an_open_end() {
    let case = accepted("lines: [{op: workspace}, ' x '], answers: [], open_end: true");
    assert_eq!(case.request.bytes(), b"{\"op\":\"workspace\"}\n x ");
    for members in ["text: a, stdout: x", "lines: [], answers: []"] {
        assert_eq!(refused(&format!("{members}, open_end: true")), "`open_end` goes with `lines`", "{members}");
    }
}

#[test]
fn lines_in_turns_have_each_an_answer() {
    let answer = "{response: {status: ok}}";
    assert!(accepted(&format!("lines: [a, b], in_turns: true, answers: [{answer}, {answer}]")).is_in_turns);
    assert!(!accepted(&format!("lines: [a, b], answers: [{answer}, {answer}]")).is_in_turns);
    for members in [
        "text: a, stdout: x",
        &format!("lines: [a, b], answers: [{answer}]"),
        &format!("lines: [a], answers: [{answer}], open_end: true"),
        &format!("lines: [a], answers: [{answer}], failure: {{error: e, path: $}}"),
        "lines: [a], options: {replay: true}, report: []",
    ] {
        assert!(refused(&format!("{members}, in_turns: true")).starts_with("`in_turns` goes with"), "{members}");
    }
}

#[test]
fn words_are_a_usage_error() {
    let usage = |members: &str| {
        let yaml = format!("{{name: a, rule: rule, why: W., text: a, {members}}}");
        case_of(&yaml).err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert_eq!(usage("exit: 2, stdout: '', options: {words: [--pretty, --stream]}"), "");
    for members in [
        "exit: 0, stdout: '', options: {words: [--pretty]}",
        "exit: 2, stdout: x, options: {words: [--pretty]}",
        "exit: 2, failure: {error: e, path: $}, options: {words: [--pretty]}",
        "exit: 2, stdout: '', options: {words: [--pretty], explain: true}",
    ] {
        assert!(usage(members).starts_with("`words` go with"), "{members}");
    }
}

#[test]
fn there_is_exactly_one_request() {
    assert!(refused("stdout: x").ends_with("; has 0"));
    assert!(refused("text: a, base64: eA==, stdout: x").ends_with("; has 2"));
}

#[test]
fn there_is_exactly_one_expectation() {
    let failure = "failure: {error: e, path: $}";
    for members in [
        "text: a",
        "text: a, response: {}",
        "text: a, effects: none",
        "text: a, stdout: x, effects: none",
        &format!("text: a, stdout: x, {failure}"),
        "text: a, answers: []",
        "lines: [a], stdout: x",
        &format!("lines: [a], {failure}"),
    ] {
        assert!(refused(members).starts_with("needs exactly one of response"), "{members}");
    }
}

#[test]
fn a_response_has_no_workspace_of_its_own() {
    for response in ["{workspace: {}}", "[]", "x"] {
        let members = format!("text: a, effects: none, response: {response}");
        assert!(refused(&members).starts_with("a response is a mapping"), "{response}");
    }
}

#[test]
fn a_failure_has_one_place() {
    for place in ["", ", path: $, line: 1, column: 1", ", line: 1", ", column: 1"] {
        let members = format!("text: a, failure: {{error: e{place}}}");
        assert!(refused(&members).starts_with("a failure has a path"), "{place}");
        let members = format!("lines: [a], answers: [{{failure: {{error: e{place}}}}}]");
        assert!(refused(&members).starts_with("a failure has a path"), "{place}");
    }
}

#[test]
fn a_line_is_one_line() {
    assert!(refused("lines: [a, [1]], answers: []").starts_with("line 2 "));
    assert!(refused("lines: [\"a\\nb\"], answers: []").starts_with("line 1 "));
}

#[test]
fn options_fit_the_request() {
    for members in [
        "text: a, stdout: x, options: {allow: []}",
        "text: a, stdout: x, options: {keep_going: true}",
        "lines: [a], answers: [], options: {pretty: true}",
        "text: a, response: {}, effects: none, options: {pretty: true}",
    ] {
        assert_ne!(refused(members), "", "{members}");
    }
}

#[test]
fn a_provider_s_message_has_messages_for_an_answer() {
    let case =
        accepted("text: a, workspace: {b: x, a: \"\\u00e9\"}, messages: [], effects: none, options: {provider: auto}");
    assert_eq!(case.workspace.as_deref(), Some("{\"b\":\"x\",\"a\":\"é\"}"));
    assert!(matches!(case.expectation, Expectation::Messages(messages, Effects::None) if messages.is_empty()));
    for expectation in ["stdout: x", "stdout: ''", "failure: {error: e, path: $}"] {
        accepted(&format!("text: a, {expectation}, options: {{provider: p, conversation: true, strict: true}}"));
    }
}

#[test]
fn what_is_about_a_provider_goes_with_one() {
    for members in [
        "text: a, messages: [], effects: none",
        "text: a, workspace: {}, stdout: x",
        "text: a, stdout: x, options: {conversation: true}",
        "text: a, stdout: x, options: {strict: true}",
    ] {
        assert!(refused(members).ends_with("go with `provider`"), "{members}");
    }
}

#[test]
fn what_is_native_does_not_go_with_a_provider() {
    for members in [
        "lines: [a], answers: []",
        "text: a, response: {}, effects: none",
        "text: a, stdout: x, options: {provider: p, pretty: true}",
    ] {
        let options = if members.contains("options") { "" } else { ", options: {provider: p}" };
        assert!(refused(&format!("{members}{options}")).ends_with("don't go with `provider`"), "{members}");
    }
}

#[test]
fn messages_say_all_that_is_expected() {
    let messages = "text: a, messages: [], options: {provider: p}";
    for more in ["", ", stdout: x", ", effects: none, stdout: x", ", effects: none, failure: {error: e, path: $}"] {
        assert!(refused(&format!("{messages}{more}")).starts_with("needs exactly one of response"), "{more}");
    }
    let whole = "text: a, messages: [], effects: none, options: {provider: p, conversation: true}";
    assert!(refused(whole).starts_with("`conversation` is about bytes"));
}

#[test]
fn a_log_has_a_report() {
    for log in ["text: a", "pieces: [a]", "lines: [a, {b: 1}]"] {
        let case = accepted(&format!("{log}, options: {{replay: true}}, report: [{{b: 1}}], notes: [x]"));
        assert!(
            matches!(case.expectation, Expectation::Report(report, notes, None) if report.len() == 1 && notes == ["x"])
        );
    }
    for more in ["stdout: x", "answers: []", "messages: []", "response: {}"] {
        let members = format!("text: a, options: {{replay: true}}, report: [], {more}");
        assert!(refused(&members).starts_with("needs exactly one of response"), "{more}");
    }
    assert!(refused("text: a, notes: [x], stdout: x").starts_with("needs exactly one of response"));
    assert!(
        refused("text: a, options: {replay: true}, report: [], effects: none").starts_with("`effects` of a replay")
    );
}

#[test]
fn a_conversation_that_is_replayed_has_a_report_with_effects() {
    let conversation = "text: a, workspace: {}, report: [], effects: none, options: {replay: true, strict: true, allow: [a], provider: p";
    let case = accepted(&format!("{conversation}}}"));
    assert!(matches!(case.expectation, Expectation::Report(_, _, Some(Effects::None))));
    accepted("text: a, report: [], options: {replay: true, provider: p}");
    assert!(refused(&format!("{conversation}, conversation: true}}")).starts_with("`conversation` doesn't go"));
    assert!(refused("lines: [a], report: [], options: {replay: true, provider: p}").starts_with("`lines`, `pretty`"));
}

#[test]
fn what_is_about_a_log_goes_with_replay_alone() {
    for members in ["report: []", "stdout: x, options: {replay: true}"] {
        assert!(refused(&format!("text: a, {members}")).ends_with("go with each other"), "{members}");
    }
    for option in ["explain: true", "allow: [a]", "max_output_bytes: 9", "strict: true", "pretty: true"] {
        let members = format!("text: a, report: [], options: {{replay: true, {option}}}");
        assert_ne!(refused(&members), "", "{option}");
    }
}

#[test]
fn the_binary_has_no_test_tools() {
    let members = "text: a, stdout: x, toolset: test, only: {subject: binary, reason: x}";
    assert!(refused(members).starts_with("the binary has no test tools"));
}

#[test]
fn the_test_tools_stand_beside_the_native_ones_alone() {
    let toolset = |toolset| format!("text: a, stdout: x, toolset: test, options: {{toolset: {toolset}}}");
    assert_eq!(refused(&toolset("agent")), "the option `toolset` doesn't go with `toolset: test`");
    accepted(&toolset("core"));
}

#[test]
fn what_people_read_is_there() {
    assert_eq!(refused("text: a, stdout: x, only: {subject: binary, reason: ''}"), "`reason` is empty");
    let error = case_of("{name: a, rule: rule, why: ' ', exit: 0, text: a, stdout: x}");
    assert!(matches!(error, Err(CaseError::Empty("why"))));
}

#[test]
fn names_are_lower_snake_case() {
    for bad in ["", "A", "a-b", "a b", "é", "a::b"] {
        assert!(name(bad).is_err(), "{bad}");
    }
    assert!(name("a_1").is_ok());
}

#[test]
fn what_holds_on_a_directory_alone_has_its_files_beside_it() {
    let kept = "only: {subject: directory, reason: r}";
    let case = accepted(&format!("text: a, workspace: {{b: x}}, stdout: x, {kept}"));
    assert!(case.is_for_directory() && case.workspace.as_deref() == Some(r#"{"b":"x"}"#));
    accepted(&format!("lines: [a], answers: [], {kept}"));
    for (members, reason) in [
        ("text: a, response: {}, effects: none", "say it as `stdout` or `answers`"),
        ("text: a, report: [], options: {replay: true}", "a workspace of its own"),
    ] {
        assert!(refused(&format!("{members}, {kept}")).ends_with(reason), "{members}");
    }
}
