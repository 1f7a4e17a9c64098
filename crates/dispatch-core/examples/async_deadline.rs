//! An async host around a core that is not async: admit a call, await a future of one's own with a deadline, complete the call.
//!
//! Core never waits and knows no runtime, so it fits any. The host takes an admitted call apart into its arguments and a
//! [`Pending`](dispatch_core::Pending), awaits whatever it likes, and completes the pending call with the outcome: normalising, limits and
//! pairing stay in core.
//!
//! Run it with `cargo run -p dispatch-core --example async_deadline`.

use std::error::Error;
use std::io::{self, Write};
use std::time::Duration;

use dispatch_core::json::Document;
use dispatch_core::{Annotations, ErrorCode, Gates, Registry, ToolCall, ToolFailure, ToolResult};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout};

const DEADLINE: Duration = Duration::from_secs(1);

/// Asks a server whether it is up.
#[derive(Deserialize, JsonSchema)]
struct Status {
    /// The server's name.
    server: String,
}

/// Starts a server anew.
#[derive(Deserialize, JsonSchema)]
struct Restart {
    /// The server's name.
    server: String,
}

/// The host's own view of the calls that it runs.
#[derive(Deserialize)]
#[serde(tag = "tool", content = "args", rename_all = "snake_case")]
enum Job {
    Status(Status),
    Restart(Restart),
}

impl Job {
    fn read(tool: &str, args: &Value) -> serde_json::Result<Self> {
        serde_json::from_value(json!({"tool": tool, "args": args}))
    }

    async fn run(self) -> Result<String, ToolFailure> {
        match self {
            Self::Status(Status { server }) => reach(&server).await.map(|()| format!("{server} is up")),
            Self::Restart(Restart { server }) => reach(&server).await.map(|()| format!("{server} started anew")),
        }
    }
}

/// Stands for the network.
async fn reach(server: &str) -> Result<(), ToolFailure> {
    match server {
        "near" => sleep(Duration::from_millis(20)).await,
        "far" => sleep(Duration::from_secs(30)).await,
        _ => return Err(ToolFailure::from(ErrorCode::NotReady).with_message("there is no such server yet")),
    }
    Ok(())
}

/// Core holds names, schemas and annotations of these tools, and no handler: they are run below.
fn registry() -> Result<Registry, Box<dyn Error>> {
    let reaches_out = Annotations { open_world: true, ..Annotations::read_only() };
    let registry = Registry::builder()
        .host_run::<Status>("status", reaches_out)
        .host_run::<Restart>("restart", Annotations::default())
        .build()?;
    Ok(registry)
}

/// All that an async host has to do with a call.
async fn answer(gates: &Gates, call: ToolCall) -> ToolResult {
    let admitted = match gates.admit(call) {
        Ok(admitted) => admitted,
        // Nothing ran and nothing will: there is no future to await.
        Err(rejection) => return rejection.into_result(),
    };
    let changes_nothing = admitted.annotations().read_only;
    // From here on the call counts as begun. Until then it could have been called off: `admitted.cancel()`.
    let (arguments, pending) = admitted.detach();
    let job = match Job::read(pending.call().tool(), &arguments) {
        Ok(job) => job,
        // The arguments fit the tool's schema. If they do not fit the job, the host is at fault, and the model learns no more than that.
        Err(mismatch) => return pending.fail_internally(mismatch.to_string()),
    };
    // At the deadline the future is dropped where it waits. `pending` is not in it, so that the call is answered all the same.
    let ended = timeout(DEADLINE, job.run()).await;
    match ended {
        Ok(outcome) => pending.complete(outcome),
        // The call did not end in time, and it does not matter how far it came.
        Err(_elapsed) if changes_nothing => pending.complete(Err::<String, _>(ErrorCode::Timeout.into())),
        // It does matter, and nobody knows: to say "timeout" would invite the model to do it twice.
        Err(_elapsed) => pending.abandon("no answer in time; look before you try again"),
    }
}

/// What the model asks for, one call after another.
const CALLS: [(&str, &str); 5] = [
    ("status", r#"{"server": "near"}"#),
    ("status", r#"{"server": "far"}"#),
    ("restart", r#"{"server": "far"}"#),
    ("restart", r#"{"server": "new"}"#),
    ("restart", r#"{"server": 7}"#),
];

async fn answer_all(gates: &Gates, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let began = Instant::now();
    for (tool, args) in CALLS {
        writeln!(out, "{tool} {args}")?;
        let call = ToolCall::new(tool, Document::parse(args.into())?);
        let result = answer(gates, call).await;
        let after = began.elapsed().as_millis();
        if let Some(shown) = result.shown() {
            writeln!(out, "  at {after} ms: {}", shown.text)?;
        }
        if let Some(error) = result.error() {
            writeln!(out, "  at {after} ms: {}", error.text_for_model())?;
        }
    }
    Ok(())
}

pub(crate) fn run(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let gates = Gates::new(registry()?).explaining();
    // Time is paused: it jumps to the next timer when nothing else is left to do. So the example ends at once, and always in the same way. A
    // host leaves `start_paused` out.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build()?;
    runtime.block_on(answer_all(&gates, out))
}

#[expect(clippy::disallowed_methods, reason = "an example prints; core does not")]
fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout())
}
