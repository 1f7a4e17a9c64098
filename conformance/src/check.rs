//! From what a file has to a case: what doesn't go together is refused here, by name.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use thiserror::Error;

use crate::case::{Case, Expectation, Piece, Request};
use crate::json::Json;
use crate::rules::Rules;
use crate::yaml::{CaseText, Effects, Failure, Options, OwnToolset, PieceText, SubjectName, Toolset};

/// Says why what a file has is no case.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CaseError {
    /// A name has other letters than a-z, 0-9 and `_`, or none.
    #[error("`{0}` is no name: a name has letters a-z, digits and `_`")]
    Name(String),
    /// The rule is no heading of the page.
    #[error("rule `{0}` is no heading of docs/protocol.md")]
    UnknownRule(String),
    /// A text for people is empty.
    #[error("`{0}` is empty")]
    Empty(&'static str),
    /// There are several requests, or none.
    #[error("needs exactly one of request, text, base64, pieces, lines; has {0}")]
    Requests(usize),
    /// The expectation's members don't go together, or not with the request.
    #[error(
        "needs exactly one of response with effects, messages with effects, stdout, failure; \
         for lines: answers, with a failure where the stream ended; or for a log: report, with notes"
    )]
    Expectation,
    /// A response is no mapping, or states what `effects` says.
    #[error("a response is a mapping, and its `workspace` is said by `effects`")]
    Response,
    /// A failure has no place, or two.
    #[error("a failure has a path, or a line and a column")]
    Place,
    /// The base64 can't be read.
    #[error("bad base64: {0}")]
    Base64(#[from] base64::DecodeError),
    /// A line of a stream can't be sent as one line.
    #[error("line {0} is neither a mapping nor a text without a line end")]
    Line(usize),
    /// An option can't be had with this request or expectation.
    #[error("{0}")]
    Option(&'static str),
    /// No subject could run it.
    #[error("the binary has no test tools: only the library can run this")]
    NoSubject,
}

/// Makes the case of an area and a topic of what a file has.
///
/// # Errors
///
/// The members don't go together, or name what is not there.
pub fn case(area: &str, topic: &str, text: CaseText, rules: &Rules) -> Result<Case, CaseError> {
    texts(&text, rules)?;
    subject(&text)?;
    let request = request(&text)?;
    let expectation = expectation(&text)?;
    let options = text.options.unwrap_or_default();
    check_toolset(&options, text.toolset)?;
    check_options(&options, &request, &expectation)?;
    check_replay(&options, &expectation)?;
    check_words(&options, text.exit, &expectation)?;
    check_lines(text.open_end, text.in_turns, &request, &expectation)?;
    let is_for_directory = text.only.as_ref().is_some_and(|only| only.subject == SubjectName::Directory);
    check_directory(is_for_directory, &options, &expectation)?;
    check_provider(&options, text.workspace.is_some() && !is_for_directory, &request, &expectation)?;
    Ok(Case {
        area: area.to_owned(),
        topic: topic.to_owned(),
        name: text.name,
        rule: text.rule,
        why: text.why,
        source: text.source,
        request,
        is_in_turns: text.in_turns,
        workspace: text.workspace.map(|workspace| workspace.compact()),
        expectation,
        exit: text.exit.into(),
        options,
        toolset: text.toolset,
        only: text.only,
    })
}

/// Refuses what can't be part of a test's name.
///
/// # Errors
///
/// The text is empty or has other letters than a-z, 0-9 and `_`.
pub fn name(name: &str) -> Result<(), CaseError> {
    let is_allowed = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
    if !name.is_empty() && name.bytes().all(is_allowed) {
        return Ok(());
    }
    Err(CaseError::Name(name.to_owned()))
}

fn texts(text: &CaseText, rules: &Rules) -> Result<(), CaseError> {
    name(&text.name)?;
    if !rules.holds(&text.rule) {
        return Err(CaseError::UnknownRule(text.rule.clone()));
    }
    if text.why.trim().is_empty() {
        return Err(CaseError::Empty("why"));
    }
    match &text.only {
        Some(only) if only.reason.trim().is_empty() => Err(CaseError::Empty("reason")),
        _ => Ok(()),
    }
}

fn subject(text: &CaseText) -> Result<(), CaseError> {
    let only = text.only.as_ref().map(|only| only.subject);
    if text.toolset == Toolset::Test && only == Some(SubjectName::Binary) {
        return Err(CaseError::NoSubject);
    }
    Ok(())
}

fn request(text: &CaseText) -> Result<Request, CaseError> {
    let mut requests = Vec::new();
    let bytes = |bytes: Vec<u8>| Request::One(vec![Piece::Bytes(bytes)]);
    requests.extend(text.request.iter().map(|json| Ok(bytes(json.compact().into_bytes()))));
    requests.extend(text.text.iter().map(|text| Ok(bytes(text.clone().into_bytes()))));
    requests.extend(text.base64.iter().map(|base64| decode(base64).map(bytes)));
    requests.extend(text.pieces.iter().map(|pieces| parts(pieces).map(Request::One)));
    requests.extend(text.lines.iter().map(|entries| lines(entries, text.open_end).map(Request::Stream)));
    let count = requests.len();
    match requests.pop() {
        Some(request) if count == 1 => request,
        _ => Err(CaseError::Requests(count)),
    }
}

fn decode(base64: &str) -> Result<Vec<u8>, CaseError> {
    let letters: String = base64.split_ascii_whitespace().collect();
    Ok(STANDARD.decode(letters)?)
}

fn parts(pieces: &[PieceText]) -> Result<Vec<Piece>, CaseError> {
    let piece = |piece: &PieceText| match piece {
        PieceText::Text(text) => Ok(Piece::Bytes(text.clone().into_bytes())),
        PieceText::Repeat(text, times) => Ok(Piece::Repeat(text.clone(), *times)),
        PieceText::Base64(base64) => decode(base64).map(Piece::Bytes),
    };
    pieces.iter().map(piece).collect()
}

fn lines(entries: &[Json], has_open_end: bool) -> Result<Vec<String>, CaseError> {
    let end = |index| if has_open_end && index + 1 == entries.len() { "" } else { "\n" };
    let line = |(index, entry)| Ok(line(entry).ok_or(CaseError::Line(index + 1))? + end(index));
    entries.iter().enumerate().map(line).collect()
}

fn line(entry: &Json) -> Option<String> {
    if let Json::Object(_) = entry {
        return Some(entry.compact());
    }
    let Json::Text(text) = entry else { return None };
    (!text.contains('\n')).then(|| text.clone())
}

fn expectation(text: &CaseText) -> Result<Expectation, CaseError> {
    if text.report.is_some() || text.notes.is_some() {
        return report_alone(text);
    }
    if let (Some(messages), Some(effects)) = (&text.messages, &text.effects) {
        return messages_alone(text, messages, effects);
    }
    let parts = (&text.response, &text.effects, &text.stdout, &text.answers, &text.failure);
    let expectation = match (text.lines.is_some() || text.messages.is_some(), parts) {
        (false, (Some(response), Some(effects), None, None, None)) => respond(response, effects)?,
        (false, (None, None, Some(stdout), None, None)) => Expectation::Stdout(stdout.clone()),
        (false, (None, None, None, None, Some(failure))) => Expectation::Failure(failure.clone()),
        (true, (None, None, None, Some(answers), failure)) => Expectation::Answers(answers.clone(), failure.clone()),
        _ => return Err(CaseError::Expectation),
    };
    if expectation.failures().all(has_one_place) { Ok(expectation) } else { Err(CaseError::Place) }
}

fn messages_alone(text: &CaseText, messages: &[Json], effects: &Effects) -> Result<Expectation, CaseError> {
    match (&text.response, &text.stdout, &text.answers, &text.failure) {
        (None, None, None, None) => Ok(Expectation::Messages(messages.to_vec(), effects.clone())),
        _ => Err(CaseError::Expectation),
    }
}

fn report_alone(text: &CaseText) -> Result<Expectation, CaseError> {
    let has_more = text.response.is_some()
        || text.messages.is_some()
        || text.stdout.is_some()
        || text.answers.is_some()
        || text.failure.is_some();
    match &text.report {
        Some(report) if !has_more => {
            let notes = text.notes.clone().unwrap_or_default();
            Ok(Expectation::Report(report.clone(), notes, text.effects.clone()))
        }
        _ => Err(CaseError::Expectation),
    }
}

fn respond(response: &Json, effects: &Effects) -> Result<Expectation, CaseError> {
    let Json::Object(members) = response else { return Err(CaseError::Response) };
    if members.iter().any(|(name, _)| name == "workspace") {
        return Err(CaseError::Response);
    }
    Ok(Expectation::Response(members.clone(), effects.clone()))
}

fn has_one_place(failure: &Failure) -> bool {
    matches!((&failure.path, failure.line, failure.column), (Some(_), None, None) | (None, Some(_), Some(_)))
}

fn check_options(options: &Options, request: &Request, expectation: &Expectation) -> Result<(), CaseError> {
    let refusals = [
        (options.allow.as_ref().is_some_and(Vec::is_empty), "an empty `allow` can't be said on a command line"),
        (options.keep_going && !request.is_stream(), "`keep_going` goes with `lines`"),
        (options.pretty && request.is_stream(), "`pretty` doesn't go with `lines`"),
        (
            options.pretty && matches!(expectation, Expectation::Response(..)),
            "`pretty` is about bytes: say them as `stdout`",
        ),
    ];
    match refusals.into_iter().find(|(is_refused, _)| *is_refused) {
        Some((_, reason)) => Err(CaseError::Option(reason)),
        None => Ok(()),
    }
}

/// The test tools stand beside the native ones alone.
fn check_toolset(options: &Options, toolset: Toolset) -> Result<(), CaseError> {
    if toolset == Toolset::Test && options.toolset != OwnToolset::Core {
        return Err(CaseError::Option("the option `toolset` doesn't go with `toolset: test`"));
    }
    Ok(())
}

/// A log holds what narrowed its session, so that nothing else goes with `replay`. A conversation does not.
fn check_replay(options: &Options, expectation: &Expectation) -> Result<(), CaseError> {
    if options.replay != matches!(expectation, Expectation::Report(..)) {
        return Err(CaseError::Option("`report` and `replay` go with each other"));
    }
    let alone = Options { replay: true, ..Options::default() };
    if options.replay && options.provider.is_none() && *options != alone {
        return Err(CaseError::Option("no other option goes with `replay` of a log"));
    }
    if options.replay && options.conversation {
        return Err(CaseError::Option("`conversation` doesn't go with `replay`"));
    }
    if options.provider.is_none() && matches!(expectation, Expectation::Report(_, _, Some(_))) {
        return Err(CaseError::Option("`effects` of a replay go with `provider`"));
    }
    Ok(())
}

/// What is said in words is a usage error, which is no answer and has no effect.
fn check_words(options: &Options, exit: u8, expectation: &Expectation) -> Result<(), CaseError> {
    let is_refused = exit == 2 && matches!(expectation, Expectation::Stdout(text) if text.is_empty());
    let said = Options { words: options.words.clone(), ..Options::default() };
    if !options.words.is_empty() && (!is_refused || *options != said) {
        return Err(CaseError::Option("`words` go with `exit: 2`, an empty `stdout` and no other option"));
    }
    Ok(())
}

/// A line is answered before the next one is written only where every one is answered, and ended.
fn check_lines(
    has_open_end: bool,
    is_in_turns: bool,
    request: &Request,
    expectation: &Expectation,
) -> Result<(), CaseError> {
    let lines = if let Request::Stream(lines) = request { lines.as_slice() } else { &[] };
    if has_open_end && lines.is_empty() {
        return Err(CaseError::Option("`open_end` goes with `lines`"));
    }
    let is_answered = matches!(expectation, Expectation::Answers(answers, None) if answers.len() == lines.len());
    if is_in_turns && (has_open_end || !is_answered) {
        return Err(CaseError::Option("`in_turns` goes with `lines` of which each is ended and has an answer"));
    }
    Ok(())
}

/// On a directory nothing carries the workspace, and nothing is replayed.
fn check_directory(is_for_directory: bool, options: &Options, expectation: &Expectation) -> Result<(), CaseError> {
    if is_for_directory && matches!(expectation, Expectation::Response(..)) {
        return Err(CaseError::Option("on a directory a response has no workspace: say it as `stdout` or `answers`"));
    }
    if is_for_directory && options.replay {
        return Err(CaseError::Option("`replay` has a workspace of its own"));
    }
    Ok(())
}

/// What is about a provider's message goes with `provider`, and the other way round.
fn check_provider(
    options: &Options,
    has_workspace: bool,
    request: &Request,
    expectation: &Expectation,
) -> Result<(), CaseError> {
    let is_provider = options.provider.is_some();
    let needs_provider =
        has_workspace || options.conversation || options.strict || matches!(expectation, Expectation::Messages(..));
    if needs_provider && !is_provider {
        return Err(CaseError::Option("`workspace`, `messages`, `conversation` and `strict` go with `provider`"));
    }
    let is_native = request.is_stream()
        || options.pretty
        || matches!(expectation, Expectation::Response(..) | Expectation::Answers(..));
    if is_provider && is_native {
        return Err(CaseError::Option("`lines`, `pretty` and `response` don't go with `provider`"));
    }
    if options.conversation && matches!(expectation, Expectation::Messages(..)) {
        return Err(CaseError::Option("`conversation` is about bytes: say them as `stdout`"));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
