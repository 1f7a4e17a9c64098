//! What came out, whole, as a text that a person reviews; and the files that hold such texts.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::case::Case;
use crate::subject::Output;

/// Writes an output as a text: the exit code, then each stream, every line behind a bar.
///
/// Nothing gets lost on the way that a reader would miss: a final newline that is not there has a
/// mark, control characters are shown as their pictures (`␍`), bytes that are no UTF-8 as `<ff>`.
///
/// # Example
///
/// ```
/// use conformance::subject::Output;
///
/// let output = Output { stdout: b"{}\n".to_vec(), stderr: b"oh".to_vec(), exit: 1, ..Output::default() };
/// let expected = "exit: 1\nstdout:\n| {}\nstderr:\n| oh\n\\ no newline at the end\n";
/// assert_eq!(conformance::snapshot::text(&output), expected);
/// ```
pub fn text(output: &Output) -> String {
    let stdout = stream("stdout", &output.stdout);
    let stderr = stream("stderr", &output.stderr);
    let workspace = output.workspace.as_ref().map(|workspace| stream("workspace", workspace)).unwrap_or_default();
    format!("exit: {}\n{stdout}{stderr}{workspace}", output.exit)
}

fn stream(name: &str, bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return format!("{name}: nothing\n");
    }
    let mut text = format!("{name}:\n");
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        text.push_str("| ");
        text.push_str(&visible(line.strip_suffix(b"\n").unwrap_or(line)));
        text.push('\n');
    }
    if !bytes.ends_with(b"\n") {
        text.push_str("\\ no newline at the end\n");
    }
    text
}

fn visible(line: &[u8]) -> String {
    let mut text = String::new();
    for chunk in line.utf8_chunks() {
        text.extend(chunk.valid().chars().map(picture));
        text.extend(chunk.invalid().iter().map(|byte| format!("<{byte:02x}>")));
    }
    text
}

/// Returns the picture of a control character, and any other character itself.
fn picture(c: char) -> char {
    match c {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or(c),
        '\u{7f}' => '\u{2421}',
        _ => c,
    }
}

/// Returns the folder, below that of all snapshots, that holds the snapshot of a case.
pub fn folder(case: &Case) -> PathBuf {
    Path::new(&case.area).join(&case.topic)
}

/// Lists the files below a folder of snapshots that belong to none of the cases, sorted.
///
/// Snapshots that wait for a review (`.snap.new`) are no orphans. Without the folder there are none.
///
/// # Errors
///
/// A folder could not be read.
pub fn orphans(root: &Path, cases: &[Case]) -> io::Result<Vec<PathBuf>> {
    let known: BTreeSet<PathBuf> = cases.iter().map(|case| folder(case).join(format!("{}.snap", case.name))).collect();
    let mut files = Vec::new();
    if root.try_exists()? {
        collect(root, Path::new(""), &mut files)?;
    }
    files.retain(|file| !known.contains(file) && !is_pending(file));
    files.sort();
    Ok(files)
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let path = folder.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            collect(root, &path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn is_pending(file: &Path) -> bool {
    file.to_string_lossy().ends_with(".snap.new")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::case;

    fn check(stdout: &[u8], expected: &str) {
        let output = Output { stdout: stdout.to_vec(), ..Output::default() };
        assert_eq!(text(&output), format!("exit: 0\n{expected}stderr: nothing\n"));
    }

    #[test]
    fn every_line_stands_behind_a_bar() {
        check(b"a\n\nb\n", "stdout:\n| a\n| \n| b\n");
    }

    #[test]
    fn a_final_newline_that_is_missing_is_marked() {
        check(b"a", "stdout:\n| a\n\\ no newline at the end\n");
    }

    #[test]
    fn what_can_not_be_seen_is_shown() {
        check(b"a\r\t\x7f\xff\xc3\xa9\n", "stdout:\n| a␍␉␡<ff>é\n");
    }

    #[test]
    fn a_workspace_that_was_left_is_shown() {
        let output = Output { workspace: Some(b"{}\n".to_vec()), ..Output::default() };
        assert_eq!(text(&output), "exit: 0\nstdout: nothing\nstderr: nothing\nworkspace:\n| {}\n");
    }

    #[test]
    fn a_file_without_its_case_is_an_orphan() {
        let root = tempfile::tempdir().expect("a folder");
        let folder = root.path().join("area/topic");
        fs::create_dir_all(&folder).expect("a folder");
        for name in ["known.snap", "gone.snap", "waits.snap.new", "notes.txt"] {
            fs::write(folder.join(name), "").expect("a file");
        }
        let orphans = orphans(root.path(), &[case("known")]).expect("readable");
        let expected = ["area/topic/gone.snap", "area/topic/notes.txt"];
        assert_eq!(orphans, expected.map(PathBuf::from));
    }

    #[test]
    fn without_a_folder_there_are_no_orphans() {
        let root = tempfile::tempdir().expect("a folder");
        assert!(orphans(&root.path().join("none"), &[]).expect("readable").is_empty());
    }
}
