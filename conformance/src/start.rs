//! How this program was started, so that it can be said again.

use std::env;
use std::path::{Component, Path, PathBuf};

/// Returns the folder of this package, where cargo started the program: asked at run time, since checkouts may share a target folder.
pub(crate) fn package() -> Option<PathBuf> {
    // Another package's tests may start this program too.
    let is_ours = env::var_os("CARGO_PKG_NAME").is_some_and(|name| name == env!("CARGO_PKG_NAME"));
    env::var_os("CARGO_MANIFEST_DIR").filter(|_| is_ours).map(PathBuf::from)
}

/// Returns the words that start it in the current folder: by cargo, or by the path that it was called by.
pub(crate) fn words() -> Vec<String> {
    let root = package().and_then(|package| package.parent().map(Path::to_owned));
    match (root, env::current_dir()) {
        (Some(root), Ok(current)) => by_cargo(&root, &current),
        _ => vec![env::args().next().unwrap_or_else(|| env!("CARGO_PKG_NAME").to_owned())],
    }
}

/// Says it as cargo takes it, the workspace's manifest seen from the current folder: no path of the machine is in it.
fn by_cargo(root: &Path, current: &Path) -> Vec<String> {
    let manifest = seen_from(current, &root.join("Cargo.toml")).display().to_string();
    let words =
        ["cargo", "run", "--quiet", "--locked", "--manifest-path", &manifest, "-p", env!("CARGO_PKG_NAME"), "--"];
    words.map(str::to_owned).to_vec()
}

/// Returns the way to a file from a folder. Both are absolute.
fn seen_from(folder: &Path, file: &Path) -> PathBuf {
    let shared = folder.components().zip(file.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(file.components().skip(shared)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_is_seen_from_the_current_folder() {
        let seen = |current: &str| by_cargo(Path::new("/home/a/suite"), Path::new(current)).join(" ");
        let expected =
            |manifest: &str| format!("cargo run --quiet --locked --manifest-path {manifest} -p conformance --");
        assert_eq!(seen("/home/a/suite"), expected("Cargo.toml"));
        assert_eq!(seen("/home/a"), expected("suite/Cargo.toml"));
        assert_eq!(seen("/home/a/mine/b"), expected("../../suite/Cargo.toml"));
    }
}
