//! What is malformed, where, and in which words.

mod suite;

use crate::json::{Document, MAX_DEPTH};

/// Texts with `line:column: message` of the fault that is told of each.
fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        check_bytes(text.as_bytes(), expected);
    }
}

fn check_bytes(text: &[u8], expected: &str) {
    let told = match Document::parse(text.to_vec()) {
        Ok(_) => "accepted".to_owned(),
        Err(fault) => format!("{}:{}: {fault}", fault.position().line, fault.position().column),
    };
    assert_eq!(told, expected, "{:?}", String::from_utf8_lossy(text));
}

#[test]
fn where_the_input_ends_too_early() {
    check(&[
        ("", "1:1: expected a JSON value, found the end of the input"),
        (" \t\r", "1:4: expected a JSON value, found the end of the input"),
        ("  \n", "2:1: expected a JSON value, found the end of the input"),
        ("{", "1:2: the input ends in the middle of an object"),
        ("{\"a\"", "1:5: the input ends in the middle of an object"),
        ("{\"a\":", "1:6: the input ends in the middle of an object"),
        ("{\"a\":1", "1:7: the input ends in the middle of an object"),
        ("{\"a\":1,", "1:8: the input ends in the middle of an object"),
        ("{\"a\":1,\n", "2:1: the input ends in the middle of an object"),
        ("[", "1:2: the input ends in the middle of an array"),
        ("[1", "1:3: the input ends in the middle of an array"),
        ("[1,", "1:4: the input ends in the middle of an array"),
        ("[[]", "1:4: the input ends in the middle of an array"),
        ("\"", "1:2: the input ends in the middle of a string"),
        ("\"é", "1:4: the input ends in the middle of a string"),
        ("\"\\", "1:3: the input ends in the middle of a string"),
        ("\"\\u", "1:4: the input ends in the middle of a string"),
        ("\"\\u00e", "1:7: the input ends in the middle of a string"),
        ("-", "1:2: the input ends in the middle of a number"),
        ("1.", "1:3: the input ends in the middle of a number"),
        ("1e", "1:3: the input ends in the middle of a number"),
        ("1e+", "1:4: the input ends in the middle of a number"),
        ("t", "1:2: the input ends in the middle of a word"),
        ("fals", "1:5: the input ends in the middle of a word"),
        ("[nul", "1:5: the input ends in the middle of a word"),
    ]);
}

#[test]
fn where_another_byte_was_due() {
    check(&[
        ("?", "1:1: expected a JSON value"),
        ("}", "1:1: expected a JSON value"),
        ("{?}", "1:2: expected a key or `}`"),
        ("{1:2}", "1:2: expected a key or `}`"),
        ("{,}", "1:2: expected a key or `}`"),
        ("{\"a\" 1}", "1:6: expected `:` after a key"),
        ("{\"a\"}", "1:5: expected `:` after a key"),
        ("{\"a\":}", "1:6: expected a JSON value"),
        ("{\"a\":1 \"b\":2}", "1:8: expected `,` or `}`"),
        ("{\"a\":1]", "1:7: expected `,` or `}`"),
        ("{\"a\":1,}", "1:8: expected a key after the comma"),
        ("{\"a\":1,,\"b\":2}", "1:8: expected a key after the comma"),
        ("[,]", "1:2: expected a JSON value"),
        ("[1,]", "1:4: expected a JSON value"),
        ("[1,,2]", "1:4: expected a JSON value"),
        ("[1 2]", "1:4: expected `,` or `]`"),
        ("[1}", "1:3: expected `,` or `]`"),
        ("[\u{a0}1]", "1:2: expected a JSON value"),
        ("[\u{c}1]", "1:2: expected a JSON value"),
        ("[1]\n\n  [2]", "3:3: more text after the end of the JSON value"),
        ("1 x", "1:3: more text after the end of the JSON value"),
        ("{}\0", "1:3: more text after the end of the JSON value"),
        ("{}/**/", "1:3: more text after the end of the JSON value"),
        ("nulll", "1:5: more text after the end of the JSON value"),
    ]);
}

