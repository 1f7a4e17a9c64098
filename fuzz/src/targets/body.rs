//! A response body that may be streamed, in the shape of each provider that streams.

use dispatch_core::ToolCall;
use dispatch_providers::Provider;

use super::{Check, hold, text};

/// What was assembled is a body, and is read as what it was assembled from.
pub(super) fn check(provider: Provider, input: &[u8]) -> Check {
    let body = match provider.assemble(input.to_vec()) {
        Ok(body) => body,
        Err(failure) => return text::failure(&failure),
    };
    let again = provider.assemble(body.text().into()).map_err(|failure| format!("assembled, it fails: {failure}"))?;
    hold(again.text() == body.text(), || format!("assembled twice, it is another: {}: {}", body.text(), again.text()))?;
    let (streamed, whole) = (asked(provider, input), asked(provider, body.text().as_bytes()));
    hold(streamed == whole, || format!("streamed, it asks for {streamed:?}, and assembled for {whole:?}"))
}

/// The calls that wait in a body: id, tool, arguments.
fn asked(provider: Provider, body: &[u8]) -> Option<Vec<(Option<String>, String, String)>> {
    let turn = provider.read(body.to_vec()).ok()?.turn().ok()??;
    let calls = turn.calls().iter();
    let parts = |call: &ToolCall| (call.id().map(str::to_owned), call.tool().to_owned(), call.args().raw().to_owned());
    Some(calls.map(parts).collect())
}
