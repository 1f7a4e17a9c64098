//! Protocol failures for people.

use insta::assert_snapshot;

use crate::{run, stderr};

fn told(input: impl Into<Vec<u8>>) -> String {
    stderr(&run(&["--error-format", "human"], input).code(1).stdout(""))
}

#[test]
fn malformed_text_has_a_caret_where_it_stops_being_json() {
    assert_snapshot!(told("{\n  \"op\": \"dispatch\",\n}\n"), @r"
    error[malformed_json]: expected a key after the comma
      |
    3 | }
      | ^
      |
      = note: at standard input:3:1
    ");
}

#[test]
fn a_bad_member_is_marked_whole() {
    assert_snapshot!(told(r#"{"op":"dispatch","workspace":{"é.txt":[1]},"call":{}}"#), @r#"
    error[invalid_request]: expected string, found array
      |
    1 | {"op":"dispatch","workspace":{"é.txt":[1]},"call":{}}
      |                                       ^^^
      |
      = note: $.workspace['é.txt'] at standard input:1:40
    "#);
}

#[test]
fn of_a_long_line_only_the_neighbourhood_is_shown() {
    let long = "é".repeat(1000);
    assert_snapshot!(told(format!(r#"{{"op":"dispatch","workspace":{{"a":"{long}"}},"call":7,"b":"{long}"}}"#)), @r#"
    error[invalid_request]: expected object, found integer
      |
    1 | …ééééééééééééééééééééééééé"},"call":7,"b":"éééééééééééééééééééééééééé…
      |                                     ^
      |
      = note: $.call at standard input:1:2046
    "#);
}

#[test]
fn an_empty_input_has_a_place_too() {
    assert_snapshot!(told(""), @r"
    error[malformed_json]: expected a JSON value, found the end of the input
      |
    1 |
      | ^
      |
      = note: at standard input:1:1
    ");
}

#[test]
fn bytes_that_are_no_text_are_shown_as_such() {
    assert_snapshot!(told(b"{\"a\":\"\xff\"}".to_vec()), @r#"
    error[malformed_json]: not UTF-8
      |
    1 | {"a":"�"}
      |       ^
      |
      = note: at standard input:1:7
    "#);
}

#[test]
fn in_a_stream_the_line_is_that_of_the_stream() {
    let told = run(&["--stream", "--error-format", "human"], "{\"op\":\"workspace\"}\n\n{\"op\":7}\n").code(1);
    assert_snapshot!(stderr(&told), @r#"
    error[invalid_request]: expected string, found integer
      |
    3 | {"op":7}
      |       ^
      |
      = note: $.op at standard input:3:7
    "#);
}

#[test]
fn control_characters_of_the_input_do_not_reach_the_terminal() {
    let told = told("{\"op\":\u{1b}[31m}");
    assert!(!told.contains('\u{1b}'), "{told:?}");
}
