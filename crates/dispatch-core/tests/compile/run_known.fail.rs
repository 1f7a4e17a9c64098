//! A call of a known tool has three gates before it.

use dispatch_core::admission::Known;
use dispatch_core::workspace::MemoryWorkspace;

fn skip(known: Known, workspace: &mut MemoryWorkspace) {
    let _ran = known.run(workspace);
}

fn main() {}
