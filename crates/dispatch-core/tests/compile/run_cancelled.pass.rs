//! A call that was called off does not run.

use dispatch_core::Admitted;
use dispatch_core::workspace::MemoryWorkspace;

fn twice(first: Admitted, second: Admitted) {
    let cancel = |call: Admitted| call.cancel();
    let run = |call: Admitted| call.run(&mut MemoryWorkspace::default());
    let _once = cancel(first);
    let _again = run(second);
}

fn main() {}
