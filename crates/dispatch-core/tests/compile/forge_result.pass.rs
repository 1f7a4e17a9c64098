//! A result is that of its own call.

use dispatch_core::{ToolCall, ToolResult};

fn forge(call: ToolCall, result: ToolResult) {
    let _made = (call, result);
}

fn main() {}
