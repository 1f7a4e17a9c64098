//! Which skills are found, which are left out, and what of those from outside is held.

use dispatch_core::workspace::MemoryWorkspace;

use super::*;

fn skill(name: &str) -> String {
    format!("---\nname: {name}\ndescription: What {name} is for.\n---\nDo it.\n")
}

fn workspace(files: &[(&str, &str)]) -> MemoryWorkspace {
    files.iter().copied().collect()
}

fn problems(skills: &Skills) -> Vec<String> {
    skills.problems().iter().map(ToString::to_string).collect()
}

/// Checks why a SKILL.md is left out, or else what its description is.
#[track_caller]
fn check(text: &str, expected: Result<&str, &str>) {
    let skills = Skills::default().and_directory(&workspace(&[("tea/SKILL.md", text)]));
    let found = skills.listed().next().map(|(_, description)| description.to_owned());
    let problem = problems(&skills).pop();
    let problem = problem.as_deref().map(|problem| problem.strip_prefix("tea: ").unwrap());
    assert_eq!((found.as_deref(), problem), (expected.ok(), expected.err()), "{text:?}");
}

#[test]
fn a_front_matter_has_a_name_and_a_description() {
    check("---\nname: tea\ndescription: Tea.\n---\n", Ok("Tea."));
    check("\u{feff}---\r\nname: tea\r\ndescription: Tea.\r\n---\r\nBoil.", Ok("Tea."));
    check(
        "---\nname: tea\ndescription: >\n  Tea\n  for two.\nlicense: MIT\nmetadata: {a: [1]}\n---",
        Ok("Tea for two."),
    );
    check("---\nname: tea\ndescription: \"a\\nb\"\n---\n---\n", Ok("a b"));
}

#[test]
fn what_is_broken_is_left_out_with_the_reason() {
    let no_front_matter = "SKILL.md does not begin with a front matter between two lines of `---`";
    for text in ["", "Boil.", "\n---\nname: tea\n---\n", "---\nname: tea\ndescription: Tea.\n", "----\n---\n"] {
        check(text, Err(no_front_matter));
    }
    check(
        "---\nname: Tea\ndescription: x\n---\n",
        Err("SKILL.md has the name `Tea`, and the folder has the name `tea`"),
    );
    check("---\nname: tea\ndescription: \" \"\n---\n", Err("the description is empty"));
    let long = "é".repeat(1024);
    check(&format!("---\nname: tea\ndescription: {long}\n---\n"), Ok(&long));
    check(
        &format!("---\nname: tea\ndescription: {long}x\n---\n"),
        Err("the description has 1025 characters; at most 1024 are allowed"),
    );
    let skills = Skills::default().and_directory(&workspace(&[("T_/SKILL.md", &skill("T_"))]));
    assert!(problems(&skills)[0].starts_with("T_: a skill's name has 1 to 64 letters"));
}

#[test]
fn yaml_is_read_strictly() {
    for yaml in [
        "name: tea",
        "name: tea\nname: tea\ndescription: x",
        "name: tea\ndescription: [x]",
        "name: tea\ndescription: !tea x",
        "name: tea\ndescription: a: b",
        "a: &a {name: tea}\n<<: *a\ndescription: x",
    ] {
        let skills = Skills::default().and_directory(&workspace(&[("tea/SKILL.md", &format!("---\n{yaml}\n---\n"))]));
        let problems = problems(&skills);
        assert!(problems[0].starts_with("tea: the front matter of SKILL.md: "), "{yaml}: {problems:?}");
    }
}

