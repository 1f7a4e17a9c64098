//! No gate is asked twice.

use dispatch_core::admission::Valid;

fn reorder(valid: Valid) {
    let _through = valid.cleared();
}

fn main() {}
