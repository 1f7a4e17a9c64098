//! Only a gate refuses.

use dispatch_core::Rejection;

fn forge(rejection: Rejection) {
    let _forged = Rejection { ..rejection };
}

fn main() {}
