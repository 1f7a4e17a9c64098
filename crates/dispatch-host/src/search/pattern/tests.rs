use super::*;

/// Whether a pattern means a file, as a walk finds out.
fn means(pattern: &Pattern, path: &str) -> bool {
    let mut reached = pattern.start();
    let mut names = path.split('/').peekable();
    while let Some(name) = names.next() {
        let is_hidden = name.starts_with('.');
        if names.peek().is_none() {
            return pattern.has_file(&reached, name, is_hidden);
        }
        match pattern.enter(&reached, name, is_hidden) {
            Some(next) => reached = next,
            None => return false,
        }
    }
    false
}

fn check(text: &str, meant: &[&str], not_meant: &[&str]) {
    let pattern = Pattern::new(text).unwrap();
    for (paths, expected) in [(meant, true), (not_meant, false)] {
        for path in paths {
            assert_eq!(means(&pattern, path), expected, "{text} and {path}");
        }
    }
}

#[test]
fn a_pattern_of_one_part_is_meant_at_any_depth() {
    check("*.rs", &["a.rs", "src/a.rs", "src/b/c.rs"], &["a.rss", "rs"]);
    check("a.rs", &["a.rs", "b/a.rs"], &["a.rs/b"]);
}

#[test]
fn a_pattern_of_several_parts_is_meant_from_the_directory_on() {
    check("src/*.rs", &["src/a.rs"], &["a.rs", "b/src/a.rs", "src/b/a.rs"]);
    check("./*.rs", &["a.rs"], &["src/a.rs"]);
    check("src//./a.rs", &["src/a.rs"], &["a.rs"]);
}

#[test]
fn two_stars_are_any_number_of_directories() {
    check("**", &["a", "a/b/c"], &[]);
    check("**/a", &["a", "b/a", "b/c/a"], &["a/b"]);
    check("a/**", &["a/b", "a/b/c"], &["a", "b/a"]);
    check("a/**/b", &["a/b", "a/c/b", "a/c/d/b", "a/b/b"], &["a/c", "b"]);
    check("**/a/**/b/**", &["a/b/c", "x/a/y/b/z/w"], &["a/b", "b/a/c"]);
    check("**/*/**/x", &["a/x", "a/b/x"], &["x"]);
    check("src/", &["src/a", "src/b/c"], &["src", "a/src"]);
    check("a**b", &["ab", "axb", "x/axxb"], &["a/b"]);
}

#[test]
fn wildcards_stand_for_characters_of_a_name() {
    check("?.txt", &["a.txt", "é.txt", "日.txt"], &["ab.txt", ".txt"]);
    check("a*b*c", &["abc", "axbxc", "abbbc", "abcbc"], &["abcb", "ac"]);
    check("[a-cx].rs", &["a.rs", "c.rs", "x.rs"], &["d.rs", "ab.rs"]);
    check("[!a-c].rs", &["d.rs", "é.rs"], &["a.rs"]);
    check("[^a].rs", &["b.rs"], &["a.rs"]);
    check("[é-ü]", &["ö"], &["a"]);
    check("[]a]", &["]", "a"], &["b"]);
    check("[a-]", &["-", "a"], &["b"]);
    check(r"[\]\-x]", &["]", "-", "x"], &["a", "\\"]);
    check("a/[!b]/c", &["a/x/c"], &["a/b/c", "a//c"]);
}

#[test]
fn braces_are_as_if_each_choice_was_written_out() {
    check("*.{rs,toml}", &["a.rs", "b/c.toml"], &["a.md", "a.{rs,toml}"]);
    check("{a,b}/{c,d}.rs", &["a/c.rs", "b/d.rs"], &["c/a.rs", "x/a/c.rs"]);
    check("a{,b,{c,d}e}", &["a", "ab", "ace", "ade"], &["ac", "ae"]);
    check("{src/**,docs}/x", &["src/a/x", "docs/x"], &["docs/a/x"]);
    check("{*.rs,src/*.c}", &["a.rs", "b/a.rs", "src/a.c"], &["a.c", "b/src/a.c"]);
    check("a,b", &["a,b"], &["a"]);
    check("{a}", &["a"], &["{a}"]);
}

#[test]
fn what_is_escaped_means_itself() {
    check(r"\[id\].tsx", &["[id].tsx", "a/[id].tsx"], &["i.tsx"]);
    check(r"\{a,b\}", &["{a,b}"], &["a"]);
    check(r"\*\?", &["*?"], &["ab"]);
    check(r"a\\b", &[r"a\b"], &["ab"]);
    check("a]b", &["a]b"], &[]);
}

#[test]
fn what_is_hidden_is_seen_by_a_part_that_names_it() {
    check("**", &["a"], &[".a", ".a/b", "b/.a"]);
    check("*", &[], &[".a"]);
    check("?a", &["ba"], &[".a"]);
    check("[.]a", &[], &[".a"]);
    check(".*", &[".a", "b/.a"], &[".a/b", ".git", ".b/.a"]);
    check(".github/**", &[".github/a", ".github/a/b"], &[".github/.a", "github/a"]);
    check("**/.a/*", &[".a/b", "b/.a/b"], &[".a/.b"]);
    check("{.a,b}/c", &[".a/c", "b/c"], &[]);
    check(r"\.a", &[".a"], &[]);
}

