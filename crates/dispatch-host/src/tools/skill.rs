//! `Skill`: instructions for a kind of task.

use std::ops::ControlFlow;
use std::sync::Arc;

use dispatch_core::json::JsonPath;
use dispatch_core::workspace::{Entry, Snapshot, View, WorkspacePath};
use dispatch_core::{Annotations, ErrorCode, Observation, Part, Tool, ToolFailure};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::search::named;
use crate::skills::{SkillName, Skills};

/// So many skills are described to a model before it asks for any.
const MOST_DESCRIBED: usize = 100;

/// So many bytes their descriptions may have: a model reads them again with each request.
const MOST_DESCRIBED_BYTES: usize = 16 << 10;

/// So many files of a skill are named.
const MOST_FILES: usize = 100;

/// So many names are told where one is not found.
const MOST_NAMES: usize = 10;

/// So many files of a skill are counted.
const MOST_COUNTED: usize = 10_000;

const USE: &str = "Gives the instructions of a skill, which are for tasks of one kind, and names the files beside them. \
                   Call it before you begin with such a task.";

/// Names a skill.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct SkillArgs {
    /// The skill's name: letters a-z, digits and single hyphens.
    #[schemars(length(min = 1, max = 64))]
    name: SkillName,
}

/// The tool `Skill`.
#[derive(Debug, Clone, Default)]
pub struct Skill {
    skills: Arc<Skills>,
}

impl Skill {
    /// Makes the tool of the skills that there are.
    pub fn new(skills: Arc<Skills>) -> Self {
        Self { skills }
    }
}

impl Tool for Skill {
    type Args = SkillArgs;
    type Output = Observation;

    fn name(&self) -> &'static str {
        "Skill"
    }

    fn description(&self) -> Option<String> {
        Some(match self.skills.listed().count() {
            0 => format!("{USE} None is known by now."),
            all => format!("{USE} There are:{}", self.described(all)),
        })
    }

    fn annotations(&self) -> Annotations {
        Annotations::read_only()
    }

    fn run(&self, args: SkillArgs, view: &mut View<'_>) -> Result<Observation, ToolFailure> {
        let (files, mut problems) = (view.snapshot(), Vec::new());
        if let Some(found) = Skills::in_workspace(files, &args.name, &mut problems) {
            return Ok(told(&found.text, &files_in(files, &found.folder)));
        }
        if let Some((text, files)) = self.skills.outside(&args.name) {
            return Ok(told(text, &files));
        }
        let failure = ToolFailure::from(ErrorCode::SkillNotFound);
        let failure = match problems.as_slice() {
            [] => failure,
            problems => {
                failure.with_operator_text(problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
            }
        };
        Err(if view.explains() {
            failure.with_detail(JsonPath::root().member("name"), self.names(files))
        } else {
            failure
        })
    }
}

impl Skill {
    /// The first of all skills, a line each, and how many more there are.
    fn described(&self, all: usize) -> String {
        let (mut text, mut described) = (String::new(), 0);
        for (name, about) in self.skills.listed().take(MOST_DESCRIBED) {
            let line = format!("\n- `{name}`: {about}");
            if text.len() + line.len() > MOST_DESCRIBED_BYTES {
                break;
            }
            text += &line;
            described += 1;
        }
        match all - described {
            0 => text,
            others => format!("{text}\n- and {others} more"),
        }
    }

    /// Says which skills there are.
    fn names(&self, files: Snapshot<'_>) -> String {
        let mut names = Skills::names_in_workspace(files);
        names.extend(self.skills.names_outside().map(str::to_owned));
        names.sort();
        names.dedup();
        match names.as_slice() {
            [] => "there are no skills".to_owned(),
            names => format!("the skills are {}", some_of(names, MOST_NAMES, ", ")),
        }
    }
}

/// The files of a skill of the workspace beside its instructions.
fn files_in(files: Snapshot<'_>, folder: &WorkspacePath) -> Vec<String> {
    let mut paths = Vec::new();
    // What can't be listed has no files that could be named.
    let Ok(folder) = files.resolve(folder.as_str()) else { return Vec::new() };
    let _ = files.walk(&folder, &mut |path| {
        paths.push(path.clone());
        if paths.len() < MOST_COUNTED { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    // A link may lead to what `Read` refuses.
    let entry = |path: &WorkspacePath| files.resolve(path.as_str()).and_then(|place| files.entry(&place));
    let is_named = |path: &&WorkspacePath| entry(path) == Ok(Entry::File);
    let paths = paths.iter().filter(is_named).map(WorkspacePath::to_string);
    paths.filter(|path| *path != format!("{folder}/SKILL.md")).collect()
}

/// The instructions as they are, and behind them where the other files are.
fn told(text: &str, files: &[String]) -> Observation {
    match files {
        [] => Observation::text(text),
        files => {
            let named: Vec<String> = files.iter().map(|path| named(path).into_owned()).collect();
            let list = some_of(&named, MOST_FILES, "\n");
            Observation::text(text).with(Part::Text(format!("Files of the skill, for Read:\n{list}\n")))
        }
    }
}

fn some_of(all: &[String], most: usize, between: &str) -> String {
    let mut shown: Vec<String> = all.iter().take(most).cloned().collect();
    shown.extend(all.len().checked_sub(most + 1).map(|others| format!("and {} more", others + 1)));
    shown.join(between)
}

#[cfg(test)]
mod tests {
    use dispatch_core::workspace::MemoryWorkspace;

    use super::*;

    /// What is described of so many skills, each with a description of so many characters: lines, bytes, and the last line.
    fn check(skills: usize, characters: usize, lines: usize, most_bytes: usize, last: &str) {
        let about = "é".repeat(characters);
        let file = |number| {
            let text = format!("---\nname: s{number:03}\ndescription: {about}\n---\n");
            (format!("s{number:03}/SKILL.md"), text)
        };
        let directory: MemoryWorkspace = (1..=skills).map(file).collect();
        let skill = Skill::new(Arc::new(Skills::default().and_directory(&directory)));
        let described = skill.description().unwrap();
        assert_eq!(described.lines().count(), 1 + lines);
        assert!(described.len() <= most_bytes, "{}", described.len());
        assert!(described.lines().last().unwrap().starts_with(last), "{described}");
    }

    #[test]
    fn the_first_skills_are_described_and_the_others_counted() {
        check(100, 1, 100, 2000, "- `s100`: é");
        check(101, 1, 101, 2000, "- and 1 more");
        check(7, 1024, 7, 15_000, "- `s007`: é");
        check(90, 1024, 8, USE.len() + MOST_DESCRIBED_BYTES + 40, "- and 83 more");
    }
}
