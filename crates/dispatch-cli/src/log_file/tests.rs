use std::fs;

use dispatch_core::json::Document;
use dispatch_core::session::{Header, Reader, Recorder};
use dispatch_core::workspace::MemoryWorkspace;
use dispatch_core::{Gates, Registry, ToolCall, tools};

use super::*;
use crate::input::MOST_BLANK_BYTES;

const INTENT: &str = r#"{"call":{"args":{},"tool":"t"},"intent":7}"#;
const OUTCOME: &str = r#"{"files":{},"outcome":7,"result":{"observation":"","status":"ok","tool":"t"},"stage":"ran","workspace":"sha256:0000000000000000000000000000000000000000000000000000000000000000"}"#;
const HEADER: &str = r#"{"explains":false,"facts":{},"format":"dispatch-session","host":{},"limits":null,"permissions":null,"provider":null,"strict":false,"tools":[],"version":"1.0","workspace":{}}"#;

/// Opens a log that holds a text. Returns what it says, the log, and what it then holds.
fn opened(text: impl AsRef<[u8]>) -> (Result<Opened, String>, Vec<u8>) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("log");
    LogFile::open(&path, false).unwrap();
    fs::write(&path, text).unwrap();
    let opened = LogFile::open(&path, false).map_err(|error| {
        let told = error.to_string();
        told.strip_prefix(&format!("can't record to {}: ", path.display())).unwrap().to_owned()
    });
    (opened, fs::read(path).unwrap())
}

fn log(lines: &[&str]) -> String {
    lines.iter().flat_map(|line| [*line, "\n"]).collect()
}

#[test]
fn what_was_not_written_to_its_end_is_cut_off_and_nothing_else() {
    let whole = log(&[HEADER, INTENT]);
    for torn in [
        "{",
        r#"{"outcome":7"#,
        r#"{"outcome":7,}"#,
        "\0\0\0\0",
        "{\"outcome\":\0\0",
        "7",
        "{\n",
        "\0\0\n",
        "{\n\0\0\n\n\0",
        "\n\0",
        " ",
    ] {
        let (opened, left) = opened(format!("{whole}{torn}"));
        let opened = opened.unwrap();
        let told = format!(": its last line was not written to its end, and is cut off: {} bytes", torn.len());
        assert!(opened.notes[0].ends_with(&told), "{torn:?}");
        assert_eq!((opened.last_call, left), (7, whole.clone().into_bytes()), "{torn:?}");
    }
    let (unended, left) = opened(format!("{whole}{OUTCOME}"));
    assert!(unended.unwrap().notes[0].ends_with(": its last line was whole but not ended, and is now"));
    assert_eq!(left, log(&[HEADER, INTENT, OUTCOME]).into_bytes());
}

#[test]
fn lines_that_hold_nothing_are_left_alone() {
    let text = log(&[HEADER, "", INTENT, "", " \t"]);
    let (opened, left) = opened(&text);
    let opened = opened.unwrap();
    assert_eq!((opened.last_call, opened.notes.len(), left), (7, 0, text.into_bytes()));
}

#[test]
fn a_header_that_was_not_written_to_its_end_leaves_an_empty_log() {
    for bytes in 0..HEADER.len() {
        let (opened, left) = opened(&HEADER[..bytes]);
        assert_eq!((opened.unwrap().last_call, left.len()), (0, 0), "{bytes}");
    }
}

/// Where logs are read and where they are gone on with, the same is torn.
#[test]
fn what_is_torn_is_decided_in_one_place() {
    let intent = r#"{"call":{"tool":"t","args":{}},"intent":1}"#;
    let pieces = ["12", "{", "\0", " ", "\n", "[]", "null\n", "\t\n", "{}\n"];
    let ends = pieces.iter().flat_map(|a| pieces.iter().flat_map(move |b| pieces.map(|c| [a, b, c].concat())));
    for end in ends.filter(|end| !end.contains("{}")) {
        let text = format!("{}{end}", log(&[HEADER, intent]));
        let mut reader = Reader::default();
        let mut lines = text.as_bytes().split_inclusive(|&byte| byte == b'\n');
        let is_read = lines.all(|line| reader.push(line).map(drop).is_ok());
        let torn = reader.finish().torn.map(|torn| usize::try_from(torn.intact_bytes).unwrap());
        let (opened, left) = opened(&text);
        assert_eq!(opened.is_ok(), is_read, "{end:?}");
        // Line feeds before a torn line may go with it.
        let left = std::str::from_utf8(&left).unwrap().trim_end_matches('\n').len();
        if let (true, Some(intact)) = (is_read, torn) {
            assert!(left <= intact && text[left..intact].trim_ascii().is_empty(), "{end:?}");
        }
    }
}

