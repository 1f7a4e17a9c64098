//! Only the third gate makes a valid call.

use dispatch_core::ToolCall;
use dispatch_core::admission::Valid;

fn forge(call: ToolCall, valid: Valid) {
    let _made = (call, valid);
}

fn main() {}
