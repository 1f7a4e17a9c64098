//! Only the last gate makes an admitted call.

use dispatch_core::{Admitted, Gates, ToolCall};

fn forge(gates: &Gates, call: ToolCall, admitted: Admitted) {
    let _forged = (gates, Admitted { call, ..admitted });
}

fn main() {}
