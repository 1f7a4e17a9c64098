//! What becomes of a panic in a process of its own: who is told, and how the process ends.
//!
//! No native tool panics. So this program is both: the tests, and, started by them, the command line with tools that do.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, and what it tests is panics")]

use std::env;
use std::process::ExitCode;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use dispatch_core::policy::{Decision, PolicyError, Proposal};
use dispatch_core::workspace::View;
use dispatch_core::{GivenTool, Observation, Registry, tools};
use libtest_mimic::{Arguments, Trial};
use serde_json::json;

/// Which toolset the started program is to have.
const TOOLSET: &str = "PANICS_TOOLSET";

const TESTS: &[(&str, fn())] = &[
    ("a_panic_of_a_handler_is_one_line_with_id_and_place", a_panic_of_a_handler_is_one_line_with_id_and_place),
    ("a_panic_of_a_policy_is_one_line", a_panic_of_a_policy_is_one_line),
    ("a_replay_tells_it_too", a_replay_tells_it_too),
    ("of_many_logs_each_is_told_once", of_many_logs_each_is_told_once),
    ("a_place_is_told_of_its_own_call_alone", a_place_is_told_of_its_own_call_alone),
    ("a_panic_on_a_thread_of_a_handler_is_told", a_panic_on_a_thread_of_a_handler_is_told),
    ("what_a_model_wrote_can_t_forge_a_line", what_a_model_wrote_can_t_forge_a_line),
    ("a_panic_while_another_unwinds_loses_neither", a_panic_while_another_unwinds_loses_neither),
    ("a_fault_of_the_program_is_told_as_one_and_ends_with_2", a_fault_of_the_program_is_told_as_one_and_ends_with_2),
];

fn main() -> ExitCode {
    match env::var(TOOLSET).as_deref() {
        Ok("crashing") => dispatch_cli::main_with(crashing),
        Ok(_) => dispatch_cli::main_with(|| panic!("no\ntools")),
        Err(_) => {
            let trial = |(name, test): &(&str, fn())| {
                let test = *test;
                Trial::test(*name, move || {
                    test();
                    Ok(())
                })
            };
            let trials = TESTS.iter().map(trial).collect();
            libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
        }
    }
}

fn crashing() -> Registry {
    let schema = json!({"type": "object", "properties": {"how": {"type": "string"}}, "required": ["how"]});
    let crash = GivenTool::new("crash", "Crashes.", &schema).unwrap().run_by(|arguments, _: &mut View<'_>| {
        crash(arguments.get("how").unwrap().as_str().unwrap());
        Ok(Observation::text("survived"))
    });
    let builder = Registry::builder().given(crash).tool(tools::ReadFile);
    let policy = |call: &Proposal<'_>| -> Result<Decision, PolicyError> {
        assert!(call.arguments["how"] != "in_policy", "the policy broke");
        Ok(Decision::Allow)
    };
    builder.policy_for("crash", policy).build().unwrap()
}

fn crash(how: &str) {
    match how {
        "on_thread" => drop(std::thread::spawn(|| panic!("the thread broke")).join()),
        "caught" => drop(std::panic::catch_unwind(|| panic!("the handler caught it"))),
        "twice" => {
            let _again = PanicsWhenDropped;
            panic!("the first")
        }
        _ => panic!("first line\nsecond line"),
    }
}

struct PanicsWhenDropped;

impl Drop for PanicsWhenDropped {
    fn drop(&mut self) {
        panic!("the second")
    }
}

fn start(toolset: &str, args: &[&str], input: &str) -> Assert {
    let mut command = Command::new(env::current_exe().unwrap());
    command.env_clear().env(TOOLSET, toolset).args(args).write_stdin(input).assert()
}

fn request(id: &str, how: &str) -> String {
    let call = json!({"id": id, "tool": "crash", "args": {"how": how}});
    json!({"op": "dispatch", "workspace": {}, "call": call}).to_string()
}

/// Returns stderr with `PLACE` for each place in this file.
fn told(assert: &Assert) -> String {
    let text = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    let mut parts = text.split(file!());
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |told, part| told + "PLACE" + without_number(without_number(part)))
}

