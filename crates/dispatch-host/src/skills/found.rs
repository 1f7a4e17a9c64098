//! A skill that lies in a folder.

use dispatch_core::workspace::{Entry, ListedKind, Snapshot, WorkspacePath};

use super::front_matter::FrontMatter;
use super::{SkillFault, SkillProblem};

/// The file that makes a folder a skill.
pub(super) const SKILL: &str = "SKILL.md";

/// A skill that lies in a folder.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) folder: WorkspacePath,
    pub(super) description: String,
    pub(crate) text: String,
}

impl Found {
    /// Reads the skill of a folder. A folder without SKILL.md is none.
    pub(super) fn at(files: Snapshot<'_>, folder: &WorkspacePath) -> Option<Result<Self, SkillFault>> {
        let found = files.resolve(&format!("{folder}/{SKILL}")).and_then(|path| Ok((files.entry(&path)?, path)));
        match found {
            Ok((Entry::File, path)) => Some(Self::read(files, folder, &path)),
            Ok((Entry::Directory | Entry::Absent | Entry::BelowFile, _)) => None,
            Err(error) => Some(Err(SkillFault::Unreadable(error))),
        }
    }

    fn read(files: Snapshot<'_>, folder: &WorkspacePath, path: &WorkspacePath) -> Result<Self, SkillFault> {
        let mut contents = Vec::new();
        files.read_into(path, &mut contents).map_err(SkillFault::Unreadable)?;
        let text = String::from_utf8(contents).map_err(|_not_text| SkillFault::NotText)?;
        let description = FrontMatter::of(&text, folder.name())?.description();
        Ok(Self { folder: folder.clone(), description, text })
    }
}

/// Finds the skills whose folders lie in a directory. A link may lead to such a folder.
pub(super) fn find(files: Snapshot<'_>, directory: &WorkspacePath, problems: &mut Vec<SkillProblem>) -> Vec<Found> {
    let mut problem = |path: &WorkspacePath, fault| problems.push(SkillProblem { path: path.to_string(), fault });
    let listed = match files.resolve(directory.as_str()).and_then(|directory| files.list(&directory)) {
        Ok(listed) => listed,
        Err(error) => {
            problem(directory, SkillFault::Unreadable(error));
            return Vec::new();
        }
    };
    let folders = listed.iter().filter(|(_, kind)| matches!(kind, ListedKind::Directory | ListedKind::Link));
    let found = folders.filter_map(|(folder, _)| match Found::at(files, folder)? {
        Ok(found) => Some(found),
        Err(fault) => {
            problem(folder, fault);
            None
        }
    });
    found.collect()
}
