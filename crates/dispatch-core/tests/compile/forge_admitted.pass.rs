//! Only the last gate makes an admitted call.

use dispatch_core::{Admitted, Gates, ToolCall};

fn forge(gates: &Gates, call: ToolCall, admitted: Admitted) {
    let _made = (gates.admit(call), admitted);
}

fn main() {}
