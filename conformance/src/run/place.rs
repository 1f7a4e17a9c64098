//! Where the program has its workspace, and the files that a case gives it for that.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::binary::Files;
use crate::case::Case;
use crate::layout::{Layout, NotLaidOut, NotReadBack};
use crate::run::selection::NotApplicable;
use crate::subject::{Input, Output};
use crate::yaml::SubjectName;

/// Says where the program has its workspace.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Place {
    /// In memory: a request brings it, and its response has it.
    #[default]
    Memory,
    /// In a directory that it is named.
    Directory,
}

impl Place {
    /// Returns why a case can't be asked there, if it can't.
    pub(super) fn excuse(self, case: &Case) -> Option<NotApplicable> {
        let kept = case.only.as_ref().filter(|only| only.subject != self.subject());
        if let Some(only) = kept {
            return Some(NotApplicable::Kept(only.reason.clone()));
        }
        let laid_out = self.layout(&Input::of_case(case));
        laid_out.err().map(|reason| NotApplicable::NotLaidOut(reason.to_string()))
    }

    fn subject(self) -> SubjectName {
        match self {
            Self::Memory => SubjectName::Memory,
            Self::Directory => SubjectName::Directory,
        }
    }

    /// Takes an input apart, if it is one to be laid out: what is replayed has a workspace of its own wherever it runs.
    fn layout(self, input: &Input) -> Result<Option<Layout>, NotLaidOut> {
        match (self, Layout::of(input)) {
            (Self::Memory, _) | (Self::Directory, Err(NotLaidOut::Replay)) => Ok(None),
            (Self::Directory, layout) => layout.map(Some),
        }
    }

    /// Writes the files that an input is asked with.
    pub(super) fn prepare(self, input: Input) -> io::Result<Prepared> {
        let Some(layout) = self.layout(&input).map_err(io::Error::other)? else {
            let files = Files::for_input(&input)?;
            return Ok(Prepared { files, input, directory: None });
        };
        // It stands in a folder of ours: whatever a program puts in its place is removed with that.
        let folder = tempfile::tempdir()?;
        let root = folder.path().join("workspace");
        fs::create_dir(&root)?;
        layout.write(&root)?;
        let input = layout.input.clone();
        Ok(Prepared { input, files: None, directory: Some(Directory { layout, root, _folder: folder }) })
    }
}

/// Holds an input with the files that it is asked with.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) input: Input,
    files: Option<Files>,
    directory: Option<Directory>,
}

/// A directory that holds what was laid out, in a folder that goes with it.
#[derive(Debug)]
struct Directory {
    layout: Layout,
    root: PathBuf,
    _folder: TempDir,
}

impl Prepared {
    pub(super) fn arguments(&self) -> Vec<OsString> {
        let root = self.directory.iter().flat_map(|directory| ["--root".into(), directory.root.as_os_str().into()]);
        let files = self.files.iter().flat_map(Files::arguments);
        self.input.arguments().into_iter().map(OsString::from).chain(root).chain(files).collect()
    }

    /// Writes `DIR` in the place of the folder's path: it is another one in each run.
    pub(super) fn without_place(&self, bytes: Vec<u8>) -> Vec<u8> {
        let directory = self.directory.iter().map(|directory| directory.root.as_path());
        let folders = directory.chain(self.files.iter().map(Files::folder));
        folders.fold(bytes, |bytes, folder| {
            let path = folder.as_os_str().as_encoded_bytes();
            let bytes = whole(folder).map_or(bytes.clone(), |whole| replaced(&bytes, whole.as_encoded_bytes(), b"DIR"));
            replaced(&bytes, path, b"DIR")
        })
    }

    /// Puts what the files then hold into what the program gave.
    ///
    /// # Errors
    ///
    /// A [`NotReadBack`] where the files hold too much, the directory what no workspace can, or what failed changed it.
    pub(super) fn read_back(&self, output: Output) -> Result<Output, NotReadBack> {
        match &self.directory {
            Some(directory) => directory.layout.put_back(output, &directory.root),
            None => Files::put_back(self.files.as_ref(), output),
        }
    }
}

/// Returns a folder's path without links, that the folder itself may have become not followed.
fn whole(folder: &Path) -> Option<OsString> {
    Some(folder.parent()?.canonicalize().ok()?.join(folder.file_name()?).into_os_string())
}

fn replaced(bytes: &[u8], text: &[u8], by: &[u8]) -> Vec<u8> {
    let (mut out, mut rest) = (Vec::new(), bytes);
    while let Some(at) = rest.windows(text.len().max(1)).position(|window| window == text) {
        let (before, behind) = rest.split_at(at);
        out.extend([before, by].concat());
        rest = behind.get(text.len()..).unwrap_or_default();
    }
    out.extend_from_slice(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{case, case_of};
    use crate::yaml::Only;

    fn excuse(place: Place, case: &Case) -> Option<String> {
        place.excuse(case).map(|excuse| excuse.to_string())
    }

    #[test]
    fn what_is_kept_to_the_other_place_does_not_apply() {
        let kept = |subject| Case { only: Some(Only { subject, reason: "Why.".into() }), ..case("any") };
        let told = Some("kept to one subject: Why.".to_owned());
        for subject in [SubjectName::Library, SubjectName::Binary, SubjectName::Directory] {
            assert_eq!(excuse(Place::Memory, &kept(subject)), told);
        }
        for subject in [SubjectName::Library, SubjectName::Binary, SubjectName::Memory] {
            assert_eq!(excuse(Place::Directory, &kept(subject)), told);
        }
        assert_eq!(excuse(Place::Memory, &kept(SubjectName::Memory)), None);
        assert_eq!(excuse(Place::Directory, &kept(SubjectName::Directory)), None);
    }

    #[test]
    fn a_workspace_that_no_directory_can_hold_does_not_apply_there() {
        let text = r#"'{"op":"dispatch","workspace":{"a":"","a/b":""},"call":{}}'"#;
        let case = case_of(&format!(
            "{{name: a, rule: rule, why: W., exit: 0, response: {{status: ok}}, effects: none, text: {text}}}"
        ));
        let case = case.expect("a case");
        assert_eq!(excuse(Place::Memory, &case), None);
        let expected = r#"no directory can hold it: a file can't lie below a file, as "a/b" does"#;
        assert_eq!(excuse(Place::Directory, &case).as_deref(), Some(expected));
    }
}
