//! An admitted call has no copy. The call that came has, and it meets all gates again.

use dispatch_core::Admitted;

fn copy(admitted: Admitted) {
    let _copy = admitted.call().clone();
}

fn main() {}
