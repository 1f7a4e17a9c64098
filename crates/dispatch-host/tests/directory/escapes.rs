//! Nothing outside is read, written, created or named, whatever a path looks like and wherever links lead.

use std::fs;
use std::os::unix::fs::symlink;

use dispatch_core::ErrorCode;
use dispatch_core::workspace::{Listed, ListedKind, Workspace, WorkspaceError};
use dispatch_host::DirectoryWorkspace;

use crate::support::{Place, SECRET, call};

const OUTSIDE: &str = "path_outside_workspace: The path leads out of the workspace.";

/// A path that leads outside is refused to each tool in the same words, and nothing has changed.
fn check_outside(place: &mut Place, path: &str) {
    let before = place.all();
    assert_eq!(place.read(path), OUTSIDE, "read {path:?}");
    assert_eq!(place.write(path, "written"), OUTSIDE, "write {path:?}");
    assert_eq!(place.patch(path, "secret", "patched"), OUTSIDE, "patch {path:?}");
    if let Ok(resolved) = place.workspace.resolve(path) {
        let code = |error: WorkspaceError| error.code();
        let workspace = &place.workspace;
        assert_eq!(workspace.entry(&resolved).map_err(code), Err(ErrorCode::PathOutsideWorkspace), "{path:?}");
        assert_eq!(workspace.read(&resolved).map(drop).map_err(code), Err(ErrorCode::PathOutsideWorkspace), "{path:?}");
        let read = workspace.read_into(&resolved, &mut Vec::new());
        assert_eq!(read.map_err(code), Err(ErrorCode::PathOutsideWorkspace), "{path:?}");
        // A link that nothing is behind is no directory, wherever it leads.
        let listed = workspace.list(&resolved).map_err(code);
        assert!([Err(ErrorCode::PathOutsideWorkspace), Ok(Vec::new())].contains(&listed), "{path:?}: {listed:?}");
    }
    assert_eq!(place.all(), before, "{path:?}");
    place.assert_outside_is_as_it_was();
}

#[test]
fn no_letters_of_a_path_lead_outside() {
    let mut place = Place::new();
    place.put("d/e/f", "text");
    for path in [
        "..",
        "../secret",
        "./../secret",
        "d/../../secret",
        "d/e/../../../secret",
        "d/./..//../secret",
        "../ws/d/e/f",
        "../ws-secret/a",
        "d/../..",
        "/",
        "/etc/passwd",
        "//etc/passwd",
        "/proc/self/root/etc/passwd",
        "~/secret",
        "c:/secret",
        "d/\0",
        "d\0/../../secret",
    ] {
        check_outside(&mut place, path);
    }
}

#[test]
fn an_absolute_path_is_taken_where_it_lies_inside() {
    let mut place = Place::new();
    place.put("d/a", "text");
    for inside in ["d/a", "d/../d//a", "../ws/d/a"] {
        let path = place.inside(inside);
        assert_eq!(place.read(path.to_str().unwrap()), "1: text", "{inside:?}");
    }
    let new = place.inside("new/b").to_str().unwrap().to_owned();
    assert_eq!(place.write(&new, "new"), format!("File written: {new}"));
    assert_eq!(place.bytes("new/b"), b"new");
    for outside in ["secret", "ws-secret/a", "ws-new", "w", "", "ws/../secret", "ws/d/../../ws-secret/a"] {
        let path = place.outside(outside).to_str().unwrap().to_owned();
        check_outside(&mut place, &path);
    }
}

#[test]
fn an_absolute_path_is_compared_with_the_directory_as_given_and_without_links() {
    let place = Place::new();
    place.put("a", "text");
    std::os::unix::fs::symlink("ws", place.outside("alias")).unwrap();
    let mut workspace = DirectoryWorkspace::open(place.outside("alias")).unwrap();
    for path in ["alias/a", "ws/a"] {
        let path = place.outside(path);
        assert_eq!(call(&mut workspace, "read_file", &[("path", path.to_str().unwrap())]), "1: text");
    }
    fs::remove_file(place.outside("alias")).unwrap();
    place.assert_outside_is_as_it_was();
}

#[test]
fn a_link_that_leads_outside_is_not_followed() {
    let mut place = Place::new();
    place.put("d/e/f", "text");
    let absolute = place.outside("secret");
    let inside = place.inside("d/e/f");
    place.link("../secret", "file");
    place.link(&absolute, "absolute");
    place.link(inside, "absolute-inside");
    place.link("..", "directory");
    place.link("../ws-secret", "sibling");
    place.link("../ws/d", "out-and-in");
    place.link("../new", "dangling");
    place.link("/nowhere/new", "dangling-absolute");
    place.link("file", "chain-2");
    place.link("chain-2", "chain-1");
    place.link("d/e/up", "chain-up");
    place.link("../../../secret", "d/e/up");
    place.link("loop", "loop");
    place.link("pong", "ping");
    place.link("ping", "pong");
    place.link("loop/x", "through-loop");
    place.link("/proc/self/root/etc/passwd", "root");
    place.link("/proc/self/cwd", "cwd");
    for path in [
        "file",
        "absolute",
        "absolute-inside",
        "directory",
        "directory/secret",
        "directory/new",
        "directory/ws/d/e/f",
        "sibling",
        "sibling/a",
        "sibling/new/b",
        "out-and-in/e/f",
        "dangling",
        "dangling/below",
        "dangling-absolute",
        "chain-1",
        "chain-up",
        "d/e/up",
        "loop",
        "loop/a",
        "ping",
        "through-loop",
        "root",
        "cwd/Cargo.toml",
    ] {
        check_outside(&mut place, path);
    }
}

