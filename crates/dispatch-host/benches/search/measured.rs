//! What each search takes.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use dispatch_core::json::Document;
use dispatch_core::{Gates, Registry, ToolCall};
use dispatch_host::DirectoryWorkspace;
use dispatch_host::tools::{Glob, Grep};

use super::took::{Took, median, timed};
use super::tree;

const ROUNDS: usize = 9;

/// A call, and the words of ripgrep that ask for the same.
const ROWS: [(&str, &str, &str, &[&str]); 6] = [
    ("literal", "Grep", r#"{"pattern":"rare_needle"}"#, &["-n", "rare_needle"]),
    ("literal, many", "Grep", r#"{"pattern":"index of"}"#, &["-n", "index of"]),
    ("literal with context", "Grep", r#"{"pattern":"rare_needle","context":2}"#, &["-n", "-C2", "rare_needle"]),
    ("expression", "Grep", r#"{"pattern":"rare_\\w+\\s+=\\s+\\d"}"#, &["-n", r"rare_\w+\s+=\s+\d"]),
    ("glob", "Glob", r#"{"pattern":"**/f7*.rs"}"#, &["--files", "-g", "**/f7*.rs"]),
    ("all files", "Glob", r#"{"pattern":"**"}"#, &["--files"]),
];

pub(super) fn main() {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--mib" && argument != "--tree");
    let (mut mib, mut kept) = (1024, None);
    while let (Some(name), Some(value)) = (arguments.next(), arguments.next()) {
        match name.as_str() {
            "--mib" => mib = value.parse().expect("a number of MiB"),
            _ => kept = Some(PathBuf::from(value)),
        }
    }
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let root = kept.unwrap_or_else(|| temporary.path().to_owned());
    if !root.join(".ignore").exists() {
        tree::make(&root, mib << 20);
    }
    let program = std::env::var_os("RG").unwrap_or_else(|| "rg".into());
    for row in ROWS {
        measure(&root, &program, row);
    }
}

fn measure(root: &Path, program: &OsString, (name, tool, args, words): (&str, &str, &str, &[&str])) {
    let rounds: Vec<(Took, Option<Took>)> =
        (0..ROUNDS).map(|_| (ours(root, tool, args), theirs(root, program, words))).collect();
    let of_ours = |part: fn(&Took) -> f64| median(rounds.iter().map(|(ours, _)| part(ours)));
    let (clock, processors) = (of_ours(|took| took.clock), of_ours(|took| took.processors));
    print!("{name:<22} ours {clock:8.1} ms {processors:8.1} ms cpu");
    let theirs: Option<Vec<Took>> = rounds.iter().map(|(_, theirs)| *theirs).collect();
    let Some(theirs) = theirs else { return println!("   no rg to compare with") };
    let of_theirs = |part: fn(&Took) -> f64| median(theirs.iter().map(part));
    let ratio = |part: fn(&Took) -> f64| {
        median(rounds.iter().zip(&theirs).map(|((ours, _), theirs)| part(ours) / part(theirs)))
    };
    let (clock, processors) = (of_theirs(|took| took.clock), of_theirs(|took| took.processors));
    let (by_clock, by_processors) = (ratio(|took| took.clock), ratio(|took| took.processors));
    println!("   rg {clock:8.1} ms {processors:8.1} ms cpu   ratio {by_clock:.2}, cpu {by_processors:.2}");
}

fn ours(root: &Path, tool: &str, args: &str) -> Took {
    timed(|| {
        let mut workspace = DirectoryWorkspace::open(root).expect("the tree");
        let gates = Gates::new(Registry::builder().tool(Glob).tool(Grep).build().expect("two names that differ"));
        let call = ToolCall::new(tool, Document::parse(args.into()).expect("JSON"));
        let result = gates.admit(call).expect("admitted").run(&mut workspace);
        assert!(result.shown().expect("ran").text.len() > 100, "{args} finds something");
    })
}

fn theirs(root: &Path, program: &OsString, words: &[&str]) -> Option<Took> {
    let mut command = Command::new(program);
    command.args(["--no-config", "--no-require-git", "--no-ignore-global"]).args(words).current_dir(root);
    let mut output = None;
    let took = timed(|| output = command.stdin(Stdio::null()).output().ok());
    assert!(output?.status.success(), "{words:?} finds something");
    Some(took)
}
