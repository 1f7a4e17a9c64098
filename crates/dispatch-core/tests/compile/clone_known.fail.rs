//! A known call has no copy, which would pass a gate that was asked once.

use dispatch_core::admission::Known;

fn copy(known: Known) {
    let _copy = known.clone();
}

fn main() {}
