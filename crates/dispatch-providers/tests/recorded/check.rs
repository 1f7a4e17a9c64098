//! What is checked of every text: its calls are read, and they can be answered.

use std::fmt::Debug;

use dispatch_core::{Gates, tools::core_registry, workspace::MemoryWorkspace};
use dispatch_providers::{Answer, Turn};
use serde_json::Value;

use crate::walk::{Call, Plain, read};

/// What is known not to hold of a recording: its name ends with the first, what is told contains the second, and the third is why that is right.
pub(crate) type Known = (&'static str, &'static str, &'static str);

/// Returns what is to be told of a recording: what does not hold, unless it is known not to, and what holds against all knowledge.
pub(crate) fn unexpected(known: &[Known], name: &str, outcome: Result<(), String>) -> Option<String> {
    let known = known.iter().find(|(file, ..)| name.ends_with(file));
    match (outcome, known) {
        (Ok(()), None) => None,
        (Ok(()), Some((.., reason))) => Some(format!("{name}: is read after all, and was to be refused: {reason}")),
        (Err(told), Some((_, expected, _))) if told.contains(expected) => None,
        (Err(told), _) => Some(format!("{name}: {told}")),
    }
}

/// Checks a text that ends with what the model wrote last: these calls wait in it, and can be answered.
pub(crate) fn check(plain: &Plain, body: &Value, expected: &[Call]) -> Result<(), String> {
    let conversation = plain.provider.read(body.to_string().into_bytes()).map_err(|failure| failure.to_string())?;
    let turn = conversation.turn().map_err(|failure| failure.to_string())?;
    same("the calls", &read(turn.as_ref()), &expected.iter().map(Call::read).collect())?;
    let Some(turn) = turn else { return Ok(()) };
    let answer = answer(turn)?;
    let answered: Vec<_> = answer.messages().iter().flat_map(plain.results).collect();
    same("the ids of the results", &answered, &expected.iter().map(|call| call.id.clone()).collect())?;
    let continued = conversation.with_answer(&answer).into_bytes();
    let continued = plain.provider.read(continued).map_err(|failure| failure.to_string())?;
    same("the turn of the answered conversation", &continued.turn().unwrap().is_some(), &false)
}

/// Answers with whatever the native tools make of the calls.
fn answer(turn: Turn) -> Result<Answer, String> {
    let gates = Gates::new(core_registry()).explaining();
    let mut workspace = MemoryWorkspace::default();
    let answer = turn.answer(|call| match gates.admit(call) {
        Ok(admitted) => admitted.run(&mut workspace),
        Err(rejection) => rejection.into_result(),
    });
    answer.map_err(|mismatch| mismatch.to_string())
}

fn same<T: PartialEq + Debug>(what: &str, found: &T, expected: &T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: found {found:?}, expected {expected:?}")) }
}
