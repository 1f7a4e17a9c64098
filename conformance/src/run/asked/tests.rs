use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::*;
use crate::case::{Piece, Request};
use crate::run::fault::PRINTED;
use crate::testing::case_of;

/// A shell script as the program.
fn asker(script: &str, is_sharing: bool) -> Asker {
    let program =
        Program::of_command(&format!("sh -c {} sh", shlex::try_quote(script).expect("no NUL"))).expect("a command");
    Asker { program, timeout: Duration::from_secs(20), jobs: 2, place: Place::Memory, is_sharing, give_up_after: 3 }
}

/// A case that asks with a workspace of one file, which comes back.
fn case(text: &str) -> Case {
    let members =
        format!(r#"exit: 0, response: {{status: ok}}, effects: none, text: '{{"workspace":{{"a":"{text}"}}}}'"#);
    case_of(&format!("{{name: a, rule: rule, why: W., {members}}}")).expect("a case")
}

/// What is wrong with each case, the first line of every fault.
fn ask(asker: &Asker, cases: &[Case]) -> Vec<Vec<String>> {
    let cases: Vec<&Case> = cases.iter().collect();
    let first = |fault: &Fault| fault.to_string().lines().next().unwrap_or_default().to_owned();
    let faults = asker.ask(&cases).expect("sh runs").faults;
    faults.iter().map(|faults| faults.iter().map(first).collect()).collect()
}

/// Answers each request rightly, a line each, and counts its processes in a file.
fn right(count: &Path) -> String {
    format!(
        r#"echo x >> '{}'; while IFS= read -r l || [ -n "$l" ]; do printf '%s\n' "$l" | sed 's/^{{/{{"status":"ok",/'; done"#,
        count.display()
    )
}

fn processes(count: &Path) -> usize {
    std::fs::read_to_string(count).unwrap_or_default().lines().count()
}

#[test]
fn a_process_for_each_or_one_for_all_say_the_same_in_the_cases_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut cases = ["1", "2", "3", "4"].map(case).to_vec();
    // Of a line feed in the request a stream would make two lines.
    cases.insert(
        1,
        Case { request: Request::One(vec![Piece::Bytes(b"{\n\"workspace\":{\"a\":\"5\"}}".to_vec())]), ..case("5") },
    );
    cases.insert(3, Case { exit: 3, ..case("6") });
    let mut expected = vec![Vec::new(); 6];
    expected[3] = vec!["exit: expected 3, got 0".to_owned()];
    for (name, is_sharing, count) in [("alone", false, 6), ("together", true, 3)] {
        let file = folder.path().join(name);
        assert_eq!(ask(&asker(&right(&file), is_sharing), &cases), expected, "{name}");
        assert_eq!(processes(&file), count, "{name}");
    }
}

