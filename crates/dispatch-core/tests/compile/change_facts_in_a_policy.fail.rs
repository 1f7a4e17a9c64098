//! A policy can't change what other policies decide by.

use dispatch_core::policy::{Decision, PolicyError, Proposal};

fn judge(call: &Proposal<'_>) -> Result<Decision, PolicyError> {
    call.facts["user"] = "root".into();
    Ok(Decision::Allow)
}

fn main() {}
