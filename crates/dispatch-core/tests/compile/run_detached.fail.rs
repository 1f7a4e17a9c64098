//! What the host runs is not run here too.

use dispatch_core::Admitted;
use dispatch_core::workspace::MemoryWorkspace;

fn twice(first: Admitted, second: Admitted) {
    let detach = |call: Admitted| call.detach();
    let run = |call: Admitted| call.run(&mut MemoryWorkspace::default());
    let _once = detach(first);
    let _again = (second, run(first));
}

fn main() {}
