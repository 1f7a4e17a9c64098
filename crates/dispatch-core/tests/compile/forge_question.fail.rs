//! Only the last gate makes a question.

use dispatch_core::{Admitted, AwaitingApproval};

fn forge(admitted: Admitted, awaiting: AwaitingApproval) {
    let _forged = AwaitingApproval { admitted, ..awaiting };
}

fn main() {}