#[test]
fn the_directory_of_git_is_named_by_its_whole_name() {
    check(".git/**", &[".git/config", ".git/hooks/a"], &[]);
    check(".gi?/**", &[".gix/a"], &[".git/config"]);
    check(".*/*", &[".github/a"], &[".git/config"]);
}

#[test]
fn a_text_that_is_no_pattern_is_refused_with_the_place() {
    use ErrorCode::{InvalidPattern, PathOutsideWorkspace};
    let refused = |text: &str| Pattern::new(text).map(drop).unwrap_err();
    for (text, code, character, what) in [
        ("src/{a,b", InvalidPattern, 5, "this `{` is not closed"),
        ("é{a{b}", InvalidPattern, 2, "this `{` is not closed"),
        ("a}b", InvalidPattern, 2, "this `}` closes nothing"),
        ("é[a-z", InvalidPattern, 2, "this `[` is not closed"),
        ("[]", InvalidPattern, 1, "this `[` is not closed"),
        ("[!", InvalidPattern, 1, "this `[` is not closed"),
        ("[a-", InvalidPattern, 1, "this `[` is not closed"),
        (r"[\", InvalidPattern, 2, "nothing is behind this `\\`"),
        ("a[cz-a]", InvalidPattern, 4, "this range ends before it begins"),
        ("[^z-a]", InvalidPattern, 3, "this range ends before it begins"),
        ("[[:alpha:]]", InvalidPattern, 2, "a class lists letters"),
        (r"a\", InvalidPattern, 2, "nothing is behind this `\\`"),
        ("a/../b", InvalidPattern, 3, "`..` matches nothing"),
        (".", InvalidPattern, 1, "this names no file"),
        ("a{,", InvalidPattern, 2, "this `{` is not closed"),
        ("{a,}", InvalidPattern, 1, "this names no file"),
        ("../a", PathOutsideWorkspace, 1, "a pattern is relative"),
        ("./../a", PathOutsideWorkspace, 3, "a pattern is relative"),
        ("{a,b/../../c,../d}", InvalidPattern, 6, "`..` matches nothing"),
        ("/etc/*", PathOutsideWorkspace, 1, "a pattern is relative"),
        ("{/etc,a}/*", PathOutsideWorkspace, 1, "a pattern is relative"),
    ] {
        let error = refused(text);
        assert_eq!((error.code, error.character), (code, character), "{text}: {}", error.what);
        assert!(error.what.starts_with(what), "{text}: {}", error.what);
    }
}

#[test]
fn a_pattern_does_not_grow_without_bounds() {
    let doubled = "{a,b}".repeat(30);
    let repeated = format!("{{{}}}", vec!["{a,b}".repeat(10); 40].join(","));
    let nested = format!("{}a{}", "{".repeat(2000), "}".repeat(2000));
    assert_eq!(Pattern::new(&doubled).unwrap_err().character, 55);
    assert_eq!(Pattern::new(&repeated).unwrap_err().character, 103);
    assert_eq!(Pattern::new(&repeated).unwrap_err().what, "up to here the pattern is too long, its braces written out");
    assert!(means(&Pattern::new(&nested).unwrap(), "a"));
    let stars = Pattern::new(&"*a".repeat(1000)).unwrap();
    assert!(!means(&stars, &"a".repeat(999)));
    assert!(means(&stars, &"a".repeat(2000)));
    // The ways to share names out among `**` and `*` are not gone through one by one.
    let ways = Pattern::new(&"**/*/".repeat(12)).unwrap();
    assert!(means(&ways, "a/".repeat(80).trim_end_matches('/')));
}

mod differential {
    use globset::GlobBuilder;
    use proptest::prelude::*;

    use super::*;

    fn part() -> impl Strategy<Value = String> {
        const ATOMS: &[&str] =
            &["a", "b", "c", "*", "?", "[ab]", "[!a]", "[a-b]", "{a,bc}", "a{,c}", "{a,{b,c}}", r"\[", r"\*"];
        let atom = proptest::sample::select(ATOMS);
        proptest::collection::vec(atom, 1..5).prop_map(|atoms| atoms.concat())
    }

    fn pattern() -> impl Strategy<Value = String> {
        let part = prop_oneof![4 => part(), 1 => Just("**".to_owned())];
        proptest::collection::vec(part, 1..4).prop_map(|parts| parts.join("/"))
    }

    fn path() -> impl Strategy<Value = String> {
        proptest::collection::vec("[abc\\[*]{1,4}", 1..5).prop_map(|names| names.join("/"))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

        /// The glob of ripgrep and Git's ignore files, where a part is meant at any depth unless there is a `/`.
        #[test]
        fn a_pattern_means_what_ripgreps_glob_means(text in pattern(), paths in proptest::collection::vec(path(), 20)) {
            let anywhere = if text.contains('/') { text.clone() } else { format!("**/{text}") };
            let theirs = GlobBuilder::new(&anywhere).literal_separator(true).backslash_escape(true).empty_alternates(true).build().unwrap();
            let (theirs, ours) = (theirs.compile_matcher(), Pattern::new(&text));
            let Ok(ours) = ours else { return Ok(()) };
            for path in paths {
                prop_assert_eq!(means(&ours, &path), theirs.is_match(&path), "{} and {}", text, path);
            }
        }
    }
}
