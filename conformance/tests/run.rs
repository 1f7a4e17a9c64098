//! The command `conformance run`, on the binary `dispatch` and on programs that are no dispatchers.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use conformance::binary::Binary;

/// The folder of this package.
fn package() -> PathBuf {
    // Asked at run time: where checkouts share a target folder, a program may have been compiled in another one.
    std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from("."), PathBuf::from)
}

/// Runs the cases, and returns the exit code and what was said: stdout, or where that is empty stderr.
fn run(command: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let conformance = Command::new(env!("CARGO_BIN_EXE_conformance"))
        .args(["run", "--command", command])
        .args(arguments)
        .arg("--folder")
        .arg(package())
        .output()
        .expect("it runs");
    let said = if conformance.stdout.is_empty() { conformance.stderr } else { conformance.stdout };
    (conformance.status.code(), String::from_utf8(said).expect("UTF-8"))
}

/// The command of the binary `dispatch`.
fn dispatch(binary: &Binary) -> String {
    let program = binary.program().expect("it builds").to_str().expect("UTF-8");
    shlex::try_quote(program).expect("no NUL").into_owned()
}

/// Checks the exit code, and that a text stands in what was said.
fn check(command: &str, arguments: &[&str], exit: i32, holds: &str) {
    let (code, said) = run(command, arguments);
    assert_eq!(code, Some(exit), "{said}");
    assert!(said.contains(holds), "{holds}\n{said}");
}

#[test]
fn the_binary_passes_all_a_process_per_case() {
    check(&dispatch(&Binary::from_sources()), &[], 0, "\nlevel reached: sessions\n0 of ");
}

#[test]
fn the_binary_passes_all_in_processes_that_are_shared() {
    check(
        &dispatch(&Binary::from_sources()),
        &["--stream", "--suite", "1.0", "--level", "limits"],
        0,
        "\nlevel reached: limits\n0 of ",
    );
}

#[test]
fn the_binary_passes_all_on_a_directory() {
    check(&dispatch(&Binary::from_sources()), &["--root"], 0, "\nlevel reached: sessions\n0 of ");
}

