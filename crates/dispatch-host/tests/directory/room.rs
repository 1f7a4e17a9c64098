//! File systems that are full, that can't be written, or whose files are mounted: all is as it was, and nothing is left behind.
//!
//! Each is made in a namespace of its own, in which this program is started again.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use dispatch_host::DirectoryWorkspace;

use crate::support::{Place, act, call, preview};

const WORKSPACE: &str = "DIRECTORY_WITHOUT_ROOM";

/// Starts one of the tests below in a script, which is given a directory as `$0` and the command line of the test behind it.
fn start(test: &str, namespace: &str, script: &str) {
    let place = Place::new();
    let started = Command::new("env")
        .args(namespace.split_whitespace())
        .args(["bash", "-ec", script])
        .arg(place.inside(""))
        .arg(env::current_exe().unwrap())
        .args(["--exact", test, "--ignored", "--nocapture"])
        .env(WORKSPACE, place.inside(""))
        .output()
        .unwrap();
    assert!(started.status.success(), "{started:?}");
    assert!(String::from_utf8_lossy(&started.stdout).contains("1 passed"), "{started:?}");
}

/// How a namespace is made in which something can be mounted, if that is possible here.
fn namespace() -> Option<&'static str> {
    let directory = tempfile::tempdir().unwrap();
    let can_mount = |namespace: &&str| {
        let mut mounting = Command::new("env");
        mounting.args(namespace.split_whitespace()).args(["mount", "-t", "tmpfs", "none"]).arg(directory.path());
        mounting.output().is_ok_and(|mounted| mounted.status.success())
    };
    ["unshare --mount", "unshare --mount --map-root-user"].into_iter().find(can_mount)
}

/// The workspace of a test that was started in a script.
fn started() -> Option<DirectoryWorkspace> {
    Some(DirectoryWorkspace::open(env::var_os(WORKSPACE)?).unwrap())
}

fn names(directory: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn check_no_room(workspace: &mut DirectoryWorkspace) {
    let directory = env::var_os(WORKSPACE).unwrap();
    let directory = Path::new(&directory);
    let no_space = "no_space: There is no room left to write to.";
    fs::write(directory.join("file"), "old").unwrap();
    let large = "0123456789abcdef".repeat(64 << 10);
    assert_eq!(call(workspace, "write_file", &[("path", "file"), ("content", &large)]), no_space);
    assert_eq!(call(workspace, "patch_file", &[("path", "file"), ("old_str", "old"), ("new_str", &large)]), no_space);
    assert_eq!(call(workspace, "write_file", &[("path", "new/deep/file"), ("content", &large)]), no_space);
    let several = act(workspace, move |view| {
        view.write("a", "small".to_owned())?;
        view.write("file", "small".to_owned())?;
        view.write("z/z", large.clone())
    });
    assert_eq!(several, no_space);
    assert_eq!(names(directory), ["file"]);
    assert_eq!(fs::read(directory.join("file")).unwrap(), b"old");
    assert_eq!(call(workspace, "write_file", &[("path", "file"), ("content", "small")]), "File written: file");
}

#[test]
fn a_full_disk_is_told_and_leaves_all_as_it_was() {
    let Some(namespace) = namespace() else { return eprintln!("skipped: nothing can be mounted here") };
    start("room::on_a_full_disk", namespace, r#"mount -t tmpfs -o size=256k none "$0"; exec "$@""#);
}

#[test]
#[ignore = "started by another test, where the disk is small"]
fn on_a_full_disk() {
    if let Some(mut workspace) = started() {
        check_no_room(&mut workspace);
    }
}

#[test]
fn a_file_that_may_not_grow_is_told_and_leaves_all_as_it_was() {
    start("room::on_a_full_disk", "", r#"ulimit -f 64; trap "" XFSZ; exec "$@""#);
}

#[test]
fn what_can_only_be_read_is_told() {
    let Some(namespace) = namespace() else { return eprintln!("skipped: nothing can be mounted here") };
    let script = r#"mount -t tmpfs none "$0"; echo old > "$0/file"; mount -o remount,ro "$0"; exec "$@""#;
    start("room::on_a_read_only_disk", namespace, script);
}

#[test]
#[ignore = "started by another test, where nothing can be written"]
fn on_a_read_only_disk() {
    let Some(mut workspace) = started() else { return };
    let denied = "permission_denied: The operating system does not allow the access.";
    assert_eq!(call(&mut workspace, "read_file", &[("path", "file")]), "1: old\n");
    for path in ["file", "new", "new/deep/file"] {
        let arguments = [("path", path), ("content", "new")];
        assert_eq!(preview(&workspace, "write_file", &arguments), denied, "{path}");
        assert_eq!(call(&mut workspace, "write_file", &arguments), denied, "{path}");
    }
    assert_eq!(call(&mut workspace, "patch_file", &[("path", "file"), ("old_str", "old"), ("new_str", "new")]), denied);
}

#[test]
fn a_file_that_is_mounted_is_read_and_not_replaced() {
    let Some(namespace) = namespace() else { return eprintln!("skipped: nothing can be mounted here") };
    let script = r#"echo mounted > "$0/other"; echo old > "$0/file"; mount --bind "$0/other" "$0/file"; exec "$@""#;
    start("room::with_a_mounted_file", namespace, script);
}

#[test]
#[ignore = "started by another test, where a file is mounted"]
fn with_a_mounted_file() {
    let Some(mut workspace) = started() else { return };
    assert_eq!(call(&mut workspace, "read_file", &[("path", "file")]), "1: mounted\n");
    let told = call(&mut workspace, "write_file", &[("path", "file"), ("content", "new")]);
    assert_eq!(told, "io_error: Reading or writing failed.");
    assert_eq!(names(Path::new(&env::var_os(WORKSPACE).unwrap())), ["file", "other"]);
}
