//! What a timeout or a cancellation means once a call has begun.
//!
//! To be told that a call merely did not end in time invites to do it again. So whoever can't know what was done by then says so.

use crate::code::{Code, ErrorCode};
use crate::failure::CallError;
use crate::tool::Annotations;

/// What is said of a call that ran here, by a handler that stopped by itself. What it wrote was gathered and is dropped: the code stays, and
/// only what lies beyond the workspace is unknown.
pub(super) fn here(mut error: CallError, annotations: Annotations) -> CallError {
    if let Some(code) = broken_off(&error)
        && !annotations.read_only
        && annotations.open_world
    {
        let said = error.message.as_deref().unwrap_or(code.meaning());
        error.message = Some(format!("{said} Nobody knows what it did outside of the workspace until then."));
    }
    error
}

/// What is said of a call that ran elsewhere, where nothing is gathered: what was done by then is done, and nobody knows how much it was.
pub(super) fn elsewhere(error: CallError, annotations: Annotations) -> CallError {
    match broken_off(&error) {
        Some(code) if !annotations.read_only => {
            let said = error.operator_text.as_deref().unwrap_or("nothing more");
            CallError {
                code: Code::from(ErrorCode::OutcomeUnknown),
                operator_text: Some(format!("the call was completed as `{code}`, and the host said: {said}").into()),
                message: error.message.or_else(|| Some(code.meaning().to_owned())),
                ..error
            }
        }
        _ => error,
    }
}

fn broken_off(error: &CallError) -> Option<ErrorCode> {
    error.code.built_in().filter(|code| matches!(code, ErrorCode::Timeout | ErrorCode::Cancelled))
}
