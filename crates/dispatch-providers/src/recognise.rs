//! Telling whose shape a text is of.

use dispatch_core::json::{Document, JsonPath};
use dispatch_core::protocol::Failure;

use crate::conversation::Conversation;
use crate::provider::Provider;
use crate::reported;
use crate::stream;

/// A text that bears one provider's mark is that provider's, be it broken: what is told then is what that shape missed.
pub(crate) fn recognise(text: &[u8]) -> Result<Conversation, Failure> {
    if let Some(provider) = stream::provider_of(text) {
        return provider.read(text.to_vec());
    }
    if let Some(failure) = stream::of_nobody(text) {
        return Err(failure);
    }
    let document = stream::json(text.to_vec())?;
    match marked(&document).as_slice() {
        [only] => only.read(text.to_vec()),
        [] => recognise_among(Provider::ALL, &document),
        several => recognise_among(several, &document),
    }
}

fn marked(document: &Document) -> Vec<Provider> {
    let is_marked = |provider: &Provider| provider.shape().is_marked(document.root());
    Provider::ALL.iter().copied().filter(is_marked).collect()
}

fn recognise_among(providers: &[Provider], document: &Document) -> Result<Conversation, Failure> {
    let (mut fitting, failures) = read_by_each(providers, document);
    if fitting.iter().any(Conversation::has_calls_or_results) {
        fitting.retain(Conversation::has_calls_or_results);
    }
    match (fitting.pop(), fitting.is_empty()) {
        (Some(only), true) => Ok(only),
        (Some(last), false) => Err(of_several_shapes(fitting.iter().chain([&last]), document)),
        (None, _) => Err(of_no_shape(&failures, document)),
    }
}

fn read_by_each(providers: &[Provider], document: &Document) -> (Vec<Conversation>, Vec<(Provider, Failure)>) {
    let (mut fitting, mut failures) = (Vec::new(), Vec::new());
    for provider in providers.iter().copied() {
        match provider.read(document.text().into()) {
            Ok(conversation) => fitting.push(conversation),
            Err(failure) => failures.push((provider, failure)),
        }
    }
    (fitting, failures)
}

fn of_several_shapes<'c>(fitting: impl Iterator<Item = &'c Conversation>, document: &Document) -> Failure {
    let names: Vec<_> = fitting.map(|conversation| conversation.provider().name()).collect();
    let message = format!("it may be of {}: say which", names.join(" or of "));
    Failure::invalid_request(message, JsonPath::root(), document)
}

/// What each provider missed is told together, unless the text is an error of whichever it is.
fn of_no_shape(failures: &[(Provider, Failure)], document: &Document) -> Failure {
    if let Some(fault) = reported::in_body(document.root()) {
        return fault.in_document(document);
    }
    let missed: Vec<String> = failures.iter().map(|(provider, failure)| missed(*provider, failure)).collect();
    let message = format!("of no provider's shape: {}", missed.join("; "));
    Failure::invalid_request(message, JsonPath::root(), document)
}

fn missed(provider: Provider, failure: &Failure) -> String {
    let path = failure.path().map(JsonPath::to_string).unwrap_or_default();
    format!("{provider}: {path}: {}", failure.message())
}
