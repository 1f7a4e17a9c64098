//! Usage: what is wrong with the words of the command line, and what it says of itself.

use predicates::prelude::*;

use crate::{dispatch, read_request, run, stdout};

#[test]
fn wrong_words_end_with_2_before_anything_is_read() {
    for args in [
        &["--allow", "read_file,gone"][..],
        &["--allow", ""],
        &["--max-output-bytes", "0"],
        &["--max-output-bytes", "9007199254740992"],
        &["--max-output-bytes", "many"],
        &["--keep-going"],
        &["--pretty", "--stream"],
        &["--error-format", "xml"],
        &["--unheard-of"],
        &["a.json", "b.json"],
    ] {
        run(args, read_request(r#""x""#)).code(2).stdout("").stderr(predicate::str::is_empty().not());
    }
    dispatch(&[]).assert().code(2).stdout("");
}

#[test]
fn a_tool_that_does_not_exist_can_not_be_allowed() {
    let told = "dispatch: --allow: there is no tool `gone`; there are patch_file, read_file, write_file\n";
    run(&["--allow", "read_file,gone"], read_request(r#""x""#)).code(2).stderr(told);
}

#[test]
fn pretty_lays_out_the_same_value() {
    let request = read_request(r#""\u0041\/""#);
    let pretty = stdout(&run(&["--pretty"], request.clone()).code(0));
    insta::assert_snapshot!(pretty, @r#"
    {
      "observation": "1: A/",
      "status": "ok",
      "tool": "read_file",
      "workspace": {
        "a": "\u0041\/"
      }
    }
    "#);
    let parse = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!(parse(&pretty), parse(&stdout(&run(&[], request).code(0))));
}

#[test]
fn help_names_every_option_that_there_is() {
    let help = stdout(&dispatch(&["dispatch", "--help"]).assert().code(0).stderr(""));
    for option in
        ["--stream", "--keep-going", "--allow", "--max-output-bytes", "--explain", "--error-format", "--pretty"]
    {
        assert!(help.contains(option), "{option}");
    }
}
