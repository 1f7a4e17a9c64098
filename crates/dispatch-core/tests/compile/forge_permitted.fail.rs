//! Only the second gate makes a permitted call.

use dispatch_core::admission::{Known, Permitted};

fn forge(known: Known, permitted: Permitted) {
    let _forged = (Permitted { 0: known }, permitted);
}

fn main() {}
