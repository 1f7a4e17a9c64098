//! Only the first gate makes a known call.

use dispatch_core::admission::Known;
use dispatch_core::{Gates, ToolCall};

fn forge(gates: &Gates, call: ToolCall, known: Known) {
    let _forged = (gates, Known { call, ..known });
}

fn main() {}
