use insta::assert_snapshot;
use proptest::prelude::*;

use crate::pairing::short::{shortened, written};
use crate::{Conversation, PairingFault, PairingFaultKind, Provider};

fn repaired(provider: Provider, text: &str) -> String {
    provider.read(text.into()).unwrap().repaired().text().to_owned()
}

/// Repairs a conversation in short, and again to no effect. `~a` is a result that was put in.
fn mended(provider: Provider, words: &str) -> String {
    let text = repaired(provider, &written(provider, words));
    assert_eq!(repaired(provider, &text), text, "{provider}: {words}");
    shortened(provider, &text)
}

#[test]
fn each_call_gets_a_result_where_the_provider_wants_it() {
    for (provider, words, mended_words) in [
        (Provider::Anthropic, "go ?a", "go ?a ~a"),
        (Provider::Anthropic, "go ?a+hm+?b", "go ?a+hm+?b ~a+~b"),
        (Provider::Anthropic, "go ?a ?b", "go ?a ?b ~a+~b"),
        (Provider::Anthropic, "go ?a stop", "go ?a ~a+stop"),
        (Provider::Anthropic, "go ?a+?b+?c !b+stop", "go ?a+?b+?c ~a+!b+~c+stop"),
        (Provider::Anthropic, "go ?a+?b+?c+?d !a", "go ?a+?b+?c+?d !a+~b+~c+~d"),
        (Provider::Anthropic, "go ?a+?b hm+!a", "go ?a+?b ~b+hm+!a"),
        (Provider::Anthropic, "go ?a stop !a", "go ?a stop !a"),
        (Provider::Anthropic, "!a ?a stop", "!a ?a stop"),
        (Provider::Anthropic, "go ?a stop ?b !b ?a go", "go ?a ~a+stop ?b !b ?a ~a+go"),
        (Provider::Anthropic, "go ?a !z", "go ?a ~a+!z"),
        (Provider::Bedrock, "go ?a+?b !b+stop", "go ?a+?b ~a+!b+stop"),
        (Provider::Bedrock, "go ?a stop", "go ?a ~a+stop"),
        (Provider::Gemini, "go ?a stop", "go ?a ~a stop"),
        (Provider::Gemini, "go ?a+?b !b", "go ?a+?b ~a+!b"),
        (Provider::Gemini, "go ?+?+? !+!", "go ?+?+? !+!+~"),
        (Provider::Gemini, "go ? stop ? ! ?", "go ? ~ stop ? ! ? ~"),
        (Provider::Gemini, "go ?a+?b !", "go ?a+?b !+~b"),
        (Provider::Gemini, "go ?+? !z", "go ?+? !z+~"),
        (Provider::Gemini, "go ?+?a !z+!y", "go ?+?a !z+~a+!y"),
        (Provider::Gemini, "!b ?+?a ?b+?a !+!", "!b ?+?a ?b+?a !+~a+~a+!"),
        (Provider::Gemini, "go ?a+?a.w !", "go ?a+?a.w ~a+~a.w+!"),
        (Provider::Gemini, "!b ?b+?a+? !+!", "!b ?b+?a+? !+!"),
        (Provider::OpenAiChat, "go ?a+?b+?c !b stop", "go ?a+?b+?c ~a !b ~c stop"),
        (Provider::OpenAiChat, "go ?a ?b !b", "go ?a ~a ?b !b"),
        (Provider::OpenAiResponses, "go ?a ?b ?c !b stop", "go ?a ?b ?c ~a !b ~c stop"),
        (Provider::OpenAiResponses, "go ?a stop !a ?b", "go ?a stop !a ?b ~b"),
        (Provider::Mcp, "?a ?b !b", "?a ?b ~a !b"),
    ] {
        assert_eq!(mended(provider, words), mended_words, "{provider}: {words}");
    }
}

/// [Reported](https://github.com/anomalyco/opencode/issues/3230): an interruption left calls without results, and every later request was refused.
#[test]
fn a_text_in_place_of_blocks_becomes_one_after_the_results() {
    let text = r#"{"messages": [{"role": "user", "content": "go"},
 {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "bash", "input": {"command": "sleep 9"}},
  {"type": "tool_use", "id": "t2", "name": "read_file", "input": {"path": "a"}}]},
 {"role":"user", "content": "stop \u0021" }], "model": "m"}"#;
    assert_snapshot!(repaired(Provider::Anthropic, text), @r#"
    {"messages": [{"role": "user", "content": "go"},
     {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "bash", "input": {"command": "sleep 9"}},
      {"type": "tool_use", "id": "t2", "name": "read_file", "input": {"path": "a"}}]},
     {"role":"user", "content": [{"content":"outcome_unknown: The call was interrupted. Nobody knows how far it came: its effects may have happened.","is_error":true,"tool_use_id":"t1","type":"tool_result"},{"content":"outcome_unknown: The call was interrupted. Nobody knows how far it came: its effects may have happened.","is_error":true,"tool_use_id":"t2","type":"tool_result"},{"type":"text","text":"stop \u0021"}] }], "model": "m"}
    "#);
}