#[test]
fn words_are_at_fault_where_they_go_wrong() {
    check(&[
        ("nulL", "1:4: expected `true`, `false` or `null`"),
        ("[tru]", "1:5: expected `true`, `false` or `null`"),
        ("{\"a\":fa lse}", "1:8: expected `true`, `false` or `null`"),
        ("tRUE", "1:2: expected `true`, `false` or `null`"),
        ("nané", "1:2: expected `true`, `false` or `null`"),
        ("nulé", "1:4: expected `true`, `false` or `null`"),
        ("True", "1:1: expected a JSON value"),
        ("NaN", "1:1: expected a JSON value"),
    ]);
}

#[test]
fn numbers() {
    let nines = "9".repeat(310);
    check(&[
        ("01", "1:2: expected no digit after a leading zero"),
        ("-01", "1:3: expected no digit after a leading zero"),
        ("[00.5]", "1:3: expected no digit after a leading zero"),
        ("-x", "1:2: expected a digit"),
        ("--1", "1:2: expected a digit"),
        ("-Infinity", "1:2: expected a digit"),
        ("+1", "1:1: expected a JSON value"),
        (".5", "1:1: expected a JSON value"),
        ("1.e5", "1:3: expected a digit"),
        ("[1.]", "1:4: expected a digit"),
        ("[1e]", "1:4: expected a digit"),
        ("1e+-1", "1:4: expected a digit"),
        ("1.5.5", "1:4: more text after the end of the JSON value"),
        ("0x10", "1:2: more text after the end of the JSON value"),
        ("1_000", "1:2: more text after the end of the JSON value"),
        ("[0, 1e999]", "1:5: number out of range: it rounds to no finite double"),
        ("-1E400", "1:1: number out of range: it rounds to no finite double"),
        ("1.7976931348623159e308", "1:1: number out of range: it rounds to no finite double"),
        (&nines, "1:1: number out of range: it rounds to no finite double"),
        ("1e999x", "1:1: number out of range: it rounds to no finite double"),
        ("1.7976931348623158e308", "accepted"),
        (&nines[..308], "accepted"),
        ("0e999", "accepted"),
        ("1e-99999999999999999999", "accepted"),
    ]);
}