/// However an answer is spelled, and where none would show it.
#[test]
fn what_is_left_on_a_directory_is_judged_behind_every_request() {
    let answering = |script: &str| {
        let script = format!(r#"root=; for a; do [ "$p" = --root ] && root=$a; p=$a; done; {script}"#);
        let quoted = shlex::try_quote(&script).expect("no NUL").into_owned();
        format!("sh -c {quoted} sh")
    };
    let dispatch = dispatch(&Binary::from_sources());
    let littering =
        answering(&format!(r#"{dispatch} "$@"; exit=$?; [ -z "$root" ] || echo > "$root/junk"; exit $exit"#));
    let (_, said) = run(&littering, &["--root", "--level", "limits"]);
    let passed = said.lines().filter_map(|line| line.strip_prefix("protocol ")?.split_whitespace().next());
    assert_eq!(passed.collect::<Vec<_>>(), ["0"], "{said}");
    let unfinished = answering(&format!(r#"{dispatch} "$@" | tr -d '\n'"#));
    check(&unfinished, &["--root", "tools::read_file::lines"], 0, "\n0 of 1 ");
}

#[test]
fn what_is_not_claimed_is_told_beside_the_level() {
    let dispatch = dispatch(&Binary::from_sources());
    let arguments = ["--stream", "--without", "explain,agent", "--skip-level", "providers", "--level", "providers"];
    check(&dispatch, &arguments, 0, "\nlevel reached: limits, without providers, agent, explain\n0 of ");
}

#[test]
fn a_program_that_is_no_dispatcher_fails() {
    check("cat", &["gates::permissions"], 1, "FAILED gates::permissions::not_named\n");
    check("cat", &["--exact", "gates::permissions::not_named"], 1, "\n1 of 1 cases failed\n");
}

#[test]
fn a_program_that_does_nothing_passes_nothing() {
    for script in ["exit 0", "exit 1", "exit 2", "echo Oh >&2; exit 1", "echo Oh >&2; exit 2"] {
        let command = format!("sh -c '{script}' sh");
        let (code, said) = run(&command, &[]);
        let passed = |line: &str| line.split_whitespace().nth(1).map(str::to_owned);
        let levels = said.lines().skip_while(|line| !line.starts_with("level ")).skip(1).take(6);
        assert_eq!((code, levels.filter_map(passed).collect::<String>().as_str()), (Some(1), "000000"), "{script}");
    }
}

#[test]
fn what_could_not_be_run_has_an_exit_code_of_its_own() {
    check("/nowhere/dispatch", &["gates"], 2, "error: `/nowhere/dispatch` could not be run: ");
    let no_shell = " (os error 2) (no shell is run: `~`, `$A` and `A=b` before a program mean nothing)\n";
    for command in ["~/dispatch", "A=b true", "'$HOME/dispatch'"] {
        check(command, &["gates"], 2, no_shell);
    }
    check("'", &[], 2, "error: `'` is no command");
    for option in ["--jobs", "--timeout-ms", "--give-up-after"] {
        check("true", &[option, "0"], 2, "a whole number from 1 on is expected");
    }
    for names in [["no::such::case"].as_slice(), &["gates", "no::such::case"], &["no::such::case", "--level", "gates"]]
    {
        check("true", names, 2, "error: no case is selected by `no::such::case`");
    }
    check("true", &["--suite", "0.1"], 2, "error: there is no version 0.1 of the suite: there are 1.0");
    check("true", &["--known", "/nowhere/known.yaml"], 2, "error: /nowhere/known.yaml: No such file");
    check(
        "true",
        &["--level", "all"],
        2,
        "there are the levels protocol, gates, arguments, limits, providers, sessions",
    );
    check(
        "true",
        &["--stream", "--without", "stream"],
        2,
        "`--stream` asks for what `--without stream` says is not there",
    );
    check("true", &["--without", "effort"], 2, "what can be left out is agent, ");
}

#[test]
fn where_the_cases_are_not_found_it_is_said_how_to_name_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let conformance = Command::new(env!("CARGO_BIN_EXE_conformance"))
        .args(["run", "--command", "true"])
        .current_dir(folder.path())
        .env_remove("CARGO_MANIFEST_DIR")
        .output()
        .expect("it runs");
    let said = String::from_utf8(conformance.stderr).expect("UTF-8");
    assert_eq!(conformance.status.code(), Some(2));
    assert!(said.ends_with("; `--folder DIR` says where the folder `conformance` of a checkout is\n"), "{said}");
}

#[test]
fn a_run_that_asks_nothing_is_no_success() {
    check("true", &["gates::policy::denied"], 2, "error: no case was run: none of those selected applies");
}

#[test]
fn the_list_of_known_failures_holds_both_ways() {
    let folder = tempfile::tempdir().expect("a folder");
    let listed = |name: &str| {
        let file = folder.path().join("known.yaml");
        fs::write(&file, format!("{name}: It is no dispatcher.\n")).expect("a file");
        file.to_str().expect("UTF-8").to_owned()
    };
    let with = |command: &str, listed: &str, exit, holds| {
        check(command, &["--exact", "gates::permissions::not_named", "--known", listed], exit, holds);
    };
    let dispatch = dispatch(&Binary::from_sources());
    with("cat", &listed("gates::permissions::not_named"), 0, "\n0 of 1 cases failed (known failures: 1)\n");
    let passes = "\n  passes, and is listed as a known failure: It is no dispatcher.\n";
    with(&dispatch, &listed("gates::permissions::not_named"), 1, passes);
    with("cat", &listed("gates::permissions::named"), 1, "\n1 of 1 cases failed\n");
    with("cat", &listed("gates::permissions::misspelt"), 2, "there is no case `gates::permissions::misspelt`");
}

#[test]
fn a_frozen_version_that_is_no_longer_what_it_was_is_not_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let copy = folder.path().join("conformance");
    let case =
        "- {name: a, rule: op, why: W., text: x, exit: 1, failure: {error: malformed_json, line: 1, column: 1}}\n";
    write(&copy.join("../docs/protocol.md"), "# op\n");
    write(&copy.join("cases/gates/any.yaml"), case);
    write(
        &copy.join("suites/1.0.txt"),
        "suite 1.0 frozen\ngates::any::a 0123456789abcdef\ngates::any::b 0123456789abcdef\n",
    );
    let conformance = Command::new(env!("CARGO_BIN_EXE_conformance"))
        .args(["run", "--command", "true", "--suite", "1.0", "--folder"])
        .arg(&copy)
        .output()
        .expect("it runs");
    let said = "error: the case `gates::any::a` means something else\nthe case `gates::any::b` is gone\n";
    assert_eq!((conformance.status.code(), String::from_utf8_lossy(&conformance.stderr).as_ref()), (Some(2), said));
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("a file");
}

#[test]
fn reports_are_written_beside_the_one_for_people() {
    let folder = tempfile::tempdir().expect("a folder");
    let [junit, json, markdown] = ["r.xml", "r.json", "r.md"].map(|name| folder.path().join(name));
    fs::write(&markdown, "# Before\n").expect("a file");
    let path = |path: &Path| path.to_str().expect("UTF-8").to_owned();
    let (junit, json, markdown) = (path(&junit), path(&json), path(&markdown));
    let arguments =
        ["--exact", "gates::permissions::not_named", "--junit", &junit, "--json", &json, "--markdown", &markdown];
    check("cat", &arguments, 1, "FAILED gates::permissions::not_named\n");
    let begins = |file: &str, begin: &str| {
        let text = fs::read_to_string(file).expect("a report");
        assert!(text.starts_with(begin), "{text}");
    };
    begins(
        &junit,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"conformance\" tests=\"1\" skipped=\"0\" failures=\"1\"",
    );
    begins(&json, "{\n  \"asked_again\": 0,\n  \"cases\": [\n    {\n      \"level\": \"gates\",");
    begins(&markdown, "# Before\n## Conformance: failed\n");
}

/// Before a case is run: what a run of minutes has found must not be lost.
#[test]
fn reports_that_can_t_be_written_are_told_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (asked, unwritable, one) = (path("asked"), path("none/r.xml"), path("r"));
    let command = format!("touch {asked}");
    let named = ["--exact", "gates::permissions::not_named"];
    for option in ["--junit", "--json", "--markdown"] {
        check(&command, &[&named[..], &[option, &unwritable]].concat(), 2, "No such file");
    }
    fs::write(&one, "before").expect("a file");
    let linked = path("linked");
    std::os::unix::fs::symlink(&one, &linked).expect("a link");
    for (junit, json) in [(&one, &one), (&one, &linked)] {
        check(
            &command,
            &[&named[..], &["--junit", junit, "--json", json]].concat(),
            2,
            "two reports can't be one file",
        );
    }
    assert_eq!(fs::read_to_string(&one).expect("a file"), "before");
    assert!(!Path::new(&asked).exists(), "it was asked");
    // It opens, and takes nothing.
    let (code, said) = run("cat", &[&named[..], &["--json", "/dev/full"]].concat());
    assert_eq!(code, Some(2));
    assert!(said.starts_with("FAILED gates::permissions::not_named\n"), "{said}");
}

#[test]
fn no_report_takes_the_place_of_what_the_run_is_given() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (known, page, case, suite) =
        (path("known.yaml"), path("docs/protocol.md"), path("c/cases/gates/any.yaml"), path("c/suites/1.0.txt"));
    let (program, symlink, link) = (path("program.sh"), path("symlink"), path("link"));
    let texts = [
        (&known, "gates::any::a: Why.\n"),
        (&page, "# op\n"),
        (&case, "- {name: a, rule: op, why: W., text: x, exit: 1, failure: {error: malformed_json, path: $}}\n"),
        (&suite, "suite 1.0 open\n"),
        (&program, "exit 1\n"),
    ];
    for (file, text) in texts {
        write(Path::new(file), text);
    }
    std::os::unix::fs::symlink(&known, &symlink).expect("a link");
    fs::hard_link(&known, &link).expect("a link");
    for option in ["--junit", "--json", "--markdown"] {
        for file in [&known, &page, &case, &suite, &program, &symlink, &link] {
            let conformance = Command::new(env!("CARGO_BIN_EXE_conformance"))
                .args([
                    "run",
                    "--command",
                    &format!("sh '{program}'"),
                    "--known",
                    &known,
                    "--suite",
                    "1.0",
                    option,
                    file,
                    "--folder",
                ])
                .arg(folder.path().join("c"))
                .output()
                .expect("it runs");
            let said = format!("error: {file}: no report can take the place of what the run is given\n");
            assert_eq!(
                (conformance.status.code(), String::from_utf8_lossy(&conformance.stderr).as_ref()),
                (Some(2), said.as_str())
            );
        }
    }
    for (file, text) in texts {
        assert_eq!(fs::read_to_string(file).expect("a file"), text);
    }
}

#[test]
fn the_command_of_a_case_alone_runs_it_alone() {
    let (code, said) = run("cat", &["gates::permissions::not_named"]);
    let alone = said.lines().find_map(|line| line.strip_prefix("  alone: ")).expect("a command");
    assert!(
        alone.starts_with("cargo run --quiet --locked --manifest-path ../Cargo.toml -p conformance -- run "),
        "{alone}"
    );
    let again = alone.split_once(" -- ").expect("words").1;
    let words = shlex::split(again).expect("words");
    let conformance = Command::new(env!("CARGO_BIN_EXE_conformance")).args(words).output().expect("it runs");
    let said_again = String::from_utf8(conformance.stdout).expect("UTF-8");
    assert_eq!(conformance.status.code(), code);
    assert!(said_again.starts_with("FAILED gates::permissions::not_named\n"), "{said_again}");
    assert!(said_again.ends_with("\n1 of 1 cases failed\n"), "{said_again}");
}

#[test]
fn the_same_answers_give_the_same_report() {
    let dispatch = dispatch(&Binary::from_sources()) + " --no-such-option";
    let once = run(&dispatch, &["protocol::op", "--jobs", "1"]);
    assert_eq!(once, run(&dispatch, &["protocol::op", "--jobs", "4"]));
}
