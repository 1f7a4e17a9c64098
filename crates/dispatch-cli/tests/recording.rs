//! Recording with effects outside the workspace: none comes before its intent is in the log, however the process ends.
//!
//! No native tool has such effects. So this program is both: the tests, and, started by them, the command line with a tool that does.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![cfg(unix)]

use std::collections::BTreeSet;
use std::env;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread;
use std::time::Duration;

use dispatch_core::session::{Item, Reader, Replayer, WorkspaceDigest};
use dispatch_core::workspace::View;
use dispatch_core::{GivenTool, Observation, Registry, tools};
use libtest_mimic::{Arguments, Trial};
use serde_json::{Value, json};

/// The file in which the started program leaves its effects.
const EFFECTS: &str = "RECORDING_EFFECTS";

fn main() -> ExitCode {
    if env::var_os(EFFECTS).is_some() {
        return dispatch_cli::main_with(|| toolset(note));
    }
    let trials = vec![
        trial("twenty_recordings_that_are_killed", || recordings_that_are_killed(20)),
        trial("two_hundred_recordings_that_are_killed", || recordings_that_are_killed(200)).with_ignored_flag(true),
        trial(
            "a_file_that_may_not_grow_stops_the_session_before_the_effect",
            a_file_that_may_not_grow_stops_the_session_before_the_effect,
        ),
        trial("a_full_disk_stops_the_session_before_the_effect", a_full_disk_stops_the_session_before_the_effect),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn trial(name: &str, test: impl FnOnce() + Send + 'static) -> Trial {
    Trial::test(name, move || {
        test();
        Ok(())
    })
}

fn toolset(note: fn(&str)) -> Registry {
    let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
    let note = GivenTool::new("note", "Leaves a line.", &schema).unwrap().run_by(move |arguments, _: &mut View<'_>| {
        note(arguments.get("text").unwrap().as_str().unwrap());
        Ok(Observation::text("noted"))
    });
    let builder = Registry::builder().given(note);
    builder.tool(tools::ReadFile).tool(tools::WriteFile).tool(tools::PatchFile).build().unwrap()
}

fn note(text: &str) {
    let effects = env::var_os(EFFECTS).unwrap();
    let mut effects = OpenOptions::new().append(true).create(true).open(effects).unwrap();
    effects.write_all(format!("{text}\n").as_bytes()).unwrap();
}

/// A folder with a log and the effects of what was recorded in it.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    fn effects(&self) -> PathBuf {
        self.folder.path().join("effects")
    }

    /// Starts a recorded stream by a script, which is given its command line and in `LOG` the log.
    fn start(&self, script: &str, log: &Path) -> Child {
        Command::new("/bin/bash")
            .env_clear()
            .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
            .env("LOG", self.log())
            .env(EFFECTS, self.effects())
            .args(["-c", script])
            .arg(env::current_exe().unwrap())
            .args(["dispatch", "--stream", "--record"])
            .arg(log)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// Asserts that each effect has its intent, and each outcome its effect.
    fn expect_intents_before_effects(&self) {
        let noted: BTreeSet<_> = lines(&self.effects()).into_iter().collect();
        let (intents, outcomes) = self.notes();
        assert!(outcomes.is_subset(&noted), "{outcomes:?} {noted:?}");
        assert!(noted.is_subset(&intents), "{noted:?} {intents:?}");
    }

    /// Returns the texts that `note` was asked to leave, and those of them whose outcome is known.
    fn notes(&self) -> (BTreeSet<String>, BTreeSet<String>) {
        let (mut intents, mut outcomes, mut last) = (BTreeSet::new(), BTreeSet::new(), String::new());
        for line in lines(&self.log()) {
            // The last one may be torn.
            let Ok(line) = serde_json::from_str::<Value>(&line) else { continue };
            if let Some(text) = line.pointer("/call/args/text").and_then(Value::as_str) {
                text.clone_into(&mut last);
                intents.insert(last.clone());
            }
            if line.pointer("/result/observation") == Some(&json!("noted")) {
                outcomes.insert(last.clone());
            }
        }
        (intents, outcomes)
    }

    /// Reads the log, runs its calls again, and asserts that all comes out as recorded, the workspace to its digest. Returns how many calls there
    /// are.
    fn expect_replay_agrees(&self) -> u64 {
        let (mut reader, mut replayed) = (Reader::default(), Replayed::default());
        for line in fs::read(self.log()).unwrap().split_inclusive(|&byte| byte == b'\n') {
            reader.push(line).unwrap().for_each(|item| replayed.take(item));
        }
        replayed.expect_digest();
        reader.finish().last_number
    }
}

/// A log that is run again.
#[derive(Default)]
struct Replayed {
    session: Option<Replayer>,
    recorded_digest: Option<String>,
}

