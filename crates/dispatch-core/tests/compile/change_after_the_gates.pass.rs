//! An admitted call runs with what was judged.

use dispatch_core::Admitted;

fn change(admitted: &mut Admitted) {
    let _path = &admitted.arguments()["path"];
}

fn main() {}