#[test]
fn what_is_wrong_with_yaml_is_said_in_words_for_who_wrote_it() {
    let wrong = |text: &str, expected: &str| check(text, Err(&format!("the front matter of SKILL.md: {expected}")));
    wrong("---\nname: tea\nname: tea\n---\n", "line 3, column 1: the key `name` stands there twice");
    wrong("---\na: &a {b: c}\n<<: *a\nname: tea\n---\n", "line 3, column 1: a merge key (`<<`) is not read");
    wrong("---\nname: !!binary /w==\n---\n", "line 2, column 16: what `!!binary` holds is not UTF-8 text");
    wrong("---\nname: tea\ndescription: !tea x\n---\n", "line 3, column 19: unsupported tag `!tea`");
    wrong("---\nname: tea\n---\n", "line 2, column 1: missing field `description`");
}

#[test]
fn a_description_steers_no_terminal() {
    check("---\nname: tea\ndescription: \"Tea\\e[31m\\x9B1m\\0\"\n---\n", Ok("Tea\\u{1b}[31m\\u{9b}1m\\0"));
}

#[test]
fn a_folder_without_a_skill_is_no_problem() {
    let files = [("notes/a.md", "x"), ("SKILL.md", "x"), ("deep/er/SKILL.md", "x"), ("tea/SKILL.md/x", "")];
    let skills = Skills::default().and_directory(&workspace(&files));
    assert_eq!((skills.listed().count(), skills.problems().len()), (0, 0));
}

#[test]
fn the_first_of_a_name_wins() {
    let described = |description: &str| format!("---\nname: tea\ndescription: {description}\n---\n");
    let (first, second, third, outside) = (described("1"), described("2"), described("3"), described("4"));
    let mut files = vec![
        (".claude/skills/tea/SKILL.md", third.as_str()),
        (".agents/skills/tea/SKILL.md", second.as_str()),
        (".dispatch/skills/tea/SKILL.md", first.as_str()),
    ];
    let directory = workspace(&[("tea/SKILL.md", &outside)]);
    for expected in ["1", "2", "3", "4"] {
        let skills = Skills::default().and_workspace(&workspace(&files)).and_directory(&directory);
        assert!(skills.listed().eq([("tea", expected)]), "{expected}");
        files.pop();
    }
}

#[test]
fn a_broken_skill_does_not_hide_one_behind_it() {
    let good = skill("tea");
    let files = workspace(&[(".dispatch/skills/tea/SKILL.md", "x"), (".claude/skills/tea/SKILL.md", &good)]);
    let skills = Skills::default().and_workspace(&files);
    assert_eq!((skills.listed().count(), skills.problems().len()), (1, 1));
    let mut problems = Vec::new();
    let found = Skills::in_workspace((&files as &dyn Workspace).into(), &SkillName::new("tea").unwrap(), &mut problems);
    assert_eq!(found.unwrap().folder.as_str(), ".claude/skills/tea");
    assert_eq!(problems.len(), 1);
}

#[test]
fn the_files_of_a_skill_from_outside_have_paths_of_their_own() {
    let large = "x".repeat(16 << 20);
    let text = skill("tea");
    let files = [("tea/SKILL.md", text.as_str()), ("tea/a.md", "a"), ("tea/b/c.md", &large), ("milk/a.md", "no")];
    let skills = Skills::default().and_directory(&workspace(&files));
    let (found, paths) = skills.outside(&SkillName::new("tea").unwrap()).unwrap();
    assert_eq!(found, text);
    assert_eq!(paths, [".dispatch/skills/tea/a.md", ".dispatch/skills/tea/b/c.md"]);
    let folder = WorkspacePath::resolve(FOLDER).unwrap();
    let file = |path: &str| skills.file(&WorkspacePath::resolve(path).unwrap(), &folder);
    assert_eq!(file(".dispatch/skills/tea/a.md"), Some(Ok("a")));
    assert_eq!(file(".dispatch/skills/tea/b/c.md"), Some(Err(ErrorCode::FileTooLarge)));
    for path in [".dispatch/skills/tea", ".dispatch/skills/milk/a.md", ".dispatch/skillstea/a.md", "tea/a.md"] {
        assert_eq!(file(path), None, "{path}");
    }
}
