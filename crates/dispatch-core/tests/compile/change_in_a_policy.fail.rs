//! A policy sees the arguments that will run, and can't change them.

use dispatch_core::policy::{Decision, PolicyError, Proposal};

fn judge(call: &Proposal<'_>) -> Result<Decision, PolicyError> {
    call.arguments["path"] = "other.txt".into();
    Ok(Decision::Allow)
}

fn main() {}
