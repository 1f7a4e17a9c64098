use super::*;

const BOUNDS: Bounds = Bounds { timeout: Duration::from_secs(20), output_bytes: 100 };

fn run(script: &str, stdin: &[u8], bounds: Bounds) -> Ended {
    let program = Program::of_command("sh -c").expect("a command");
    program.run(&[script.into()], stdin.to_vec(), bounds).expect("sh runs")
}

fn check(script: &str, expected: &str) {
    let ended = match run(script, b"in", BOUNDS) {
        Ended::Exited { exit, stdout, stderr } => {
            format!("{exit} {} {}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr))
        }
        Ended::Killed { said, .. } => format!("killed {}", String::from_utf8_lossy(&said.stderr)),
        Ended::TimedOut { said, .. } => format!("timed out {}", String::from_utf8_lossy(&said.stderr)),
        Ended::TooMuch { stream, said } if stream == "stdout" => {
            format!("too much on {stream} {}", String::from_utf8_lossy(&said.stderr))
        }
        Ended::TooMuch { stream, .. } => format!("too much on {stream}"),
    };
    assert_eq!(ended, expected, "{script}");
}

#[test]
fn stdin_goes_in_and_both_outputs_and_the_exit_code_come_out() {
    check("cat; printf err >&2; exit 3", "3 in err");
}

#[test]
fn outputs_are_bounded() {
    check("printf %100s x | tr ' ' x | cat >/dev/null; printf %100s x >/dev/null; exit 0", "0  ");
    check("printf %101s x", "too much on stdout ");
    check("printf %101s x >&2", "too much on stderr");
    check("exec cat /dev/zero", "too much on stdout ");
}

/// It is wanted most where there is nothing else to go by.
#[test]
fn what_was_said_comes_out_of_what_is_ended() {
    check("echo Oh >&2; exec cat /dev/zero", "too much on stdout Oh\n");
    let bounds = Bounds { timeout: Duration::from_millis(500), ..BOUNDS };
    let ended = run("echo Ah; echo Oh >&2; exec sleep 60", b"", bounds);
    let expected = Said { stdout: b"Ah\n".to_vec(), stderr: b"Oh\n".to_vec() };
    assert!(matches!(&ended, Ended::TimedOut { said, .. } if *said == expected), "{ended:?}");
}

#[test]
fn what_a_program_has_started_ends_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let alive = folder.path().join("alive");
    check(&format!("(sleep 1; echo > '{}') > /dev/null 2>&1 & exit 0", alive.display()), "0  ");
    thread::sleep(Duration::from_millis(1500));
    assert!(!alive.exists(), "a process was left behind");
}

#[test]
fn a_program_may_answer_before_it_has_read_all() {
    let ended = run(
        "head -c 300000 /dev/zero; cat >/dev/null",
        &vec![b'x'; 1 << 20],
        Bounds { output_bytes: 300_000, ..BOUNDS },
    );
    assert!(matches!(&ended, Ended::Exited { stdout, .. } if stdout.len() == 300_000));
}

#[test]
fn a_signal_is_no_exit_code() {
    check("echo Oh >&2; kill -9 $$", "killed Oh\n");
}

#[test]
fn a_program_that_reads_nothing_is_no_error() {
    let ended = run("exit 4", &vec![b'x'; 1 << 20], BOUNDS);
    assert!(matches!(ended, Ended::Exited { exit: 4, .. }), "{ended:?}");
}

/// Once it has closed its outputs as well: then it is not the pipes that are waited for.
#[test]
fn what_takes_too_long_is_ended_with_what_it_has_started() {
    let folder = tempfile::tempdir().expect("a folder");
    for closing in ["", "exec >&- 2>&-; "] {
        let alive = folder.path().join("alive");
        let script = format!("{closing}(sleep 1; echo > '{}') & sleep 60", alive.display());
        let began = Instant::now();
        let ended = run(&script, b"", Bounds { timeout: Duration::from_millis(100), ..BOUNDS });
        assert!(matches!(ended, Ended::TimedOut { .. }), "{ended:?}");
        assert!(began.elapsed() < Duration::from_secs(30));
        thread::sleep(Duration::from_millis(1500));
        assert!(!alive.exists(), "{closing}: a process was left behind");
    }
}

/// One in its group is ended with it, and one that has left it is not waited for.
#[test]
fn a_program_that_has_ended_is_judged_by_what_it_said_whoever_holds_its_outputs() {
    for left in ["sleep 5", "setsid sleep 5", "sleep 5 >&-", "setsid sleep 5 2>&-"] {
        let script = format!("echo Ah; echo Oh >&2; {left} & exit 3");
        let began = Instant::now();
        check(&script, "3 Ah\n Oh\n");
        assert!(began.elapsed() < Duration::from_secs(4), "{script}");
    }
    let ended = run("echo Ah; sleep 60 & exit 0", b"", Bounds { timeout: Duration::from_millis(300), ..BOUNDS });
    assert!(matches!(&ended, Ended::Exited { stdout, .. } if stdout == b"Ah\n"), "{ended:?}");
    check("(printf %101s x) & exit 0", "too much on stdout ");
}

