//! Owners, modes and rights: what is kept, and what is refused.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::Path;

use dispatch_core::ErrorCode;
use dispatch_core::workspace::{Workspace, WorkspacePath};
use rustix::fs::{FlockOperation, XattrFlags, flock, getxattr, setxattr};
use rustix::process::geteuid;
use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};
use rustix::{buffer::spare_capacity, fs::Gid, fs::Uid};

use crate::support::{Place, act};

/// Somebody without rights of his own.
const NOBODY: u32 = 65534;

const ACL: &str = "system.posix_acl_access";

pub(crate) fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

pub(crate) fn is_root() -> bool {
    geteuid().is_root()
}

/// Gives the workspace to an ordinary user.
pub(crate) fn give_to_nobody(place: &Place) {
    if is_root() {
        set_mode(&place.outside(""), 0o755);
        give_away(&place.inside(""));
    }
}

/// Does something with no more rights than an ordinary user has. They are the thread's own.
pub(crate) fn as_nobody(place: &mut Place, act: impl FnOnce(&mut Place) + Send) {
    if !is_root() {
        return act(place);
    }
    std::thread::scope(|scope| {
        let acting = scope.spawn(|| {
            let (uid, gid) = (Some(Uid::from_raw(NOBODY)), Some(Gid::from_raw(NOBODY)));
            set_thread_groups(&[]).unwrap();
            set_thread_res_gid(gid, gid, gid).unwrap();
            set_thread_res_uid(uid, uid, uid).unwrap();
            act(place);
        });
        acting.join().unwrap();
    });
}

fn give_away(path: &Path) {
    chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            give_away(&entry.unwrap().path());
        }
    }
}

#[test]
fn the_mode_is_kept_special_bits_too() {
    let mut place = Place::new();
    for kept in [0o755, 0o600, 0o644, 0o4755, 0o2750, 0o1644, 0o7777] {
        place.put("file", "old");
        set_mode(&place.inside("file"), kept);
        assert_eq!(place.patch("file", "old", "new"), "File patched: file");
        assert_eq!(mode(&place.inside("file")), kept, "{kept:o}");
        assert_eq!(place.write("file", "newer"), "File written: file");
        assert_eq!(mode(&place.inside("file")), kept, "{kept:o}");
    }
}

#[test]
fn a_new_file_has_the_mode_that_any_new_file_has() {
    let mut place = Place::new();
    fs::create_dir(place.inside("by-hand")).unwrap();
    place.put("by-hand/file", "");
    place.write("new/file", "text");
    for path in
        ["", "/file"].map(|path| ["by-hand", "new"].map(|directory| place.inside(&format!("{directory}{path}"))))
    {
        assert_eq!(mode(&path[0]), mode(&path[1]));
    }
}

#[test]
fn the_owner_is_kept_where_that_is_allowed() {
    if !is_root() {
        return eprintln!("skipped: only root can give a file away");
    }
    let mut place = Place::new();
    place.put("file", "old");
    chown(place.inside("file"), Some(1234), Some(4321)).unwrap();
    set_mode(&place.inside("file"), 0o6755);
    place.patch("file", "old", "new");
    let metadata = fs::metadata(place.inside("file")).unwrap();
    assert_eq!((metadata.uid(), metadata.gid(), mode(&place.inside("file"))), (1234, 4321, 0o6755));
}

#[test]
fn what_belongs_to_somebody_else_gives_no_right_that_was_not_there() {
    if !is_root() {
        return eprintln!("skipped: only root can give a file away");
    }
    let mut place = Place::new();
    place.put("file", "old");
    give_to_nobody(&place);
    chown(place.inside("file"), Some(1234), Some(4321)).unwrap();
    // For everybody to write, and to run as somebody else.
    set_mode(&place.inside("file"), 0o6776);
    as_nobody(&mut place, |place| assert_eq!(place.patch("file", "old", "new"), "File patched: file"));
    let metadata = fs::metadata(place.inside("file")).unwrap();
    assert_eq!((metadata.uid(), metadata.gid()), (NOBODY, NOBODY));
    assert_eq!(mode(&place.inside("file")), 0o766);
}

