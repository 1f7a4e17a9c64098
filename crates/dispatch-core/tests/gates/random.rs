//! Random calls, judged a second time by another validator: what it refuses is refused and changes nothing, and nothing else is.

mod arguments;
mod tools;

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex};

use dispatch_core::json::Node;
use dispatch_core::policy::{Decision, PolicyError, Proposal};
use dispatch_core::{FailureClass, Gates, Permissions, ToolResult};
use jsonschema::Validator;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

use crate::support::{Counter, all, call, files};
use tools::SCHEMAS;

fn config() -> ProptestConfig {
    ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() }
}

/// What the policy decided, and on what.
type Decided = Arc<Mutex<Vec<(&'static str, Value)>>>;

/// The other validators, by the tools whose arguments they judge.
static VALIDATORS: LazyLock<BTreeMap<&str, Validator>> = LazyLock::new(|| {
    let validators = SCHEMAS.iter().map(|(name, schema)| (name.as_str(), jsonschema::validator_for(schema).unwrap()));
    validators.collect()
});

/// Gates, and all that can be seen of them.
struct Desk {
    gates: Gates,
    runs: Counter,
    decided: Decided,
}

impl Desk {
    fn new(permitted: &[&str]) -> Self {
        let (runs, decided) = (Counter::default(), Decided::default());
        let registry = tools::registry(&runs).policy(by_length(&decided)).build_deferred().unwrap();
        let gates = Gates::new(registry).permitting(&Permissions::only(permitted.iter().copied()));
        Self { gates, runs, decided }
    }

    /// The code of the gate that must refuse, before policies are asked.
    fn refused_with(&self, tool: &str, args: Node<'_>) -> Option<&'static str> {
        match VALIDATORS.get(tool) {
            None => Some("unknown_tool"),
            Some(_) if !self.gates.permissions().permit(tool) => Some("tool_not_permitted"),
            Some(validator) if repeats(args) || !validator.is_valid(&args.to_json()) => Some("invalid_arguments"),
            Some(_) => None,
        }
    }
}

/// A policy that decides by the length of the arguments, which is as good as chance.
fn by_length(decided: &Decided) -> impl Fn(&Proposal<'_>) -> Result<Decision, PolicyError> + use<> {
    let decided = Arc::clone(decided);
    move |call| {
        let (code, decision) = match call.arguments.to_string().len() % 8 {
            0 => ("policy_denied", Ok(Decision::deny("No."))),
            1 => ("policy_failed", Err(PolicyError::new("out of order"))),
            2 => ("approval_required", Ok(Decision::Ask("?".to_owned()))),
            3 => ("no_luck", Ok(Decision::deny_as("no_luck", "No luck.").unwrap())),
            _ => ("ok", Ok(Decision::Allow)),
        };
        decided.lock().unwrap().push((code, call.arguments.clone()));
        decision
    }
}

/// Whether a key stands twice in an object.
fn repeats(node: Node<'_>) -> bool {
    node.elements().any(repeats) || node.members().any(|member| member.repeated || repeats(member.value))
}

fn code(result: &ToolResult) -> &str {
    result.error().map_or("ok", |error| error.code.as_str())
}

/// Whether the code is one that a handler, and nobody else, can end in.
fn is_of_a_run(result: &ToolResult) -> bool {
    let class = |code: &dispatch_core::Code| code.built_in().map(dispatch_core::ErrorCode::class);
    result.error().is_none_or(|error| class(&error.code) == Some(FailureClass::ExecutionFailure))
}

/// Asks, and holds what came of it to what the other validator says.
fn is_as_it_must_be(tool: &str, args: &str, permitted: &[&str]) -> Result<(), TestCaseError> {
    let desk = Desk::new(permitted);
    let mut workspace = files();
    let asked = call(tool, args);
    let refused_with = desk.refused_with(tool, asked.args().as_json().unwrap().node());
    let result = match desk.gates.admit(asked) {
        Ok(admitted) => admitted.run(&mut workspace),
        Err(rejection) => rejection.into_result(),
    };
    prop_assert_eq!(result.call().args().raw(), args);
    if result.error().is_some() {
        prop_assert_eq!(all(&workspace), all(&files()), "{} changed something", code(&result));
    }
    let decided = desk.decided.lock().unwrap();
    match (refused_with, decided.as_slice()) {
        (Some(expected), []) => {
            prop_assert_eq!((code(&result), desk.runs.get()), (expected, 0), "{:?}", result.error());
            let has_details = !result.error().unwrap().details.is_empty();
            prop_assert_eq!(has_details, expected == "invalid_arguments");
        }
        (None, [("ok", judged)]) => {
            prop_assert!(is_of_a_run(&result) && desk.runs.get() == 1, "{:?}", result.error());
            prop_assert!(VALIDATORS[tool].is_valid(judged), "{} would run", judged);
        }
        (None, [(expected, judged)]) => {
            prop_assert_eq!((code(&result), desk.runs.get()), (*expected, 0));
            prop_assert!(VALIDATORS[tool].is_valid(judged), "{} was judged", judged);
        }
        (refused_with, decided) => prop_assert!(false, "{refused_with:?}, and policies decided {decided:?}"),
    }
    Ok(())
}

/// A tool's name, mostly of one that is there, and arguments that nearly fit it.
fn calls() -> impl Strategy<Value = (&'static str, String)> {
    let names = prop_oneof![12 => select(tools::NAMES), 1 => select(&["", "Note", "notes", "read_file "][..])];
    names.prop_flat_map(|name| (Just(name), arguments::nearly_fitting(name)))
}

fn permissions() -> impl Strategy<Value = Vec<&'static str>> {
    prop_oneof![6 => Just(tools::NAMES.to_vec()), 1 => prop::sample::subsequence(tools::NAMES, 0..tools::NAMES.len())]
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_random_call_is_judged_as_another_validator_judges_it((tool, args) in calls(), permitted in permissions()) {
        is_as_it_must_be(tool, &args, &permitted)?;
    }
}
