//! A call that the host runs has one result.

use dispatch_core::Pending;

fn twice(first: Pending, second: Pending) {
    let complete = |pending: Pending| pending.complete(Ok(String::new()));
    let _once = complete(first);
    let _again = complete(second);
}

fn main() {}
