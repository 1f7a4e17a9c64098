//! A permitted call has two gates before it.

use dispatch_core::admission::Permitted;
use dispatch_core::workspace::MemoryWorkspace;

fn skip(permitted: Permitted, workspace: &mut MemoryWorkspace) {
    let _through = (permitted.valid(), workspace);
}

fn main() {}
