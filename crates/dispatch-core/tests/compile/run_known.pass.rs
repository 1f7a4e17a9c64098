//! A call of a known tool has three gates before it.

use dispatch_core::admission::Known;
use dispatch_core::workspace::MemoryWorkspace;

fn skip(known: Known, workspace: &mut MemoryWorkspace) {
    let _through = (known.permitted(), workspace);
}

fn main() {}
