//! Only an admitted call can be pending.

use dispatch_core::{Pending, ToolCall};

fn forge(call: ToolCall, pending: Pending) {
    let _made = (call, pending);
}

fn main() {}
