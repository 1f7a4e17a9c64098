//! What somebody else changed after it was read is not overwritten.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::thread;
use std::time::{Duration, SystemTime};

use dispatch_core::ToolFailure;
use dispatch_core::workspace::{ChangeSet, Entry, Listed, Reading, View, Workspace, WorkspaceError, WorkspacePath};
use dispatch_host::DirectoryWorkspace;
use dispatch_host::directory::DirectoryOptions;

use crate::support::{Place, act, call};

const CONFLICT: &str = "conflict: The file was changed by someone else in the meantime.";

/// Reads a file of ten letters that was last changed some time ago, lets somebody else do something, and writes the file.
fn edit_while(age: Duration, meanwhile: impl Fn(&Path) + Send + Sync + 'static) -> (Place, String) {
    let mut place = Place::new();
    place.put("file", "0123456789");
    place.put("beside", "0123456789");
    let path = place.inside("file");
    fs::File::open(&path).unwrap().set_modified(SystemTime::now() - age).unwrap();
    let told = act(&mut place.workspace, move |view| {
        view.read_text("file")?;
        meanwhile(&path);
        view.write("file", "edited".to_owned())
    });
    (place, told)
}

fn check_conflict(meanwhile: impl Fn(&Path) + Send + Sync + 'static, left: Option<&[u8]>) {
    let (place, told) = edit_while(Duration::ZERO, meanwhile);
    assert_eq!(told, CONFLICT);
    assert_eq!(fs::read(place.inside("file")).ok().as_deref(), left);
    let all = place.all();
    assert!(all.keys().all(|path| ["beside", "file"].contains(&&**path)), "{all:?}");
}

#[test]
fn what_nobody_changed_is_written() {
    for age in [0, 60].map(Duration::from_secs) {
        let (place, told) = edit_while(age, |_| {});
        assert_eq!((&*told, place.bytes("file")), ("done", b"edited".to_vec()));
        let (_, told) = edit_while(age, |path| drop(fs::read(path).unwrap()));
        assert_eq!(told, "done");
    }
}

#[test]
fn what_was_written_is_a_conflict() {
    check_conflict(|path| fs::write(path, "longer than before").unwrap(), Some(b"longer than before"));
    check_conflict(|path| fs::write(path, "9876543210").unwrap(), Some(b"9876543210"));
}

#[test]
fn what_was_replaced_is_a_conflict() {
    let replace = |path: &Path| fs::rename(path.with_file_name("beside"), path).unwrap();
    check_conflict(replace, Some(b"0123456789"));
}

#[test]
fn what_was_removed_is_a_conflict() {
    check_conflict(|path| fs::remove_file(path).unwrap(), None);
    check_conflict(|path| fs::rename(path, path.with_file_name("beside")).unwrap(), None);
}

#[test]
fn what_became_a_link_is_a_conflict() {
    let link = |path: &Path| {
        fs::remove_file(path).unwrap();
        symlink("beside", path).unwrap();
    };
    check_conflict(link, Some(b"0123456789"));
}

/// At once and of the same length, so that on many file systems no time shows it.
#[test]
fn a_change_at_once_is_a_conflict() {
    for _ in 0..100 {
        check_conflict(|path| fs::write(path, "9876543210").unwrap(), Some(b"9876543210"));
    }
}

#[test]
fn what_was_not_read_is_replaced_whatever_happened() {
    let mut place = Place::new();
    place.put("file", "old");
    let path = place.inside("file");
    let told = act(&mut place.workspace, move |view: &mut View<'_>| -> Result<(), ToolFailure> {
        view.write("file", "edited".to_owned())?;
        fs::write(&path, "changed").unwrap();
        view.write("new", "new".to_owned())?;
        fs::write(path.with_file_name("new"), "made meanwhile").unwrap();
        Ok(())
    });
    assert_eq!((&*told, place.bytes("file"), place.bytes("new")), ("done", b"edited".to_vec(), b"new".to_vec()));
}

