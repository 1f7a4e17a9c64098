//! Only the second gate makes a permitted call.

use dispatch_core::admission::{Known, Permitted};

fn forge(known: Known, permitted: Permitted) {
    let _made = (known.permitted(), permitted);
}

fn main() {}
