//! An admitted call runs once.

use dispatch_core::Admitted;
use dispatch_core::workspace::MemoryWorkspace;

fn twice(first: Admitted, second: Admitted) {
    let run = |call: Admitted| call.run(&mut MemoryWorkspace::default());
    let _once = run(first);
    let _again = run(second);
}

fn main() {}
