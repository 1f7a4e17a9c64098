//! The gates, in their order: a call goes in, [`Admitted`] or a [`Rejection`] comes out.
//!
//! | gate | takes | gives | refuses with |
//! | --- | --- | --- | --- |
//! | known? | [`ToolCall`] | [`Known`] | `unknown_tool` |
//! | permitted? | [`Known`] | [`Permitted`] | `tool_not_permitted` |
//! | arguments valid? | [`Permitted`] | [`Valid`] | `invalid_arguments` |
//! | policy | [`Valid`] | [`Clearance`] | `policy_denied` or the policy's own code, `policy_failed`, `approval_required` |
//!
//! **A call that was not admitted can't reach a handler.** Each value is made by the gate before it alone, owns what it judged, and is used
//! up by the next gate; only [`Admitted`] can be run, and only once. The gates travel with the call: a later gate of another session can't be
//! slipped in. Every value is `Send` and `'static`, so that a host can move it wherever it waits.

mod begun;
mod pending;
mod rejection;
mod run;

use std::borrow::Cow;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde_json::Value;

pub use pending::Pending;
pub use rejection::Rejection;
pub use run::Admitted;

use crate::call::{Args, ToolCall};
use crate::code::{Code, ErrorCode};
use crate::failure::{CallError, Detail, panic_text};
use crate::gates::Gates;
use crate::json::{JsonPath, Malformed, Position};
use crate::policy::{Policies, Proposal, Verdict};
use crate::registry::Registered;
use crate::stage::Stage;
use crate::tool::{Annotations, Handler};

/// A call of a tool that exists.
#[derive(Debug)]
pub struct Known {
    gates: Gates,
    call: ToolCall,
    tool: Arc<Registered>,
}

/// A call of a tool that exists and may be used.
#[derive(Debug)]
pub struct Permitted(Known);

/// A call whose arguments fit the tool's schema, with its defaults filled in.
pub struct Valid {
    gates: Gates,
    call: ToolCall,
    tool: Arc<Registered>,
    arguments: Value,
    handler: Option<Handler>,
}

/// What came of the last gate.
#[derive(Debug)]
#[must_use = "a call that was cleared has not run yet"]
pub enum Clearance {
    /// The call may run.
    Admitted(Admitted),
    /// A policy wants somebody asked first.
    Ask(AwaitingApproval),
    /// The call must not run.
    Rejected(Rejection),
}

/// A call that waits for an answer. It is answered once; dropped, it was never run.
#[derive(Debug)]
#[must_use = "the model waits for a result"]
pub struct AwaitingApproval {
    admitted: Admitted,
    question: String,
}

impl Gates {
    /// The first gate: does the tool exist? The others follow from what it gives.
    ///
    /// # Errors
    ///
    /// A [`Rejection`] with [`ErrorCode::UnknownTool`]. Its message says so with the name and, where failures are to be
    /// [explained](Self::explaining), with the [nearest](Self::nearest_permitted) that may be used.
    ///
    /// ```
    /// use dispatch_core::{Clearance, Gates, ToolCall, json::Document, tools};
    ///
    /// let gates = Gates::new(tools::core_registry());
    /// let call = ToolCall::new("read_file", Document::parse(br#"{"path": "a.txt"}"#.to_vec())?);
    /// let cleared = gates.known(call)?.permitted()?.valid()?.cleared();
    /// assert!(matches!(cleared, Clearance::Admitted(_)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn known(&self, call: ToolCall) -> Result<Known, Rejection> {
        match self.registry().get(call.tool()).map(Arc::clone) {
            Some(tool) => Ok(Known { gates: self.clone(), call, tool }),
            None => Err(self.unknown(call)),
        }
    }

    fn unknown(&self, call: ToolCall) -> Rejection {
        let nearest = if self.explains() { self.nearest_permitted(call.tool()) } else { Vec::new() };
        let hint = match nearest.as_slice() {
            [] => String::new(),
            [only] => format!("; the nearest is `{only}`"),
            some => format!("; the nearest are `{}`", some.join("`, `")),
        };
        let message = Some(format!("there is no tool `{}`{hint}", shortened(call.tool())));
        let error = CallError { message, ..Code::from(ErrorCode::UnknownTool).into() };
        Rejection::new(Stage::Known, call, error, self.showing())
    }

    /// Leads a call through all gates, and leaves a question that a policy asks to the host.
    pub fn judge(&self, call: ToolCall) -> Clearance {
        let judged = self.known(call).and_then(Known::permitted).and_then(Permitted::valid);
        match judged {
            Ok(valid) => valid.cleared(),
            Err(rejection) => Clearance::Rejected(rejection),
        }
    }

    /// Leads a call through all gates. A question that a policy asks stays unanswered, and the call is refused.
    ///
    /// # Errors
    ///
    /// The [`Rejection`] of the first gate that refuses it.
    ///
    /// ```
    /// use dispatch_core::{Gates, ToolCall, json::Document, tools};
    ///
    /// let gates = Gates::new(tools::core_registry());
    /// let call = |args: &str| ToolCall::new("read_file", Document::parse(args.into()).unwrap());
    /// assert!(gates.admit(call(r#"{"path": "a.txt"}"#)).is_ok());
    /// let rejection = gates.admit(call(r#"{"path": 1}"#)).unwrap_err();
    /// assert_eq!(rejection.error().details[0].to_string(), "$.path: expected string, found integer");
    /// ```
    pub fn admit(&self, call: ToolCall) -> Result<Admitted, Rejection> {
        match self.judge(call) {
            Clearance::Admitted(admitted) => Ok(admitted),
            Clearance::Ask(awaiting) => Err(awaiting.unanswered()),
            Clearance::Rejected(rejection) => Err(rejection),
        }
    }
}

