//! Cases whose expectation is wrong on purpose.

use std::collections::BTreeMap;

use conformance::case::{Case, Expectation};
use conformance::json::Json;
use conformance::yaml::{Effects, Failure};

/// Returns the case with each part of what it expects replaced by something wrong, one at a time.
pub(crate) fn each_way(case: &Case) -> Vec<Case> {
    let exit = Case { exit: case.exit + 1, ..case.clone() };
    let expecting = |expectation| Case { expectation, ..case.clone() };
    [exit].into_iter().chain(expectations(&case.expectation).into_iter().map(expecting)).collect()
}

fn expectations(right: &Expectation) -> Vec<Expectation> {
    match right {
        Expectation::Response(members, effects) => vec![
            Expectation::Response(without_the_last(members), effects.clone()),
            Expectation::Response(renamed(members), effects.clone()),
            Expectation::Response(members.clone(), other(effects)),
        ],
        Expectation::Failure(failure) => vec![
            Expectation::Failure(Failure { error: "malformed".to_owned(), ..failure.clone() }),
            Expectation::Failure(Failure { path: Some("$.other".to_owned()), ..failure.clone() }),
        ],
        Expectation::Stdout(text) => vec![Expectation::Stdout(text.replacen("hi", "ho", 1))],
        Expectation::Answers(answers, failure) => {
            vec![Expectation::Answers(without_the_last(answers), failure.clone())]
        }
        Expectation::Messages(..) | Expectation::Report(..) => panic!("the examples speak no {right:?}"),
    }
}

fn without_the_last<T: Clone>(items: &[T]) -> Vec<T> {
    items.split_last().map_or_else(Vec::new, |(_, before)| before.to_vec())
}

/// The members with another status.
fn renamed(members: &[(String, Json)]) -> Vec<(String, Json)> {
    let other = |(name, value): &(String, Json)| {
        let value = if name == "status" { Json::Text("other".to_owned()) } else { value.clone() };
        (name.clone(), value)
    };
    members.iter().map(other).collect()
}

fn other(effects: &Effects) -> Effects {
    match effects {
        Effects::None => Effects::Written(BTreeMap::from([("other".to_owned(), String::new())])),
        Effects::Written(_) => Effects::None,
    }
}
