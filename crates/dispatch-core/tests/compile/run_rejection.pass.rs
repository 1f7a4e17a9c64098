//! A call that was refused can be told of, and not run.

use dispatch_core::Rejection;
use dispatch_core::workspace::MemoryWorkspace;

fn skip(rejection: Rejection, workspace: &mut MemoryWorkspace) {
    let _told = (rejection.into_result(), workspace);
}

fn main() {}
