//! A call that waits for an answer runs after it was allowed, and not before.

use dispatch_core::AwaitingApproval;
use dispatch_core::workspace::MemoryWorkspace;

fn skip(awaiting: AwaitingApproval, workspace: &mut MemoryWorkspace) {
    let _ran = awaiting.run(workspace);
}

fn main() {}
