use super::*;
use crate::testing::PAGE;

const CASE: &str = "\
- name: first
  rule: rule
  why: Because.
  text: x
  exit: 0
  stdout: y
";

/// Loads a folder with these files, and returns the names of its cases and its problems.
fn load(files: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let root = tempfile::tempdir().expect("a folder");
    for (path, text) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    let suite = Suite::load(root.path(), &Rules::of_page(PAGE));
    let problems = suite.problems.iter().map(ToString::to_string).collect();
    (suite.cases.iter().map(Case::full_name).collect(), problems)
}

/// Loads one file that is wrong, and returns the one problem.
fn problem(text: &str) -> String {
    let (cases, mut problems) = load(&[("area/topic.yaml", text)]);
    assert_eq!((cases.len(), problems.len()), (0, 1), "{cases:?} {problems:?}");
    problems.pop().unwrap_or_default()
}

#[test]
fn cases_have_names() {
    let (cases, problems) = load(&[("b/one.yaml", CASE), ("a/two.yaml", CASE)]);
    assert_eq!(cases, ["a::two::first", "b::one::first"]);
    assert_eq!(problems, [""; 0]);
}

#[test]
fn one_topic_can_be_read_alone() {
    let root = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(root.path().join("a")).expect("a folder");
    for (file, text) in [("good.yaml", CASE), ("bad.yaml", "{")] {
        fs::write(root.path().join("a").join(file), text).expect("a file");
    }
    let rules = Rules::of_page(PAGE);
    let count = |topic| {
        let suite = Suite::load_topic(root.path(), "a", topic, &rules);
        (suite.cases.len(), suite.problems.len())
    };
    assert_eq!([count("good"), count("bad"), count("none")], [(1, 0), (0, 1), (0, 1)]);
}

/// Loads one file that is wrong as YAML; the words for it are the parser's.
fn check_yaml(text: &str, place: &str, what: &str) {
    let problem = problem(text);
    let (head, rest) = problem.split_once("error: ").unwrap_or_default();
    assert_eq!(head, "cases/area/topic.yaml: case `first`: ", "{problem}");
    assert!(rest.starts_with(place) && rest.contains(what), "{problem}");
}

#[test]
fn an_unknown_member_is_told_with_its_place() {
    check_yaml(&CASE.replace("stdout", "sdtout"), "line 6 column 3: ", "`sdtout`");
}

#[test]
fn a_key_twice_is_told_with_its_place() {
    check_yaml(&format!("{CASE}  exit: 1\n"), "line 7 column 3: ", "duplicate");
}

#[test]
fn a_key_twice_in_a_request_is_told_with_its_place() {
    let text = CASE.replace("text: x", "request: {a: 1, a: 2}");
    check_yaml(&text, "line 4 column 19: ", "duplicate");
}

#[test]
fn a_case_without_a_rule_is_an_error() {
    check_yaml(&CASE.replace("  rule: rule\n", ""), "line ", "missing field `rule`");
}

#[test]
fn the_case_at_fault_is_named_and_not_another() {
    let second = CASE.replace("first", "second").replace("  rule: rule\n", "");
    let problem = problem(&format!("{CASE}{second}{}", CASE.replace("first", "third")));
    assert!(problem.starts_with("cases/area/topic.yaml: case `second`: "), "{problem}");
}

#[test]
fn what_is_no_case_is_told_with_its_name() {
    let expected = "cases/area/topic.yaml: case `first`: rule `rules` is no heading of \
                        docs/protocol.md";
    assert_eq!(problem(&CASE.replace("rule: rule", "rule: rules")), expected);
    let problem = problem(&format!("{CASE}  base64: eA==\n"));
    assert!(problem.starts_with("cases/area/topic.yaml: case `first`: needs exactly one of"));
}

#[test]
fn a_tag_that_nobody_knows_is_an_error() {
    let problem = problem(&CASE.replace("text: x", "request: !thing {a: 1}"));
    assert!(problem.contains("thing"), "{problem}");
}

#[test]
fn a_merge_key_is_an_error() {
    let problem = problem(&CASE.replace("text: x", "request: {<<: {a: 1}}"));
    assert!(problem.contains("merge"), "{problem}");
}

#[test]
fn a_boolean_has_one_spelling() {
    let problem = problem(&format!("{CASE}  options: {{pretty: yes}}\n"));
    assert!(problem.contains("boolean"), "{problem}");
}

#[test]
fn a_name_twice_is_an_error() {
    let (cases, problems) = load(&[("area/topic.yaml", &format!("{CASE}{CASE}"))]);
    assert_eq!(cases, ["area::topic::first"]);
    assert_eq!(problems, ["cases/area/topic.yaml: case `first`: the name stands twice"]);
}

#[test]
fn what_has_no_cases_is_an_error() {
    let root = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(root.path().join("area")).expect("a folder");
    let suite = Suite::load(root.path(), &Rules::default());
    assert_eq!(suite.problems.iter().map(ToString::to_string).collect::<Vec<_>>(), ["cases/area: has no cases"]);
    assert_eq!(problem(""), "cases/area/topic.yaml: has no cases");
    assert_eq!(problem("# nothing\n"), "cases/area/topic.yaml: has no cases");
    assert_eq!(problem("[]"), "cases/area/topic.yaml: has no cases");
    assert_eq!(load(&[]).1, ["cases/: has no cases"]);
}

#[test]
fn a_folder_that_is_not_there_is_an_error() {
    let suite = Suite::load(Path::new("nowhere"), &Rules::default());
    assert!(matches!(suite.problems.first().map(LoadError::kind), Some(LoadErrorKind::Unreadable(_))));
}

#[test]
fn a_file_that_is_no_case_file_is_an_error() {
    for path in ["a/b.yml", "a.yaml", "a/b/c.yaml", "A/b.yaml", "a/b c.yaml", "a/.b.yaml"] {
        let (cases, problems) = load(&[("area/topic.yaml", CASE), (path, CASE)]);
        assert_eq!(cases.len(), 1, "{path}");
        assert!(problems.concat().contains("is no case file"), "{path}: {problems:?}");
    }
}

#[test]
fn a_problem_leaves_other_files_alone() {
    let (cases, problems) = load(&[("a/bad.yaml", "{"), ("a/good.yaml", CASE)]);
    assert_eq!((cases.len(), problems.len()), (1, 1));
}
