//! A call that the host runs has no copy. The call that came has, and it meets all gates again.

use dispatch_core::Pending;

fn copy(pending: Pending) {
    let _copy = pending.call().clone();
}

fn main() {}
