//! A text that does not stand in a file: what nearly is it, else how far the file follows it, else which lines are like it.

use super::quote::quoted;
use super::{EXAMINED_BYTES, listed, named, nearly};
use crate::nearest::{Nearest, SAME};

/// So many lines are compared in search of the longest beginning: enough for a file of ordinary lines, and a bound for one that repeats itself.
const MOST_COMPARED: usize = 1 << 22;

pub(super) fn hint(text: &str, old: &str) -> String {
    if text.is_empty() {
        return "the file is empty".to_owned();
    }
    let (examined, _) = text.split_at(text.floor_char_boundary(EXAMINED_BYTES));
    let nearly = || if old.len() > EXAMINED_BYTES { None } else { nearly::hint(examined, old) };
    let nearly = nearly::missing_final_newline(text, old).or_else(nearly);
    nearly.unwrap_or_else(|| lines_like(examined, old, examined.len() < text.len()))
}

/// What there is to say of lines one by one. `is_cut`: there are more of them.
fn lines_like(text: &str, old: &str, is_cut: bool) -> String {
    let text: Vec<&str> = text.split_inclusive('\n').collect();
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let (hint, is_whole) = beginning(&text, &old).unwrap_or_else(|| closest(&text, &old));
    if is_whole && !is_cut { hint } else { format!("{hint}; not all of the file was compared") }
}

/// Where most of the first lines stand, and how the file goes on there; and whether all of it was looked at. Blank lines alone say nothing.
fn beginning(text: &[&str], old: &[&str]) -> Option<(String, bool)> {
    let first_told = old.iter().position(|line| !line.trim().is_empty())?;
    let mut longest = Nearest::new();
    let mut left = MOST_COMPARED;
    for (at, rest) in (0..text.len()).filter_map(|at| Some((at, text.get(at..)?))) {
        let run = run(rest, old);
        if run > first_told {
            // Of runs that are equally long, the one counts after which the file goes on most alike.
            let [there, here] = [rest, old].map(|lines| lines.get(run).copied().unwrap_or_default().trim());
            let likeness = longest.likeness(there, here);
            longest.offer(run * (SAME + 1) + likeness, || (at, run));
        }
        left = left.saturating_sub(run + 1);
        if left == 0 {
            break;
        }
    }
    let is_whole = left > 0 && !longest.is_used_up();
    let (at, run) = longest.into_found().next()?;
    Some((goes_on(text, at, run, old.get(run)?), is_whole))
}

/// How many lines of `old` are the first lines of a text. The first of them may begin within a line.
fn run(text: &[&str], old: &[&str]) -> usize {
    let mut pairs = text.iter().zip(old);
    match pairs.next() {
        Some((line, first)) if line.ends_with(first) => 1 + pairs.take_while(|(line, old)| line == old).count(),
        _ => 0,
    }
}

fn goes_on(text: &[&str], at: usize, run: usize, next: &str) -> String {
    let stand = if run == 1 { "its first line stands".to_owned() } else { format!("its first {run} lines stand") };
    let lines = named(at, at + run - 1);
    match text.get(at + run) {
        Some(line) => {
            format!("{stand} at {lines}, but {} is {}, not {}", named(at + run, at + run), quoted(line), quoted(next))
        }
        None => format!("{stand} at {lines}, where the file ends; it goes on with {}", quoted(next)),
    }
}

/// Which lines are most like the first line that is not blank; and whether all were compared.
fn closest(text: &[&str], old: &[&str]) -> (String, bool) {
    let first_told = old.iter().position(|line| !line.trim().is_empty()).unwrap_or_default();
    let wanted = old.get(first_told).copied().unwrap_or_default().trim();
    let it = if old.len() > 1 { format!("its line {}", first_told + 1) } else { "it".to_owned() };
    let mut nearest = Nearest::new();
    for (at, line) in text.iter().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let likeness = nearest.likeness(line.trim(), wanted);
        nearest.offer(likeness, || format!("{}: {}", at + 1, quoted(line)));
    }
    let is_whole = !nearest.is_used_up();
    let found: Vec<String> = nearest.into_found().collect();
    let hint = match found.as_slice() {
        [] => format!("no line of the file is like {it}"),
        [only] => format!("closest to {it} is line {only}"),
        some => format!("closest to {it} are lines {}", listed(some, "and")),
    };
    (hint, is_whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, old: &str, expected: &str) {
        assert_eq!(hint(text, old), expected, "{text:?} {old:?}");
    }

    #[test]
    fn an_empty_file_is_said_to_be_empty() {
        check("", "a", "the file is empty");
    }

    #[test]
    fn a_file_that_follows_for_some_lines_is_shown_where_it_leaves() {
        check(
            "fn a() {\n    one();\n    two();\n}\n",
            "fn a() {\n    one();\n    tow();\n}\n",
            r#"its first 2 lines stand at lines 1 to 2, but line 3 is "    two();\n", not "    tow();\n""#,
        );
        check("x y\nb\n", "y\nc", r#"its first line stands at line 1, but line 2 is "b\n", not "c""#);
        check("a\nb\n", "b\nc\nd", r#"its first line stands at line 2, where the file ends; it goes on with "c\n""#);
    }

    #[test]
    fn of_places_to_begin_the_longest_counts_then_the_one_that_goes_on_most_alike() {
        check(
            "{\n1\n}\n{\n2\n3\n}\n{\n2\n4\n}\n",
            "{\n2\n44\n}",
            r#"its first 2 lines stand at lines 8 to 9, but line 10 is "4\n", not "44\n""#,
        );
    }

    #[test]
    fn blank_lines_alone_are_no_beginning() {
        check("\na\n\nb\n", "\nabc", r"no line of the file is like its line 2");
    }

    #[test]
    fn else_the_closest_lines_are_named() {
        check("ab = 1\nabc = 2\n", "abc = 3", r#"closest to it are lines 2: "abc = 2\n" and 1: "ab = 1\n""#);
        check("let x = 1;\n\nfoo\n", "let y = 1;\nbar\n", r#"closest to its line 1 is line 1: "let x = 1;\n""#);
        check("abc\n", "xyz", "no line of the file is like it");
        check("abc\n", "\t", "no line of the file is like it");
    }

    #[test]
    fn what_was_not_looked_at_is_said() {
        let text = ["x".repeat(EXAMINED_BYTES), "\nwanted\n".to_owned()].concat();
        check(&text, "wented", "no line of the file is like it; not all of the file was compared");
        let text = format!("{}\n", "x".repeat(200)).repeat(500);
        check(&text, &"y".repeat(199), "no line of the file is like it; not all of the file was compared");
    }

    #[test]
    fn the_end_of_a_large_file_is_known_all_the_same() {
        let text = "x\n".repeat(EXAMINED_BYTES) + "y";
        let expected = r#"it stands at line 1048577 without its final newline, where the file ends: "y""#;
        check(&text, "y\n", expected);
    }
}
