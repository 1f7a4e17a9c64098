//! What README.md shows is what comes out.

use crate::{dispatch, run, stderr, stdout};

/// A file of the repository.
fn repository(file: &str) -> String {
    // Asked at run time: where checkouts share a target folder, a test may have been compiled in another one.
    let package = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    format!("{package}/../../{file}")
}

fn readme() -> String {
    std::fs::read_to_string(repository("README.md")).unwrap()
}

#[test]
fn the_example_gives_the_answer_shown() {
    let answer = stdout(&dispatch(&["dispatch", &repository("examples/patch_file.json")]).assert().code(0).stderr(""));
    let readme = readme();
    let shown =
        readme.split("<!-- output of: dispatch dispatch examples/patch_file.json -->\n```json\n").nth(1).unwrap();
    assert_eq!(shown.split("```").next().unwrap(), answer);
}

#[test]
fn the_providers_message_is_answered_as_shown() {
    let words = "dispatch --provider anthropic --workspace examples/workspace.json examples/anthropic.json";
    let mut command = dispatch(&words.split(' ').collect::<Vec<_>>());
    let answer = stdout(&command.current_dir(repository("")).assert().code(0).stderr(""));
    let shown = format!("<!-- output of: dispatch {words} -->\n```json\n{answer}```\n");
    assert!(readme().contains(&shown), "{shown}");
}

#[test]
fn the_calls_of_words_give_the_texts_shown() {
    let on_here = |words: &[&str]| {
        let words = [&["dispatch", "--root", ".", "--toolset", "agent"], words].concat();
        stdout(&dispatch(&words).current_dir(repository("")).assert().code(0).stderr(""))
    };
    let dry = ["--dry-run", "--tool", "Edit", "path=examples/workspace.json", "old_string=milk", "new_string=bread"];
    let shown = [
        "$ dispatch dispatch --root . --toolset agent --tool Glob 'pattern=examples/*.json'\n",
        &on_here(&["--tool", "Glob", "pattern=examples/*.json"]),
        "$ dispatch dispatch --root . --toolset agent --tool Grep 'pattern=^name = \"dispatch-' glob=Cargo.toml\n",
        &on_here(&["--tool", "Grep", "pattern=^name = \"dispatch-", "glob=Cargo.toml"]),
        &format!("$ dispatch dispatch --root . --toolset agent {}\n", dry.join(" ")),
        &on_here(&dry),
    ];
    assert!(readme().contains(&shown.concat()), "{}", shown.concat());
}

#[test]
fn the_unknown_tool_gives_the_diagnostic_shown() {
    let request = r#"{"op":"dispatch","workspace":{},"call":{"tool":"drop_table","args":{}}}"#;
    assert!(readme().contains(&format!("$ echo '{request}' | dispatch dispatch --error-format human\n")));
    let told = run(&["--error-format", "human"], format!("{request}\n")).code(1).stdout("");
    assert!(readme().contains(&stderr(&told)), "{}", stderr(&told));
}

#[test]
fn the_session_gives_the_divergence_shown() {
    let report = dispatch(&["replay", &repository("examples/session.jsonl")]).assert().code(1).stderr("");
    assert!(readme().contains(&format!("$ dispatch replay examples/session.jsonl\n{}", stdout(&report))));
}

#[test]
fn the_conversation_gives_the_divergence_shown() {
    let words = "replay --provider anthropic --workspace examples/workspace.json examples/conversation.json";
    let mut command = dispatch(&words.split(' ').collect::<Vec<_>>());
    let report = stdout(&command.current_dir(repository("")).assert().code(1).stderr(""));
    assert!(readme().contains(&format!("$ dispatch {words}\n{report}```\n")));
}

#[test]
fn the_recording_gives_the_diff_shown() {
    let report = dispatch(&["replay", &repository("examples/recorded.jsonl")]).assert().code(1).stderr("");
    assert!(readme().contains(&format!("$ dispatch replay examples/recorded.jsonl\n{}", stdout(&report))));
}
