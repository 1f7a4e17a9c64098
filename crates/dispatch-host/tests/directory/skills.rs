//! Skills that lie in a directory.

use dispatch_core::json::Document;
use dispatch_core::workspace::MemoryWorkspace;
use dispatch_core::{Gates, ToolCall, ToolResult};
use dispatch_host::Skills;
use dispatch_host::tools::{AgentTools, agent_registry};

use super::rights::{as_nobody, give_to_nobody, is_root, set_mode};
use super::support::Place;

fn run(gates: &Gates, place: &mut Place, tool: &str, args: &str) -> ToolResult {
    let call = ToolCall::new(tool, Document::parse(args.as_bytes().to_vec()).unwrap());
    gates.admit(call).unwrap().run(&mut place.workspace)
}

fn told(result: &ToolResult) -> String {
    match result.error() {
        Some(error) => error.text_for_model(),
        None => result.shown().unwrap().text.into_owned(),
    }
}

#[test]
fn a_file_of_a_skill_is_named_where_it_can_be_read() {
    let mut place = Place::new();
    let text = "---\nname: tea\ndescription: Making tea.\n---\n";
    place.put(".agents/skills/tea/SKILL.md", text);
    place.put(".agents/skills/tea/kettles.md", "");
    place.put("notes/cups.md", "");
    place.link("../../../notes/cups.md", ".agents/skills/tea/cups.md");
    place.link("../../../notes", ".agents/skills/tea/notes");
    place.link("../../../../secret", ".agents/skills/tea/secret");
    place.link("nowhere", ".agents/skills/tea/nowhere");
    let call = ToolCall::new("Skill", Document::parse(br#"{"name":"tea"}"#.to_vec()).unwrap());
    let result = Gates::new(agent_registry()).admit(call).unwrap().run(&mut place.workspace);
    let files = ".agents/skills/tea/cups.md\n.agents/skills/tea/kettles.md\n";
    assert_eq!(result.shown().unwrap().text, format!("{text}\nFiles of the skill, for Read:\n{files}"));
}

/// Which names no one of the workspace's files, nor hides that there is none.
#[test]
fn a_folder_of_skills_that_leads_outside_is_none() {
    for (link, target) in [(".dispatch", "/nowhere"), (".dispatch/skills", "../../../secret"), (".dispatch", "..")] {
        let mut place = Place::new();
        place.put("a.txt", "a");
        if link != ".dispatch" {
            place.put(".dispatch/todo.md", "");
        }
        place.link(target, link);
        let gates = Gates::new(agent_registry());
        let missing = run(&gates, &mut place, "Read", r#"{"path":"nope.txt"}"#);
        assert!(told(&missing).starts_with("file_not_found"), "{link}: {}", told(&missing));
        let outside = run(&gates, &mut place, "Read", r#"{"path":".dispatch/skills/tea/a.md"}"#);
        assert!(told(&outside).starts_with("path_outside_workspace"), "{link}: {}", told(&outside));
    }
}

#[test]
fn the_name_of_a_file_of_a_skill_is_one_line() {
    let text = "---\nname: tea\ndescription: x\n---\n";
    let files = [("tea/SKILL.md", text), ("tea/a\nb", ""), ("tea/\u{1b}[31m", "")];
    let listed = |folder: &str| format!("\"{folder}/tea/\\u{{1b}}[31m\"\n\"{folder}/tea/a\\nb\"\n");
    let mut place = Place::new();
    let outside = Skills::default().and_directory(&MemoryWorkspace::from_iter(files));
    let gates = Gates::new(AgentTools::default().skills(outside).builder().build().unwrap());
    let result = told(&run(&gates, &mut place, "Skill", r#"{"name":"tea"}"#));
    assert!(result.ends_with(&listed(".dispatch/skills")), "{result}");
    for (path, text) in files {
        place.put(&format!(".agents/skills/{path}"), text);
    }
    let result = told(&run(&gates, &mut place, "Skill", r#"{"name":"tea"}"#));
    assert!(result.ends_with(&listed(".agents/skills")), "{result}");
}

#[test]
fn of_a_directory_that_can_t_be_listed_that_is_told() {
    if !is_root() {
        return eprintln!("skipped: only root can give a file away");
    }
    let mut place = Place::new();
    place.put("closed/a", "");
    give_to_nobody(&place);
    std::os::unix::fs::chown(place.inside("closed"), Some(0), Some(0)).unwrap();
    set_mode(&place.inside("closed"), 0o711);
    as_nobody(&mut place, |place| {
        let result = run(&Gates::new(agent_registry()), place, "Read", r#"{"path":"closed"}"#);
        assert_eq!(told(&result), "is_a_directory: There is a directory at the path: it can't be listed.");
    });
}
