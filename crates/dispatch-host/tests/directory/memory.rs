//! A directory answers as files in memory do.

use dispatch_core::workspace::{MemoryWorkspace, Workspace, WorkspacePath};
use proptest::prelude::*;

use crate::support::{Place, call};

#[derive(Debug, Clone)]
enum Step {
    Read(String),
    Write(String, String),
    Patch(String, String, String),
    List(String),
}

/// Paths of few parts, so that they meet one another.
fn paths() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec!["a", "b", "a.b", "é", "..", ".", ""]);
    prop::collection::vec(part, 0..5).prop_map(|parts| parts.join("/"))
}

fn steps() -> impl Strategy<Value = Step> {
    let text = "[ab\n]{0,3}";
    prop_oneof![
        paths().prop_map(Step::Read),
        (paths(), text).prop_map(|(path, text)| Step::Write(path, text)),
        (paths(), "[ab]", text).prop_map(|(path, old, new)| Step::Patch(path, old, new)),
        paths().prop_map(Step::List),
    ]
}

fn answer(workspace: &mut impl Workspace, step: &Step) -> String {
    match step {
        Step::Read(path) => call(workspace, "read_file", &[("path", path)]),
        Step::Write(path, text) => call(workspace, "write_file", &[("path", path), ("content", text)]),
        Step::Patch(path, old, new) => {
            call(workspace, "patch_file", &[("path", path), ("old_str", old), ("new_str", new)])
        }
        Step::List(path) => format!("{:?}", WorkspacePath::resolve(path).map(|path| workspace.list(&path))),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_directory_answers_as_memory_does(steps in prop::collection::vec(steps(), 0..20)) {
        let mut place = Place::new();
        let mut memory = MemoryWorkspace::default();
        for step in steps {
            prop_assert_eq!(answer(&mut place.workspace, &step), answer(&mut memory, &step), "{:?}", step);
        }
        let all = place.all().into_iter().filter(|(path, _)| !path.ends_with('/'));
        let files = memory.files().map(|(path, text)| (path.to_owned(), text.into_owned()));
        prop_assert_eq!(all.collect::<Vec<_>>(), files.collect::<Vec<_>>());
        place.assert_outside_is_as_it_was();
    }
}
