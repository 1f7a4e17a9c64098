//! Only the last gate makes a question.

use dispatch_core::{Admitted, AwaitingApproval};

fn forge(admitted: Admitted, awaiting: AwaitingApproval) {
    let _made = (admitted, awaiting);
}

fn main() {}
