//! A question is answered once.

use dispatch_core::AwaitingApproval;

fn twice(first: AwaitingApproval, second: AwaitingApproval) {
    let allow = |question: AwaitingApproval| question.allow();
    let deny = |question: AwaitingApproval| question.deny("No.");
    let _once = deny(first);
    let _again = (second, allow(first));
}

fn main() {}
