//! Plans that lie in a directory: whatever comes in between, none is lost.

use std::os::unix::fs::chown;

use dispatch_core::json::Document;
use dispatch_core::{Gates, ToolCall};
use dispatch_host::tools::agent_registry;

use crate::rights::{as_nobody, give_to_nobody, is_root, set_mode};
use crate::support::Place;

fn confirm(place: &mut Place) -> String {
    let call = ToolCall::new("PlanConfirm", Document::parse(b"{}".to_vec()).unwrap());
    let result = Gates::new(agent_registry()).admit(call).unwrap().run(&mut place.workspace);
    match result.error() {
        Some(error) => error.code.to_string(),
        None => result.shown().unwrap().text.into_owned(),
    }
}

/// In such a directory it shows in the last step alone that somebody else's file can't be replaced.
#[test]
fn a_draft_stays_until_it_is_the_plan() {
    if !is_root() {
        return eprintln!("skipped: only root can give a file away");
    }
    let mut place = Place::new();
    place.put(".dispatch/plan.draft.md", "the plan");
    place.put(".dispatch/plan.md", "old");
    give_to_nobody(&place);
    for (path, mode) in [(".dispatch", 0o1777), (".dispatch/plan.md", 0o666)] {
        chown(place.inside(path), Some(0), Some(0)).unwrap();
        set_mode(&place.inside(path), mode);
    }
    as_nobody(&mut place, |place| assert_eq!(confirm(place), "permission_denied"));
    assert_eq!(place.bytes(".dispatch/plan.draft.md"), b"the plan");
    assert_eq!(place.bytes(".dispatch/plan.md"), b"old");
}

#[test]
fn a_draft_that_is_the_plan_keeps_its_text() {
    for (link, file) in [("plan.md", "plan.draft.md"), ("plan.draft.md", "plan.md")] {
        let mut place = Place::new();
        place.put(&format!(".dispatch/{file}"), "the plan");
        place.link(file, &format!(".dispatch/{link}"));
        assert_eq!(confirm(&mut place), "Plan confirmed: .dispatch/plan.md");
        assert_eq!(place.bytes(".dispatch/plan.md"), b"the plan");
    }
}
