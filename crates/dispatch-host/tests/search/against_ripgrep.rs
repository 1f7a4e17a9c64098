//! The lines that are found, held to those of the program `rg`, where there is one: `RG` names it, else it is looked for in `PATH`.

use std::path::Path;
use std::process::Command;

use dispatch_core::workspace::MemoryWorkspace;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::support::{call, write};

const LINES: &[&str] =
    &["needle", "a needle and a needle", "hay", "", "Needle", "né", "nee\tdle", "x\r", "needle\r", "-needle", "ab12"];
const PATTERNS: &[&str] = &[
    "needle",
    "^needle$",
    "n..dle",
    "(?i)NEEDLE",
    "^$",
    r"\w+\d",
    "e|y",
    r"\s",
    "[^a-z]",
    r"\bneedle\b",
    "-needle",
    "é",
    "x\\r$",
    "",
    r"\Aneedle",
    r"needle\z",
];

fn text() -> impl Strategy<Value = String> {
    let lines = proptest::collection::vec(proptest::sample::select(LINES), 0..12).prop_map(|lines| lines.join("\n"));
    // Ripgrep looks at three bytes first, and takes a line that ends there for text, whatever follows: so what holds a NUL begins with a longer one.
    let around =
        proptest::sample::select(&[("", ""), ("", "\n"), ("", "\n"), ("\u{feff}", "\n"), ("needles\n", "\0\n")][..]);
    (around, lines).prop_map(|((beginning, end), lines)| format!("{beginning}{lines}{end}"))
}

fn files() -> impl Strategy<Value = Vec<(String, String)>> {
    let path = proptest::collection::vec(proptest::sample::select(&["a", "b", "c.txt", ".h"][..]), 1..4);
    proptest::collection::vec((path.prop_map(|names| names.join("/")), text()), 1..8)
}

fn ripgrep() -> Option<Command> {
    let program = std::env::var_os("RG").unwrap_or_else(|| "rg".into());
    Command::new(&program).arg("--version").output().ok()?;
    let mut command = Command::new(program);
    command.args([
        "--no-config",
        "--no-ignore-global",
        "--no-require-git",
        "--sort=path",
        "--no-heading",
        "--line-number",
        "--with-filename",
    ]);
    Some(command)
}

fn theirs(mut command: Command, root: &Path, pattern: &str, context: usize) -> Vec<String> {
    let context = format!("--context={context}");
    let output = command.args([context.as_str(), "--regexp", pattern]).current_dir(root).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.split_inclusive('\n').map(|line| line.strip_prefix("./").unwrap_or(line).to_owned()).collect()
}

fn ours(workspace: &mut MemoryWorkspace, pattern: &str, context: usize) -> Vec<String> {
    let pattern = pattern.replace('\\', "\\\\");
    let found = call(workspace, "Grep", &format!(r#"{{"pattern":"{pattern}","context":{context}}}"#)).unwrap();
    found.split_inclusive('\n').filter(|line| !line.starts_with("No matches found")).map(str::to_owned).collect()
}

#[test]
fn the_lines_of_a_random_tree_are_those_that_ripgrep_finds() {
    if ripgrep().is_none() {
        eprintln!("skipped: there is no `rg` to compare with");
        return;
    }
    let mut runner = TestRunner::new(Config { cases: 300, failure_persistence: None, ..Config::default() });
    let asked = (files(), proptest::sample::select(PATTERNS), 0_usize..3);
    let compared = runner.run(&asked, |(files, pattern, context)| {
        let root = tempfile::tempdir().unwrap();
        let written = write(root.path(), &files);
        let mut workspace: MemoryWorkspace = written.iter().cloned().collect();
        let theirs = theirs(ripgrep().unwrap(), root.path(), pattern, context);
        prop_assert_eq!(ours(&mut workspace, pattern, context), theirs, "{:?} in {:?}", pattern, written);
        Ok(())
    });
    compared.unwrap();
}