/// A name that is no tool's may be of any length, and is told as far as a tool's could be one.
fn shortened(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(LONGEST_NAME_TOLD) {
        Some((end, _)) => Cow::Owned(format!("{}…", name.get(..end).unwrap_or_default())),
        None => Cow::Borrowed(name),
    }
}

const LONGEST_NAME_TOLD: usize = 128;

impl Known {
    /// Returns what the tool does to its surroundings, so that a host can decide when the call is to meet the other gates: side by side with
    /// others, or after them.
    ///
    /// ```
    /// use dispatch_core::{Gates, ToolCall, json::Document, tools};
    ///
    /// let gates = Gates::new(tools::core_registry());
    /// let call = |tool: &str| ToolCall::new(tool, Document::parse(b"{}".to_vec()).unwrap());
    /// assert!(gates.known(call("read_file"))?.annotations().read_only);
    /// assert!(!gates.known(call("write_file"))?.annotations().read_only);
    /// # Ok::<(), dispatch_core::Rejection>(())
    /// ```
    pub fn annotations(&self) -> Annotations {
        self.tool.annotations
    }

    /// The second gate: may the tool be used?
    ///
    /// # Errors
    ///
    /// A [`Rejection`] with [`ErrorCode::ToolNotPermitted`].
    ///
    /// ```
    /// use dispatch_core::{Gates, Permissions, ToolCall, json::Document, tools};
    ///
    /// let gates = Gates::new(tools::core_registry()).permitting(&Permissions::only(["read_file"]));
    /// let call = |tool: &str| ToolCall::new(tool, Document::parse(b"{}".to_vec()).unwrap());
    /// assert!(gates.known(call("read_file"))?.permitted().is_ok());
    /// let rejection = gates.known(call("write_file"))?.permitted().unwrap_err();
    /// assert_eq!(rejection.error().code.as_str(), "tool_not_permitted");
    /// # Ok::<(), dispatch_core::Rejection>(())
    /// ```
    pub fn permitted(self) -> Result<Permitted, Rejection> {
        if self.gates.permissions().permit(self.tool.name.as_str()) {
            Ok(Permitted(self))
        } else {
            let code = Code::from(ErrorCode::ToolNotPermitted);
            Err(Rejection::new(Stage::Permitted, self.call, code, self.gates.showing()))
        }
    }
}

impl Permitted {
    /// The third gate: do the arguments fit the tool's schema?
    ///
    /// # Errors
    ///
    /// A [`Rejection`] with [`ErrorCode::InvalidArguments`] and all that is wrong with them; with [`ErrorCode::InternalError`] when the tool is
    /// at fault, because its schema can't be judged by, or making it or decoding the arguments panicked.
    ///
    /// ```
    /// use dispatch_core::{Gates, ToolCall, json::Document, tools};
    ///
    /// let gates = Gates::new(tools::core_registry());
    /// let call = |args: &str| ToolCall::new("read_file", Document::parse(args.into()).unwrap());
    /// assert!(gates.known(call(r#"{"path": "a.txt"}"#))?.permitted()?.valid().is_ok());
    /// let rejection = gates.known(call("{}"))?.permitted()?.valid().unwrap_err();
    /// assert_eq!(rejection.error().details[0].to_string(), "$: missing field `path`");
    /// # Ok::<(), dispatch_core::Rejection>(())
    /// ```
    pub fn valid(self) -> Result<Valid, Rejection> {
        let Known { gates, call, tool } = self.0;
        match prepare(&call, &tool) {
            Ok((arguments, handler)) => Ok(Valid { gates, call, tool, arguments, handler }),
            Err(error) => Err(Rejection::new(Stage::Valid, call, error, gates.showing())),
        }
    }
}

