//! Skills that lie in a directory.

use dispatch_core::json::Document;
use dispatch_core::{Gates, ToolCall};
use dispatch_host::tools::agent_registry;

use super::support::Place;

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
