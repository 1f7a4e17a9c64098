//! A tool with a policy of its own, which does what the arguments ask of it.

use std::panic;

use dispatch_core::policy::{Decision, PolicyError, Proposal};
use dispatch_core::workspace::View;
use dispatch_core::{Tool, ToolFailure};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Counter, OPERATOR_TEXT, PANIC_TEXT};

/// Counts that it ran, and writes the file `guarded`.
#[derive(Debug)]
pub(super) struct Guarded(pub(super) Counter);

/// Asks a policy, and gives its decision back when the call runs.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct GuardedArgs {
    /// What the policy is to do: `allow`, `deny`, `deny_as`, `ask`, `fail` or `panic`.
    #[serde(default = "deny")]
    policy: String,
}

fn deny() -> String {
    "deny".to_owned()
}

impl Tool for Guarded {
    type Args = GuardedArgs;
    type Output = String;

    fn name(&self) -> &'static str {
        "guarded"
    }

    fn run(&self, args: GuardedArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
        self.0.count();
        view.write("guarded", "ran".to_owned())?;
        Ok(format!("Policy: {}", args.policy))
    }
}

/// The policy of the tool `guarded`.
pub(super) fn guard(call: &Proposal<'_>) -> Result<Decision, PolicyError> {
    match call.arguments.get("policy").and_then(|policy| policy.as_str()) {
        Some("allow") => Ok(Decision::Allow),
        Some("deny") => Ok(Decision::deny("The guard says no.")),
        Some("deny_as") => Decision::deny_as("not_your_turn", "It is somebody else's turn.")
            .map_err(|error| PolicyError::new(error.to_string())),
        Some("ask") => Ok(Decision::Ask("May it run?".to_owned())),
        Some("panic") => panic::resume_unwind(Box::new(PANIC_TEXT)),
        _ => Err(PolicyError::new(OPERATOR_TEXT)),
    }
}
