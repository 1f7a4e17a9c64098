//! Each way of nearly standing in a file, and what is told of it.

use super::*;

fn check(text: &str, old: &str, expected: &str) {
    let hint = missing_final_newline(text, old).or_else(|| hint(text, old));
    assert_eq!(hint.unwrap_or_default(), expected, "{text:?} {old:?}");
}

#[test]
fn line_endings() {
    check(
        "one\r\ntwo\r\nthree\r\n",
        "one\ntwo",
        r#"it stands at lines 1 to 2 with other line endings (CRLF in the file, LF here): "one\r\ntwo\r\n""#,
    );
    check(
        "a\nb\nc\n",
        "b\r\nc",
        r#"it stands at lines 2 to 3 with other line endings (LF in the file, CRLF here): "b\nc\n""#,
    );
    check(
        "a\r\nb\nc\n",
        "a\nb\nc\n",
        r#"it stands at lines 1 to 3 with other line endings (CRLF and LF in the file, LF here): "a\r\nb\nc\n""#,
    );
    check("a\n", "a\r", r#"it stands at line 1 with other line endings (LF in the file, none here): "a\n""#);
}

#[test]
fn line_numbers() {
    let how = "without the line numbers in front of its lines";
    check("a\nb\n\nc\n", "2: b\n3: \n4: c", &format!("it stands at lines 2 to 4 {how}: {}", r#""b\n\nc\n""#));
    check("a\r\nb\r\n", "  1: a\n  2: b\n", &format!("it stands at lines 1 to 2 {how}: {}", r#""a\r\nb\r\n""#));
    check("a\nb\n", "1: a\nb\n", "");
    check("a: b\n", "c: b", "");
}

#[test]
fn escapes() {
    let how = "once its backslash escapes are decoded";
    check("a\n\t\"b\"\n", r#"a\n\t\"b\""#, &format!("it stands at lines 1 to 2 {how}: {}", r#""a\n\t\"b\"\n""#));
    check("ab\n", r"a\b", "");
    check("a\n", "a\\", "");
}

#[test]
fn final_newline() {
    let how = "without its final newline, where the file ends";
    check("return foobar\nreturn foo", "return foo\n", &format!("it stands at line 2 {how}: \"return foo\""));
    check("a\nb\n", "a\nb\n\n", &format!("it stands at lines 1 to 2 {how}: {}", r#""a\nb\n""#));
    check("a\n", "\n\n", "");
}

#[test]
fn invisible_characters() {
    let how = "with other invisible characters, such as a byte order mark";
    check("a\n\u{feff}b\n", "a\nb", &format!("it stands at lines 1 to 2 {how}: {}", r#""a\n\ufeffb\n""#));
    check("a\n", "\u{feff}a", &format!("it stands at line 1 {how}: {}", r#""a\n""#));
}

#[test]
fn white_space() {
    let how = "with other indentation";
    check(
        "if x:\n\tgo()\n",
        "if x:\n    go()\n",
        &format!("it stands at lines 1 to 2 {how}: {}", r#""if x:\n\tgo()\n""#),
    );
    check("  a\n", "\ta", &format!("it stands at line 1 {how}: {}", r#""  a\n""#));
    let how = "with other white space";
    check("x\na  b\n", "a b", &format!("it stands at line 2 {how}: {}", r#""a  b\n""#));
    check("a \nb\n", "a\nb", &format!("it stands at lines 1 to 2 {how}: {}", r#""a \nb\n""#));
    check("a\u{a0}b\n", "a b", &format!("it stands at line 1 {how}: {}", r#""a\u00a0b\n""#));
}

#[test]
fn forms_of_unicode() {
    check(
        "cafe\u{301} one\nno\u{308} two\n",
        "caf\u{e9} one",
        r#"it stands at line 1 in another Unicode normal form (NFD in the file, NFC here): "cafe\u0301 one\n""#,
    );
    check(
        "\u{e9}\n",
        "e\u{301}",
        "it stands at line 1 in another Unicode normal form (NFC in the file, NFD here): \"\u{e9}\\n\"",
    );
    check(
        "e\u{301}\u{e9}\n",
        "\u{e9}\u{e9}",
        "it stands at line 1 in another Unicode normal form (neither NFC nor NFD in the file, NFC here): \"e\\u0301\u{e9}\\n\"",
    );
}

#[test]
fn typography() {
    let how = "with other quotes or dashes";
    check("say “hi”\n", "say \"hi\"", &format!("it stands at line 1 {how}: \"say “hi”\\n\""));
    check("it's\n", "it’s", &format!("it stands at line 1 {how}: \"it's\\n\""));
    check("a - b\n", "a — b", &format!("it stands at line 1 {how}: \"a - b\\n\""));
}

#[test]
fn several_at_once() {
    let how = "with several of these differences: white space, quotes, line numbers, forms of Unicode";
    check("\tsay “hi”\r\n", "1: say \"hi\"\n", &format!("it stands at line 1 {how}: {}", "\"\\tsay “hi”\\r\\n\""));
}

#[test]
fn what_is_not_there_is_not_nearly_there() {
    for (text, old) in [("", "a"), ("a", "b"), ("a\n", " "), ("a\n", "\u{feff}"), ("A", "a")] {
        check(text, old, "");
    }
}