#[test]
fn of_an_empty_text_no_block_is_made() {
    let asked = r#"{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"ls","input":{}}]}"#;
    for content in [r#""""#, r#"" \n""#, "[]"] {
        let text = format!(r#"[{asked},{{"role":"user","content":{content}}}]"#);
        assert_eq!(shortened(Provider::Anthropic, &repaired(Provider::Anthropic, &text)), "?a ~a", "{content}");
    }
}

#[test]
fn a_response_body_becomes_a_conversation() {
    let text = r#"{"id": "m", "type": "message", "role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "ls", "input": { }}]}"#;
    assert_snapshot!(repaired(Provider::Anthropic, text), @r#"[{"content":[{"type": "tool_use", "id": "a", "name": "ls", "input": { }}],"role":"assistant"},{"content":[{"content":"outcome_unknown: The call was interrupted. Nobody knows how far it came: its effects may have happened.","is_error":true,"tool_use_id":"a","type":"tool_result"}],"role":"user"}]"#);
}

#[test]
fn what_has_no_open_call_stays_to_the_letter() {
    for text in [
        r#" { "messages" : [ ] } "#,
        "[]\n",
        r#"{"role": "assistant", "content": "h\u0069"}"#,
        r#"[{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "z"}]}]"#,
    ] {
        assert_eq!(repaired(Provider::Anthropic, text).trim_end_matches('\n'), text.trim_end_matches('\n'));
    }
}

fn is_of_an_open_call(fault: &PairingFault) -> bool {
    matches!(fault.kind(), PairingFaultKind::Unanswered | PairingFaultKind::Waiting)
}

fn is_of_a_result_without_call(fault: &PairingFault) -> bool {
    matches!(fault.kind(), PairingFaultKind::NoCall | PairingFaultKind::AnsweredTwice)
}

/// Conversations with few ids and tools, so that they meet, and with calls and results without an id, or without a tool's name, among them.
fn words() -> impl Strategy<Value = String> {
    let asked = prop::collection::vec("([?][ab]?|[?][ab]?|[?][ab]?[.]w|![ab]?)", 1..4);
    let answered = prop::collection::vec("([!][ab]?|[!][ab]?|[!][ab]?[.]w?|hm)", 1..4);
    let message = prop_oneof![asked, answered, Just(vec!["said".to_owned()]), Just(vec!["go".to_owned()])];
    prop::collection::vec(message.prop_map(|parts| parts.join("+")), 0..8).prop_map(|words| words.join(" "))
}

fn loses_nothing(provider: Provider, text: &str, repaired: &str) -> Result<(), TestCaseError> {
    let shown = shortened(provider, repaired);
    let without: String = shown.split_inclusive(['+', ' ']).filter(|part| !part.starts_with('~')).collect();
    let parts = |text: &str| text.split(['+', ' ']).map(str::to_owned).collect::<Vec<_>>();
    prop_assert_eq!(parts(without.trim_end_matches(['+', ' '])), parts(&shortened(provider, text)));
    Ok(())
}

proptest! {
    #[test]
    fn nothing_is_open_after_a_repair_no_result_loses_its_call_and_a_second_does_nothing(words in words()) {
        for provider in Provider::ALL.iter().copied() {
            let text = written(provider, &words);
            let conversation = provider.read(text.clone().into()).unwrap();
            let open: Vec<PairingFault> = conversation.check().into_iter().filter(is_of_an_open_call).collect();
            let repaired = conversation.repaired();
            prop_assert_eq!(repaired.mended(), &open);

            let again = provider.read(repaired.text().into()).unwrap();
            prop_assert!(!again.check().iter().any(is_of_an_open_call), "{} {}", provider, repaired.text());
            let twice = again.repaired();
            prop_assert_eq!(twice.text(), repaired.text());
            prop_assert!(again.check().len() <= conversation.check().len(), "{} {}", provider, words);
            let without_call = |it: &Conversation| it.check().iter().filter(|fault| is_of_a_result_without_call(fault)).count();
            prop_assert_eq!(without_call(&again), without_call(&conversation), "{} {}", provider, words);

            loses_nothing(provider, &text, repaired.text())?;
        }
    }
}