#[test]
fn the_links_of_the_kernel_lead_nowhere() {
    let mut workspace = DirectoryWorkspace::open("/proc/self").unwrap();
    for path in ["root/etc/passwd", "cwd/Cargo.toml", "root", "exe"] {
        assert_eq!(call(&mut workspace, "read_file", &[("path", path)]), OUTSIDE, "{path:?}");
        assert_eq!(call(&mut workspace, "write_file", &[("path", path), ("content", "")]), OUTSIDE, "{path:?}");
    }
}

#[test]
fn a_link_inside_stays_a_link_and_its_target_is_written() {
    let mut place = Place::new();
    place.put("d/e/target", "one\n");
    place.put("x", "x at the top\n");
    place.link("e", "d/deep");
    place.link("d/deep/target", "link");
    place.link("link", "chain");
    // From where the directory really is: `d/e/..`, and not `d`.
    place.link("d/e", "short");
    place.link("../x", "d/e/back");
    assert_eq!(place.patch("chain", "one", "two"), "File patched: chain");
    assert_eq!(place.write("short/back", "made"), "File written: short/back");
    assert_eq!(place.read("short/back"), "1: made");
    let all = place.all();
    assert_eq!(all["d/e/target"], "two\n");
    assert_eq!(all["d/x"], "made");
    assert_eq!(all["x"], "x at the top\n");
    assert_eq!(["link", "chain", "d/e/back"].map(|link| &*all[link]), ["-> d/deep/target", "-> link", "-> ../x"]);
}

#[test]
fn the_open_directory_stays_the_workspace() {
    let mut place = Place::new();
    place.put("a", "text");
    fs::rename(place.outside("ws"), place.outside("moved")).unwrap();
    fs::create_dir(place.outside("ws")).unwrap();
    fs::write(place.inside("a"), SECRET).unwrap();
    assert_eq!(place.read("a"), "1: text");
    assert_eq!(place.write("b", "b"), "File written: b");
    assert_eq!(fs::read(place.outside("moved/b")).unwrap(), b"b");
    assert_eq!(place.all().into_keys().collect::<Vec<_>>(), ["a"]);
}

#[test]
fn an_odd_name_is_a_name() {
    let mut place = Place::new();
    let long = "n".repeat(255);
    for name in ["a\nb", "a\\b", "...", " ", "-rf", "*", "é\u{301}", "\u{202e}", "..a", "a~", "%2e%2e", &long] {
        assert_eq!(place.write(name, "text"), format!("File written: {name}"));
        assert_eq!(place.read(name), "1: text");
        assert_eq!(place.bytes(name), b"text");
    }
    assert_eq!(place.workspace.list(&place.workspace.resolve("").unwrap()).unwrap().len(), 12);
}

#[test]
fn a_name_that_is_too_long_is_found_nowhere_and_written_nowhere() {
    let mut place = Place::new();
    for name in ["n".repeat(256), format!("d/{}/a", "n".repeat(256)), "d/".repeat(3000) + "a", "n".repeat(100_000)] {
        assert!(place.read(&name).starts_with("file_not_found"));
        assert!(place.write(&name, "text").starts_with("io_error"));
        assert_eq!(place.all().len(), 0, "no parent was left");
    }
}

#[test]
fn what_no_path_can_name_is_listed_as_that() {
    use std::os::unix::ffi::OsStrExt as _;
    let place = Place::new();
    symlink("shown", place.inside("").join(std::ffi::OsStr::from_bytes(b"link\xe9"))).unwrap();
    for name in
        [&b"caf\xe9"[..], b"caf\xe8", b"~", b"c:x", b"shown", b".dispatch-0123456789abcdef.tmp", b".dispatch-x.tmp"]
    {
        fs::write(place.inside("").join(std::ffi::OsStr::from_bytes(name)), "").unwrap();
    }
    place.put("d/~", "");
    let names = |directory| {
        let listed = place.workspace.list(&place.workspace.resolve(directory).unwrap()).unwrap();
        let name = |listed: Listed| (listed.name, listed.kind == ListedKind::Unnamed);
        listed.into_iter().map(name).collect::<Vec<_>>()
    };
    let shown = |name: &str| (name.to_owned(), false);
    let unnamed = |name: &str| (name.to_owned(), true);
    let (cafe, drive, home) = (unnamed("caf\u{fffd}"), unnamed("c:x"), unnamed("~"));
    assert_eq!(names(""), [shown(".dispatch-x.tmp"), drive, cafe.clone(), cafe, shown("d"), shown("shown"), home]);
    assert_eq!(names("d"), [shown("~")]);
}

#[test]
fn the_name_of_a_temporary_names_no_place() {
    let mut place = Place::new();
    let name = ".dispatch-0123456789abcdef.tmp";
    place.put(name, "half a fi");
    for path in [name, &format!("./{name}"), &format!("{name}/a"), &format!("d/{name}/../{name}")] {
        check_outside(&mut place, path);
    }
}
