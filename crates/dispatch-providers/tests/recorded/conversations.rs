//! Conversations, as they were sent to their providers: each pairs, or is known not to, for a reason that somebody has looked at.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use dispatch_core::json::Document;

use crate::support::{FOLDERS, data, files, name};

/// The faults of recorded conversations, and why they are there.
const KNOWN: &[(&str, &[&str], &str)] = &[(
    "rig--gemini-agent-run-stepping-hand-driven-parallel-tool-calls-arrive-in-one-step-0a01--01.json",
    &[r#"$.contents[2].parts[1]: result out of order: tool "add", see $.contents[1].parts[0]"#],
    "the client gave the results of two calls without ids the other way round; the API took it, as the names differ",
)];

/// Returns the conversation of a recorded exchange, if it brought one.
fn conversation(file: &Path) -> Option<Vec<u8>> {
    let exchange = Document::parse_tolerating(fs::read(file).unwrap(), |_| true).unwrap();
    let request = exchange.root().get("request")?;
    ["messages", "input", "contents"].into_iter().find_map(|list| request.get(list))?;
    Some(request.raw().as_bytes().to_owned())
}

#[test]
fn every_recorded_conversation_pairs_or_is_known_not_to() {
    let Some(data) = data() else { return };
    let (mut count, mut faults) = (0, BTreeMap::<String, Vec<String>>::new());
    for (provider, folder) in FOLDERS {
        for file in files(&data.join("exchanges").join(folder)) {
            let Some(text) = conversation(&file) else { continue };
            count += 1;
            let read = provider.read(text);
            let found = read.map(|it| it.check().iter().map(ToString::to_string).collect());
            let found: Vec<String> = found.unwrap_or_else(|failure| vec![failure.to_string()]);
            if !found.is_empty() {
                faults.insert(name(&file), found);
            }
        }
    }
    let known: BTreeMap<String, Vec<String>> = KNOWN
        .iter()
        .map(|(file, faults, _)| ((*file).to_owned(), faults.iter().map(ToString::to_string).collect()))
        .collect();
    assert_eq!(faults, known);
    assert!(count > 500, "only {count} conversations");
}
