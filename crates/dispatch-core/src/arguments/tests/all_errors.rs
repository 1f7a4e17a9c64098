//! What more than one rule has to say about.

use super::check;
use super::types::{Ambiguous, Choices, Collections, Forest, Nested, Overlapping, Sets};

#[test]
fn an_array_is_too_long_whatever_its_elements_are() {
    check::<Collections>(
        Collections::FITTING,
        &[
            (
                "array",
                r#"[1, "a"]"#,
                &["$.array[1]: expected integer, found string", "$.array: expected at least 3 items, found 2"],
            ),
            (
                "tuple",
                "[1, 2, null, 3]",
                &["$.tuple[0]: expected string, found integer", "$.tuple: expected at most 3 items, found 4"],
            ),
        ],
    );
}

/// Elements are compared as they came: what is wrong in them, or will be filled in, makes no two of them equal.
#[test]
fn elements_are_equal_only_as_they_stand() {
    check::<Sets>(
        Sets::FITTING,
        &[
            ("pairs", r#"[{"a": 1}, {"a": 1, "b": 0}]"#, &[]),
            ("pairs", r#"[{"a": 1}, {"a": 1.0}]"#, &["$.pairs: expected no element twice"]),
            (
                "pairs",
                r#"[{"a": true}, {"a": false}]"#,
                &["$.pairs[0].a: expected integer, found boolean", "$.pairs[1].a: expected integer, found boolean"],
            ),
        ],
    );
}

#[test]
fn what_may_be_null_says_so() {
    check::<Choices>(
        Choices::FITTING,
        &[
            ("maybe_level", "3", &["$.maybe_level: expected string or null, found integer"]),
            ("maybe_action", "3", &["$.maybe_action: expected object or null, found integer"]),
            (
                "maybe_target",
                "true",
                &["$.maybe_target: expected integer, string, object, array or null, found boolean"],
            ),
        ],
    );
    let left = r#"{"name": "a", "left": 3}"#;
    check::<Forest>(Forest::FITTING, &[("first", left, &["$.first.left: expected object or null, found integer"])]);
}

#[test]
fn what_may_not_be_null_does_not_say_so() {
    let told = r#"$.way: expected "fast" or "very_careful", found "slow""#;
    check::<Nested>(Nested::FITTING, &[("way", "\"slow\"", &[told])]);
}

#[test]
fn a_type_is_named_once() {
    check::<Choices>(Choices::FITTING, &[("shape", "3", &["$.shape: expected string or object, found integer"])]);
}

#[test]
fn a_constant_tag_does_not_shut_out_another_form_that_fits() {
    check::<Overlapping>(
        Overlapping::FITTING,
        &[
            ("either", r#"{"kind": "sized"}"#, &[]),
            ("either", r#"{"kind": "sized", "size": 256}"#, &["$.either.size: expected at most 255, found 256"]),
            ("fallback", r#"{"kind": "sized"}"#, &[]),
        ],
    );
}

/// What is inside is judged once, and not once for each way to come to it.
#[test]
fn forms_within_forms_are_judged_once() {
    let rule = format!("{}\"no rule\"{}", "{\"inner\": ".repeat(100), "}".repeat(100));
    check::<Ambiguous>(
        Ambiguous::FITTING,
        &[("rule", &rule, &["$.rule: this object fits none of the 3 forms that are allowed here"])],
    );
}
