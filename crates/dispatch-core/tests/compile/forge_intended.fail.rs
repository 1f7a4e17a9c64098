//! Only a call whose intent was kept can be run by its recorder.

use dispatch_core::protocol::Asked;
use dispatch_core::session::{Intended, Journal};

fn forge<J: Journal>(asked: Asked, intended: Intended<'_, J>) {
    let _forged = Intended { asked, ..intended };
}

fn main() {}
