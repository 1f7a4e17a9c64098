//! An admitted call runs with what was judged.

use dispatch_core::Admitted;

fn change(admitted: &mut Admitted) {
    admitted.arguments()["path"] = "other.txt".into();
}

fn main() {}
