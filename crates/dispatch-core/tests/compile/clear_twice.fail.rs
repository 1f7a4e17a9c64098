//! A gate uses up what it judges.

use dispatch_core::admission::Valid;

fn twice(first: Valid, second: Valid) {
    let clear = |valid: Valid| valid.cleared();
    let _once = clear(first);
    let _again = (second, clear(first));
}

fn main() {}
