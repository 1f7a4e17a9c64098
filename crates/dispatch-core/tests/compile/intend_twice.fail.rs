//! A recorded call comes to its end before the next one begins.

use dispatch_core::ToolCall;
use dispatch_core::session::{Journal, Recorder};

fn at_once<J: Journal>(recorder: &mut Recorder<J>, first: ToolCall, second: ToolCall) {
    let open = recorder.intend(first);
    let _next = recorder.intend(second);
    drop(open);
}

fn main() {}
