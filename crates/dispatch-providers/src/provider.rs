//! The providers, and the one table of what differs between them.

use std::fmt;
use std::str::FromStr;

use dispatch_core::json::Document;
use dispatch_core::protocol::Failure;

use crate::anthropic::Anthropic;
use crate::bedrock::Bedrock;
use crate::conversation::Conversation;
use crate::gemini::Gemini;
use crate::mcp::Mcp;
use crate::openai_chat::OpenAiChat;
use crate::openai_responses::OpenAiResponses;
use crate::pairing::Answers;
use crate::recognise;
use crate::shape::Shape;
use crate::stream;

/// A provider's way to write tools, calls and results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Provider {
    /// Anthropic's Messages API.
    Anthropic,
    /// OpenAI's Chat Completions API, which many servers speak.
    OpenAiChat,
    /// OpenAI's Responses API.
    OpenAiResponses,
    /// Google's Gemini API, `generateContent`.
    Gemini,
    /// Amazon Bedrock's Converse API.
    Bedrock,
    /// The Model Context Protocol: `tools/list` and `tools/call`.
    Mcp,
}

/// What differs between the providers, as far as this crate goes by it.
struct Row {
    name: &'static str,
    shape: &'static dyn Shape,
    answers: Answers,
}

/// A name that is no provider's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no provider `{0}`")]
pub struct UnknownProvider(String);

impl Provider {
    /// Every provider.
    pub const ALL: &'static [Self] =
        &[Self::Anthropic, Self::OpenAiChat, Self::OpenAiResponses, Self::Gemini, Self::Bedrock, Self::Mcp];

    fn row(self) -> Row {
        match self {
            Self::Anthropic => Row {
                name: "anthropic",
                shape: &Anthropic,
                answers: Answers::NextMessage { list: "content", leading: true, shared: true },
            },
            Self::OpenAiChat => Row { name: "openai-chat", shape: &OpenAiChat, answers: Answers::DirectlyAfter },
            Self::OpenAiResponses => {
                Row { name: "openai-responses", shape: &OpenAiResponses, answers: Answers::AnywhereLater }
            }
            Self::Gemini => Row {
                name: "gemini",
                shape: &Gemini,
                answers: Answers::NextMessage { list: "parts", leading: false, shared: false },
            },
            Self::Bedrock => Row {
                name: "bedrock",
                shape: &Bedrock,
                answers: Answers::NextMessage { list: "content", leading: false, shared: true },
            },
            Self::Mcp => Row { name: "mcp", shape: &Mcp, answers: Answers::AnywhereLater },
        }
    }

    /// Returns the provider's name, as the command line takes it.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    pub(crate) fn shape(self) -> &'static dyn Shape {
        self.row().shape
    }

    pub(crate) fn answers(self) -> Answers {
        self.row().answers
    }

    /// Reads a response body, one message, or a whole conversation. A body may be a stream of events, as [`assemble`](Self::assemble) takes it.
    ///
    /// # Errors
    ///
    /// A [`Failure`] when the text is no JSON, or not of this provider's shape: what was expected where.
    ///
    /// ```
    /// use dispatch_providers::Provider;
    ///
    /// let failure = Provider::Anthropic.read(br#"{"role": "assistant", "content": 7}"#.to_vec()).unwrap_err();
    /// assert_eq!(failure.path().unwrap().to_string(), "$.content");
    /// assert_eq!(failure.message(), "expected array, found integer");
    /// ```
    pub fn read(self, text: Vec<u8>) -> Result<Conversation, Failure> {
        Conversation::read(self, text)
    }

    /// Assembles a streamed response body into the one that would have come without streaming. Any other text is only parsed.
    ///
    /// A stream is [server-sent events](https://html.spec.whatwg.org/multipage/server-sent-events.html), or of Gemini also an array of
    /// chunks. Arguments come out to the letter, whatever the pieces they came in. What only measures, such as log probabilities, is left out.
    ///
    /// # Errors
    ///
    /// A [`Failure`] with its place in the stream when an event is no JSON or not of this provider's shape, when the stream reports an error,
    /// and when it is cut off: in the middle of a call it names that call, and **no call comes out with half its arguments**. Bedrock and MCP
    /// have no such streams here.
    ///
    /// ```
    /// use dispatch_providers::Provider;
    ///
    /// let whole = concat!(
    ///     "data: {\"type\":\"message_start\",\"message\":{\"role\":\"assistant\",\"content\":[]}}\n\n",
    ///     "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"ls\",\"input\":{}}}\n\n",
    ///     "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"a\\\": 1.0}\"}}\n\n",
    ///     "data: {\"type\":\"content_block_stop\",\"index\":0}\n\n",
    ///     "data: {\"type\":\"message_stop\"}\n\n",
    /// );
    /// let body = Provider::Anthropic.assemble(whole.into())?;
    /// assert_eq!(body.text(), r#"{"content":[{"id":"t1","input":{"a": 1.0},"name":"ls","type":"tool_use"}],"role":"assistant"}"#);
    ///
    /// let cut = whole.split_at(300).0;
    /// let failure = Provider::Anthropic.assemble(cut.into()).unwrap_err();
    /// assert_eq!(failure.message(), "the stream is cut off in the middle of the call `ls`, id `t1`");
    /// # Ok::<(), dispatch_core::protocol::Failure>(())
    /// ```
    pub fn assemble(self, stream: Vec<u8>) -> Result<Document, Failure> {
        stream::body(self, stream)
    }

    /// Reads a text of a provider that is not known, which must be of one provider's shape and no other's.
    ///
    /// What tells is a mark of one provider's response bodies and requests, else that only one reads it, else that only one finds
    /// calls or results in it.
    ///
    /// # Errors
    ///
    /// A [`Failure`] when the text is no JSON, of no provider's shape, or of more than one's: an assistant's message without a call looks the same in
    /// several APIs.
    ///
    /// ```
    /// use dispatch_providers::Provider;
    ///
    /// let call = r#"{"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "ls", "input": {}}]}"#;
    /// assert_eq!(Provider::recognise(call.as_bytes())?.provider(), Provider::Anthropic);
    ///
    /// let failure = Provider::recognise(b"[7]").unwrap_err();
    /// assert!(failure.message().starts_with("of no provider's shape"));
    /// # Ok::<(), dispatch_core::protocol::Failure>(())
    /// ```
    pub fn recognise(text: &[u8]) -> Result<Conversation, Failure> {
        recognise::recognise(text)
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Provider {
    type Err = UnknownProvider;

    fn from_str(name: &str) -> Result<Self, UnknownProvider> {
        let named = Self::ALL.iter().find(|provider| provider.name() == name);
        named.copied().ok_or_else(|| UnknownProvider(name.to_owned()))
    }
}
