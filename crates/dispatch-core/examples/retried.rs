//! Wrapping a tool without losing its types: a retry.
//!
//! When to try again, and how long to wait, is a policy of the crate `backon`. To wait takes a clock, which core has not: so the wrapper is the
//! host's, and the host hands it the way to sleep.
//!
//! Run it with `cargo run -p dispatch-core --example retried`.

use std::error::Error;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use backon::{BackoffBuilder, BlockingRetryable, ExponentialBuilder};
use dispatch_core::json::Document;
use dispatch_core::workspace::{MemoryWorkspace, Progress, View};
use dispatch_core::{Annotations, ErrorCode, Gates, Registry, Tool, ToolCall, ToolFailure, tool_fn, tools};
use schemars::JsonSchema;
use serde::Deserialize;

/// Wraps a tool so that a passing failure is tried again, as often and after such delays as the policy says.
///
/// # Errors
///
/// [`NotIdempotent`] for a tool that has not declared that to do it again changes nothing further, be it read-only: that is another promise. Half of a failed attempt may have happened:
/// what it wrote to the view is taken back here, what it did outside is not.
pub(crate) fn retried<T: Tool, P>(tool: T, policy: P, sleep: fn(Duration)) -> Result<Retried<T, P>, NotIdempotent> {
    if tool.annotations().idempotent {
        Ok(Retried { tool, policy, sleep })
    } else {
        Err(NotIdempotent(tool.name().to_owned()))
    }
}

/// A tool that is tried again. Made by [`retried`].
pub(crate) struct Retried<T, P> {
    tool: T,
    policy: P,
    sleep: fn(Duration),
}

/// A tool that must not be tried again.
#[derive(Debug, thiserror::Error)]
#[error("tool `{0}` is not declared idempotent: to try it again could do it twice")]
pub(crate) struct NotIdempotent(String);

/// The wrapper is a tool with the same arguments and output, so that it can be registered, or wrapped, like any other.
impl<T, P> Tool for Retried<T, P>
where
    T: Tool<Args: Clone>,
    P: BackoffBuilder + Clone + 'static,
{
    type Args = T::Args;
    type Output = T::Output;

    fn name(&self) -> &str {
        self.tool.name()
    }

    fn annotations(&self) -> Annotations {
        self.tool.annotations()
    }

    fn run(&self, args: T::Args, view: &mut View<'_>) -> Result<T::Output, ToolFailure> {
        let mut attempts = 0;
        let attempt = || {
            attempts += 1;
            if attempts > 1 {
                view.report(Progress { text: format!("attempt {attempts}"), fraction: None });
            }
            // Each attempt begins with the files as they were: what a failed one wrote is taken back.
            view.attempt(|view| self.tool.run(args.clone(), view))
        };
        attempt.retry(self.policy.clone()).sleep(self.sleep).when(may_pass).call()
    }
}

/// A failure of this kind may be gone the next time. That a file is missing is an answer, and no reason to ask again.
fn may_pass(failure: &ToolFailure) -> bool {
    matches!(failure.code().built_in(), Some(ErrorCode::NotReady | ErrorCode::Timeout))
}

/// Copies a record from a server to a file.
#[derive(Clone, Deserialize, JsonSchema)]
struct Fetch {
    /// How many answers the server breaks off before a whole one.
    broken: u32,
    /// Whether there is such a record.
    exists: bool,
}

/// Fetches from a server that first breaks off some answers, after half of a record has been written.
fn fetch() -> impl Tool<Args = Fetch, Output = String> {
    let tries = AtomicU32::new(0);
    let fetch = move |args: Fetch, view: &mut View<'_>| {
        let attempt = tries.fetch_add(1, Ordering::Relaxed);
        if !args.exists {
            return Err(ErrorCode::FileNotFound.into());
        }
        if attempt < args.broken {
            view.write(&format!("part_{attempt}.txt"), "half a rec".to_owned())?;
            return Err(ErrorCode::NotReady.into());
        }
        view.write("record.txt", "a whole record".to_owned())?;
        Ok("fetched".to_owned())
    };
    tool_fn("fetch", fetch).annotated(Annotations { idempotent: true, ..Annotations::default() })
}

/// Throws a die: it changes nothing, and has not declared that to throw it again is the same.
fn throw() -> impl Tool {
    #[derive(Clone, Deserialize, JsonSchema)]
    struct NoArgs {}

    let throw = |_: NoArgs| Ok("4".to_owned());
    tool_fn("throw", throw).annotated(Annotations { idempotent: false, ..Annotations::read_only() })
}

pub(crate) fn run(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    // At most three attempts, 10 and 20 milliseconds apart. The example does not wait: a host says `std::thread::sleep` here.
    let policy = ExponentialBuilder::default().with_min_delay(Duration::from_millis(10)).with_max_times(2);
    let sleep = |_delay| {};

    for args in
        [r#"{"broken": 2, "exists": true}"#, r#"{"broken": 3, "exists": true}"#, r#"{"broken": 2, "exists": false}"#]
    {
        writeln!(out, "fetch {args}")?;
        let gates = Gates::new(Registry::builder().tool(retried(fetch(), policy, sleep)?).build()?);
        let admitted = gates.admit(ToolCall::new("fetch", Document::parse(args.into())?))?;
        let mut workspace = MemoryWorkspace::default();
        let mut attempts = Vec::new();
        let result = admitted.run_listening(&mut workspace, &mut |progress| attempts.push(progress.text));

        attempts.iter().try_for_each(|attempt| writeln!(out, "  {attempt}"))?;
        let code = result.error().map_or("ok", |error| error.code.as_str());
        let files: Vec<_> = workspace.files().map(|(path, _)| path.to_owned()).collect();
        writeln!(out, "  {code}, files: {files:?}")?;
    }

    let refused = [retried(tools::PatchFile, policy, sleep).err(), retried(throw(), policy, sleep).err()];
    refused.iter().flatten().try_for_each(|refused| writeln!(out, "{refused}"))?;
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "an example prints; core does not")]
fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout())
}
