//! A valid call has no copy, which would pass a gate that was asked once.

use dispatch_core::admission::Valid;

fn copy(valid: Valid) {
    let _copy = valid.clone();
}

fn main() {}
