//! Where a path leads once links are followed: the one place of a file, whatever ways there are to it.
//!
//! Only names are found out here. Whoever opens a place does so from the directory's handle and is held inside anew, whatever was swapped meanwhile.

use std::path::{Path, PathBuf};

use cap_std::fs::Dir;
use dispatch_core::workspace::{OutsideWorkspace, WorkspacePath};

use super::place;

/// How many links a path may lead through: as many as in the kernel.
const MAX_LINKS: usize = 40;

/// The longest path in bytes that systems open. Through a longer one nothing is reached.
const MAX_PATH_BYTES: usize = 4096;

/// Follows the links that a path leads through. What nothing stands at, or can't be looked at, leads where its letters say.
pub(super) fn follow(root: &Dir, path: WorkspacePath) -> Result<WorkspacePath, OutsideWorkspace> {
    if path.is_root() || path.as_str().len() > MAX_PATH_BYTES || has_no_links(root, &path) {
        return Ok(path);
    }
    let place = walk(root, path.as_str())?;
    WorkspacePath::resolve(place.to_str().ok_or(OutsideWorkspace)?)
}

/// Whether the kernel comes to the end of a path, or to where it ends too early, without having met a link: two calls, however long the path.
#[cfg(target_os = "linux")]
fn has_no_links(root: &Dir, path: &WorkspacePath) -> bool {
    use rustix::fs::{Mode, OFlags, ResolveFlags, openat2};
    use rustix::io::Errno;

    let inside = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
    match openat2(root, place(path), OFlags::PATH | OFlags::CLOEXEC, Mode::empty(), inside) {
        Ok(_) => true,
        // What is in the way first is what is told.
        Err(error) => matches!(error, Errno::NOENT | Errno::NOTDIR | Errno::ACCESS | Errno::NAMETOOLONG),
    }
}

#[cfg(not(target_os = "linux"))]
fn has_no_links(_: &Dir, _: &WorkspacePath) -> bool {
    false
}

/// Goes part by part. `..` in a link goes back from where the path really is, which is known here: no part behind it is a link.
fn walk(root: &Dir, path: &str) -> Result<PathBuf, OutsideWorkspace> {
    let mut place = PathBuf::new();
    let mut ahead = Vec::new();
    push_parts(&mut ahead, path);
    let mut links = 0;
    while let Some(part) = ahead.pop() {
        match &*part {
            "" | "." => continue,
            ".." if place.pop() => continue,
            ".." => return Err(OutsideWorkspace),
            name => place.push(name),
        }
        if let Ok(link) = root.read_link_contents(&place) {
            links += 1;
            push_parts(&mut ahead, followed(&link, links)?);
            place.pop();
        }
    }
    Ok(place)
}

/// The text of a link that may be followed.
fn followed(link: &Path, links: usize) -> Result<&str, OutsideWorkspace> {
    let text = link.to_str().filter(|text| !text.starts_with('/') && links <= MAX_LINKS);
    text.ok_or(OutsideWorkspace)
}

fn push_parts(ahead: &mut Vec<String>, path: &str) {
    ahead.extend(path.split('/').rev().map(str::to_owned));
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use cap_std::ambient_authority;

    use super::*;

    /// Going part by part comes to the same as what the kernel says of a path at once, which not every system is asked.
    #[test]
    fn part_by_part_a_path_leads_where_it_leads_at_once() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("d/e")).unwrap();
        fs::write(folder.path().join("d/e/file"), "").unwrap();
        symlink("d/e", folder.path().join("link")).unwrap();
        let root = Dir::open_ambient_dir(folder.path(), ambient_authority()).unwrap();
        for (path, expected) in [
            ("d", "d"),
            ("d/e/file", "d/e/file"),
            ("d/e/file/below/it", "d/e/file/below/it"),
            ("d/nothing/here", "d/nothing/here"),
            ("link/file", "d/e/file"),
            ("link/nothing/here", "d/e/nothing/here"),
        ] {
            assert_eq!(walk(&root, path), Ok(expected.into()));
            let path = WorkspacePath::resolve(path).unwrap();
            assert_eq!(has_no_links(&root, &path), cfg!(target_os = "linux") && path.as_str() == expected);
            assert_eq!(follow(&root, path).unwrap().as_str(), expected);
        }
    }
}
