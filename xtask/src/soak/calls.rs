//! The calls of a long session: files are read, patched and written in turn.

use std::io::{self, Write};

/// How many files the workspace holds.
pub(super) const FILES: u64 = 200;

const LINES_PER_FILE: usize = 12;

/// Writes the requests of a session as a stream. The same count gives the same bytes, and no call of it fails.
///
/// # Errors
///
/// The output can't be written.
pub(super) fn write(calls: u64, out: &mut impl Write) -> io::Result<()> {
    (0..calls).try_for_each(|number| {
        let workspace = if number == 0 { workspace() } else { String::new() };
        let call = call(number);
        writeln!(out, r#"{{"op":"dispatch"{workspace},"call":{call}}}"#)
    })
}

/// Returns a call: each file is read, then patched, then written, then read again.
fn call(number: u64) -> String {
    let (file, round) = (number % FILES, number / FILES);
    let (tool, rest) = match (file + round) % 3 {
        0 => ("read_file", String::new()),
        // It was read a round before, and written two rounds before.
        1 => ("patch_file", patch(number.saturating_sub(2 * FILES), number)),
        _ => ("write_file", format!(r#","content":"{}""#, text(file, number))),
    };
    let path = path(file);
    format!(r#"{{"id":"c{number}","tool":"{tool}","args":{{"path":"{path}"{rest}}}}}"#)
}

fn workspace() -> String {
    let files: Vec<_> = (0..FILES).map(|file| format!(r#""{}":"{}""#, path(file), text(file, 0))).collect();
    format!(r#","workspace":{{{}}}"#, files.join(","))
}

fn path(file: u64) -> String {
    format!("src/part_{file}.rs")
}

/// Returns a file's text as it stands between the quotes of a JSON string.
fn text(file: u64, version: u64) -> String {
    let line = format!(r"    total += part({file});\n");
    format!(r"// version {version}\n{}", line.repeat(LINES_PER_FILE))
}

fn patch(from: u64, to: u64) -> String {
    format!(r#","old_str":"// version {from}\n","new_str":"// version {to}\n""#)
}

#[cfg(test)]
mod tests {
    use dispatch_core::protocol::Stream;
    use dispatch_core::{Gates, tools};

    use super::*;

    #[test]
    fn every_call_succeeds() {
        let mut requests = Vec::new();
        write(1000, &mut requests).unwrap();
        let mut stream = Stream::new(Gates::new(tools::core_registry()));
        for line in requests.split_inclusive(|byte| *byte == b'\n') {
            let mut answer = Vec::new();
            stream.answer(line).unwrap().unwrap().write(&mut answer).unwrap();
            let answer = String::from_utf8(answer).unwrap();
            assert!(answer.contains(r#""status":"ok""#), "{answer}");
        }
    }
}
