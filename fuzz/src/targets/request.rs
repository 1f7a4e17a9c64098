//! A single request of the native protocol.

use std::collections::BTreeMap;

use dispatch_core::json::{Document, JsonPath, Node, skip_byte_order_mark};
use dispatch_core::protocol::{self, Failure, Stream};
use dispatch_core::{Gates, tools};

use super::{Check, hold, text};

/// How much longer than request and limit a response can be: details are bounded, and escapes lengthen what they stand for.
const MOST_BYTES_BESIDES: usize = 8 << 20;

pub(super) fn check(input: &[u8]) -> Check {
    let gates = Gates::new(tools::core_registry());
    let answer = answer(&gates, input);
    hold(same(&answer, &self::answer(&gates, input)), || "the second answer differs from the first".to_owned())?;
    match answer {
        Ok(line) => {
            responds(input, &line)?;
            explains_and_no_more(&gates, input, &line)?;
            stream_says_the_same(gates, input, &line)
        }
        Err(failure) => text::failure(&failure),
    }
}

fn answer(gates: &Gates, input: &[u8]) -> Result<Vec<u8>, Failure> {
    let response = protocol::answer(gates, input.to_vec())?;
    let mut line = Vec::new();
    // Memory can be written to.
    let _ = response.write(&mut line);
    Ok(line)
}

fn same(a: &Result<Vec<u8>, Failure>, b: &Result<Vec<u8>, Failure>) -> bool {
    match (a, b) {
        (Ok(a), Ok(b)) => a == b,
        (Err(a), Err(b)) => a.to_string() == b.to_string() && a.span() == b.span(),
        _ => false,
    }
}

/// A request that was answered was one, and its answer is paired, bounded, and tells the whole workspace.
fn responds(input: &[u8], line: &[u8]) -> Check {
    let response = text::response(line)?;
    let request = Document::parse_tolerating(skip_byte_order_mark(input).to_vec(), |_| true);
    let request = request.map_err(|malformed| format!("answered what is malformed: {malformed}"))?;
    let asked = |member: &str| request.root().locate(&JsonPath::root().member("call").member(member));
    let told = |member: &str| response.root().get(member);
    for member in ["id", "tool"] {
        let (asked, told) = (asked(member).and_then(Node::as_str), told(member).and_then(Node::as_str));
        hold(asked == told, || format!("`{member}` was {asked:?}, and is {told:?}"))?;
    }
    let most_bytes = 6 * input.len() + MOST_BYTES_BESIDES;
    hold(line.len() <= most_bytes, || format!("{} bytes were answered", line.len()))?;
    is_within_limits(request.root(), response.root())?;
    leaves_the_rest(request.root(), response.root())
}

fn is_within_limits(request: Node<'_>, response: Node<'_>) -> Check {
    let limit = request.get("limits").and_then(|limits| limits.get("max_output_bytes"));
    let limit = limit.and_then(|limit| limit.to_json().as_u64()).unwrap_or(65536);
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let shown_bytes = response.get("observation").and_then(Node::as_str).map_or(0, |shown| shown.len());
    hold(shown_bytes <= limit, || format!("{shown_bytes} bytes are shown, and {limit} allowed"))
}

/// After an error every file is as it was, letter by letter; else all are but one.
fn leaves_the_rest(request: Node<'_>, response: Node<'_>) -> Check {
    let (before, after) = (files(request), files(response));
    hold(before.keys().all(|path| after.contains_key(path)), || "a file is gone".to_owned())?;
    let changed = after.iter().filter(|(path, text)| before.get(*path) != Some(*text)).count();
    let may_change = usize::from(response.get("error").is_none());
    hold(changed <= may_change, || format!("{changed} files have changed, and {may_change} may"))
}

/// The files as they are written, by their paths.
fn files(node: Node<'_>) -> BTreeMap<String, String> {
    let workspace = node.get("workspace").into_iter().flat_map(Node::members);
    workspace.map(|member| (member.name.into_owned(), member.value.raw().to_owned())).collect()
}

/// Where failures are explained, an answer has a text and details more, and says the same.
fn explains_and_no_more(gates: &Gates, input: &[u8], line: &[u8]) -> Check {
    let explained = answer(&gates.clone().explaining(), input).map_err(|failure| format!("it fails: {failure}"))?;
    responds(input, &explained)?;
    let [plain, explained] =
        [line, &explained].map(|line| text::response(line).map(|response| without_reasons(&response)));
    let (plain, explained) = (plain?, explained?);
    hold(plain == explained, || format!("explained it says {explained}"))
}

/// The members that say what happened, as they are written.
fn without_reasons(response: &Document) -> String {
    let members = response.root().members().filter(|member| !["details", "message"].contains(&member.name.as_ref()));
    members.map(|member| format!("{}:{}\n", member.name, member.value.raw())).collect::<Vec<_>>().concat()
}

/// A stream takes a line for what it is alone.
fn stream_says_the_same(gates: Gates, input: &[u8], line: &[u8]) -> Check {
    if input.contains(&b'\n') {
        return Ok(());
    }
    let mut in_stream = Vec::new();
    match Stream::new(gates).answer(input) {
        Some(Ok(response)) => {
            let _ = response.write(&mut in_stream);
        }
        Some(Err(failure)) => return Err(format!("a stream fails: {failure}")),
        None => {}
    }
    hold(in_stream == line, || format!("a stream answers {}", in_stream.escape_ascii()))
}
