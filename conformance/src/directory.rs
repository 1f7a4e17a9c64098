//! A subject whose workspace is a directory.
//!
//! **The same cases, the same bytes**: the case's workspace is laid out in a directory of its own, the request is asked without it, and what the directory
//! then holds is put where the response would carry it.

use std::path::Path;

use crate::layout::Layout;
use crate::subject::{Input, Output, Subject, SubjectError};
use crate::yaml::{SubjectName, Toolset};

/// Runs requests on the files of a directory.
pub trait RunsOnDirectory: Subject {
    /// Runs one request, or one stream of them, on a directory.
    ///
    /// # Errors
    ///
    /// As [`Subject::run`].
    fn run_on(&self, root: &Path, input: &Input) -> Result<Output, SubjectError>;
}

/// Holds a subject to the cases on a directory. It goes by the name `directory`, and by the subject's own other than `memory`.
#[derive(Debug)]
pub struct OnDirectory<'s, S> {
    subject: &'s S,
    name: String,
}

impl<'s, S: RunsOnDirectory> OnDirectory<'s, S> {
    /// Takes a subject.
    pub fn new(subject: &'s S) -> Self {
        Self { subject, name: format!("{} on a directory", subject.name()) }
    }
}

impl<S: RunsOnDirectory> Subject for OnDirectory<'_, S> {
    fn name(&self) -> &str {
        &self.name
    }

    fn goes_by(&self, name: SubjectName) -> bool {
        match name {
            SubjectName::Memory => false,
            SubjectName::Directory => true,
            SubjectName::Library | SubjectName::Binary => self.subject.goes_by(name),
        }
    }

    fn offers(&self, toolset: Toolset) -> bool {
        self.subject.offers(toolset)
    }

    fn can_be_asked(&self, input: &Input) -> bool {
        self.subject.can_be_asked(input) && Layout::of(input).is_ok()
    }

    fn run(&self, input: &Input) -> Result<Output, SubjectError> {
        let layout = Layout::of(input)?;
        let folder = tempfile::tempdir().map_err(SubjectError::Run)?;
        layout.write(folder.path()).map_err(SubjectError::Run)?;
        let output = self.subject.run_on(folder.path(), &layout.input)?;
        Ok(layout.put_back(output, folder.path())?)
    }
}