#[test]
fn where_a_shared_process_is_odd_each_is_asked_alone() {
    let one_alone = r#"IFS= read -r l; printf '%s\n' "$l" | sed 's/^{/{"status":"ok",/'; exit 0"#;
    let greets = format!(r#"case "$*" in *--stream*) echo hello;; esac; {}"#, right(Path::new("/dev/null")));
    let [is_silent, ends_badly] = ["exit 0", "exit 1"]
        .map(|end| format!(r#"case "$*" in *--stream*) {end};; esac; {}"#, right(Path::new("/dev/null"))));
    let (cases, all_right) = (["1", "2"].map(case), right(Path::new("/dev/null")));
    for (script, again) in [(one_alone, 2), (&greets, 2), (&is_silent, 2), (&ends_badly, 2), (&all_right, 0)] {
        let asked = asker(script, true).ask(&cases.each_ref()).expect("sh runs");
        assert!(asked.faults.iter().all(Vec::is_empty), "{script}");
        assert_eq!(asked.again, again, "{script}");
        assert_eq!(asker(script, false).ask(&cases.each_ref()).expect("sh runs").again, 0, "{script}");
    }
}

/// Nor were the cases of a process that was not even started.
#[test]
fn what_was_given_up_was_not_asked_again() {
    let late = Asker { timeout: Duration::from_millis(50), jobs: 1, give_up_after: 2, ..asker("exec sleep 60", true) };
    for (cases, again) in [(1, 1), (2 * SHARED + 1, 2)] {
        let cases = vec![case("1"); cases];
        assert_eq!(late.ask(&cases.iter().collect::<Vec<_>>()).expect("sh runs").again, again);
    }
}

#[test]
fn what_is_wrong_in_a_stream_alone_is_told() {
    let keeps = r#"IFS= read -r f; case "$*" in *--stream*) while IFS= read -r l; do printf '%s\n' "$f" | sed 's/^{/{"status":"ok",/'; done; l=x;; esac; printf '%s\n' "$f" | sed 's/^{/{"status":"ok",/'"#;
    let faults = ask(&asker(keeps, true), &["1", "2"].map(case));
    assert_eq!(faults[0], [""; 0]);
    assert_eq!(faults[1], ["stdout: says something else", "so it is in a stream of other requests; alone it passes"]);
}

#[test]
fn what_ends_otherwise_is_told() {
    let mut late = asker("sleep 60", false);
    late.timeout = Duration::from_millis(50);
    assert_eq!(ask(&late, &[case("1")]), [["took longer than 50 ms, and was ended"]]);
    assert_eq!(ask(&asker("kill -9 $$", false), &[case("1")])[0].len(), 1);
    let bytes = LEAST_OUTPUT_BYTES + OUTPUT_PER_INPUT * case("1").request.bytes().len();
    let told = format!("stdout: more than {bytes} bytes; the program was ended");
    let begins = format!(r#"stdout begins: "{}"..."#, r"\0".repeat(PRINTED));
    assert_eq!(ask(&asker("exec cat /dev/zero", false), &[case("1")]), [[told, begins]]);
}

#[test]
fn what_can_t_be_compared_is_shown() {
    let mut late = asker(r#"printf '{"a":\n\033'; exec sleep 60"#, false);
    late.timeout = Duration::from_millis(500);
    let begins = r#"stdout begins: "{\"a\":\n\u{1b}""#;
    assert_eq!(ask(&late, &[case("1")]).concat(), ["took longer than 500 ms, and was ended", begins]);
    let faults = ask(&asker(r"printf 'é\377x\n'", false), &[case("1")]).concat();
    assert_eq!(faults, ["stdout: no UTF-8 behind its first 2 bytes", r#"stdout begins: "é\xffx\n""#]);
    let shown = |stdout: &str| printed(stdout.as_bytes()).map(|fault| fault.to_string());
    assert_eq!(shown(""), None);
    for (text, mark) in [("x".repeat(100), ""), ("x".repeat(101), "...")] {
        assert_eq!(shown(&text), Some(format!("stdout begins: \"{}\"{mark}", "x".repeat(100))));
    }
    assert_eq!(shown(&"€".repeat(50)), Some(format!("stdout begins: \"{}\"...", "€".repeat(33))));
}

#[test]
fn what_a_failing_program_said_is_shown() {
    let faults = ask(&asker("echo Oh no >&2; exit 7", false), &[case("1")]);
    assert_eq!(faults, [["exit: expected 0, got 7", "stdout: says something else", "it said: Oh no"]]);
}

#[test]
fn the_words_of_expected_details_are_a_hint() {
    let members = r#"exit: 0, response: {details: [{path: $, message: missing field `b`}]}, effects: none, text: '{"workspace":{}}'"#;
    let case = case_of(&format!("{{name: a, rule: rule, why: W., {members}}}")).expect("a case");
    let told = |stdout: &str| {
        let faults = asker(&format!("cat > /dev/null; echo '{stdout}'"), false).ask(&[&case]).expect("sh runs").faults;
        faults.iter().flatten().skip(1).map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(told(r#"{"workspace":{}}"#), ["the expected details, whose words are free:\n| $: missing field `b`"]);
    assert_eq!(told(r#"{"details":[{"path":"$","message":"no b"}],"workspace":{}}"#), [""; 0]);
}

#[test]
fn the_arguments_are_those_of_dispatch() {
    let mut explained = case("1");
    explained.options.explain = true;
    let echoes = r#"printf '%s\n' "$*" >&2; exit 1"#;
    let faults = ask(&asker(echoes, false), &[explained]);
    assert_eq!(faults[0].last().map(String::as_str), Some("it said: dispatch --explain"));
}

/// One worker has the middle one in hand for as long as the other does those around it.
#[test]
fn work_comes_back_in_order_whoever_did_it() {
    let (has_begun, is_over) = (AtomicBool::new(false), AtomicBool::new(false));
    let wait_for = |flag: &AtomicBool| {
        while !flag.load(Ordering::SeqCst) {
            thread::yield_now();
        }
    };
    let work = |item: &usize| {
        match item {
            0 => wait_for(&has_begun),
            1 => {
                has_begun.store(true, Ordering::SeqCst);
                wait_for(&is_over);
            }
            _ => is_over.store(true, Ordering::SeqCst),
        }
        *item
    };
    assert_eq!(in_parallel(2, 9, &[0, 1, 2], work, |_| false), [0, 1, 2].map(Some));
    for jobs in [0, usize::MAX] {
        assert_eq!(in_parallel(jobs, 9, &[0, 1], |item| *item, |_| false), [0, 1].map(Some));
    }
}

#[test]
#[should_panic(expected = "the second")]
fn work_that_panics_is_not_passed_over() {
    in_parallel(2, 9, &[0, 1, 2], |item| assert!(*item != 1, "the second"), |()| false);
}

#[test]
fn behind_late_ones_in_a_row_there_is_nothing_however_many_work() {
    let items = [0, 9, 9, 0, 9, 9, 9, 0, 9, 0];
    for jobs in 1..=4 {
        let done = in_parallel(jobs, 3, &items, |item| *item, |item| *item == 9);
        assert_eq!(done, [0, 9, 9, 0, 9, 9, 9].map(Some).into_iter().chain([None; 3]).collect::<Vec<_>>());
    }
}

#[test]
fn a_program_that_hangs_is_given_up() {
    for is_sharing in [false, true] {
        let mut late = asker("exec sleep 60", is_sharing);
        late.timeout = Duration::from_millis(50);
        let faults = ask(&late, &["1", "2", "3", "4", "5"].map(case));
        let hung = "took longer than 50 ms, and was ended";
        let not_asked = "was not asked: 3 cases in a row took too long before it (`--give-up-after`)";
        assert_eq!(faults.concat(), [hung, hung, hung, not_asked, not_asked], "{is_sharing}");
    }
}

#[test]
fn what_was_said_is_shown_of_what_was_ended_and_without_the_folder_s_path() {
    let mut late = on_a_directory(r#"echo "in $root/a" >&2; exec sleep 60"#);
    late.timeout = Duration::from_millis(500);
    assert_eq!(ask(&late, &[case("1")]).concat(), ["took longer than 500 ms, and was ended", "it said: in DIR/a"]);
    let killed = ask(&on_a_directory(r#"echo "in $root" >&2; kill -9 $$"#), &[case("1")]).concat();
    assert_eq!(killed.last().map(String::as_str), Some("it said: in DIR"));
    let littered = ask(&on_a_directory(r#"echo Oh >&2; mkdir "$root/b""#), &[case("1")]).concat();
    assert_eq!(littered.last().map(String::as_str), Some("it said: Oh"));
}

#[test]
fn every_case_is_judged_once() {
    let found = |indexes: &[usize]| one_each(2, indexes.iter().map(|index| (*index, Vec::new())).collect());
    assert_eq!(found(&[1, 0]).expect("both").len(), 2);
    for indexes in [[0].as_slice(), &[1], &[0, 0], &[0, 1, 1]] {
        assert!(found(indexes).is_err(), "{indexes:?}");
    }
}

/// Does what `script` says in the directory that it is named, as `$root`, and answers.
fn on_a_directory(script: &str) -> Asker {
    let asker = asker(&format!(r#"[ "$2" = --root ] && root=$3; {script}; echo '{{"status":"ok"}}'"#), false);
    Asker { place: Place::Directory, ..asker }
}

/// Everybody's first stream: what is printed waits in a buffer until stdin ends.
#[test]
fn an_answer_that_is_kept_back_is_told_as_such() {
    let answers = "answers: [{response: {a: 1}}, {response: {a: 2}}]";
    let lines = format!("{{name: a, rule: rule, why: W., exit: 0, lines: ['{{\"a\":1}}', '{{\"a\":2}}'], {answers}");
    let whole = case_of(&format!("{lines}}}")).expect("a case");
    let in_turns = case_of(&format!("{lines}, in_turns: true}}")).expect("a case");
    let told = |script: &str, timeout_ms, case: &Case| {
        let asker = Asker { timeout: Duration::from_millis(timeout_ms), ..asker(script, false) };
        ask(&asker, std::slice::from_ref(case)).concat()
    };
    let (at_once, at_the_end) = ("exec cat", "lines=$(cat; echo x); printf %s \"${lines%x}\"");
    assert_eq!(told(at_once, 20_000, &in_turns), [""; 0]);
    assert_eq!(told(at_the_end, 20_000, &whole), [""; 0]);
    let expected =
        "line 1 was not answered within 500 ms while the stream stayed open: is the response flushed? It was ended";
    assert_eq!(told(at_the_end, 500, &in_turns), [expected]);
}

#[test]
fn on_a_directory_the_files_are_there_and_come_back() {
    let told = |script: &str| ask(&on_a_directory(script), &[case("text")]).concat();
    assert_eq!(told(r#"[ "$(cat "$root/a")" = text ] && ! grep -q workspace"#), [""; 0]);
    assert_eq!(told(r#"printf other > "$root/a""#), ["stdout: says something else"]);
    assert_eq!(told(r#"mkdir "$root/b""#), ["`b/` was left behind in the directory"]);
    assert_eq!(
        told(r#"printf other > "$root/a"; exit 1"#),
        [r#"what failed changed the directory: it holds {"a":"other"}"#]
    );
}

#[test]
fn a_directory_that_was_replaced_is_not_followed_and_nothing_stays_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let (other, place) = (folder.path().join("other"), folder.path().join("place"));
    std::fs::create_dir(&other).expect("a folder");
    std::fs::write(other.join("a"), "text").expect("a file");
    for by in [
        format!("ln -s '{}' \"$root\"", other.display()),
        "echo > \"$root\"".into(),
        "mkfifo \"$root\"".into(),
        ":".into(),
    ] {
        let script = format!(r#"echo "$root" > '{}'; rm -r "$root"; {by}; echo "in $root and /" >&2"#, place.display());
        let told = ask(&on_a_directory(&script), &[case("text")]).concat();
        assert_eq!(told, ["the directory was replaced by something else", "it said: in DIR and /"], "{by}");
        let root = std::fs::read_to_string(&place).expect("its path");
        assert!(std::fs::symlink_metadata(root.trim_end()).is_err(), "{by}: {root}");
    }
    assert!(other.join("a").exists());
    assert_eq!(
        ask(&on_a_directory(r#"rm -r "$root"; mkdir "$root"; printf text > "$root/a""#), &[case("text")]),
        [[""; 0]]
    );
}

#[test]
fn a_workspace_is_written_into_a_file() {
    let members = "exit: 0, text: x, options: {provider: p}, workspace: {a: b}, messages: [], effects: none";
    let case = case_of(&format!("{{name: a, rule: rule, why: W., {members}}}")).expect("a case");
    let told =
        |with: &str| ask(&asker(&format!(r"for out; do :; done; {with}"), false), std::slice::from_ref(&case)).concat();
    assert_eq!(told(r#"cp "${out%after.json}before.json" "$out""#), [""; 0]);
    for with in [r#"ln -s "${out%after.json}before.json" "$out""#, r#"ln -s /dev/zero "$out""#, r#"mkfifo "$out""#] {
        assert_eq!(told(with), ["workspace: says something else"], "{with}");
    }
    // That of 1 MiB, and of eight times `x` and `{"a":"b"}`.
    let bytes = (1 << 20) + 8 * 10;
    assert_eq!(told(&format!(r#"truncate -s {bytes} "$out""#)), ["workspace: says something else"]);
    let told = told(&format!(r#"echo Oh >&2; truncate -s {} "$out""#, bytes + 1));
    assert_eq!(told, [&format!("the workspace that was written has more than {bytes} bytes"), "it said: Oh"]);
}
