//! A permitted call has no copy, which would pass a gate that was asked once.

use dispatch_core::admission::Permitted;

fn copy(permitted: Permitted) {
    let _moved = permitted;
}

fn main() {}
