//! Only a gate refuses.

use dispatch_core::Rejection;

fn forge(rejection: Rejection) {
    let _made = rejection.clone();
}

fn main() {}
