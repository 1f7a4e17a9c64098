//! Policies judge what is valid.

use dispatch_core::admission::Permitted;

fn reorder(permitted: Permitted) {
    let _through = permitted.valid();
}

fn main() {}
