//! The providers, and the one table of what differs between them.

use std::fmt;
use std::str::FromStr;

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

    /// Reads a response body, one message, or a whole conversation.
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