/// A log of two sessions, as core writes it.
fn recorded() -> Vec<u8> {
    let gates = Gates::new(Registry::builder().tool(tools::WriteFile).build().unwrap());
    let mut text = Vec::new();
    for last_call in [0, 2] {
        let mut workspace = MemoryWorkspace::default();
        let keep = |line: &[u8]| {
            text.extend_from_slice(line);
            Ok::<_, ()>(())
        };
        let mut recorder = Recorder::resume(&Header::new(&gates, workspace.clone()), last_call, keep).unwrap();
        for args in [r#"{"path":"a","content":"é"}"#, r#"{"path":"a","path":"b"}"#] {
            let args = Document::parse_tolerating(args.as_bytes().to_vec(), |_| true).unwrap();
            recorder.intend(ToolCall::new("write_file", args)).unwrap().run(&gates, &mut workspace);
        }
    }
    text
}

/// Returns the whole lines, of which the last may lack its `\n`, and the number of the last call.
fn whole_lines(text: &[u8]) -> (usize, u64) {
    let mut reader = Reader::default();
    text.split_inclusive(|&byte| byte == b'\n').for_each(|line| drop(reader.push(line).unwrap()));
    let end = reader.finish();
    assert!(end.torn.is_none());
    (text.split(|&byte| byte == b'\n').count() - 1, end.last_number)
}

#[test]
fn a_log_that_ends_anywhere_is_mended_to_its_whole_lines() {
    let whole = recorded();
    for bytes in 0..=whole.len() {
        let (opened, left) = opened(&whole[..bytes]);
        let is_unended = whole.get(bytes) == Some(&b'\n');
        let expected = whole[..bytes].split(|&byte| byte == b'\n').count() - usize::from(!is_unended);
        assert!(whole.starts_with(&left), "{bytes}");
        assert_eq!(whole_lines(&left), (expected, opened.unwrap().last_call), "{bytes}");
    }
}

