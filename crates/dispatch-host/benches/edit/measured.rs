//! What each edit takes.

use std::fmt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use dispatch_core::json::Document;
use dispatch_core::{Gates, Registry, ToolCall};
use dispatch_host::directory::DirectoryOptions;
use dispatch_host::tools::Edit;

use super::took::{Took, median, timed};

const ROUNDS: u32 = 16;

/// How old a file must be for its times alone to tell it from what it becomes.
const SETTLED: Duration = Duration::from_millis(3100);

const LINE: &str = "let value = self.path.index of result;\n";

/// What stands in the middle of the file, and what comes in its place: in one round there, in the next one back. They differ in length.
const TEXTS: [&str; 2] = ["rare_needle = 1;", "rare_needle = 2, and more;"];

type EditOnce = fn(&Path, u32);

pub(super) fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let value_of = |name: &str| arguments.iter().skip_while(|argument| *argument != name).nth(1);
    if let (Some(directory), Some(round)) = (value_of("--edit"), value_of("--round")) {
        return edit(Path::new(directory), round.parse().expect("a round"));
    }
    let mib = value_of("--mib").map_or(50, |mib| mib.parse().expect("a number of MiB"));
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let directory = temporary.path();
    make(directory, mib << 20);
    for (name, age, edit) in [
        ("in process, file of just now", Duration::ZERO, edit as EditOnce),
        ("in process, older file", SETTLED, edit),
        ("a process, file of just now", Duration::ZERO, edit_as_process),
        ("a process, older file", SETTLED, edit_as_process),
    ] {
        measure(name, directory, age, edit);
    }
}

fn make(directory: &Path, bytes: usize) {
    let half = LINE.repeat(bytes / 2 / LINE.len());
    std::fs::write(directory.join("file"), [&half, TEXTS[0], "\n", &half].concat()).expect("a file");
}

fn measure(name: &str, directory: &Path, age: Duration, edit: EditOnce) {
    let round = |round| {
        std::thread::sleep(age);
        let took = (timed(|| edit(directory, round)), timed(|| copy(directory)));
        std::fs::remove_file(directory.join("copy")).expect("the copy");
        took
    };
    let rounds: Vec<(Took, Took)> = (0..ROUNDS).map(round).collect();
    let ours = Told::of(rounds.iter().map(|(ours, _)| *ours));
    let theirs = Told::of(rounds.iter().map(|(_, theirs)| *theirs));
    let by_clock = median(rounds.iter().map(|(ours, theirs)| ours.clock / theirs.clock));
    let by_processors = ours.0.processors / theirs.0.processors;
    println!("{name:<30} ours {ours}   cp {theirs}   ratio {by_clock:.2}, cpu {by_processors:.2}");
}

/// The median by the clock, and the mean of the processors' time: that is counted too coarsely for a median.
struct Told(Took);

impl Told {
    fn of(rounds: impl Iterator<Item = Took> + Clone) -> Self {
        let processors = rounds.clone().map(|took| took.processors / f64::from(ROUNDS)).sum();
        Self(Took { clock: median(rounds.map(|took| took.clock)), processors })
    }
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:6.1} ms {:6.1} ms cpu", self.0.clock, self.0.processors)
    }
}

fn edit(directory: &Path, round: u32) {
    let (old, new) = if round.is_multiple_of(2) { (TEXTS[0], TEXTS[1]) } else { (TEXTS[1], TEXTS[0]) };
    let args = format!(r#"{{"path":"file","old_string":"{old}","new_string":"{new}"}}"#);
    let mut workspace = DirectoryOptions::default().durable(false).open(directory).expect("the folder");
    let gates = Gates::new(Registry::builder().tool(Edit).build().expect("one name"));
    let call = ToolCall::new("Edit", Document::parse(args.into()).expect("JSON"));
    let result = gates.admit(call).expect("admitted").run(&mut workspace);
    assert_eq!(result.error(), None);
}

fn edit_as_process(directory: &Path, round: u32) {
    let this = std::env::current_exe().expect("this program");
    run(Command::new(this).arg("--edit").arg(directory).args(["--round", &round.to_string()]));
}

/// Copies the file to a name that was not there.
fn copy(directory: &Path) {
    run(Command::new("cp").arg("--reflink=never").args(["file", "copy"].map(|name| directory.join(name))));
}

fn run(command: &mut Command) {
    let status = command.stdin(Stdio::null()).status();
    assert!(status.expect("a program that starts").success(), "{command:?}");
}
