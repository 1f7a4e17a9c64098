//! Policies: trusted decisions about single calls, for what a schema can't say.
//!
//! A policy judges a call whose arguments are valid, with the defaults filled in: what it judges is what would run. It stands behind all other
//! gates and before the handler. **It sees by shared reference and can change nothing.** **A policy that can't decide closes the gate**, and
//! not a word of its trouble reaches the model.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::code::{Code, ErrorCode};
use crate::failure::{CallError, panic_text};
use crate::operator_text::OperatorText;
use crate::tool::ToolName;

/// A trusted decision about one call.
///
/// Any function of the right type is one:
///
/// ```
/// use dispatch_core::policy::{Decision, Policy, PolicyError, Proposal};
///
/// fn only_own_notes(call: &Proposal<'_>) -> Result<Decision, PolicyError> {
///     let owner = call.arguments["owner"].as_str().ok_or(PolicyError::new("no owner in the arguments"))?;
///     Ok(if call.facts.get("user").is_some_and(|user| user == owner) {
///         Decision::Allow
///     } else {
///         Decision::deny("this note belongs to somebody else")
///     })
/// }
///
/// fn is_policy(_: impl Policy) {}
/// is_policy(only_own_notes);
/// ```
pub trait Policy: Send + Sync + 'static {
    /// Decides whether a call may run.
    ///
    /// # Errors
    ///
    /// A [`PolicyError`] when it can't decide. The call is then refused as [`ErrorCode::PolicyFailed`]; a panic counts as one.
    fn judge(&self, call: &Proposal<'_>) -> Result<Decision, PolicyError>;
}

impl<F> Policy for F
where
    F: Fn(&Proposal<'_>) -> Result<Decision, PolicyError> + Send + Sync + 'static,
{
    fn judge(&self, call: &Proposal<'_>) -> Result<Decision, PolicyError> {
        self(call)
    }
}

/// A call as a policy sees it.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Proposal<'c> {
    /// The tool's name.
    pub tool: &'c ToolName,
    /// The arguments that would run: valid, numbers normalised, defaults filled in.
    pub arguments: &'c Value,
    /// What the host says of the session: who is asking, and whatever else decisions need.
    pub facts: &'c Map<String, Value>,
}

/// What a policy decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// The call may run, as far as this policy goes.
    Allow,
    /// The call must not run.
    Deny(Denial),
    /// Somebody has to be asked: the question, for whoever answers. The call waits.
    Ask(String),
}

/// A refusal, for the model to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    code: Code,
    message: String,
}

impl Decision {
    /// Refuses with [`ErrorCode::PolicyDenied`] and a text for the model.
    pub fn deny(message: impl Into<String>) -> Self {
        Self::Deny(Denial { code: ErrorCode::PolicyDenied.into(), message: message.into() })
    }

    /// Refuses with the policy's own code, and a text for the model.
    ///
    /// # Errors
    ///
    /// A [`CodeError`](crate::CodeError) when the code is not lower snake case or takes a built-in one's name.
    ///
    /// ```
    /// use dispatch_core::policy::Decision;
    ///
    /// assert!(Decision::deny_as("not_your_note", "this note belongs to somebody else").is_ok());
    /// assert!(Decision::deny_as("file_not_found", "").is_err());
    /// ```
    pub fn deny_as(code: &str, message: impl Into<String>) -> Result<Self, crate::CodeError> {
        Ok(Self::Deny(Denial { code: Code::own(code)?, message: message.into() }))
    }
}

/// Why a policy could not decide. It is for the operator alone.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .operator_text.as_str())]
pub struct PolicyError {
    operator_text: OperatorText,
}

impl PolicyError {
    /// Makes an error from a text for the operator. The model never sees it.
    pub fn new(operator_text: impl Into<OperatorText>) -> Self {
        Self { operator_text: operator_text.into() }
    }
}

/// Policies in their order.
#[derive(Clone, Default)]
pub(crate) struct Policies {
    policies: Vec<Arc<dyn Policy>>,
}

/// What several policies decided together.
#[derive(Debug)]
pub(crate) enum Verdict {
    Allow,
    Deny(CallError),
    Ask(String),
}

impl Policies {
    pub(crate) fn add(&mut self, policy: impl Policy) {
        self.policies.push(Arc::new(policy));
    }

    /// All must allow. The first denial in order speaks; without one, the first question.
    pub(crate) fn judge<'p>(policies: impl Iterator<Item = &'p Self>, call: &Proposal<'_>) -> Verdict {
        let mut question = None;
        for policy in policies.flat_map(|policies| &policies.policies) {
            match decide(&**policy, call) {
                Ok(Decision::Allow) => {}
                Ok(Decision::Ask(asked)) => drop(question.get_or_insert(asked)),
                Ok(Decision::Deny(Denial { code, message })) => {
                    return Verdict::Deny(CallError { message: Some(message), ..code.into() });
                }
                Err(failed) => return Verdict::Deny(failed),
            }
        }
        question.map_or(Verdict::Allow, Verdict::Ask)
    }
}

fn decide(policy: &dyn Policy, call: &Proposal<'_>) -> Result<Decision, CallError> {
    let failed = |operator_text: String| CallError {
        operator_text: Some(operator_text.into()),
        ..Code::from(ErrorCode::PolicyFailed).into()
    };
    match catch_unwind(AssertUnwindSafe(|| policy.judge(call))) {
        Ok(decided) => decided.map_err(|error| failed(format!("a policy failed: {error}"))),
        Err(panic) => Err(failed(format!("a policy panicked: {}", panic_text(panic)))),
    }
}

impl fmt::Debug for Policies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Policies").field("count", &self.policies.len()).finish()
    }
}
