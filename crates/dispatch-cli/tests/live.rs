//! Sessions whose tools reach beyond the workspace: they are run again only when that is asked for.
//!
//! No native tool does. So this program is both: the tests, and, started by them, the command line with a tool that looks at its environment.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::convert::Infallible;
use std::env;
use std::process::ExitCode;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use dispatch_core::json::Document;
use dispatch_core::session::{Header, Recorder};
use dispatch_core::workspace::{MemoryWorkspace, View};
use dispatch_core::{Gates, GivenTool, Observation, Registry, ToolCall};
use libtest_mimic::{Arguments, Trial};
use serde_json::{Value, json};

/// What it is like outside; set in the started program alone.
const WEATHER: &str = "LIVE_WEATHER";

const TESTS: &[(&str, fn())] = &[
    ("what_was_recorded_stands_in", what_was_recorded_stands_in),
    ("it_runs_when_that_is_asked_for", it_runs_when_that_is_asked_for),
    ("of_many_logs_too", of_many_logs_too),
    ("what_came_is_accepted_when_it_runs", what_came_is_accepted_when_it_runs),
    ("what_nobody_knows_stays_as_recorded", what_nobody_knows_stays_as_recorded),
    ("of_a_conversation_too", of_a_conversation_too),
    ("in_strict_mode_a_null_is_absent", in_strict_mode_a_null_is_absent),
];

fn main() -> ExitCode {
    if env::var_os(WEATHER).is_some() {
        return dispatch_cli::main_with(toolset);
    }
    let trial = |(name, test): &(&str, fn())| {
        let test = *test;
        Trial::test(*name, move || {
            test();
            Ok(())
        })
    };
    libtest_mimic::run(&Arguments::from_args(), TESTS.iter().map(trial).collect()).exit_code()
}

fn toolset() -> Registry {
    let look = |_, _: &mut View<'_>| Ok(Observation::text(env::var(WEATHER).unwrap_or_else(|_| "rain".to_owned())));
    let schema = json!({"type": "object", "properties": {"far": {"type": "boolean", "default": false}}});
    Registry::builder().given(GivenTool::new("look", "Looks out.", &schema).unwrap().run_by(look)).build().unwrap()
}

/// A log of a rainy day.
fn log() -> Vec<u8> {
    let mut log = Vec::new();
    let gates = Gates::new(toolset());
    let mut recorder = Recorder::begin(&Header::new(&gates, MemoryWorkspace::default()), |line: &[u8]| {
        log.extend_from_slice(line);
        Ok::<_, Infallible>(())
    })
    .unwrap();
    let call = ToolCall::new("look", Document::parse(b"{}".to_vec()).unwrap());
    recorder.intend(call).unwrap().run(&gates, &mut MemoryWorkspace::default());
    log
}

/// Starts the command line on a sunny day, where the log is.
fn replay(args: &[&str]) -> (Assert, tempfile::TempDir) {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("log.jsonl"), log()).unwrap();
    let mut command = Command::new(env::current_exe().unwrap());
    command.env_clear().env(WEATHER, "sun").current_dir(directory.path());
    (command.arg("replay").args(args).assert(), directory)
}

fn what_was_recorded_stands_in() {
    let expected = "1 call: 1 agree, 0 diverge; 1 reached beyond what the log holds, and what was recorded stood in (see --live and --root)\n";
    replay(&["log.jsonl"]).0.code(0).stderr("").stdout(expected);
}

fn it_runs_when_that_is_asked_for() {
    let expected = "call 1 (line 2), look {}\n--- recorded\n+++ today\n@@ -1,4 +1,4 @@\n stage: ran\n status: ok\n tool: look\n\
                    -observation: rain\n+observation: sun\n\n1 call: 0 agree, 1 diverge\n";
    replay(&["--live", "log.jsonl"]).0.code(1).stderr("").stdout(expected);
}

fn of_many_logs_too() {
    replay(&["--jobs", "2", "log.jsonl"]).0.code(0).stderr("");
    replay(&["--jobs", "2", "--live", "log.jsonl"]).0.code(1).stderr("");
}

fn what_came_is_accepted_when_it_runs() {
    for (args, observation) in
        [(["--accept", "log.jsonl"].as_slice(), "rain"), (&["--accept", "--live", "log.jsonl"], "sun")]
    {
        let (accepted, directory) = replay(args);
        accepted.code(0).stderr("");
        let log = std::fs::read_to_string(directory.path().join("log.jsonl.accepted")).unwrap();
        assert!(log.contains(&format!("\"observation\":\"{observation}\"")), "{log}");
    }
}

/// It would be let through today, and what it then came to is nowhere to be read.
fn what_nobody_knows_stays_as_recorded() {
    let refused = r#""result":{"error":"tool_not_permitted","status":"error","tool":"look"},"stage":"permitted""#;
    let recorded = String::from_utf8(log()).unwrap();
    let recorded =
        recorded.replace(r#""result":{"observation":"rain","status":"ok","tool":"look"},"stage":"ran""#, refused);
    assert!(recorded.contains(refused), "{recorded}");
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("log.jsonl");
    std::fs::write(&path, &recorded).unwrap();
    let mut command = Command::new(env::current_exe().unwrap());
    command.env_clear().env(WEATHER, "sun").current_dir(directory.path());
    command
        .args(["replay", "--accept", "--in-place", "log.jsonl"])
        .assert()
        .code(0)
        .stderr("dispatch: call 1 is not run, and what it would come to is not known: it stays as recorded\n")
        .stdout("1 call: 0 agree, 0 accepted, 1 left as recorded; written to log.jsonl\n");
    assert_eq!(std::fs::read_to_string(path).unwrap(), recorded);
}

/// Starts the command line on a sunny day, with a conversation of a day on which it told this.
fn replay_conversation(args: &[&str], input: &str, told: &str) -> Assert {
    let asks =
        json!({"type": "tool_use", "id": "t1", "name": "look", "input": serde_json::from_str::<Value>(input).unwrap()});
    let result = json!({"type": "tool_result", "tool_use_id": "t1", "content": told});
    let conversation = json!([{"role": "assistant", "content": [asks]}, {"role": "user", "content": [result]}]);
    let mut command = Command::new(env::current_exe().unwrap());
    command.env_clear().env(WEATHER, "sun").args(["replay", "--provider", "auto", "-"]).args(args);
    command.write_stdin(conversation.to_string()).assert()
}

fn in_strict_mode_a_null_is_absent() {
    let input = r#"{"far": null}"#;
    replay_conversation(&["--live", "--strict"], input, "sun").code(0).stdout("1 call: 1 agree, 0 diverge\n");
    replay_conversation(&["--live"], input, "sun").code(1);
}

fn of_a_conversation_too() {
    let replay = |args: &[&str]| replay_conversation(args, "{}", "rain");
    let stood_in = "1 call: 0 agree, 0 diverge, 1 stood in, beyond the workspace (--live runs those that can run here); what was not \
                    run has changed nothing here\n";
    replay(&[]).code(0).stderr("").stdout(stood_in);
    let diverges = "call 1 ($[0].content[0]), look {}\n--- recorded\n+++ today\n@@ -1,3 +1,3 @@\n id: t1\n status: ok\n\
                    -content: rain\n+content: sun\n\n1 call: 0 agree, 1 diverge\n";
    replay(&["--live"]).code(1).stderr("").stdout(diverges);
}