#[test]
fn strings() {
    check(&[
        ("\"a\tb\"", "1:3: control character U+0009 in a string: it must be escaped"),
        ("\"a\nb\"", "1:3: control character U+000A in a string: it must be escaped"),
        ("{\"\0\":1}", "1:3: control character U+0000 in a string: it must be escaped"),
        ("\"\u{1f}\"", "1:2: control character U+001F in a string: it must be escaped"),
        ("\"\u{7f}\"", "accepted"),
        (r#""\x41""#, "1:2: no such escape in JSON"),
        (r#""ab\'""#, "1:4: no such escape in JSON"),
        (r#""\U0041""#, "1:2: no such escape in JSON"),
        (r#""\u041""#, "1:2: no such escape in JSON"),
        (r#""\u+041""#, "1:2: no such escape in JSON"),
        (r#""\u00g0""#, "1:2: no such escape in JSON"),
        ("\"\\u00é\"", "1:2: no such escape in JSON"),
        ("\"\\é\"", "1:2: no such escape in JSON"),
    ]);
    // A byte that needs a look is found in every place around the end of a 32-byte chunk.
    for plain in 0..70 {
        let column = plain + 2;
        let text = format!("\"{}\u{1}\"", "a".repeat(plain));
        check_bytes(text.as_bytes(), &format!("1:{column}: control character U+0001 in a string: it must be escaped"));
        check_bytes(format!("\"{}\" x", "a".repeat(plain)).as_bytes(), &format!("1:{}: {TRAILING}", column + 2));
    }
}

const TRAILING: &str = "more text after the end of the JSON value";

#[test]
fn surrogates_stand_in_pairs() {
    let lone = |column: usize| {
        format!("1:{column}: lone surrogate: `\\ud800` to `\\udfff` stand for a character only in pairs, high then low")
    };
    for (text, column) in [
        (r#""\ud800""#, 2),
        (r#""\udc00""#, 2),
        (r#""a\udfffb""#, 3),
        (r#""\udc00\ud800""#, 2),
        (r#""\ud800\u0041""#, 2),
        (r#""\ud800\ud800\udc00""#, 2),
        (r#""\ud83d\ude00\ude00""#, 14),
        (r#""\uD83Dx""#, 2),
        (r#""\ud83d\n""#, 2),
        (r#"{"\ud800":1}"#, 3),
    ] {
        check_bytes(text.as_bytes(), &lone(column));
    }
    check(&[(r#""\ud83d\ude00""#, "accepted"), (r#""\uDBFF\udfff""#, "accepted"), (r#""\\ud800""#, "accepted")]);
}

#[test]
fn a_key_stands_once_in_an_object() {
    check(&[
        (r#"{"a":1,"a":2}"#, "1:8: duplicate key `a`"),
        (r#"{"a":1,"\u0061":2}"#, "1:8: duplicate key `a`"),
        (r#"{"\ud83d\ude00":1, "😀":2}"#, "1:20: duplicate key `😀`"),
        (r#"{"":1,"b":2,"":3}"#, "1:13: duplicate key ``"),
        (r#"{"a":{"b":[],"c":{},"b":0}}"#, "1:21: duplicate key `b`"),
        ("{\"x\":[0,{\"a\":{\"a\":1},\n\"a\":2}]}", "2:1: duplicate key `a`"),
        (r#"{"a":1,"a"}"#, "1:8: duplicate key `a`"),
        (r#"{"a":{"a":[{"a":1},{"a":2}]},"A":3,"a ":4}"#, "accepted"),
    ]);
}

#[test]
fn nesting_has_a_limit() {
    let nested = |open: &str, close: &str, levels: usize| open.repeat(levels) + "0" + &close.repeat(levels);
    check_bytes(nested("[", "]", MAX_DEPTH - 1).as_bytes(), "accepted");
    check_bytes(nested("{\"a\":", "}", MAX_DEPTH - 1).as_bytes(), "accepted");
    let too_deep = |column| format!("1:{column}: objects and arrays are nested 128 deep or more");
    check_bytes(nested("[", "]", MAX_DEPTH).as_bytes(), &too_deep(128));
    check_bytes("[".repeat(100_000).as_bytes(), &too_deep(128));
    check_bytes(nested("{\"a\":", "}", MAX_DEPTH).as_bytes(), &too_deep(127 * 5 + 1));
    check_bytes(("[".repeat(127) + "[").as_bytes(), &too_deep(128));
}

#[test]
fn bytes_that_are_no_text() {
    for (text, expected) in [
        (b"\"\xff\"".as_slice(), "1:2: not UTF-8"),
        (b"\xff\xfe{\0}\0", "1:1: not UTF-8"),
        (b"[\n\"a\xc0\xaf\"]", "2:3: not UTF-8"),
        (b"\"\xed\xa0\x80\"", "1:2: not UTF-8"),
        (b"\"\xc3\xa9\xc3", "1:4: not UTF-8"),
        (b"{x\"\xff", "1:2: expected a key or `}`"),
        (b"{}  \xff", "1:5: not UTF-8"),
        (b"{} x\xff", "1:4: more text after the end of the JSON value"),
        (b"\xef\xbb\xbf{\xff", "1:1: expected a JSON value"),
        (b"\xef\xbb\xbf\xff", "1:1: expected a JSON value"),
        (b"\xef\xbb\xbf", "1:1: expected a JSON value"),
        (b"\xef\xbb\xbf{?", "1:1: expected a JSON value"),
        (b"\xef\xbb\xbf\xef\xbb\xbf{}", "1:1: expected a JSON value"),
        (b"\n\xef\xbb\xbf{}", "2:1: expected a JSON value"),
        (b"\xef\xbb", "1:1: not UTF-8"),
        (b"{\"a\":1,\"a\":\xff", "1:8: duplicate key `a`"),
    ] {
        check_bytes(text, expected);
    }
}

/// What a repeated key costs must not grow with what stands before it.
#[test]
fn many_repeated_keys_are_read_as_fast_as_others() {
    let object = format!("{{{}\"k\":1}}", "\"k\":1,".repeat(100_000));
    let array = format!("[{}0]", "{\"k\":1,\"k\":1},".repeat(50_000));
    for text in [object, array] {
        assert!(Document::parse_tolerating(text.into_bytes(), |path| path.segments().len() < 2).is_ok());
    }
}