impl Replayed {
    fn take(&mut self, item: Item) {
        match item {
            Item::Header(header) => {
                self.expect_digest();
                *self = Self { session: Some(Replayer::new(toolset(|_| ()), &header)), recorded_digest: None };
            }
            Item::Entry(entry) => {
                let comparison = self.session.as_mut().unwrap().replay(&entry);
                assert!(comparison.differences.is_empty(), "{comparison:?}");
                self.recorded_digest =
                    entry.outcome.and_then(|outcome| outcome.workspace()).or(self.recorded_digest.take());
            }
        }
    }

    /// Asserts that the workspace has the digest that the last outcome says, made from nothing.
    fn expect_digest(&self) {
        let digest = |session: &Replayer| WorkspaceDigest::of(session.workspace()).value().to_string();
        let today = self.session.as_ref().map(digest);
        assert!(self.recorded_digest.is_none() || self.recorded_digest == today);
    }
}

fn lines(file: &Path) -> Vec<String> {
    let Ok(file) = File::open(file) else { return Vec::new() };
    BufReader::new(file).split(b'\n').map(|line| String::from_utf8_lossy(&line.unwrap()).into_owned()).collect()
}

/// The requests of a session: effects inside and outside the workspace, and refusals, from small to large.
fn requests(session: usize) -> impl Iterator<Item = String> {
    (0_usize..).map(move |number| {
        let (tool, args) = match number % 5 {
            0 => ("note", json!({"text": format!("{session}, {number}")})),
            1 => (
                "write_file",
                json!({"path": format!("f{}", number % 50), "content": "é\n".repeat(number * 7919 % 10_000)}),
            ),
            2 => ("write_file", json!({"path": "log/last", "content": format!("call {}", number - 1)})),
            3 => ("patch_file", json!({"path": "log/last", "old_str": "call", "new_str": number.to_string()})),
            _ => ("read_file", json!({"path": format!("f{}", number % 70)})),
        };
        json!({"op": "dispatch", "call": {"tool": tool, "args": args}}).to_string()
    })
}

/// Feeds requests until nobody reads them. Returns when the first is answered.
fn feed(child: &mut Child, session: usize) {
    let mut stdin = child.stdin.take().unwrap();
    thread::spawn(move || requests(session).try_for_each(|request| writeln!(stdin, "{request}")));
    let mut answers = BufReader::new(child.stdout.take().unwrap());
    answers.read_line(&mut String::new()).unwrap();
    thread::spawn(move || std::io::copy(&mut answers, &mut std::io::sink()));
}

fn recordings_that_are_killed(count: usize) {
    let mut place = Place::new();
    for session in 0..count {
        // Some logs hold one session, and some many.
        if session % 8 < 4 {
            place = Place::new();
        }
        let mut child = place.start("exec \"$0\" \"$@\"", &place.log());
        feed(&mut child, session);
        // Moments spread evenly and in no order, as far as the golden ratio goes.
        let moment = session * 61_803 % 100_000;
        thread::sleep(Duration::from_micros(moment as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        place.expect_intents_before_effects();
        assert!(place.expect_replay_agrees() > 0);
    }
}

fn a_file_that_may_not_grow_stops_the_session_before_the_effect() {
    let place = Place::new();
    let child = place.start("ulimit -f 64 && exec \"$0\" \"$@\"", &place.log());
    expect_stopped(&place, child);
}

/// A disk of its own for the log. Where nobody may make one, there is nothing to see.
fn a_full_disk_stops_the_session_before_the_effect() {
    const OWN_DISK: &str = "unshare --user --map-root-user --mount /bin/sh -c";
    let mount = |folder: &Path| format!("mount -t tmpfs -o size=64k none {}", folder.display());
    let place = Place::new();
    let disk = place.folder.path().join("disk");
    fs::create_dir(&disk).unwrap();
    let probe = format!("{OWN_DISK} '{}'", mount(&disk));
    if !Command::new("/bin/sh").args(["-c", &probe]).stderr(Stdio::null()).status().unwrap().success() {
        return;
    }
    let record =
        format!("{} && {{ \"$0\" \"$@\"; code=$?; cp {}/log \"$LOG\"; exit $code; }}", mount(&disk), disk.display());
    let child = place.start(&format!("{OWN_DISK} '{record}' \"$0\" \"$@\""), &disk.join("log"));
    expect_stopped(&place, child);
}

/// Feeds a recorded stream until it stops because its log is full.
fn expect_stopped(place: &Place, mut child: Child) {
    let mut stdin = child.stdin.take().unwrap();
    let feeder = thread::spawn(move || requests(0).try_for_each(|request| writeln!(stdin, "{request}")));
    let output = child.wait_with_output().unwrap();
    assert!(feeder.join().unwrap().is_err());
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("could not be recorded"), "{told}");
    place.expect_intents_before_effects();
    assert!(place.expect_replay_agrees() > 3);
    let log = fs::read_to_string(place.log()).unwrap();
    assert!(log.ends_with("}\n"));
    let answers = String::from_utf8(output.stdout).unwrap();
    assert_eq!(answers.lines().count(), log.matches("\"outcome\":").count());
}
