//! The files that the reports go to.
//!
//! **They are opened before any case is run**: a run may take long, and what it found must not be lost to a name that was mistyped.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use conformance::run::report::{self, Report};

use crate::arguments::{Run, RunError};

/// Holds a report's file, open.
#[derive(Debug)]
struct Open {
    path: PathBuf,
    file: File,
}

/// Holds the files of all reports.
#[derive(Debug)]
pub(crate) struct Files {
    junit: Option<Open>,
    json: Option<Open>,
    markdown: Option<Open>,
}

impl Files {
    /// Opens the files, and changes nothing in them yet.
    ///
    /// # Errors
    ///
    /// One can't be written, or is that of another report as well.
    pub(crate) fn open(run: &Run) -> Result<Self, RunError> {
        let open = |path: &Option<PathBuf>| path.as_deref().map(Open::at).transpose();
        let files = Self { junit: open(&run.junit)?, json: open(&run.json)?, markdown: open(&run.markdown)? };
        let mut places: Vec<PathBuf> = Vec::new();
        for open in [&files.junit, &files.json, &files.markdown].into_iter().flatten() {
            let Some(place) = open.place() else { continue };
            if places.contains(&place) {
                return Err(RunError::OneFile(open.path.clone()));
            }
            places.push(place);
        }
        Ok(files)
    }

    /// Writes the reports.
    ///
    /// # Errors
    ///
    /// One could not be written.
    pub(crate) fn write(self, report: &Report<'_>) -> Result<(), RunError> {
        if let Some(open) = self.junit {
            let text = report::junit(report).map_err(|error| RunError::Junit(error.to_string()))?;
            open.write_anew(&text)?;
        }
        if let Some(open) = self.json {
            open.write_anew(&report::json(report))?;
        }
        // The summary page of a CI job has other parts.
        self.markdown.map_or(Ok(()), |mut open| open.append(&report::markdown(report)))
    }
}

impl Open {
    fn at(path: &Path) -> Result<Self, RunError> {
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.map_err(|source| RunError::File { path: path.to_owned(), source })?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Returns where the file is, whatever leads there. `None` of what is no file, such as a terminal.
    fn place(&self) -> Option<PathBuf> {
        self.file
            .metadata()
            .is_ok_and(|metadata| metadata.is_file())
            .then(|| fs::canonicalize(&self.path).ok())
            .flatten()
    }

    fn write_anew(mut self, text: &str) -> Result<(), RunError> {
        if self.place().is_some() {
            self.file.set_len(0).map_err(|source| self.failed(source))?;
        }
        self.append(text)
    }

    fn append(&mut self, text: &str) -> Result<(), RunError> {
        self.file.write_all(text.as_bytes()).map_err(|source| self.failed(source))
    }

    fn failed(&self, source: io::Error) -> RunError {
        RunError::File { path: self.path.clone(), source }
    }
}
