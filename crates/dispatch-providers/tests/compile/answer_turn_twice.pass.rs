//! A turn is answered once.

use dispatch_core::ToolResult;
use dispatch_providers::Turn;

fn twice(first: Turn, second: Turn, results: Vec<ToolResult>) {
    let answer = |turn: Turn| turn.answer_with(results.clone());
    let _once = answer(first);
    let _again = answer(second);
}

fn main() {}
