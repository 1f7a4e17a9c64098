//! The lines that are found, held to those of the program `rg`, where there is one: `RG` names it, else it is looked for in `PATH`.

use std::path::Path;
use std::process::Command;

use dispatch_core::workspace::{MemoryWorkspace, Workspace};
use dispatch_host::DirectoryWorkspace;
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

fn text() -> impl Strategy<Value = Vec<u8>> {
    let lines = proptest::collection::vec(proptest::sample::select(LINES), 0..12).prop_map(|lines| lines.join("\n"));
    // Ripgrep looks at three bytes first, and takes a line that ends there for text, whatever follows: so what holds a NUL begins with a longer one.
    let around: &[(&[u8], &[u8])] = &[
        (b"", b""),
        (b"", b"\n"),
        (b"", b"\n"),
        (b"\xef\xbb\xbf", b"\n"),
        (b"needle\xff\n", b"\n\xe9"),
        (b"needles\n", b"\0\n"),
    ];
    let bytes = (proptest::sample::select(around), lines.clone())
        .prop_map(|((beginning, end), lines)| [beginning, lines.as_bytes(), end].concat());
    prop_oneof![5 => bytes, 1 => lines.prop_map(|lines| utf16(&lines))]
}

/// A text as Windows writes it.
fn utf16(text: &str) -> Vec<u8> {
    let text = format!("\u{feff}{text}\r\n");
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn files() -> impl Strategy<Value = Vec<(String, Vec<u8>)>> {
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
    let text = String::from_utf8_lossy(&output.stdout);
    text.split_inclusive('\n').map(|line| line.strip_prefix("./").unwrap_or(line).to_owned()).collect()
}

fn ours(workspace: &mut dyn Workspace, pattern: &str, context: usize) -> Vec<String> {
    let pattern = pattern.replace('\\', "\\\\");
    let found = call(workspace, "Grep", &format!(r#"{{"pattern":"{pattern}","context":{context}}}"#)).unwrap();
    found.split_inclusive('\n').filter(|line| !line.starts_with("No matches found")).map(str::to_owned).collect()
}

/// The same files in memory, where all are text.
fn in_memory(files: &[(String, Vec<u8>)]) -> Option<MemoryWorkspace> {
    files.iter().map(|(path, text)| Some((path.as_str(), str::from_utf8(text).ok()?))).collect()
}

#[test]
fn the_lines_of_a_random_tree_are_those_that_ripgrep_finds() {
    if ripgrep().is_none() {
        eprintln!("skipped: there is no `rg` to compare with");
        return;
    }
    let mut runner = TestRunner::new(Config { cases: 200, failure_persistence: None, ..Config::default() });
    let asked = (files(), proptest::sample::select(PATTERNS), 0_usize..3);
    let compared = runner.run(&asked, |(files, pattern, context)| {
        let root = tempfile::tempdir().unwrap();
        let written = write(root.path(), &files);
        let mut directory = DirectoryWorkspace::open(root.path()).unwrap();
        let ours_there = ours(&mut directory, pattern, context);
        let theirs = theirs(ripgrep().unwrap(), root.path(), pattern, context);
        prop_assert_eq!(&ours_there, &theirs, "{:?} in {:?}", pattern, written);
        if let Some(mut memory) = in_memory(&written) {
            prop_assert_eq!(ours(&mut memory, pattern, context), ours_there, "{:?} in memory: {:?}", pattern, written);
        }
        Ok(())
    });
    compared.unwrap();
}
