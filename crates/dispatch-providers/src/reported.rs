//! Errors that a provider reports in place of an answer: what is told then is the provider's own text.
//!
//! They stand under `error` ([Anthropic](https://docs.claude.com/en/api/errors), [OpenAI](https://platform.openai.com/docs/guides/error-codes),
//! [Google](https://google.aip.dev/193), which may put a list around it), or are a `message` alone
//! ([AWS](https://docs.aws.amazon.com/bedrock/latest/APIReference/CommonErrors.html), in either spelling).

use dispatch_core::json::{Kind, Node};

use crate::fault::{Fault, Judged, Within, given, has};

/// Returns what an error says of itself.
pub(crate) fn text(data: Node<'_>) -> String {
    let error = given(data, "error").unwrap_or(data);
    let text = given(error, "message").and_then(Node::as_str).or_else(|| error.as_str());
    text.map_or_else(|| error.raw().to_owned(), std::borrow::Cow::into_owned)
}

/// Returns the fault of a body that is an error.
pub(crate) fn in_body(root: Node<'_>) -> Option<Fault> {
    in_list(root).or_else(|| in_error(root).or_else(|| in_message(root))?.err())
}

/// Returns the fault of a list that holds an error and nothing else. What bears a mark of a message is one.
pub(crate) fn in_list(root: Node<'_>) -> Option<Fault> {
    let mut elements = root.elements();
    let only = elements.next().filter(|_| elements.next().is_none())?;
    let is_message = ["role", "type", "parts", "jsonrpc"].iter().any(|mark| has(only, mark));
    in_error(only).filter(|_| !is_message)?.within_element(0).err()
}

fn in_error(body: Node<'_>) -> Option<Judged<()>> {
    let error = given(body, "error").filter(|error| matches!(error.kind(), Kind::Object | Kind::String))?;
    Some(fault(&text(error)).within_member("error"))
}

fn in_message(body: Node<'_>) -> Option<Judged<()>> {
    let said = |name| Some((name, body.get(name)?.as_str()?));
    let (name, text) = ["message", "Message"].into_iter().find_map(said)?;
    Some(fault(&text).within_member(name))
}

fn fault(text: &str) -> Judged<()> {
    Err(Fault::new(format!("the body reports an error: {text}")))
}

#[cfg(test)]
mod tests {
    use crate::Provider;

    /// Reads a body and returns where what is told of it, as each of these providers' and as whosever it may be.
    fn check(providers: &[Provider], body: &str, expected: &str) {
        for provider in providers {
            assert_eq!(provider.asked(body), expected, "{provider}: {body}");
        }
        let failure = Provider::recognise(body.as_bytes()).unwrap_err();
        let place = failure.path().map_or(String::new(), |path| format!("{path}: "));
        assert_eq!(place + failure.message(), expected, "{body}");
    }

    #[test]
    fn an_error_is_told_in_the_providers_own_words() {
        use Provider::{Anthropic, Bedrock, Gemini, Mcp, OpenAiChat, OpenAiResponses};
        let overloaded = r#"{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}"#;
        check(Provider::ALL, overloaded, "$.error: the body reports an error: Overloaded");
        let limited = r#"{"error": {"message": "Rate limit", "type": "requests", "code": null}}"#;
        check(&[OpenAiChat, OpenAiResponses, Gemini], limited, "$.error: the body reports an error: Rate limit");
        check(&[OpenAiChat], r#"{"error": "no such model"}"#, "$.error: the body reports an error: no such model");
        check(&[OpenAiChat], r#"[{"error": {"message": "busy"}}]"#, "$[0].error: the body reports an error: busy");
        check(&[OpenAiChat], r#"{"choices": [], "error": {"message": "a"}}"#, "$.error: the body reports an error: a");
        check(&[Bedrock], r#"{"message": "Too many"}"#, "$.message: the body reports an error: Too many");
        check(&[Bedrock, Anthropic, Mcp], r#"{"Message": "No"}"#, "$.Message: the body reports an error: No");
    }

    #[test]
    fn what_only_has_an_error_beside_its_messages_is_none() {
        for (provider, body) in [
            (Provider::Mcp, r#"{"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "no"}}"#),
            (Provider::Mcp, r#"[{"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "no"}}]"#),
            (Provider::OpenAiResponses, r#"{"output": [], "error": null}"#),
            (Provider::OpenAiResponses, r#"{"input": "Hi.", "error": null}"#),
            (
                Provider::OpenAiChat,
                r#"{"choices": [{"message": {"role": "assistant"}}], "error": {"message": "late"}}"#,
            ),
        ] {
            assert_eq!(provider.asked(body), "no calls", "{body}");
        }
    }

    #[test]
    fn a_stream_of_nothing_but_an_error_is_told_whosever_it_is() {
        let failure =
            Provider::recognise(b"event: error\ndata: {\"error\": {\"message\": \"Overloaded\"}}\n\n").unwrap_err();
        assert_eq!(failure.message(), "the stream reports an error: Overloaded");
        assert_eq!(failure.position().map(|at| (at.line, at.column)), Some((2, 7)));
        let failure = Provider::recognise(b": ping\n\ndata: {\"a\": 1}\n\n").unwrap_err();
        assert_eq!(
            failure.message(),
            "expected JSON, or a provider's stream of events: none of these events says whose it is"
        );
    }
}
