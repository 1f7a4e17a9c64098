//! The files that the reports go to.
//!
//! **They are opened before any case is run**: a run may take long, and what it found must not be lost to a name that was mistyped.
//! **None takes the place of what the run was given.**

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use conformance::run::report::{self, Report};

use crate::arguments::Run;
use crate::error::RunError;

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
    /// Opens the files, and changes nothing in them yet. `given` are those that the run reads, or its program.
    ///
    /// # Errors
    ///
    /// One can't be written, is that of another report as well, or is given.
    pub(crate) fn open(run: &Run, given: &[PathBuf]) -> Result<Self, RunError> {
        let open = |path: &Option<PathBuf>| path.as_deref().map(Open::at).transpose();
        let files = Self { junit: open(&run.junit)?, json: open(&run.json)?, markdown: open(&run.markdown)? };
        let given: Vec<Place> = given.iter().filter_map(|path| place(path, &fs::metadata(path).ok()?)).collect();
        let mut places: Vec<Place> = Vec::new();
        for open in [&files.junit, &files.json, &files.markdown].into_iter().flatten() {
            let Some(place) = open.place() else { continue };
            if places.contains(&place) {
                return Err(RunError::OneFile(open.path.clone()));
            }
            if given.contains(&place) {
                return Err(RunError::Given(open.path.clone()));
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

    /// Returns which file it is.
    fn place(&self) -> Option<Place> {
        place(&self.path, &self.file.metadata().ok()?)
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

/// Tells one file from another, whatever leads to it.
#[cfg(unix)]
type Place = (u64, u64);

#[cfg(not(unix))]
type Place = PathBuf;

/// Returns which file is there. `None` of what is no file, such as a terminal.
#[cfg(unix)]
fn place(_: &Path, metadata: &Metadata) -> Option<Place> {
    use std::os::unix::fs::MetadataExt;

    metadata.is_file().then(|| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn place(path: &Path, metadata: &Metadata) -> Option<Place> {
    metadata.is_file().then(|| fs::canonicalize(path).ok()).flatten()
}
