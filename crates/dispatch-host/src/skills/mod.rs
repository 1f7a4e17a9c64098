//! Skills: instructions for kinds of tasks, in the open [Agent Skills](https://agentskills.io/specification) format.
//!
//! A skill is a folder with a `SKILL.md`, which begins with a front matter in YAML: the skill's `name`, which is that of its folder, and a `description` of
//! what it is for. Other files may lie beside it.
//!
//! **A name is a key, and never a path.** **A skill that is broken is told to the operator and left out**: it is no reason to run without the others.

mod found;
mod front_matter;
mod name;
mod outside;

use std::collections::BTreeMap;
use std::fmt;

use dispatch_core::ErrorCode;
use dispatch_core::workspace::{Snapshot, Workspace, WorkspaceError, WorkspacePath};

pub(crate) use found::Found;
pub use name::InvalidSkillName;
pub(crate) use name::SkillName;
use outside::Outside;

/// Where the workspace's own skills lie. The first that has a skill of a name wins.
const FOLDERS: [&str; 3] = [FOLDER, ".agents/skills", ".claude/skills"];

/// The folder in which skills from outside seem to lie too.
pub(crate) const FOLDER: &str = ".dispatch/skills";

/// The skills that there are: in the workspace, and in directories outside of it.
///
/// Those of the workspace are looked up when a call asks for one, and go before those from outside. What is found here is what the tool's description
/// lists: a model knows of no other.
///
/// ```
/// use dispatch_core::workspace::MemoryWorkspace;
/// use dispatch_host::Skills;
///
/// let skill = "---\nname: tea\ndescription: How to make tea.\n---\nBoil water.\n";
/// let workspace = MemoryWorkspace::from_iter([(".agents/skills/tea/SKILL.md", skill)]);
/// let directory = MemoryWorkspace::from_iter([("milk/SKILL.md", "Pour.\n")]);
/// let skills = Skills::default().and_workspace(&workspace).and_directory(&directory);
/// assert!(skills.listed().eq([("tea", "How to make tea.")]));
/// let problems: Vec<_> = skills.problems().iter().map(ToString::to_string).collect();
/// assert_eq!(problems, ["milk: SKILL.md does not begin with a front matter between two lines of `---`"]);
/// ```
#[derive(Debug, Default)]
pub struct Skills {
    listed: BTreeMap<String, String>,
    outside: BTreeMap<String, Outside>,
    problems: Vec<SkillProblem>,
}

impl Skills {
    /// Lists the skills that a workspace has now, in `.dispatch/skills`, `.agents/skills` and `.claude/skills`.
    #[must_use]
    pub fn and_workspace(mut self, workspace: &dyn Workspace) -> Self {
        for folder in FOLDERS.iter().filter_map(|folder| WorkspacePath::resolve(folder).ok()) {
            let found = found::find(workspace.into(), &folder, &mut self.problems);
            for found in &found {
                self.list(found);
            }
        }
        self
    }

    /// Reads the skills whose folders lie in a directory, with all their files. Nothing there is looked at again.
    ///
    /// Open it as a [`DirectoryWorkspace`](crate::DirectoryWorkspace), so that no link leads out of it.
    #[must_use]
    pub fn and_directory(mut self, directory: &dyn Workspace) -> Self {
        for found in found::find(directory.into(), &WorkspacePath::root(), &mut self.problems) {
            self.list(&found);
            let name = found.folder.name().to_owned();
            self.outside.entry(name).or_insert_with(|| Outside::read(directory.into(), found));
        }
        self
    }

    fn list(&mut self, found: &Found) {
        let name = found.folder.name().to_owned();
        self.listed.entry(name).or_insert_with(|| found.description.clone());
    }

    /// Returns the name and the description of each skill that was found, sorted by name.
    pub fn listed(&self) -> impl Iterator<Item = (&str, &str)> {
        self.listed.iter().map(|(name, description)| (name.as_str(), description.as_str()))
    }

