//! Telling whose shape a text is of.

use dispatch_core::json::{Document, JsonPath};
use dispatch_core::protocol::Failure;

use crate::conversation::Conversation;
use crate::provider::Provider;
use crate::stream;

pub(crate) fn recognise(text: &[u8]) -> Result<Conversation, Failure> {
    if let Some(provider) = stream::provider_of(text) {
        return provider.read(text.to_vec());
    }
    let (mut fitting, failures) = read_by_all(text);
    narrow(&mut fitting, Conversation::is_marked);
    narrow(&mut fitting, Conversation::has_calls_or_results);
    match (fitting.pop(), fitting.as_slice()) {
        (Some(only), []) => Ok(only),
        (Some(last), [first, ..]) => Err(of_several_shapes(first, &last)),
        (None, _) => Err(of_no_shape(&failures)),
    }
}

fn read_by_all(text: &[u8]) -> (Vec<Conversation>, Vec<(Provider, Failure)>) {
    let (mut fitting, mut failures) = (Vec::new(), Vec::new());
    for provider in Provider::ALL.iter().copied() {
        match provider.read(text.to_vec()) {
            Ok(conversation) => fitting.push(conversation),
            Err(failure) => failures.push((provider, failure)),
        }
    }
    (fitting, failures)
}

/// Keeps those that something speaks for, unless it speaks for none.
fn narrow(fitting: &mut Vec<Conversation>, speaks_for: fn(&Conversation) -> bool) {
    if fitting.iter().any(speaks_for) {
        fitting.retain(speaks_for);
    }
}

fn of_several_shapes(one: &Conversation, other: &Conversation) -> Failure {
    let message = format!("it may be of {} or of {}: say which", one.provider(), other.provider());
    Failure::invalid_request(message, JsonPath::root(), one.document())
}

/// What each provider missed is told together. Text that is no JSON is that to all of them.
fn of_no_shape(failures: &[(Provider, Failure)]) -> Failure {
    let missed: Vec<String> = failures.iter().map(|(provider, failure)| missed(*provider, failure)).collect();
    let message = format!("of no provider's shape: {}", missed.join("; "));
    let source = failures.first().map(|(_, failure)| failure.source().to_vec()).unwrap_or_default();
    match Document::parse_tolerating(source, |_| true) {
        Ok(document) => Failure::invalid_request(message, JsonPath::root(), &document),
        Err(malformed) => malformed.into(),
    }
}

fn missed(provider: Provider, failure: &Failure) -> String {
    let path = failure.path().map(JsonPath::to_string).unwrap_or_default();
    format!("{provider}: {path}: {}", failure.message())
}