fn without_number(text: &str) -> &str {
    text.strip_prefix(':').unwrap().trim_start_matches(|letter: char| letter.is_ascii_digit())
}

fn a_panic_of_a_handler_is_one_line_with_id_and_place() {
    let assert = start("crashing", &["dispatch"], &request("c1", "text")).code(0);
    let answer = r#"{"error":"internal_error","id":"c1","status":"error","tool":"crash","workspace":{}}"#;
    let expected = "dispatch: call c1 of `crash`: the handler panicked: first line\\nsecond line (panicked at PLACE)\n";
    assert_eq!(told(&assert), expected);
    assert.stdout(format!("{answer}\n"));
}

fn a_panic_of_a_policy_is_one_line() {
    let assert = start("crashing", &["dispatch"], &request("c1", "in_policy")).code(0);
    let expected = "dispatch: call c1 of `crash`: a policy panicked: the policy broke (panicked at PLACE)\n";
    assert_eq!(told(&assert), expected);
}

fn a_replay_tells_it_too() {
    let response = json!({"error": "internal_error", "id": "c1", "status": "error", "tool": "crash", "workspace": {}});
    let record = format!(r#"{{"request":{},"response":{response}}}"#, request("c1", "text"));
    let assert = start("crashing", &["replay", "-"], &record).code(0);
    let expected = "dispatch: call c1 of `crash`: the handler panicked: first line\\nsecond line (panicked at PLACE)\n";
    assert_eq!(told(&assert), expected);
}

fn of_many_logs_each_is_told_once() {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("log.jsonl");
    let log = log.to_str().unwrap();
    start("crashing", &["dispatch", "--record", log], &request("c1", "text")).code(0);
    let assert = start("crashing", &["replay", "--live", "--jobs", "2", log], "").code(0);
    let expected = format!(
        "dispatch: {log}, call 1, c1 of `crash`: the handler panicked: first line\\nsecond line (panicked at PLACE)\n"
    );
    assert_eq!(told(&assert), expected);
    let assert = start("broken", &["replay", "--jobs", "2", log, log], "").code(2).stdout("");
    assert_eq!(told(&assert), "dispatch: internal error, please report it: panicked at PLACE: no\\ntools\n");
}

fn a_place_is_told_of_its_own_call_alone() {
    let lines = [request("c1", "caught"), request("c2", "in_policy")].join("\n");
    let assert = start("crashing", &["dispatch", "--stream"], &lines).code(0);
    let expected = "dispatch: call c2 of `crash`: a policy panicked: the policy broke (panicked at PLACE)\n";
    assert_eq!(told(&assert), expected);
}

fn a_panic_on_a_thread_of_a_handler_is_told() {
    let assert = start("crashing", &["dispatch"], &request("c1", "on_thread")).code(0);
    assert_eq!(told(&assert), "dispatch: panicked at PLACE: the thread broke\n");
}

fn what_a_model_wrote_can_t_forge_a_line() {
    let assert = start("crashing", &["dispatch"], &request("c1\ndispatch: all is well", "in_policy")).code(0);
    assert!(told(&assert).starts_with("dispatch: call c1\\ndispatch: all is well of `crash`: "));
    assert_eq!(told(&assert).lines().count(), 1);
}

fn a_panic_while_another_unwinds_loses_neither() {
    let assert = start("crashing", &["dispatch"], &request("c1", "twice")).failure().stdout("");
    let told = told(&assert);
    assert!(told.contains("dispatch: panicked at PLACE: the first\n"), "{told}");
    assert!(told.contains("dispatch: panicked at PLACE: the second\n"), "{told}");
}

fn a_fault_of_the_program_is_told_as_one_and_ends_with_2() {
    let input = request("c1", "text");
    let record = format!(r#"{{"request":{input},"response":{{}}}}"#);
    for (args, input) in [(&["dispatch"][..], input.as_str()), (&["schema"], ""), (&["replay", "-"], record.as_str())] {
        let assert = start("broken", args, input).code(2).stdout("");
        assert_eq!(told(&assert), "dispatch: internal error, please report it: panicked at PLACE: no\\ntools\n");
    }
}
