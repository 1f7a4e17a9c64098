//! `Skill`: instructions for a kind of task.

use std::ops::ControlFlow;
use std::sync::Arc;

use dispatch_core::json::JsonPath;
use dispatch_core::workspace::{Snapshot, View, WorkspacePath};
use dispatch_core::{Annotations, ErrorCode, Observation, Part, Tool, ToolFailure};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::skills::{SkillName, Skills};

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
        let skills = self.skills.listed().map(|(name, about)| format!("\n- `{name}`: {about}"));
        let skills = skills.collect::<Vec<_>>().concat();
        Some(if skills.is_empty() {
            format!("{USE} None is known by now.")
        } else {
            format!("{USE} There are:{skills}")
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
    let _ = files.walk(folder, &mut |path| {
        paths.push(path.to_string());
        if paths.len() < MOST_COUNTED { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    paths.retain(|path| *path != format!("{folder}/SKILL.md"));
    paths
}

/// The instructions as they are, and behind them where the other files are.
fn told(text: &str, files: &[String]) -> Observation {
    match files {
        [] => Observation::text(text),
        files => {
            let list = some_of(files, MOST_FILES, "\n");
            Observation::text(text).with(Part::Text(format!("Files of the skill, for Read:\n{list}\n")))
        }
    }
}

fn some_of(all: &[String], most: usize, between: &str) -> String {
    let mut shown: Vec<String> = all.iter().take(most).cloned().collect();
    shown.extend(all.len().checked_sub(most + 1).map(|others| format!("and {} more", others + 1)));
    shown.join(between)
}
