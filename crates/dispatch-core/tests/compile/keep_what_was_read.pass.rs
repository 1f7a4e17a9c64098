//! What a handler keeps of a file is a copy of its own.

use std::borrow::Cow;

use dispatch_core::ToolFailure;
use dispatch_core::workspace::View;

fn keep(_: Cow<'static, str>) {}

fn run(view: &mut View<'_>) -> Result<String, ToolFailure> {
    keep(view.read_text("a.txt")?.into_owned().into());
    Ok(String::new())
}

fn main() {}
