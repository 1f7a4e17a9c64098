//! The folder of cases, read whole.
//!
//! **Nothing is skipped in silence.** A file that can't be read, a folder without cases and a file
//! that is no case file are problems, each with its place; the cases of all other files are there.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::case::Case;
use crate::check::{self, CaseError};
use crate::rules::Rules;
use crate::yaml::{self, CaseText};

/// Holds the cases of a folder, and all that is wrong with it.
#[derive(Debug, Default)]
pub struct Suite {
    /// The cases, in the order of their files' names and within a file as they stand.
    pub cases: Vec<Case>,
    /// What could not be made a case.
    pub problems: Vec<LoadError>,
}

/// Tells what is wrong with a file of cases, and where.
#[derive(Debug, Error)]
#[error("{}{}: {kind}", file.display(), case.as_ref().map(|name| format!(": case `{name}`")).unwrap_or_default())]
pub struct LoadError {
    file: PathBuf,
    case: Option<String>,
    #[source]
    kind: LoadErrorKind,
}

/// Says what is wrong with a file of cases.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadErrorKind {
    /// The file or folder could not be read.
    #[error("could not be read: {0}")]
    Unreadable(#[source] io::Error),
    /// The file is no YAML, or a case in it has other members than cases have.
    #[error("{}", yaml::told(.0))]
    Yaml(#[source] Box<serde_saphyr::Error>),
    /// The members of a case don't go together.
    #[error("{0}")]
    Case(#[source] CaseError),
    /// Two cases of a file have one name.
    #[error("the name stands twice")]
    DuplicateName,
    /// A file or folder has no cases.
    #[error("has no cases")]
    Empty,
    /// The file is none of `<area>/<topic>.yaml`.
    #[error("is no case file: those are `<area>/<topic>.yaml`")]
    Stray,
}

impl LoadError {
    /// Returns the file or folder, below that of all cases.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Returns the name of the case, where the problem is within one.
    pub fn case(&self) -> Option<&str> {
        self.case.as_deref()
    }

    /// Returns what is wrong.
    pub fn kind(&self) -> &LoadErrorKind {
        &self.kind
    }
}

impl Suite {
    /// Reads every case below a folder.
    ///
    /// It never fails as a whole: what is wrong is among the [`problems`](Self::problems).
    pub fn load(root: &Path, rules: &Rules) -> Self {
        let mut suite = Self::default();
        let areas = suite.entries(root, Path::new(""));
        for area in areas {
            suite.load_area(root, &area, rules);
        }
        suite
    }

    /// Reads the cases of one topic alone.
    pub fn load_topic(root: &Path, area: &str, topic: &str, rules: &Rules) -> Self {
        let mut suite = Self::default();
        suite.load_file(root, &Path::new(area).join(format!("{topic}.yaml")), rules);
        suite
    }

    fn load_area(&mut self, root: &Path, area: &Path, rules: &Rules) {
        if !root.join(area).is_dir() {
            return self.refuse(area, None, LoadErrorKind::Stray);
        }
        let topics = self.entries(root, area);
        for topic in topics {
            self.load_file(root, &topic, rules);
        }
    }

    fn load_file(&mut self, root: &Path, file: &Path, rules: &Rules) {
        let Some((area, topic)) = names(file) else {
            return self.refuse(file, None, LoadErrorKind::Stray);
        };
        match fs::read_to_string(root.join(file)) {
            Ok(text) => self.read(file, &area, &topic, &text, rules),
            Err(error) => self.refuse(file, None, LoadErrorKind::Unreadable(error)),
        }
    }

    fn read(&mut self, file: &Path, area: &str, topic: &str, text: &str, rules: &Rules) {
        let cases: Vec<CaseText> = match yaml::read::<Option<_>>(text) {
            Ok(cases) => cases.unwrap_or_default(),
            Err(error) => {
                let case = case_at(text, &error);
                return self.refuse(file, case, LoadErrorKind::Yaml(Box::new(error)));
            }
        };
        if cases.is_empty() {
            self.refuse(file, None, LoadErrorKind::Empty);
        }
        let mut names = BTreeSet::new();
        for case in cases {
            let name = case.name.clone();
            let is_new = names.insert(name.clone());
            match check::case(area, topic, case, rules) {
                Ok(_) if !is_new => self.refuse(file, Some(name), LoadErrorKind::DuplicateName),
                Ok(case) => self.cases.push(case),
                Err(error) => self.refuse(file, Some(name), LoadErrorKind::Case(error)),
            }
        }
    }

    /// Lists a folder, sorted; a folder with nothing in it is a problem.
    fn entries(&mut self, root: &Path, folder: &Path) -> Vec<PathBuf> {
        let entries = list(&root.join(folder)).unwrap_or_else(|error| {
            self.refuse(folder, None, LoadErrorKind::Unreadable(error));
            Vec::new()
        });
        if entries.is_empty() {
            self.refuse(folder, None, LoadErrorKind::Empty);
        }
        entries.into_iter().map(|name| folder.join(name)).collect()
    }

    fn refuse(&mut self, file: &Path, case: Option<String>, kind: LoadErrorKind) {
        self.problems.push(LoadError { file: Path::new("cases").join(file), case, kind });
    }
}

fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let names = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().into()));
    let mut names = names.collect::<io::Result<Vec<PathBuf>>>()?;
    names.sort();
    Ok(names)
}

/// Returns the area and the topic of `<area>/<topic>.yaml`.
fn names(file: &Path) -> Option<(String, String)> {
    let area = file.parent()?.to_str()?;
    let topic = file.file_name()?.to_str()?.strip_suffix(".yaml")?;
    let is_name = |name: &str| check::name(name).is_ok();
    (is_name(area) && is_name(topic)).then(|| (area.to_owned(), topic.to_owned()))
}

/// Returns the name of the case that the place of an error is in.
fn case_at(text: &str, error: &serde_saphyr::Error) -> Option<String> {
    let line = usize::try_from(error.location()?.line()).ok()?;
    let lines: Vec<&str> = text.lines().collect();
    let begins = |line: &&str| line.starts_with("- ");
    let first = lines.iter().take(line).rposition(begins)?;
    let rest = lines.iter().skip(first + 1).take_while(|line| !begins(line));
    let mut members = lines.get(first).into_iter().chain(rest);
    let name = members.find_map(|line| line.get(2..)?.strip_prefix("name:"))?;
    Some(name.split('#').next()?.trim().trim_matches(['"', '\'']).to_owned())
}

#[cfg(test)]
mod tests;
