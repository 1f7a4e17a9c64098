//! A turn has the calls that wait at the end of a text.

use dispatch_core::ToolCall;
use dispatch_providers::Turn;

fn forge(turn: Turn, calls: Vec<ToolCall>) {
    let _forged = Turn { calls, ..turn };
}

fn main() {}
