//! `--toolset`: which tools there are, and which a log is replayed with.

use std::fs;

use dispatch_core::session::Digest;
use serde_json::Value;

use crate::session::{REQUESTS, changed, record, replay};
use crate::{dispatch, run, stderr, stdout};

const EDIT: &str = r#"{"op":"dispatch","workspace":{"a":"x y x\n"},"call":{"tool":"Edit","args":{"path":"a","old_string":"x","new_string":"z","replace_all":true}}}"#;

/// The log of a session of an agent's tools.
fn log_of_an_agent() -> String {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log.jsonl");
    run(&["--toolset", "agent", "--record", log.to_str().unwrap()], EDIT).code(0);
    fs::read_to_string(log).unwrap()
}

#[test]
fn the_tools_of_a_toolset_are_printed() {
    let names = |args: &[&str]| {
        let printed: Value = serde_json::from_str(&stdout(&dispatch(&["schema"]).args(args).assert().code(0))).unwrap();
        let tools = printed.as_array().unwrap().clone();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        names(&["--toolset", "agent"]),
        ["Edit", "Glob", "Grep", "PlanClear", "PlanConfirm", "Read", "TodoWrite", "Write"]
    );
    assert_eq!(names(&["--toolset", "core"]), names(&[]));
    insta::assert_snapshot!(stdout(&dispatch(&["schema", "--toolset", "agent"]).assert().code(0)));
}

#[test]
fn what_is_allowed_is_of_the_toolset() {
    run(&["--toolset", "agent", "--allow", "Edit"], EDIT).code(0);
    let refused = run(&["--toolset", "agent", "--allow", "read_file"], EDIT).code(2).stdout("");
    assert!(stderr(&refused).starts_with("dispatch: --allow: there is no tool `read_file`; there are Edit, "));
}

#[test]
fn a_log_is_replayed_with_the_toolset_that_it_was_recorded_with() {
    for args in [&[][..], &["--toolset", "agent"]] {
        replay(args, &log_of_an_agent()).code(0).stdout("1 call: 1 agree, 0 diverge\n").stderr("");
    }
    replay(&["--toolset", "core"], &record(REQUESTS)).code(0).stderr("");
}

#[test]
fn sessions_of_several_toolsets_are_replayed_each_with_its_own() {
    let later = log_of_an_agent().replace("\"intent\":1", "\"intent\":6").replace("\"outcome\":1", "\"outcome\":6");
    replay(&[], &(record(REQUESTS) + &later)).code(0).stdout("6 calls: 6 agree, 0 diverge\n").stderr("");
}

#[test]
fn the_toolset_that_would_fit_is_named() {
    let told = stderr(&replay(&["--toolset", "core"], &log_of_an_agent()).code(2).stdout(""));
    assert!(told.ends_with("; replay the log with --toolset agent, or without the option\n"), "{told}");
}

#[test]
fn a_text_that_an_edit_recorded_is_shown_where_it_can_be_found_out() {
    let [today, recorded] = ["z y z\n", "z y x\n"].map(|text| Digest::of(text).to_string());
    let shown = stdout(&replay(&[], &changed(&log_of_an_agent(), 3, &today, &recorded)).code(1));
    assert!(shown.contains("--- a, recorded\n+++ a, today\n@@ -1 +1 @@\n-z y x\n+z y z\n"), "{shown}");
}

#[test]
fn recordings_of_requests_and_responses_have_no_tools_in_them() {
    let response = stdout(&run(&["--toolset", "agent"], EDIT).code(0));
    let recording = format!("{{\"request\":{EDIT},\"response\":{}}}\n", response.trim_end());
    replay(&["--toolset", "agent"], &recording).code(0);
    replay(&[], &recording).code(1);
}
