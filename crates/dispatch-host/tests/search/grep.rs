//! `Grep`.

use std::fmt::Write as _;

use super::support::{check, check_refused};

const FILES: &[(&str, &str)] = &[
    (".git/config", "needle\n"),
    (".github/wf.yml", "uses: needle\n"),
    (".gitignore", "ignored\n"),
    ("b/one.txt", "hay\nneedle\nhay\nhay\nhay\nneedle"),
    ("b.txt", "a needle\n"),
    ("ignored/x", "needle\n"),
    ("opt.txt", "usage: app --help\nhello -world\n"),
];

fn finds(args: &str, expected: &str) {
    check(FILES, "Grep", args, expected);
}

#[test]
fn lines_come_with_path_and_number_sorted_by_path() {
    finds(r#"{"pattern":"needle"}"#, "b.txt:1:a needle\nb/one.txt:2:needle\nb/one.txt:6:needle\n");
    finds(r#"{"pattern":"^needle$"}"#, "b/one.txt:2:needle\nb/one.txt:6:needle\n");
}

#[test]
fn lines_around_are_set_apart_as_ripgrep_sets_them() {
    finds(
        r#"{"pattern":"needle","context":1}"#,
        "b.txt:1:a needle\n--\nb/one.txt-1-hay\nb/one.txt:2:needle\nb/one.txt-3-hay\n--\nb/one.txt-5-hay\nb/one.txt:6:needle\n",
    );
    finds(r#"{"pattern":"a needle","context":0}"#, "b.txt:1:a needle\n");
    check_refused(
        FILES,
        "Grep",
        r#"{"pattern":"a","context":51}"#,
        "invalid_arguments\n$.context: expected at most 50, found 51",
    );
}

#[test]
fn a_pattern_that_begins_with_a_dash_is_a_pattern() {
    finds(r#"{"pattern":"-world"}"#, "opt.txt:2:hello -world\n");
    finds(r#"{"pattern":"--help"}"#, "opt.txt:1:usage: app --help\n");
    finds(r#"{"pattern":"--pre=/bin/false"}"#, "No matches found (left out: 2 hidden, 1 ignored)");
}

#[test]
fn no_match_and_no_expression_are_two_answers() {
    check(&[("a.rs", "fn f(x: u8) {}\n")], "Grep", r#"{"pattern":"g\\("}"#, "No matches found");
    let refused = |args, expected| check_refused(FILES, "Grep", args, expected);
    refused(r#"{"pattern":"f("}"#, "invalid_pattern\n$.pattern, character 2: unclosed group");
    refused(
        r#"{"pattern":"a\nb"}"#,
        "invalid_pattern\n$.pattern, character 2: lines are searched one at a time, and none holds a line feed",
    );
    refused(
        r#"{"pattern":"a","glob":"[b"}"#,
        "invalid_pattern\n$.glob, character 1: this `[` is not closed; `\\[` means the letter",
    );
    refused(
        r#"{"pattern":"a{999}{999}"}"#,
        "invalid_pattern\n$.pattern: compiled regex exceeds size limit of 10485760",
    );
}

#[test]
fn what_is_hidden_is_searched_where_it_is_named() {
    finds(r#"{"pattern":"uses:"}"#, "No matches found (left out: 2 hidden, 1 ignored)");
    finds(r#"{"pattern":"uses:","glob":".github/**"}"#, ".github/wf.yml:1:uses: needle\n");
    finds(r#"{"pattern":"uses:","path":".github"}"#, ".github/wf.yml:1:uses: needle\n");
    finds(r#"{"pattern":"needle","path":".git/config"}"#, ".git/config:1:needle\n");
    finds(r#"{"pattern":"needle","path":"ignored"}"#, "ignored/x:1:needle\n");
    finds(r#"{"pattern":"needle","path":"ignored/x"}"#, "ignored/x:1:needle\n");
}

#[test]
fn a_glob_chooses_files_below_the_path() {
    finds(r#"{"pattern":"needle","glob":"*.txt","path":"b"}"#, "b/one.txt:2:needle\nb/one.txt:6:needle\n");
    finds(r#"{"pattern":"needle","glob":"./*.txt"}"#, "b.txt:1:a needle\n");
    finds(r#"{"pattern":"needle","glob":"b/*.rs"}"#, "No matches found");
}

#[test]
fn what_is_not_there_is_refused() {
    check_refused(FILES, "Grep", r#"{"pattern":"a","path":"nowhere"}"#, "file_not_found");
    check_refused(FILES, "Grep", r#"{"pattern":"a","path":"b.txt/x"}"#, "file_not_found");
    check_refused(FILES, "Grep", r#"{"pattern":"a","path":".."}"#, "path_outside_workspace");
}

#[test]
fn a_line_ends_at_its_line_feed_alone() {
    let files = [("a.txt", "one\r\ntwo\r\n\r\n")];
    check(&files, "Grep", r#"{"pattern":"two"}"#, "a.txt:2:two\r\n");
    check(&files, "Grep", r#"{"pattern":"two$"}"#, "No matches found");
    check(&files, "Grep", r#"{"pattern":"^\\r?$"}"#, "a.txt:3:\r\n");
    check(&[("a.txt", "\n\nx")], "Grep", r#"{"pattern":""}"#, "a.txt:1:\na.txt:2:\na.txt:3:x\n");
    check(&[("a.txt", "")], "Grep", r#"{"pattern":""}"#, "No matches found");
}

#[test]
fn of_a_long_line_the_beginning_is_shown_cut_at_a_character() {
    let (fits, long) = (format!("x{}", "a".repeat(499)), format!("x{}", "é".repeat(400)));
    let files = [("a", fits.as_str()), ("b", long.as_str())];
    let expected = format!("a:1:{fits}\nb:1:x{}[... 302 bytes of 801 omitted ...]\n", "é".repeat(249));
    check(&files, "Grep", r#"{"pattern":"x"}"#, &expected);
}

#[test]
fn a_thousand_matches_are_shown_and_all_are_counted() {
    let lines = "needle\nhay\n".repeat(600);
    let files: Vec<(String, &str)> = (0..40).map(|number| (format!("{number:02}"), lines.as_str())).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let mut expected = String::new();
    for match_ in 0..1000 {
        let _ = writeln!(expected, "{:02}:{}:needle", match_ / 600, match_ % 600 * 2 + 1);
    }
    expected.push_str("(1000 of 24000 matching lines shown)\n");
    check(&files, "Grep", r#"{"pattern":"needle"}"#, &expected);
}

#[test]
fn what_stands_around_a_match_that_is_not_shown_is_not_shown() {
    let text = format!("{}hay\nhay\nlast\nneedle\nhay\n", "needle\n".repeat(1000));
    let mut expected = String::new();
    for number in 1..=1000 {
        let _ = writeln!(expected, "a:{number}:needle");
    }
    expected.push_str("a-1001-hay\n(1000 of 1001 matching lines shown)\n");
    check(&[("a", &text)], "Grep", r#"{"pattern":"needle","context":1}"#, &expected);
    check(&[("a", &text)], "Grep", r#"{"pattern":"needle","context":1,"path":"a"}"#, &expected);
    // Here the lines behind the one and before the other adjoin.
    let text = format!("{}hay\nlast\nneedle\n", "needle\n".repeat(1000));
    check(&[("a", &text)], "Grep", r#"{"pattern":"needle","context":1}"#, &expected);
}

#[test]
fn what_is_shown_is_bounded_in_bytes_too() {
    let name = "n".repeat((1 << 20) - 2);
    let names = ["a", "b"].map(|first| format!("{first}/{name}"));
    let files = names.each_ref().map(|name| (name.as_str(), "needle\nneedle\nneedle\n"));
    let line = |name: &str, number| format!("{name}:{number}:needle\n");
    let expected = [line(&names[0], 1), line(&names[0], 2), line(&names[0], 3), line(&names[1], 1)].concat();
    check(&files, "Grep", r#"{"pattern":"needle"}"#, &format!("{expected}(4 of 6 matching lines shown)\n"));
}

#[test]
fn a_file_with_a_nul_is_searched_where_it_is_asked_for() {
    let far = format!("needle\n{}\0needle\n", "hay\n".repeat(20_000));
    let files = [("bin", "needle\n\0needle\n"), ("far", far.as_str()), ("no", "hay\0"), ("t", "needle")];
    let warning = "far:1:needle\nfar: WARNING: stopped searching binary file after match (found \"\\0\" byte around offset 80007)\n";
    check(&files, "Grep", r#"{"pattern":"needle"}"#, &format!("{warning}t:1:needle\n"));
    check(&files, "Grep", r#"{"pattern":"nothing"}"#, "No matches found (left out: 3 binary)");
    let matches = "bin: binary file matches (found \"\\0\" byte around offset 7)\n";
    check(&files, "Grep", r#"{"pattern":"needle","path":"bin"}"#, matches);
    check(&files, "Grep", r#"{"pattern":"needle","path":"no"}"#, "No matches found");
}

#[test]
fn before_a_nul_that_is_far_the_lines_of_a_file_that_is_asked_for_are_shown() {
    let hay = "hay\n".repeat(20_000);
    let [both, behind] = ["needle\n", ""].map(|before| format!("{before}{hay}\0needle\n"));
    let many = format!("{}{hay}\0", "needle\n".repeat(1001));
    let files = [("behind", behind.as_str()), ("both", both.as_str()), ("many", many.as_str())];
    let asked = |path: &str| format!(r#"{{"pattern":"needle","path":"{path}"}}"#);
    let matches = |path, nul| format!("{path}: binary file matches (found \"\\0\" byte around offset {nul})\n");
    check(&files, "Grep", &asked("both"), &format!("both:1:needle\n{}", matches("both", 80007)));
    check(&files, "Grep", &asked("behind"), &matches("behind", 80000));
    let shown = (1..=1000).map(|line| format!("many:{line}:needle\n")).collect::<Vec<_>>().concat();
    let total = "(1000 of 1001 matching lines shown)\n";
    check(&files, "Grep", &asked("many"), &format!("{shown}{}{total}", matches("many", 87007)));
    check(&files, "Grep", r#"{"pattern":"nothing","path":"both"}"#, "No matches found");
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_text() {
    check(&[("a", "\u{feff}needle\n")], "Grep", r#"{"pattern":"^needle"}"#, "a:1:needle\n");
}

/// Each line that is shown has the path before it: a long one would come back a hundred times.
#[test]
fn of_a_path_that_no_file_system_has_the_beginning_is_shown() {
    let (longest, longer) = ("é".repeat(1 << 19), "é".repeat((1 << 19) + 1));
    let args = r#"{"pattern":"x","context":1}"#;
    check(&[(&longest, "a\nx\n")], "Grep", args, &format!("{longest}-1-a\n{longest}:2:x\n"));
    let shown = format!("{longest}[... 2 bytes of 1048578 omitted ...]");
    check(&[(&longer, "a\nx\n")], "Grep", args, &format!("{shown}-1-a\n{shown}:2:x\n"));
}