#[test]
fn what_may_not_be_read_or_written_is_refused() {
    let mut place = Place::new();
    place.put("read-only", "old");
    place.put("secret", "old");
    place.put("closed/file", "old");
    place.put("still/file", "old");
    for (path, mode) in [("read-only", 0o444), ("secret", 0), ("closed", 0), ("still", 0o555)] {
        set_mode(&place.inside(path), mode);
    }
    give_to_nobody(&place);
    as_nobody(&mut place, |place| {
        let denied = "permission_denied: The operating system does not allow the access.";
        assert_eq!(place.read("read-only"), "1: old");
        assert_eq!(place.patch("read-only", "old", "new"), denied);
        assert_eq!(place.write("read-only", "new"), denied);
        assert_eq!(place.read("secret"), denied);
        assert_eq!(place.write("secret", "new"), denied);
        assert_eq!(place.read("closed/file"), denied);
        assert_eq!(place.write("closed/file", "new"), denied);
        assert_eq!(place.write("closed/new/file", "new"), denied);
        assert_eq!(place.read("still/file"), "1: old");
        assert_eq!(place.patch("still/file", "old", "new"), denied);
        assert_eq!(place.write("still/new", "new"), denied);
        assert_eq!(place.write("still/new/file", "new"), denied);
        let closed = place.workspace.list(&WorkspacePath::resolve("closed").unwrap());
        assert_eq!(closed.unwrap_err().code(), ErrorCode::PermissionDenied);
    });
    for path in ["secret", "closed"] {
        set_mode(&place.inside(path), 0o755);
    }
    let all = place.all();
    assert!(all.iter().all(|(path, text)| path.ends_with('/') || text == "old"), "{all:?}");
}

/// A workspace in which each may only replace what is his own, as in `/tmp`. `b` is somebody else's, for everybody to write.
fn set_sticky(root: &Path) {
    for (path, mode) in [("", 0o1777), ("b", 0o666)] {
        chown(root.join(path), Some(0), Some(0)).unwrap();
        set_mode(&root.join(path), mode);
    }
}

fn written_all(place: &mut Place) -> String {
    act(&mut place.workspace, |view| ["a", "b", "c"].iter().try_for_each(|file| view.write(file, "new".to_owned())))
}

fn abc() -> Place {
    let place = Place::new();
    for file in ["a", "b", "c"] {
        place.put(file, "old");
    }
    give_to_nobody(&place);
    place
}

#[test]
fn what_is_another_s_is_not_taken_away_where_that_is_not_allowed() {
    if !is_root() {
        return eprintln!("skipped: only root can give a file away");
    }
    let mut place = abc();
    set_sticky(&place.inside(""));
    as_nobody(&mut place, |place| {
        assert!(place.write("b", "new").starts_with("permission_denied"));
        assert!(written_all(place).starts_with("permission_denied"));
        assert_eq!(place.write("a", "new"), "File written: a");
    });
    let expected = [("a", "new"), ("b", "old"), ("c", "old")].map(|(path, text)| (path.to_owned(), text.to_owned()));
    assert_eq!(place.all(), expected.into());
    // Who has the directory may take away what is in it, and so may root.
    chown(place.inside(""), Some(NOBODY), Some(NOBODY)).unwrap();
    as_nobody(&mut place, |place| assert_eq!(place.patch("b", "old", "new"), "File patched: b"));
    set_sticky(&place.inside(""));
    chown(place.inside("b"), Some(1234), Some(1234)).unwrap();
    assert_eq!(place.patch("b", "new", "newer"), "File patched: b");
}

/// Between the writing and the renaming there is a turn to wait for, and then it may be too late.
#[test]
fn what_shows_too_late_is_told_as_not_known() {
    if !is_root() {
        return eprintln!("skipped: only root can give a file away");
    }
    let mut place = abc();
    let root = place.inside("");
    let turn = fs::File::open(&root).unwrap();
    flock(&turn, FlockOperation::LockExclusive).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while temporaries(&root) < 3 {
                std::thread::yield_now();
            }
            set_sticky(&root);
            flock(&turn, FlockOperation::Unlock).unwrap();
        });
        as_nobody(&mut place, |place| {
            let told = written_all(place);
            assert!(told.starts_with("outcome_unknown"), "{told}");
        });
    });
    let expected = [("a", "new"), ("b", "old"), ("c", "old")].map(|(path, text)| (path.to_owned(), text.to_owned()));
    assert_eq!(place.all(), expected.into());
}

fn temporaries(root: &Path) -> usize {
    let names = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_string_lossy().starts_with(".dispatch-")).count()
}

/// What can only be added to, or not be changed at all: `chattr +a`, `chattr +i`. In such a directory a temporary could be made and not be removed.
#[test]
#[cfg(target_os = "linux")]
fn what_can_t_be_taken_away_is_refused_and_nothing_left() {
    use rustix::fs::{IFlags, ioctl_setflags};

    let mut place = Place::new();
    place.put("d/file", "old");
    for (path, flag) in
        [("d", IFlags::APPEND), ("d", IFlags::IMMUTABLE), ("d/file", IFlags::APPEND), ("d/file", IFlags::IMMUTABLE)]
    {
        let held = fs::File::open(place.inside(path)).unwrap();
        if let Err(error) = ioctl_setflags(&held, flag) {
            return eprintln!("skipped: a file can't be held: {error}");
        }
        let told = ["d/file", "d/new"].map(|path| place.write(path, "new"));
        let all = place.all();
        ioctl_setflags(&held, IFlags::empty()).unwrap();
        let is_denied = |told: &String| told.starts_with("permission_denied");
        assert!(is_denied(&told[0]) && (is_denied(&told[1]) || path == "d/file"), "{path} {flag:?}: {told:?}");
        assert_eq!(all.get("d/file").map(String::as_str), Some("old"));
        assert_eq!(all.len(), 2 + usize::from(path == "d/file"), "{path} {flag:?}: {all:?}");
    }
}

