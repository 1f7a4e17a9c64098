//! A question has no copy. The call that came has, and it meets all gates again.

use dispatch_core::AwaitingApproval;

fn copy(question: AwaitingApproval) {
    let _copy = question.call().clone();
}

fn main() {}
