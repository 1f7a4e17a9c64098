//! `--toolset`: which tools there are, and which a log is replayed with.

use std::fs;

use dispatch_core::session::Digest;
use serde_json::Value;
use tempfile::TempDir;

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
        ["Edit", "Glob", "Grep", "PlanClear", "PlanConfirm", "Read", "Skill", "TodoWrite", "Write"]
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

fn skill(name: &str) -> String {
    format!("---\nname: {name}\ndescription: What {name} is for.\n---\nDo it.\n")
}

/// A directory with these files.
fn directory(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn call(tool: &str, args: &str) -> String {
    format!(r#"{{"op":"dispatch","workspace":{{}},"call":{{"tool":"{tool}","args":{args}}}}}"#)
}

#[test]
fn skills_from_outside_are_listed_given_and_read() {
    let outside = directory(&[("tea/SKILL.md", &skill("tea")), ("tea/a/b.md", "b\n"), ("milk/SKILL.md", "Pour.")]);
    let args = ["--toolset", "agent", "--skills", outside.path().to_str().unwrap()];
    let left_out =
        "dispatch: skill left out: milk: SKILL.md does not begin with a front matter between two lines of `---`\n";
    let schema = dispatch(&["schema", "Skill"]).args(args).assert().code(0).stderr(left_out);
    assert!(stdout(&schema).contains("\\n- `tea`: What tea is for."), "{}", stdout(&schema));
    let given = run(&args, call("Skill", r#"{"name":"tea"}"#)).code(0).stderr(left_out);
    assert!(stdout(&given).contains(r"Do it.\n\nFiles of the skill, for Read:\n.dispatch/skills/tea/a/b.md\n"));
    let read = run(&args, call("Read", r#"{"path":".dispatch/skills/tea/a/b.md"}"#)).code(0);
    assert!(stdout(&read).starts_with(r#"{"observation":"1: b\n","status":"ok""#), "{}", stdout(&read));
    for path in [".dispatch/skills/tea/a/c.md", ".dispatch/skills/milk/SKILL.md", ".dispatch/skills/tea/../../../a"] {
        let read = run(&args, call("Read", &format!(r#"{{"path":"{path}"}}"#))).code(0);
        assert!(stdout(&read).contains("file_not_found"), "{}", stdout(&read));
    }
}

#[test]
#[cfg(unix)]
fn skills_from_outside_are_read_where_a_link_leads_to_the_workspace_s_own() {
    let outside = directory(&[("tea/SKILL.md", &skill("tea")), ("tea/a.md", "a\n")]);
    let root = directory(&[("conf/kept", "")]);
    std::os::unix::fs::symlink("conf", root.path().join(".dispatch")).unwrap();
    let (root, outside) = (root.path().to_str().unwrap(), outside.path().to_str().unwrap());
    let request = r#"{"op":"dispatch","call":{"tool":"Read","args":{"path":".dispatch/skills/tea/a.md"}}}"#;
    let read = run(&["--toolset", "agent", "--skills", outside, "--root", root], request).code(0);
    assert!(stdout(&read).contains(r"1: a\n"), "{}", stdout(&read));
}

#[test]
#[cfg(unix)]
fn a_link_out_of_a_directory_of_skills_is_not_followed() {
    let secret = directory(&[("tea/SKILL.md", &skill("tea")), ("key", "secret")]);
    let outside = directory(&[("milk/SKILL.md", &skill("milk"))]);
    std::os::unix::fs::symlink(secret.path().join("tea"), outside.path().join("tea")).unwrap();
    std::os::unix::fs::symlink(secret.path().join("key"), outside.path().join("milk/key")).unwrap();
    let args = ["--toolset", "agent", "--skills", outside.path().to_str().unwrap()];
    let refused = run(&args, call("Skill", r#"{"name":"tea"}"#)).code(0);
    assert!(stdout(&refused).contains("skill_not_found"));
    assert!(stderr(&refused).starts_with("dispatch: skill left out: tea: can't be read: path_outside_workspace"));
    let read = run(&args, call("Read", r#"{"path":".dispatch/skills/milk/key"}"#)).code(0);
    assert!(!stdout(&read).contains("secret"), "{}", stdout(&read));
}

#[test]
fn the_workspace_s_own_skills_are_listed_where_it_is_named_and_go_first() {
    let root = directory(&[(".claude/skills/tea/SKILL.md", &skill("tea").replace("What", "Why"))]);
    let outside = directory(&[("tea/SKILL.md", &skill("tea"))]);
    let (root, outside) = (root.path().to_str().unwrap(), outside.path().to_str().unwrap());
    let args = ["--toolset", "agent", "--skills", outside, "--root", root];
    let schema = dispatch(&["schema", "Skill"]).args(args).assert().code(0).stderr("");
    assert!(stdout(&schema).contains("\\n- `tea`: Why tea is for."), "{}", stdout(&schema));
    let request = r#"{"op":"dispatch","call":{"tool":"Skill","args":{"name":"tea"}}}"#;
    let given = run(&args, request).code(0).stderr("");
    assert!(stdout(&given).contains("Why tea is for."), "{}", stdout(&given));
}

#[test]
fn skills_go_with_the_toolset_that_has_them() {
    let outside = directory(&[]);
    let path = outside.path().to_str().unwrap();
    run(&["--skills", path], EDIT).code(2).stdout("");
    let told = "dispatch: --toolset: the toolset `core` has no skills\n";
    run(&["--toolset", "core", "--skills", path], EDIT).code(2).stdout("").stderr(told);
    let missing = run(&["--toolset", "agent", "--skills", "nowhere"], EDIT).code(2).stdout("");
    assert!(stderr(&missing).starts_with("dispatch: --skills: nowhere can't be opened"), "{}", stderr(&missing));
}

/// They are never silently for nothing.
#[test]
fn what_is_replayed_with_tools_that_have_no_skills_is_told() {
    let outside = directory(&[]);
    let skills = ["--skills", outside.path().to_str().unwrap()];
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log.jsonl");
    run(&["--record", log.to_str().unwrap()], EDIT).code(1);
    let told = "dispatch: --toolset: the toolset `core` has no skills\n";
    for recorded in [fs::read_to_string(log).unwrap().as_str(), EDIT] {
        replay(&skills, recorded).code(2).stdout("").stderr(told);
    }
}

/// The skills that a session had are not in its log.
#[test]
fn a_log_is_replayed_with_the_skills_that_are_named() {
    let outside = directory(&[("tea/SKILL.md", &skill("tea"))]);
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log.jsonl");
    let skills = ["--toolset", "agent", "--skills", outside.path().to_str().unwrap()];
    let record = ["--record", log.to_str().unwrap()];
    run(&[skills.as_slice(), &record].concat(), call("Skill", r#"{"name":"tea"}"#)).code(0);
    let log = fs::read_to_string(log).unwrap();
    replay(&skills, &log).code(0).stderr("");
    replay(&skills[2..], &log).code(0).stderr("");
    let told = stderr(&replay(&[], &log).code(1));
    assert!(told.contains("the tool `Skill` is not what it was"), "{told}");
}