#[test]
fn one_conflict_leaves_every_file_of_the_call() {
    let mut place = Place::new();
    for file in ["a", "b", "c"] {
        place.put(file, "old");
    }
    let path = place.inside("b");
    let told = act(&mut place.workspace, move |view| {
        for file in ["a", "b", "c", "new/d"] {
            let _ = view.read_text(file);
            view.write(file, "edited".to_owned())?;
        }
        fs::write(&path, "changed").unwrap();
        Ok(())
    });
    assert_eq!(told, CONFLICT);
    let left = [("a", "old"), ("b", "changed"), ("c", "old")].map(|(path, text)| (path.to_owned(), text.to_owned()));
    assert_eq!(place.all(), left.into());
}

/// Takes paths by their letters, as a mount has it which gives a directory a second path.
struct ByLetters<'w>(&'w mut DirectoryWorkspace);

impl Workspace for ByLetters<'_> {
    fn entry(&self, path: &WorkspacePath) -> Result<Entry, WorkspaceError> {
        self.0.entry(path)
    }

    fn read(&self, path: &WorkspacePath) -> Result<Reading<'_>, WorkspaceError> {
        self.0.read(path)
    }

    fn list(&self, directory: &WorkspacePath) -> Result<Vec<Listed>, WorkspaceError> {
        self.0.list(directory)
    }

    fn commit(&mut self, changes: ChangeSet) -> Result<(), WorkspaceError> {
        self.0.commit(changes)
    }
}

#[test]
fn two_places_of_one_file_are_a_conflict() {
    let mut place = Place::new();
    place.put("d/file", "old");
    place.link("d", "mounted");
    let told = act(&mut ByLetters(&mut place.workspace), |view| {
        view.write("d/file", "one".to_owned())?;
        view.write("mounted/file", "other".to_owned())
    });
    assert_eq!((&*told, place.bytes("d/file")), (CONFLICT, b"old".to_vec()));
}

/// Each counts up a line of its own, and knows how often it was told that this is done.
fn count_up(directory: &Path, name: usize) -> (usize, usize) {
    let mut workspace = DirectoryOptions::default().durable(false).open(directory).unwrap();
    let mut count = 0;
    for _ in 0..60 {
        let (old, new) = (format!("{name}: {count}\n"), format!("{name}: {}\n", count + 1));
        let arguments = [("path", "counts"), ("old_str", old.as_str()), ("new_str", new.as_str())];
        let told = call(&mut workspace, "patch_file", &arguments);
        assert!([CONFLICT, "File patched: counts"].contains(&&*told), "{told}");
        count += usize::from(told != CONFLICT);
    }
    (name, count)
}

#[test]
fn of_many_that_write_at_a_time_none_is_lost_that_was_told_so() {
    let place = Place::new();
    place.put("counts", "0: 0\n1: 0\n2: 0\n3: 0\n");
    let directory = place.inside("");
    let counts = thread::scope(|scope| {
        let each: Vec<_> = (0..4)
            .map(|name| {
                scope.spawn({
                    let directory = &directory;
                    move || count_up(directory, name)
                })
            })
            .collect();
        each.into_iter().map(|each| each.join().unwrap()).collect::<Vec<_>>()
    });
    let lines: Vec<_> = counts.iter().map(|(name, count)| format!("{name}: {count}\n")).collect();
    assert_eq!(String::from_utf8(place.bytes("counts")).unwrap(), lines.concat());
}

#[test]
fn of_a_file_of_any_length_every_byte_counts() {
    for (length, changed_at) in [(0, None), (1 << 17, None), ((1 << 17) + 1, Some(1 << 17)), (300_000, Some(299_999))] {
        let mut place = Place::new();
        place.put("file", "a".repeat(length));
        let path = place.inside("file");
        let told = act(&mut place.workspace, move |view| {
            view.read_text("file")?;
            if let Some(at) = changed_at {
                let modified = fs::metadata(&path).unwrap().modified().unwrap();
                let mut bytes = fs::read(&path).unwrap();
                bytes[at] = b'b';
                fs::write(&path, bytes).unwrap();
                fs::File::open(&path).unwrap().set_modified(modified).unwrap();
            }
            view.write("file", "edited".to_owned())
        });
        assert_eq!(told, if changed_at.is_some() { CONFLICT } else { "done" }, "{length}");
    }
}
