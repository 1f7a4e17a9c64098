//! A call with valid arguments has the policies before it.

use dispatch_core::admission::Valid;
use dispatch_core::workspace::MemoryWorkspace;

fn skip(valid: Valid, workspace: &mut MemoryWorkspace) {
    let _through = (valid.cleared(), workspace);
}

fn main() {}
