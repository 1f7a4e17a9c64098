//! Arguments are judged after permission.

use dispatch_core::admission::Known;

fn reorder(known: Known) {
    let _through = known.permitted();
}

fn main() {}
