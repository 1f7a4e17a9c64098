use super::*;
use crate::yaml::{Options, Toolset};

fn input(stdin: &str) -> Input {
    let options = Options::default();
    let stdin = stdin.as_bytes().to_vec();
    Input { stdin, is_stream: false, workspace: None, options, toolset: Toolset::Core, is_for_directory: false }
}

fn provider(workspace: &str) -> Input {
    let options = Options { provider: Some("anthropic".into()), ..Options::default() };
    Input { workspace: Some(workspace.into()), options, ..input("{}") }
}

fn answered(stdout: &str, exit: i32) -> Output {
    Output { stdout: stdout.into(), exit, ..Output::default() }
}

/// Lays a request out, lets something happen to the directory, and puts back what it then holds.
fn put_back(input: &Input, output: Output, happens: impl FnOnce(&Path)) -> Result<Output, NotReadBack> {
    let folder = tempfile::tempdir().expect("a folder");
    let layout = Layout::of(input).expect("paths of files");
    layout.write(folder.path()).expect("writable");
    happens(folder.path());
    layout.put_back(output, folder.path())
}

#[test]
fn what_brings_no_workspace_is_asked_as_it_is() {
    for stdin in
        ["", "[]", "{\"op\"", r#"{"op":"x"}"#, r#"{"workspace":{},"workspace":{}}"#, r#"{"workspace":{"a":"","a":""}}"#]
    {
        let layout = Layout::of(&input(stdin)).expect(stdin);
        assert_eq!((layout.input.stdin.as_slice(), layout.files.len()), (stdin.as_bytes(), 0), "{stdin}");
    }
}

#[test]
fn all_else_of_a_request_stays_as_written() {
    let asked = |stdin| Layout::of(&input(stdin)).expect("laid out").input.stdin;
    assert_eq!(asked("\u{feff}{ \"\\u006fp\" : 1,\"workspace\":{} }"), "\u{feff}{ \"\\u006fp\" : 1 }".as_bytes());
    assert_eq!(asked(r#"{"\u0077orkspace":{},"call":{"args":{"a":1,"a":2}}}"#), br#"{"call":{"args":{"a":1,"a":2}}}"#);
}

#[test]
fn what_no_directory_can_hold_is_not_laid_out() {
    for path in ["", "/a", "../a", "./a", "a//b", "a/", "~", "C:a", "a\\u0000", &"a".repeat(256)] {
        let workspace = format!(r#"{{"{path}":""}}"#);
        assert!(matches!(Layout::of(&provider(&workspace)), Err(NotLaidOut::Path(_))), "{path}");
    }
    assert!(matches!(Layout::of(&provider(r#"{"a":"","a-":"","a/b/c":""}"#)), Err(NotLaidOut::BelowAFile(_))));
    assert!(matches!(Layout::of(&input(r#"{"workspace":{"a":1}}"#)), Err(NotLaidOut::Workspace(_))));
    let replay = Options { replay: true, ..Options::default() };
    assert!(matches!(Layout::of(&Input { options: replay, ..input("") }), Err(NotLaidOut::Replay)));
}

#[test]
fn a_stream_is_asked_where_no_line_is_about_the_workspace() {
    let asked = |stdin: &str| Layout::of(&Input { is_stream: true, ..input(stdin) });
    assert!(asked("{\"op\":\"dispatch\"}\n{\n\n").is_ok());
    for line in [r#"{"op":"workspace"}"#, "\u{feff}{\"op\":\"work\\u0073pace\"}", r#"{"workspace":{}}"#] {
        let lines = format!("{line}\n{{}}\n");
        assert!(matches!(asked(&lines), Err(NotLaidOut::Stream)), "{line}");
    }
}

#[test]
fn what_the_directory_holds_stands_where_the_workspace_would() {
    let request = input(r#"{"workspace":{"a/b":"\u0041","c":"\u0041","d":""}}"#);
    let write = |root: &Path| {
        fs::write(root.join("a/e"), "é").expect("writable");
        fs::write(root.join("c"), "A\n").expect("writable");
        fs::remove_file(root.join("d")).expect("there");
    };
    let output = put_back(&request, answered("{\"tool\":\"t\"}\n", 0), write).expect("files");
    let expected = "{\"tool\":\"t\",\"workspace\":{\"a/b\":\"\\u0041\",\"a/e\":\"é\",\"c\":\"A\\n\"}}\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
}

#[test]
fn it_is_laid_out_as_the_response_is() {
    let pretty = Options { pretty: true, ..Options::default() };
    let request = Input { options: pretty, ..input(r#"{"workspace":{"a":"x"}}"#) };
    let output = put_back(&request, answered("{\n  \"tool\": \"t\"\n}\n", 0), |_| ()).expect("files");
    let expected = "{\n  \"tool\": \"t\",\n  \"workspace\": {\n    \"a\": \"x\"\n  }\n}\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
}

/// Right answers are spelled in many ways, and where bytes count those that came must be seen.
#[test]
fn a_response_is_read_however_it_is_spelled() {
    let check = |is_pretty: bool, response: &str, expected: &str| {
        let options = Options { pretty: is_pretty, ..Options::default() };
        let request = Input { options, ..input(r#"{"workspace":{"a":"x"}}"#) };
        let output = put_back(&request, answered(response, 0), |_| ()).expect("files");
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    };
    let member = r#""workspace":{"a":"x"}}"#;
    for end in ["", "\n", "\r\n", " \n", "\n\n"] {
        check(false, &format!(r#"{{"b":1}}{end}"#), &format!(r#"{{"b":1,{member}{end}"#));
    }
    check(false, "{ \"b\": 1 }\n", &format!("{{ \"b\": 1 ,{member}\n"));
    check(false, "{ }", &format!("{{ {member}"));
    check(true, "{\"b\":1}", "{\"b\":1,\n  \"workspace\": {\n    \"a\": \"x\"\n  }\n}");
    for other in ["", "[1]\n", "7", "{\"b\":1} x"] {
        check(false, other, other);
    }
}

#[test]
fn behind_answers_that_carry_no_workspace_it_is_told_apart() {
    let stream = Input { is_stream: true, ..input("{}\n") };
    let on_directory = Input { is_for_directory: true, workspace: Some(r#"{"a":"\u0041"}"#.into()), ..input("{}") };
    let write = |root: &Path| fs::write(root.join("b"), "x").expect("writable");
    for (input, left) in [(stream, r#"{"b":"x"}"#), (on_directory, r#"{"a":"\u0041","b":"x"}"#)] {
        let output = put_back(&input, answered("{}\n", 0), write).expect("files");
        assert_eq!(String::from_utf8(output.left.expect("files")).expect("UTF-8"), format!("{left}\n"));
        assert_eq!(output.stdout, b"{}\n");
    }
}

#[test]
fn what_failed_and_changed_much_is_told_in_short() {
    let told =
        put_back(&input("{}"), answered("", 1), |root| fs::write(root.join("a"), "x".repeat(1000)).expect("writable"));
    let told = told.expect_err("a failure that changed something").to_string();
    assert!(told.starts_with("what failed changed the directory: it holds {\"a\":\"xx") && told.len() < 300, "{told}");
}

/// The large file takes no place, and no time either.
#[test]
fn what_is_read_back_is_bounded() {
    let check = |happens: fn(&Path), told: &str| {
        let told_of = put_back(&input("{}"), answered("{}\n", 0), happens).expect_err("too much");
        assert_eq!(told_of.to_string(), told);
    };
    let bytes = LEAST_BYTES + BYTES_PER_INPUT * 2;
    let large = |root: &Path| fs::File::create(root.join("a")).expect("writable").set_len(1 << 40).expect("sparse");
    check(large, &format!("the directory holds more than {bytes} bytes"));
    let halves = |root: &Path| {
        for name in ["a", "b"] {
            fs::write(root.join(name), "x".repeat(600_000)).expect("writable");
        }
    };
    check(halves, &format!("the directory holds more than {bytes} bytes"));
    let many = |root: &Path| {
        for name in 0..=1002 {
            fs::write(root.join(name.to_string()), "").expect("writable");
        }
    };
    check(many, "the directory holds more than 1002 files and directories");
}

#[test]
fn a_provider_s_message_leaves_it_as_a_workspace() {
    let output = put_back(&provider(r#"{"a":"x"}"#), answered("m", 0), |_| ()).expect("files");
    assert_eq!(output.workspace.as_deref(), Some(b"{\"a\":\"x\"}\n".as_slice()));
    assert_eq!(put_back(&provider("{}"), answered("m", 1), |_| ()).expect("unchanged").workspace, None);
}

#[test]
fn a_failure_changes_nothing() {
    let request = input(r#"{"workspace":{"a":"x"}}"#);
    let wrote = |root: &Path| fs::write(root.join("b"), "").expect("writable");
    assert!(matches!(put_back(&request, answered("", 1), wrote), Err(NotReadBack::Changed(_))));
    assert_eq!(put_back(&request, answered("", 1), |_| ()).expect("unchanged"), answered("", 1));
}

#[test]
fn nothing_is_left_behind() {
    let check = |happens: fn(&Path), left: &str| match put_back(&input("{}"), answered("{}\n", 0), happens) {
        Err(NotReadBack::LeftBehind(path)) => assert_eq!(path, left),
        other => panic!("{other:?}"),
    };
    check(|root| fs::create_dir_all(root.join("a/b")).expect("writable"), "a/b/");
    check(|root| fs::write(root.join("a"), b"\xff").expect("writable"), "a");
    #[cfg(unix)]
    check(|root| std::os::unix::fs::symlink("a", root.join("b")).expect("writable"), "b");
}
