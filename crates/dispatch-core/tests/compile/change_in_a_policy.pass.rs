//! A policy sees the arguments that will run, and can't change them.

use dispatch_core::policy::{Decision, PolicyError, Proposal};

fn judge(call: &Proposal<'_>) -> Result<Decision, PolicyError> {
    let _path = &call.arguments["path"];
    Ok(Decision::Allow)
}

fn main() {}
