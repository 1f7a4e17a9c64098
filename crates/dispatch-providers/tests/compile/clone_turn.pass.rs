//! A turn has no copy: both would be answered. Its calls have, and belong to no turn.

use dispatch_providers::Turn;

fn copy(turn: Turn) {
    let _copy = turn.calls().to_vec();
}

fn main() {}
