//! A difference between what is expected and what came out, told so that a person sees it.

use std::fmt;

use serde_json::Value;
use similar::TextDiff;

/// How much of the bytes around the first difference is shown, in characters to each side.
const AROUND: usize = 60;

/// How long a line of a diff may get, in characters.
const LINE: usize = 240;

/// How many lines a diff may get.
const LINES: usize = 200;

/// Tells of one difference. Its text begins with a sentence; a diff may follow.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mismatch {
    /// The exit codes differ.
    Exit {
        /// The exit code of the case.
        expected: i32,
        /// The exit code that came.
        got: i32,
    },
    /// The bytes of a stream differ.
    Bytes {
        /// `stdout`, `stderr` or `workspace`.
        stream: &'static str,
        /// The bytes of the case.
        expected: Vec<u8>,
        /// The bytes that came.
        got: Vec<u8>,
    },
    /// What a stream says differs, whatever its bytes are.
    Meaning {
        /// `stdout`, `stderr` or `workspace`.
        stream: &'static str,
        /// What the case says, in one spelling.
        expected: String,
        /// What came, in the same spelling where it is JSON.
        got: String,
    },
    /// What a stream has is no UTF-8, and so no JSON.
    NotText {
        /// `stdout`, `stderr` or `workspace`.
        stream: &'static str,
        /// How many bytes are before the one at fault.
        before: usize,
    },
    /// A stream has more lines than the one that is expected, which is among them.
    Lines {
        /// `stdout` or `stderr`.
        stream: &'static str,
        /// How many there are.
        got: usize,
    },
    /// Nothing is said on stderr of why the exit code is one of failure.
    Silent,
    /// A response is expected to a request that has no workspace to start from.
    NoWorkspace,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exit { expected, got } => write!(f, "exit: expected {expected}, got {got}"),
            Self::Lines { stream, got } => {
                write!(f, "{stream}: {got} lines, where 1 is expected; one of them is right")
            }
            Self::Silent => f.write_str("stderr: says nothing of what is wrong"),
            Self::NoWorkspace => {
                f.write_str("the request has no workspace that can be read, so it can't have this response")
            }
            Self::NotText { stream, before } => write!(f, "{stream}: no UTF-8 behind its first {before} bytes"),
            Self::Bytes { stream, expected, got } => bytes(f, stream, expected, got),
            Self::Meaning { stream, expected, got } => meaning(f, stream, expected, got),
        }
    }
}

fn bytes(f: &mut fmt::Formatter<'_>, stream: &str, expected: &[u8], got: &[u8]) -> fmt::Result {
    let at = expected.iter().zip(got).take_while(|(a, b)| a == b).count();
    writeln!(f, "{stream}: differs behind its first {at} bytes")?;
    writeln!(f, "  expected {}", around(expected, at))?;
    writeln!(f, "  got      {}", around(got, at))?;
    f.write_str(&diff(&spread(expected), &spread(got)))
}

fn meaning(f: &mut fmt::Formatter<'_>, stream: &str, expected: &str, got: &str) -> fmt::Result {
    writeln!(f, "{stream}: says something else")?;
    f.write_str(&diff(&spread(expected.as_bytes()), &spread(got.as_bytes())))
}

/// Shows the bytes around a place, with what is cut off marked.
fn around(bytes: &[u8], at: usize) -> String {
    let (before, behind) = bytes.split_at_checked(at).unwrap_or((bytes, &[]));
    let before = String::from_utf8_lossy(before).into_owned();
    let behind = String::from_utf8_lossy(behind).into_owned();
    let skipped = before.chars().count().saturating_sub(AROUND);
    let head: String = before.chars().skip(skipped).collect();
    let tail: String = behind.chars().take(AROUND).collect();
    let mark = |is_cut: bool| if is_cut { "..." } else { "" };
    let (left, right) = (mark(skipped > 0), mark(tail.len() < behind.len()));
    format!("{left}{:?}{right}", head + &tail)
}

