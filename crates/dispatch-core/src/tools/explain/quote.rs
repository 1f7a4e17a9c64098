//! Pieces of files, paths and lines, as they may stand in a hint: short, and with nothing in them that can't be seen.

use std::fmt::Write as _;

use unicode_normalization::char::is_combining_mark;

/// So many bytes of a piece are shown: some lines of code, and of a file that is one line its beginning.
pub(super) const SHOWN_BYTES: usize = 240;

/// Quotes a piece as the JSON string that a model would send for it.
///
/// White space other than a blank, combining marks and characters that show nothing are escaped, so that texts which look alike don't.
/// A long piece is cut, and says so.
pub(super) fn quoted(piece: &str) -> String {
    let (shown, _) = piece.split_at(piece.floor_char_boundary(SHOWN_BYTES));
    let mut quoted = String::from("\"");
    shown.chars().for_each(|c| push_escaped(&mut quoted, c));
    quoted.push('"');
    if shown.len() < piece.len() {
        // Writing to a string does not fail.
        let _ = write!(quoted, "... ({} bytes of {})", shown.len(), piece.len());
    }
    quoted
}

fn push_escaped(text: &mut String, c: char) {
    match c {
        '"' => text.push_str("\\\""),
        '\\' => text.push_str("\\\\"),
        '\n' => text.push_str("\\n"),
        '\r' => text.push_str("\\r"),
        '\t' => text.push_str("\\t"),
        c if is_unseen(c) => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| {
            let _ = write!(text, "\\u{unit:04x}");
        }),
        c => text.push(c),
    }
}

/// Whether a character can't be told from another one, or from nothing, by looking at it.
fn is_unseen(c: char) -> bool {
    c.is_control() || (c.is_whitespace() && c != ' ') || is_combining_mark(c) || is_invisible(c)
}

/// Whether a character shows nothing and takes no room: a byte order mark, a joiner, a soft hyphen, a mark of direction.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(piece: &str, expected: &str) {
        assert_eq!(quoted(piece), expected);
    }

    #[test]
    fn what_can_not_be_seen_is_escaped() {
        check("a b", r#""a b""#);
        check("\t\"a\\\"\r\n", r#""\t\"a\\\"\r\n""#);
        check("a\u{a0}b\u{0}\u{7f}\u{85}", r#""a\u00a0b\u0000\u007f\u0085""#);
        check("\u{feff}caf\u{e9} cafe\u{301}", "\"\\ufeffcafé cafe\\u0301\"");
        check("\u{1e130}\u{1f600}", "\"\\ud838\\udd30\u{1f600}\"");
        check("‘a’", "\"‘a’\"");
    }

    #[test]
    fn what_is_long_is_cut_at_a_character() {
        let whole = "é".repeat(SHOWN_BYTES);
        check(&whole, &format!("\"{}\"... ({SHOWN_BYTES} bytes of {})", "é".repeat(SHOWN_BYTES / 2), whole.len()));
        check(&format!("a{whole}"), &format!("\"a{}\"... (239 bytes of 481)", "é".repeat(119)));
    }

    proptest! {
        #[test]
        fn a_piece_is_a_json_string_and_bounded(piece in any::<String>()) {
            let quoted = quoted(&piece);
            prop_assert!(quoted.len() <= 6 * SHOWN_BYTES + 60);
            if piece.len() <= SHOWN_BYTES {
                let read: Result<String, _> = serde_json::from_str(&quoted);
                prop_assert_eq!(read.unwrap(), piece);
            }
        }
    }
}