#[test]
fn the_environment_is_what_is_named() {
    check("echo \"${PATH:+path} ${CARGO_MANIFEST_DIR:-none}\"", "0 path none\n ");
    let program = Program::of_command("sh -c").expect("a command").seeing(&["CARGO_MANIFEST_DIR".to_owned()]);
    let ended = program.run(&["printf %.1s \"$CARGO_MANIFEST_DIR\"".into()], Vec::new(), BOUNDS).expect("sh runs");
    assert!(matches!(&ended, Ended::Exited { stdout, .. } if stdout == b"/"), "{ended:?}");
}

/// Runs a script on lines that wait for their answers.
fn run_in_turns(script: &str, lines: &[&str], timeout: Duration) -> Ended {
    let program = Program::of_command("sh -c").expect("a command");
    let lines = lines.iter().map(|line| line.as_bytes().to_vec()).collect();
    program.run(&[script.into()], Stdin::InTurns(lines), Bounds { timeout, ..BOUNDS }).expect("sh runs")
}

#[test]
fn in_turns_a_line_is_written_when_the_one_before_is_answered() {
    // What it prints shows what it can have read by then.
    let script = r#"while IFS= read -r l; do printf '<%s>\n' "$l"; done; echo end"#;
    let ended = run_in_turns(script, &["a\n", "b\n"], BOUNDS.timeout);
    assert!(matches!(&ended, Ended::Exited { exit: 0, stdout, .. } if stdout == b"<a>\n<b>\nend\n"), "{ended:?}");
    // Who answers nothing gets one line and no more.
    let folder = tempfile::tempdir().expect("a folder");
    let read = folder.path().join("read");
    let ended = run_in_turns(&format!("cat > '{}'", read.display()), &["a\n", "b\n"], Duration::from_millis(500));
    assert!(matches!(&ended, Ended::TimedOut { unanswered: Some(1), .. }), "{ended:?}");
    assert_eq!(std::fs::read(&read).expect("what was read"), b"a\n");
}

#[test]
fn in_turns_the_line_that_has_no_answer_is_told() {
    let timeout = Duration::from_millis(500);
    for (script, line) in [
        // Half of a line is no answer.
        ("read -r l; printf x; exec sleep 60", 1),
        ("read -r l; echo; exec sleep 60", 2),
        ("read -r l; echo; read -r l; echo; exec sleep 60", 3),
    ] {
        let ended = run_in_turns(script, &["a\n", "b\n", "c\n"], timeout);
        assert!(matches!(&ended, Ended::TimedOut { unanswered: Some(n), .. } if *n == line), "{script}: {ended:?}");
    }
    let ended = run_in_turns("read -r l; echo; exec sleep 60", &["a\n"], timeout);
    assert!(matches!(&ended, Ended::TimedOut { unanswered: None, .. }), "{ended:?}");
}

/// Tells when it is closed.
struct Pipe(Sender<()>);

impl io::Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        let _ = self.0.send(());
    }
}

/// One that answers at the end of its input would else answer all, and end, before it is ended: seldom, and more often the busier the machine.
#[test]
fn in_turns_stdin_stays_open_past_the_deadline() {
    let (tells, closed) = mpsc::channel();
    let lines = Stdin::InTurns(vec![b"a\n".to_vec()]);
    let turn = stdin::write(Some(Pipe(tells)), lines, Printed::default(), Instant::now()).expect("a thread");
    assert!(closed.recv_timeout(Duration::from_millis(200)).is_err(), "it was closed");
    assert_eq!(turn.unanswered(), Some(1));
    drop(turn);
    closed.recv_timeout(Duration::from_secs(20)).expect("it is closed");
}

#[test]
fn in_turns_a_program_may_end_before_it_is_asked_all() {
    let ended = run_in_turns("read -r l; echo; exit 3", &["a\n", "b\n"], BOUNDS.timeout);
    assert!(matches!(&ended, Ended::Exited { exit: 3, .. }), "{ended:?}");
}

#[test]
fn a_program_that_is_not_there_is_an_error() {
    let program = Program::of_command("/nowhere/dispatch").expect("a command");
    assert_eq!(program.run(&[], Vec::new(), BOUNDS).expect_err("nowhere").kind(), io::ErrorKind::NotFound);
}

#[test]
fn a_command_is_split_as_a_shell_does() {
    let words = |command| Program::of_command(command).map(|program| program.words().to_vec());
    assert_eq!(words(r#"a 'b c' "d e" f\ g $X"#).expect("words"), ["a", "b c", "d e", "f g", "$X"]);
    for command in ["", "  ", "a 'b"] {
        assert!(words(command).is_err(), "{command}");
    }
}