    /// Returns what was left out, and why, in the order in which it was met. It is for the operator.
    pub fn problems(&self) -> &[SkillProblem] {
        &self.problems
    }

    /// Finds a skill of the workspace as it is now. Of one that is broken the problem is noted.
    pub(crate) fn in_workspace(
        files: Snapshot<'_>,
        name: &SkillName,
        problems: &mut Vec<SkillProblem>,
    ) -> Option<Found> {
        let folders = FOLDERS.iter().map(|folder| format!("{folder}/{}", name.as_str()));
        folders.filter_map(|folder| WorkspacePath::resolve(&folder).ok()).find_map(|folder| {
            match Found::at(files, &folder)? {
                Ok(found) => Some(found),
                Err(fault) => {
                    problems.push(SkillProblem { path: folder.to_string(), fault });
                    None
                }
            }
        })
    }

    /// The names of the skills of the workspace as it is now.
    pub(crate) fn names_in_workspace(files: Snapshot<'_>) -> Vec<String> {
        let folders = FOLDERS.iter().filter_map(|folder| WorkspacePath::resolve(folder).ok());
        let found = folders.flat_map(|folder| found::find(files, &folder, &mut Vec::new()));
        found.map(|found| found.folder.name().to_owned()).collect()
    }

    /// The names of the skills from outside.
    pub(crate) fn names_outside(&self) -> impl Iterator<Item = &str> {
        self.outside.keys().map(String::as_str)
    }

    /// The text of a skill from outside, and the paths at which its other files can be read.
    pub(crate) fn outside(&self, name: &SkillName) -> Option<(&str, Vec<String>)> {
        let outside = self.outside.get(name.as_str())?;
        let path = |file: &String| format!("{FOLDER}/{}/{file}", name.as_str());
        Some((&outside.text, outside.files.keys().map(path).collect()))
    }

    /// A file of a skill from outside, at the place that stands for it, where their folder stands at another: its text, or why it has none.
    pub(crate) fn file(&self, place: &WorkspacePath, folder: &WorkspacePath) -> Option<Result<&str, ErrorCode>> {
        let path = place.as_str().strip_prefix(folder.as_str())?.strip_prefix('/')?;
        let (name, file) = path.split_once('/')?;
        let text = self.outside.get(name)?.files.get(file)?;
        Some(text.as_ref().map(String::as_str).map_err(|code| *code))
    }
}

/// A skill that was left out, and why. It is for the operator.
#[derive(Debug)]
pub struct SkillProblem {
    path: String,
    fault: SkillFault,
}

impl SkillProblem {
    /// Returns why it was left out.
    pub fn fault(&self) -> &SkillFault {
        &self.fault
    }
}

impl fmt::Display for SkillProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.fault)
    }
}

/// Why a skill was left out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SkillFault {
    /// The folder or its SKILL.md can't be read.
    #[error("can't be read: {0}")]
    Unreadable(WorkspaceError),
    /// SKILL.md is not UTF-8.
    #[error("SKILL.md is not UTF-8 text")]
    NotText,
    /// SKILL.md has no front matter.
    #[error("SKILL.md does not begin with a front matter between two lines of `---`")]
    NoFrontMatter,
    /// The front matter is no YAML, or has not the members that it needs.
    #[error("the front matter of SKILL.md: {0}")]
    Yaml(String),
    /// The name is not that of the folder.
    #[error("SKILL.md has the name `{name}`, and the folder has the name `{folder}`")]
    OtherName {
        /// The name that SKILL.md gives.
        name: String,
        /// The name of the folder.
        folder: String,
    },
    /// The name is none.
    #[error(transparent)]
    Name(InvalidSkillName),
    /// The description is empty.
    #[error("the description is empty")]
    NoDescription,
    /// The description is too long.
    #[error("the description has {characters} characters; at most 1024 are allowed")]
    LongDescription {
        /// Its length.
        characters: usize,
    },
}

#[cfg(test)]
mod tests;