fn prepare(call: &ToolCall, tool: &Registered) -> Result<(Value, Option<Handler>), CallError> {
    let judge = caught("reading the schema", || tool.judge())?;
    let judge = judge.map_err(|unsupported| CallError::internal(unsupported.to_string()))?;
    let arguments = match call.args() {
        Args::Json(args) => judge.judge(args.node()).map_err(invalid_arguments)?,
        Args::Malformed(malformed) => return Err(invalid_arguments(vec![no_json(malformed)])),
    };
    let handler = decoded(|| tool.tool.handler(&arguments))?;
    Ok((arguments, handler))
}

/// What the type of the arguments made of them.
fn decoded<T>(decode: impl FnOnce() -> Result<T, Detail>) -> Result<T, CallError> {
    caught("decoding the arguments", decode)?.map_err(|detail| invalid_arguments(vec![detail]))
}

/// Runs code that came with a tool, and may panic like any other.
fn caught<T>(doing: &str, run: impl FnOnce() -> T) -> Result<T, CallError> {
    let panicked = |panic| CallError::internal(format!("{doing} panicked: {}", panic_text(panic)));
    catch_unwind(AssertUnwindSafe(run)).map_err(panicked)
}

fn no_json(malformed: &Malformed) -> Detail {
    let Position { line, column, .. } = malformed.position();
    let message = format!("not JSON, at line {line}, column {column}: {malformed}");
    Detail { path: JsonPath::root(), message }
}

fn invalid_arguments(details: Vec<Detail>) -> CallError {
    CallError { details, ..Code::from(ErrorCode::InvalidArguments).into() }
}

impl Valid {
    /// Returns the arguments that would run: numbers normalised, defaults filled in.
    pub fn arguments(&self) -> &Value {
        &self.arguments
    }

    /// The last gate: policies, those of the registry before those of the tool. They judge what would run.
    pub fn cleared(self) -> Clearance {
        let Self { gates, call, tool, arguments, handler } = self;
        let proposal = Proposal { tool: &tool.name, arguments: &arguments, facts: gates.facts() };
        let policies = [gates.registry().policies(), &tool.policies];
        match Policies::judge(policies.into_iter(), &proposal) {
            Verdict::Allow => Clearance::Admitted(Admitted::new(&gates, call, &tool, arguments, handler)),
            Verdict::Deny(error) => Clearance::Rejected(Rejection::new(Stage::Cleared, call, error, gates.showing())),
            Verdict::Ask(question) => {
                let admitted = Admitted::new(&gates, call, &tool, arguments, handler);
                Clearance::Ask(AwaitingApproval { admitted, question })
            }
        }
    }
}

impl AwaitingApproval {
    /// Returns the call as it came.
    pub fn call(&self) -> &ToolCall {
        self.admitted.call()
    }

    /// Returns the arguments that would run.
    pub fn arguments(&self) -> &Value {
        self.admitted.arguments()
    }

    /// Returns what the policy asks, for whoever answers.
    pub fn question(&self) -> &str {
        &self.question
    }

    /// Answers: the call may run.
    pub fn allow(self) -> Admitted {
        self.admitted
    }

    /// Answers: the call must not run. The text is for the model.
    pub fn deny(self, message: impl Into<String>) -> Rejection {
        self.refuse(ErrorCode::PolicyDenied, Some(message.into()))
    }

    /// Gives up waiting: the call is refused with [`ErrorCode::ApprovalRequired`], and nothing ran.
    pub fn unanswered(self) -> Rejection {
        self.refuse(ErrorCode::ApprovalRequired, None)
    }

    fn refuse(self, code: ErrorCode, message: Option<String>) -> Rejection {
        let error = CallError { message, ..Code::from(code).into() };
        self.admitted.refuse(Stage::Cleared, error)
    }
}

impl fmt::Debug for Valid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Valid").field("call", &self.call).field("arguments", &self.arguments).finish_non_exhaustive()
    }
}