#[test]
fn numbers_go_on_over_headers() {
    for (lines, last_call) in [
        (&[][..], 0),
        (&[HEADER], 0),
        (&[HEADER, HEADER], 0),
        (&[HEADER, INTENT], 7),
        (&[HEADER, INTENT, OUTCOME, HEADER, HEADER], 7),
        (&[HEADER, r#"{"call":{"args":{"a":1,"a":1},"tool":"t"},"intent":4}"#], 4),
    ] {
        let (opened, left) = opened(log(lines));
        assert_eq!((opened.unwrap().last_call, left), (last_call, log(lines).into_bytes()));
    }
}

/// What is added behind it could not be replayed. Of the calls before the last one nothing is read.
#[test]
fn what_stands_at_the_end_must_be_a_call() {
    let first = |line: &str| line.replace(":7", ":1");
    let (intent, outcome) = (first(INTENT), first(OUTCOME));
    for (lines, expected) in [
        (vec![r#"{"foo":1}"#], "line 2: expected a header, an intent or an outcome"),
        (vec![&intent, &outcome, r#"{"foo":1}"#], "line 4: expected a header"),
        (vec![&outcome], "line 2: outcome 1 stands where intent 1 is expected"),
        (vec![&intent, OUTCOME], "line 3: outcome 7 stands where outcome 1 is expected"),
        (vec![&intent, HEADER, &outcome], "line 4: outcome 1 stands where intent 2 is expected"),
        (vec![&intent, &outcome.replace("files", "filez")], "line 3: unknown member `filez`"),
        (vec![&intent.replace("tool", "tohl"), &outcome], "line 2: unknown member `tohl`, at $.call"),
        (vec![&HEADER.replace("strict", "stricd")], "line 2: unknown member `stricd`"),
        (vec![&intent, &outcome, &HEADER.replace("1.0", "2.0")], "line 4: the log has format 2.0"),
        (vec![&intent, &intent], "line 3: intent 1 stands where outcome 1 is expected"),
        (vec![&intent, &outcome, &intent], "line 4: intent 1 stands where intent 2 is expected"),
        (vec![&INTENT.replace(":7", ":18446744073709551615")], "line 2: intent 18446744073709551615 stands where"),
    ] {
        let text = log(&[&[HEADER], lines.as_slice()].concat());
        let (opened, left) = opened(&text);
        let told = opened.err().unwrap_or_default();
        assert!(told.starts_with(expected), "{told}");
        assert_eq!(left, text.into_bytes());
    }
}

#[test]
fn a_later_version_ends_as_it_will() {
    let (header, intent) = (HEADER.replace("1.0", "1.7"), INTENT.replace(":7", ":1"));
    let (odd, note) = (intent.replacen('{', "{\"ahead\":1,", 1), r#"{"note":1}"#);
    assert_eq!(opened(log(&[&header, &odd, note])).0.unwrap().last_call, 1);
    assert_eq!(opened(log(&[&header, &intent, note])).0.unwrap().last_call, 1);
}

#[test]
fn lines_longer_than_what_is_read_at_once_are_found() {
    for bytes in [65_500, 65_536, 200_000, 1_000_000] {
        let long = OUTCOME.replace("\"observation\":\"", &format!("\"observation\":\"{}", "x".repeat(bytes)));
        let (opened, _) = opened(log(&[HEADER, INTENT, &long, HEADER]));
        assert_eq!(opened.unwrap().last_call, 7);
    }
}

#[test]
fn what_is_no_log_is_left_alone() {
    let no_log = "it is no session log. Give a file that is empty or not there yet";
    let (old, new) = (HEADER.replace("1.0", "0.9"), HEADER.replace("1.0", "2.0"));
    let first = INTENT.replace(":7", ":1");
    for (text, expected) in [
        ("hello".to_owned(), no_log),
        ("hello\nworld".to_owned(), no_log),
        ("\0\0\0\0".to_owned(), no_log),
        ("\n".to_owned(), no_log),
        (r#"{"name":"package"}"#.to_owned(), "line 1: not the header of a session"),
        (log(&[r#"{"name":"package"}"#, "torn"]), "line 1: not the header of a session"),
        (log(&["{\"expl", HEADER]), no_log),
        ("{\"exports\":".to_owned(), no_log),
        (log(&[&old]), "line 1: the log has format 0.9, and this program reads 1: use an earlier version"),
        (log(&[&new, "{"]), "line 1: the log has format 2.0, and this program reads 1: use a later version"),
        (log(&[HEADER, &first, "12"]), "line 3: expected object, found integer"),
        (log(&[HEADER, &first, "{", " "]), "line 3: the line is not JSON"),
        (
            log(&[HEADER, &first, "{", "{"]),
            "line 3: the line is not JSON (column 2: the input ends in the middle of an object), and others follow it: the log was changed or \
             damaged here; to use what stands before it, cut the log off in front of this line. Or give a file that is empty or not there yet",
        ),
    ] {
        let (opened, left) = opened(&text);
        let told = opened.err().unwrap();
        assert!(told.starts_with(expected), "{told}");
        assert_eq!(left, text.into_bytes());
    }
}

#[test]
fn lines_that_hold_nothing_may_stand_before_the_header() {
    assert_eq!(opened(log(&["", " \t", &format!(" {HEADER}"), &INTENT.replace(":7", ":1")])).0.unwrap().last_call, 1);
    let blank = |bytes: usize| " ".repeat(bytes) + "\n" + &log(&[HEADER]);
    assert!(opened(blank(MOST_BLANK_BYTES / 2)).0.is_ok());
    for text in [log(&[""]), log(&["", "12"]), blank(MOST_BLANK_BYTES), "\n".repeat(MOST_BLANK_BYTES + 1) + HEADER] {
        assert!(opened(text).0.err().unwrap().starts_with("it is no session log"));
    }
}

#[test]
fn a_newer_minor_version_may_be_added_to() {
    let newer = HEADER.replace("1.0", "1.7");
    assert!(opened(log(&[&newer])).0.is_ok());
}

#[test]
fn the_second_of_two_writers_is_refused_until_the_first_has_ended() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("log");
    let mut first = LogFile::open(&path, true).unwrap().log;
    let second = LogFile::open(&path, false).err().unwrap().to_string();
    assert!(second.contains("another process records to it"), "{second}");
    first.append(b"{}\n").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"{}\n");
    drop(first);
    fs::write(&path, "").unwrap();
    assert!(LogFile::open(&path, false).is_ok());
}

/// Nobody would find what is written to it.
#[test]
fn a_log_that_goes_away_or_is_changed_takes_no_more() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("log");
    let told_after = |meddle: &dyn Fn()| {
        fs::write(&path, "").unwrap();
        let mut log = LogFile::open(&path, false).unwrap().log;
        log.append(b"{}\n").unwrap();
        log.append(b"{}\n").unwrap();
        meddle();
        log.append(b"{}\n").err().map(|error| error.to_string())
    };
    let changed = format!("can't record to {}: something else has cut it off or written to it", path.display());
    for text in ["", "{}\n", "{}\n{}\n{}\n"] {
        assert_eq!(told_after(&|| fs::write(&path, text).unwrap()).as_ref(), Some(&changed));
    }
    assert_eq!(told_after(&|| ()), None);
    #[cfg(unix)]
    {
        let removed = format!(
            "can't record to {}: it has no name any longer: it was removed, or another file took its place",
            path.display()
        );
        assert_eq!(told_after(&|| fs::remove_file(&path).unwrap()), Some(removed));
        // It is found under its other name.
        assert_eq!(told_after(&|| fs::rename(&path, directory.path().join("log.1")).unwrap()), None);
        assert_eq!(fs::read(directory.path().join("log.1")).unwrap(), b"{}\n{}\n{}\n");
    }
}

#[cfg(unix)]
#[test]
fn a_new_log_is_its_owner_s_alone_and_an_old_one_keeps_its_mode() {
    use std::os::unix::fs::PermissionsExt as _;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("log");
    let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
    assert!(LogFile::open(&path, false).unwrap().notes.is_empty());
    assert_eq!(mode(), 0o600);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let told = LogFile::open(&path, false).unwrap().notes;
    assert_eq!(told, [format!("{}: others than its owner may open it: its mode is 640, not 600", path.display())]);
    assert_eq!(mode(), 0o640);
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_refused() {
    for path in [Path::new("/dev/null"), Path::new("/")] {
        assert!(LogFile::open(path, false).is_err());
    }
}
