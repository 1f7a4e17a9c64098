//! `dispatch schema` and `dispatch completions`.

use predicates::prelude::*;
use serde_json::Value;

use crate::{dispatch, stdout};

fn schema(args: &[&str]) -> Value {
    let assert = dispatch(&["schema"]).args(args).assert().code(0).stderr("");
    serde_json::from_str(&stdout(&assert)).unwrap()
}

fn names(tools: &Value) -> Vec<&str> {
    tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

#[test]
fn the_tools_are_printed_sorted_each_once() {
    assert_eq!(names(&schema(&[])), ["patch_file", "read_file", "write_file"]);
    assert_eq!(names(&schema(&["write_file", "read_file", "write_file"])), ["read_file", "write_file"]);
}

#[test]
fn the_text_of_a_tool_is_stable() {
    insta::assert_snapshot!(stdout(&dispatch(&["schema", "read_file"]).assert().code(0)));
}

#[test]
fn a_tool_that_does_not_exist_is_named() {
    let told = "dispatch: schema: there is no tool `gone`; there are patch_file, read_file, write_file\n";
    dispatch(&["schema", "read_file", "gone"]).assert().code(2).stdout("").stderr(told);
}

#[test]
fn the_codes_are_printed_with_class_and_meaning() {
    let codes = schema(&["--errors"]);
    let codes = codes.as_array().unwrap();
    assert_eq!(codes.len(), dispatch_core::ErrorCode::ALL.len());
    let code = codes.iter().find(|code| code["code"] == "file_not_found").unwrap();
    assert_eq!(code["class"], "execution_failure");
    assert_eq!(code["meaning"], "There is no file at the path.");
}

#[test]
fn the_protocol_has_a_schema_for_each_direction() {
    let schemas = schema(&["--protocol"]);
    assert_eq!(schemas["request"]["title"], "Request");
    assert_eq!(schemas["response"]["title"], "Response");
}

#[test]
fn a_provider_gets_the_tools_as_it_wants_them_and_the_losses_are_told() {
    let assert = dispatch(&["schema", "--provider", "openai-chat", "--strict", "read_file", "patch_file"]).assert();
    let assert = assert.code(0).stderr(
        "dispatch: patch_file: $.properties.old_str: minLength: left out\n\
         dispatch: read_file: $.properties.limit: format: left out\n\
         dispatch: read_file: $.properties.offset: format: left out\n",
    );
    insta::assert_snapshot!(stdout(&assert));
}

#[test]
fn every_provider_can_be_named() {
    for provider in dispatch_providers::Provider::ALL {
        let assert = dispatch(&["schema", "--provider", provider.name()]).assert().code(0);
        assert!(stdout(&assert).contains("read_file"), "{provider}");
    }
    dispatch(&["schema", "--provider", "cohere"]).assert().code(2).stdout("");
}

#[test]
fn a_provider_without_a_strict_mode_says_so() {
    let told = "dispatch: gemini has no strict mode\n";
    dispatch(&["schema", "--provider", "gemini", "--strict"]).assert().code(2).stdout("").stderr(told);
    dispatch(&["schema", "--strict"]).assert().code(2).stdout("");
}

#[test]
fn one_thing_is_printed_at_a_time() {
    for args in [
        &["--errors", "--protocol"][..],
        &["--errors", "read_file"],
        &["--protocol", "read_file"],
        &["--errors", "--provider", "anthropic"],
        &["--protocol", "--provider", "anthropic"],
    ] {
        dispatch(&["schema"]).args(args).assert().code(2).stdout("");
    }
}

#[test]
fn shells_get_their_completions() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = predicate::str::contains("max-output-bytes").and(predicate::str::contains("completions"));
        dispatch(&["completions", shell]).assert().code(0).stdout(script).stderr("");
    }
    dispatch(&["completions", "cmd"]).assert().code(2).stdout("");
}
