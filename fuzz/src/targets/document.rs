//! The reader of JSON.

use dispatch_core::json::{Document, Malformed, write_value};
use serde_json::Value;

use super::{Check, hold, text::repeats};

pub(super) fn check(input: &[u8]) -> Check {
    let strict = Document::parse(input.to_vec());
    let tolerant = Document::parse_tolerating(input.to_vec(), |_| true);
    // serde_json rounds some doubles at the end of their range to another side than the nearest.
    let by_serde = serde_json::from_slice::<Value>(input).map_err(|error| error.to_string());
    let at_the_end_of_range = |text: &str| text.contains("number out of range");
    match (strict, tolerant) {
        (Ok(document), Ok(_)) => {
            let is_read = by_serde.as_ref().err().is_none_or(|error| at_the_end_of_range(error));
            hold(is_read, || format!("serde_json does not read it: {by_serde:?}"))?;
            reads_back(&document)
        }
        (Err(malformed), Ok(document)) => {
            hold(malformed.to_string().starts_with("duplicate key"), || format!("tolerated: {malformed}"))?;
            lies_within(&malformed, input)?;
            hold(repeats(document.root()), || "no key stands twice".to_owned())
        }
        (Err(malformed), Err(_)) => {
            let told = malformed.to_string();
            let is_stricter = told.starts_with("duplicate key") || at_the_end_of_range(&told);
            hold(by_serde.is_err() || is_stricter, || format!("serde_json reads it: {malformed}"))?;
            lies_within(&malformed, input)
        }
        (Ok(_), Err(malformed)) => Err(format!("tolerance made it malformed: {malformed}")),
    }
}

/// What was read means the same when it is written again, indented or sorted.
fn reads_back(document: &Document) -> Check {
    let value = document.root().to_json();
    let (mut indented, mut sorted) = (Vec::new(), Vec::new());
    // Memory can be written to.
    let _ = document.root().write_indented(&mut indented);
    let _ = write_value(&mut sorted, &value);
    for text in [indented, sorted, document.root().raw().as_bytes().to_vec()] {
        let shown = text.escape_ascii().to_string();
        let again = Document::parse(text).map_err(|malformed| format!("{malformed} in {shown}"))?;
        hold(again.root().to_json() == value, || format!("it means something else: {shown}"))?;
    }
    Ok(())
}

fn lies_within(malformed: &Malformed, input: &[u8]) -> Check {
    let place = malformed.position();
    let is_within = place.offset <= input.len() && place.line >= 1 && (1..=input.len() + 1).contains(&place.column);
    hold(is_within && malformed.source() == input, || format!("{malformed} at {place:?}"))
}