#[test]
fn a_directory_that_may_be_written_and_not_read_is_written() {
    let mut place = Place::new();
    place.put("drop/file", "old");
    set_mode(&place.inside("drop"), 0o333);
    give_to_nobody(&place);
    as_nobody(&mut place, |place| {
        assert_eq!(place.write("drop/new", "new"), "File written: drop/new");
        assert_eq!(place.patch("drop/file", "old", "new"), "File patched: drop/file");
    });
    set_mode(&place.inside("drop"), 0o755);
    assert_eq!(place.all().len(), 3);
}

/// The rights of a file: the owner's, one user's, the group's, the most that a user or group has, and others'.
fn acl(user: u16, group: u16, mask: u16) -> Vec<u8> {
    let entries =
        [(0x01, 6, u32::MAX), (0x02, user, 1234), (0x04, group, u32::MAX), (0x10, mask, u32::MAX), (0x20, 0, u32::MAX)];
    let entries = entries
        .iter()
        .flat_map(|(tag, rights, id)| [&u16::to_le_bytes(*tag)[..], &rights.to_le_bytes(), &id.to_le_bytes()].concat());
    2u32.to_le_bytes().into_iter().chain(entries).collect()
}

fn attribute(path: &Path, name: &str) -> Option<Vec<u8>> {
    let mut value = Vec::with_capacity(1000);
    getxattr(path, name, spare_capacity(&mut value)).ok()?;
    Some(value)
}

#[test]
fn the_rights_of_single_users_and_extended_attributes_are_kept() {
    let mut place = Place::new();
    place.put("file", "old");
    let file = place.inside("file");
    let set = |name: &str, value: &[u8]| setxattr(&file, name, value, XattrFlags::empty());
    if let Err(error) = set("user.note", b"note").and_then(|()| set(ACL, &acl(6, 0, 6))) {
        return eprintln!("skipped: the file system has no extended attributes: {error}");
    }
    let before = (mode(&file), attribute(&file, ACL));
    assert!(before.1.is_some());
    place.patch("file", "old", "new");
    assert_eq!((mode(&file), attribute(&file, ACL)), before);
    assert_eq!(attribute(&file, "user.note").as_deref(), Some(&b"note"[..]));
}

#[test]
fn a_replaced_file_gets_no_rights_from_its_directory() {
    let mut place = Place::new();
    place.put("file", "old");
    set_mode(&place.inside("file"), 0o660);
    let set = setxattr(place.inside(""), "system.posix_acl_default", &acl(6, 6, 6), XattrFlags::empty());
    if let Err(error) = set {
        return eprintln!("skipped: the file system has no access control lists: {error}");
    }
    place.patch("file", "old", "new");
    assert_eq!(attribute(&place.inside("file"), ACL), None);
    place.write("new", "as any other");
    assert!(attribute(&place.inside("new"), ACL).is_some());
}

#[test]
fn a_hard_link_is_left_with_the_old_contents() {
    let mut place = Place::new();
    place.put("file", "old");
    fs::hard_link(place.inside("file"), place.inside("other")).unwrap();
    assert_eq!(place.patch("file", "old", "new"), "File patched: file");
    assert_eq!((place.bytes("file"), place.bytes("other")), (b"new".to_vec(), b"old".to_vec()));
    fs::hard_link(place.outside("secret"), place.inside("shared")).unwrap();
    assert_eq!(place.read("shared"), "1: the secret\n");
    assert_eq!(place.write("shared", "new"), "File written: shared");
    place.assert_outside_is_as_it_was();
}

/// A process that was killed right before it gave the new file its place leaves it with the mode that it was to have.
#[test]
fn a_leftover_that_can_t_be_read_is_removed() {
    let mut place = Place::new();
    place.put(".dispatch-0123456789abcdef.tmp", "left over");
    set_mode(&place.inside(".dispatch-0123456789abcdef.tmp"), 0o200);
    give_to_nobody(&place);
    as_nobody(&mut place, |place| {
        place.write("file", "text");
    });
    assert_eq!(place.all().into_keys().collect::<Vec<_>>(), ["file"]);
}
