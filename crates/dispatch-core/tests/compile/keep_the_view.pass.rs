//! A handler can't keep its view: what it wrote later would have no effect.

use std::fmt::Debug;

use dispatch_core::ToolFailure;
use dispatch_core::workspace::View;

fn keep(_: &'static dyn Debug) {}

fn run(view: &mut View<'_>) -> Result<String, ToolFailure> {
    let _id = view.call_id();
    Ok(String::new())
}

fn main() {}
