//! The flaws of those that replay a log or a conversation.

use serde_json::Value;

/// Takes a last line that lacks its line feed alone for one that was not written whole.
pub(crate) fn cut_off_the_last_line(log: &str) -> String {
    let Some((before, last)) = log.rsplit_once('\n') else { return log.to_owned() };
    // Half of it is torn for everybody.
    if last.is_empty() { log.to_owned() } else { format!("{before}\n{{") }
}

/// Passes over what is no JSON, wherever it stands.
pub(crate) fn pass_over_what_is_no_json(log: &str) -> String {
    log.split_inclusive('\n').filter(|line| serde_json::from_str::<Value>(line).is_ok()).collect()
}

/// Lets a later session begin with the files of the one before.
pub(crate) fn pass_over_later_headers(log: &str) -> String {
    let is_later_header = |(index, line): &(usize, &str)| *index > 0 && line.contains("\"format\":");
    let lines = log.split_inclusive('\n').enumerate();
    lines.filter(|line| !is_later_header(line)).map(|(_, line)| line).collect()
}

/// Passes over what says that a result is an error.
pub(crate) fn pass_over_flags(conversation: &str) -> String {
    conversation.replace(r#""is_error":true,"#, "")
}
