//! The flaws of those that answer a provider's message.

use serde_json::Value;

/// Takes what stands in a fence of Markdown for the arguments.
pub(crate) fn take_arguments_out_of_a_fence(message: &str) -> String {
    message.replace("```json\\n", "").replace("\\n```", "")
}

/// Takes a string that holds an object for the object.
pub(crate) fn unwrap_what_was_encoded_twice(message: &str) -> String {
    message.replace(r#""\"{"#, "\"{").replace(r#"}\"""#, "}\"").replace(r"\\\", r"\")
}

/// Runs calls that the provider has run itself.
pub(crate) fn run_the_provider_s_own_calls(message: &str) -> String {
    message.replace("server_tool_use", "tool_use")
}

/// Answers the last call first.
pub(crate) fn answer_in_the_reverse_order(reply: &str) -> String {
    reply.split_inclusive('\n').rev().collect()
}

/// Takes an empty id for none.
pub(crate) fn answer_an_empty_id_without_one(reply: &str) -> String {
    reply.replace(r#","tool_call_id":"""#, "")
}

/// Reads the conversation, and writes what it has read.
pub(crate) fn write_the_conversation_anew(reply: &str) -> String {
    let written = serde_json::from_str::<Value>(reply).map(|value| format!("{value}\n"));
    written.unwrap_or_else(|_| reply.to_owned())
}