/// Lays JSON out over many lines, and leaves all else as it is.
fn spread(bytes: &[u8]) -> String {
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    lines.map(|line| laid_out(line).unwrap_or_else(|| lossy(line))).collect()
}

fn laid_out(line: &[u8]) -> Option<String> {
    let value: Value = serde_json::from_slice(line).ok()?;
    Some(format!("{value:#}\n"))
}

fn lossy(line: &[u8]) -> String {
    String::from_utf8_lossy(line).into_owned()
}

/// Returns the lines that differ, with three around them, and of too many the first. Empty where only the layout differs.
fn diff(expected: &str, got: &str) -> String {
    let diff = TextDiff::from_lines(expected, got);
    let text = diff.unified_diff().header("expected", "got").to_string();
    let shown = text.lines().take(LINES).map(|line| format!("  {}\n", shortened(line)));
    shown.chain(left_out(text.lines().count().saturating_sub(LINES))).collect()
}

fn left_out(lines: usize) -> Option<String> {
    (lines > 0).then(|| format!("  ... and {lines} more lines\n"))
}

/// Cuts a line that is too long to be looked at.
pub(crate) fn shortened(line: &str) -> String {
    match line.char_indices().nth(LINE) {
        Some((end, _)) => format!("{}...", line.get(..end).unwrap_or_default()),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(expected: &str, got: &str) -> String {
        let (expected, got) = (expected.as_bytes().to_vec(), got.as_bytes().to_vec());
        Mismatch::Bytes { stream: "stdout", expected, got }.to_string()
    }

    #[test]
    fn the_first_difference_is_shown() {
        insta::assert_snapshot!(told("{\"a\":1,\"b\":2}\n", "{\"a\":1,\"b\":3}\n"), @r#"
        stdout: differs behind its first 11 bytes
          expected "{\"a\":1,\"b\":2}\n"
          got      "{\"a\":1,\"b\":3}\n"
          --- expected
          +++ got
          @@ -1,4 +1,4 @@
           {
             "a": 1,
          -  "b": 2
          +  "b": 3
           }
        "#);
    }

    #[test]
    fn a_layout_that_differs_is_seen() {
        insta::assert_snapshot!(told("{\"a\":1}\n", "{\"a\": 1}\n"), @r#"
        stdout: differs behind its first 5 bytes
          expected "{\"a\":1}\n"
          got      "{\"a\": 1}\n"
        "#);
    }

    #[test]
    fn long_texts_are_cut_around_the_difference() {
        let (left, right) = ("x".repeat(1000), "y".repeat(1000));
        let told = told(&format!("{left}a{right}\n"), &format!("{left}b{right}\n"));
        let (x, y) = ("x".repeat(60), "y".repeat(59));
        assert!(told.contains(&format!("expected ...\"{x}a{y}\"...\n")), "{told}");
        assert!(told.contains(&format!("got      ...\"{x}b{y}\"...\n")), "{told}");
        assert!(told.lines().all(|line| line.len() < 300), "{told}");
    }

    #[test]
    fn of_a_long_diff_the_first_lines_are_shown() {
        let shown = |lines: usize| told("", &"x\n".repeat(lines));
        // Three lines stand above the diff, and three begin it.
        assert_eq!(shown(LINES - 3).lines().count(), 3 + LINES);
        let text = shown(1_000_000);
        assert_eq!(text.lines().count(), 3 + LINES + 1);
        assert!(text.ends_with(&format!("  +x\n  ... and {} more lines\n", 1_000_003 - LINES)), "{text}");
    }

    #[test]
    fn what_ends_early_is_seen() {
        insta::assert_snapshot!(told("ab", "a"), @r#"
        stdout: differs behind its first 1 bytes
          expected "ab"
          got      "a"
          --- expected
          +++ got
          @@ -1 +1 @@
          -ab
          \ No newline at end of file
          +a
          \ No newline at end of file
        "#);
    }
}
