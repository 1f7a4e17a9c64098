//! Conversations, as they were sent to their providers: each pairs, or is known not to, for a reason that somebody has looked at.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use dispatch_core::json::Document;
use dispatch_core::workspace::MemoryWorkspace;
use dispatch_core::{Gates, tools};
use dispatch_providers::{ConversationReplayer, Replayed};
use serde_json::Value;

use crate::support::{FOLDERS, children, data, files, name};
use crate::walk::plain;

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

/// Their tools are not here, but which calls there are, and what the model was told of each, is read of all of them.
#[test]
fn every_recorded_conversation_that_pairs_is_replayed() {
    let Some(data) = data() else { return };
    let (mut texts, mut blocks) = (0, 0);
    for (provider, folder) in FOLDERS {
        for file in files(&data.join("exchanges").join(folder)) {
            let Some(text) = conversation(&file) else { continue };
            let whole: Value = serde_json::from_slice(&text).unwrap();
            let Ok(exchanges) = provider.read(text).unwrap().exchanges() else { continue };
            let lists = ["messages", "input", "contents"].map(|list| whole[list].as_array());
            let calls = lists.into_iter().flatten().flatten().flat_map(plain(*provider).calls);
            assert_eq!(exchanges.len(), calls.count(), "{}", name(&file));

            let mut session = ConversationReplayer::new(Gates::new(tools::core_registry()), MemoryWorkspace::default());
            for exchange in &exchanges {
                let replayed = session.replay(exchange);
                assert!(!matches!(replayed, Replayed::StoodIn | Replayed::Compared(_)), "{}", name(&file));
                match exchange.recorded().map(|recorded| recorded.to_json()["content"].take()) {
                    Some(Value::String(told)) if told.is_empty() => {}
                    Some(Value::String(told)) => {
                        assert!(holds(&whole, &told), "{}: {told}", name(&file));
                        texts += 1;
                    }
                    Some(_) => blocks += 1,
                    None => assert!(matches!(replayed, Replayed::OutcomeUnknown), "{}", name(&file)),
                }
            }
        }
    }
    assert!(texts > 200 && blocks > 100, "only {texts} texts and {blocks} results of blocks");
}

/// Returns whether a text stands somewhere in a value.
fn holds(value: &Value, text: &str) -> bool {
    value.as_str() == Some(text) || children(value).any(|child| holds(child, text))
}
