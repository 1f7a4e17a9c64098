//! A write is made as a whole or not at all, and leaves nothing behind.

use std::fs;
use std::os::unix::net::UnixListener;

use dispatch_core::workspace::{Entry, Workspace, WorkspacePath};
use dispatch_host::DirectoryWorkspace;
use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::support::{Place, act};

const LEFTOVER: &str = ".dispatch-0123456789abcdef.tmp";

#[test]
fn a_leftover_is_removed_by_the_next_write_beside_it() {
    let mut place = Place::new();
    for directory in ["", "d/", "e/"] {
        place.put(&format!("{directory}{LEFTOVER}"), "half a fi");
    }
    let ours = ".dispatch-notes.tmp";
    place.put(&format!("d/{ours}"), "of somebody's own");
    place.write("d/file", "text");
    let left: Vec<_> = place.all().into_keys().filter(|path| !path.ends_with('/')).collect();
    assert_eq!(left, [LEFTOVER, "d/.dispatch-notes.tmp", "d/file", "e/.dispatch-0123456789abcdef.tmp"]);
}

#[test]
fn a_temporary_that_somebody_works_on_is_left_to_him() {
    let mut place = Place::new();
    place.put(LEFTOVER, "half a fi");
    let held = fs::File::open(place.inside(LEFTOVER)).unwrap();
    held.lock().unwrap();
    place.write("file", "text");
    assert_eq!(place.bytes(LEFTOVER), b"half a fi");
    drop(held);
    place.write("file", "text");
    assert!(!place.inside(LEFTOVER).exists());
}

#[test]
fn what_only_has_the_name_of_a_leftover_is_left() {
    let mut place = Place::new();
    fs::create_dir(place.inside(LEFTOVER)).unwrap();
    let link = LEFTOVER.replace('0', "f");
    place.link("../secret", &link);
    place.write("file", "text");
    assert_eq!(place.all().len(), 3);
    place.assert_outside_is_as_it_was();
}

#[test]
fn directories_that_were_made_for_what_failed_are_removed() {
    let mut place = Place::new();
    place.put("there/file", "old");
    let path = place.inside("there/file");
    let told = act(&mut place.workspace, move |view| {
        view.read_text("there/file")?;
        view.write("new/a/b/c", "text".to_owned())?;
        view.write("there/deep/d", "text".to_owned())?;
        view.write("there/file", "text".to_owned())?;
        fs::write(&path, "changed").unwrap();
        Ok(())
    });
    assert!(told.starts_with("conflict"), "{told}");
    assert_eq!(place.all().into_keys().collect::<Vec<_>>(), ["there/", "there/file"]);
}

#[test]
fn a_directory_that_somebody_else_uses_by_now_stays() {
    let mut place = Place::new();
    // The second file fails when the first directory is there already, with something in it.
    place.put("z", "old");
    let theirs = place.inside("new/theirs");
    let z = place.inside("z");
    let told = act(&mut place.workspace, move |view| {
        view.read_text("z")?;
        view.write("new/a", "text".to_owned())?;
        view.write("z", "text".to_owned())?;
        fs::create_dir(theirs.parent().unwrap()).unwrap();
        fs::write(&theirs, "theirs").unwrap();
        fs::write(&z, "changed").unwrap();
        Ok(())
    });
    assert!(told.starts_with("conflict"), "{told}");
    assert_eq!(place.all().into_keys().collect::<Vec<_>>(), ["new/", "new/theirs", "z"]);
}

#[test]
fn several_files_are_written_by_one_call() {
    let mut place = Place::new();
    place.put("a", "old");
    let told = act(&mut place.workspace, |view| {
        for path in ["a", "b", "new/c", "new/d", "new/deep/e"] {
            view.write(path, path.to_owned())?;
        }
        Ok(())
    });
    assert_eq!(told, "done");
    let files: Vec<_> = place.all().into_iter().filter(|(path, _)| !path.ends_with('/')).collect();
    assert_eq!(files.len(), 5);
    assert!(files.iter().all(|(path, text)| path == text), "{files:?}");
}

#[test]
fn a_directory_that_took_a_files_place_fails_the_call_before_anything_is_written() {
    let mut place = Place::new();
    let taken = place.inside("b");
    let told = act(&mut place.workspace, move |view| {
        view.write("a", "text".to_owned())?;
        view.write("b", "text".to_owned())?;
        fs::create_dir(&taken).unwrap();
        Ok(())
    });
    assert!(told.starts_with("is_a_directory"), "{told}");
    assert_eq!(place.all().into_keys().collect::<Vec<_>>(), ["b/"]);
}

/// Nobody is to wait for whoever is to write into a pipe.
#[test]
fn what_is_neither_file_nor_directory_is_told_at_once() {
    let mut place = Place::new();
    let _socket = UnixListener::bind(place.inside("socket")).unwrap();
    let make = |name: &str, kind, device| mknodat(CWD, place.inside(name), kind, Mode::from_raw_mode(0o666), device);
    make("pipe", FileType::Fifo, 0).unwrap();
    let mut special = vec!["socket", "pipe", "link"];
    place.link("pipe", "link");
    // The device that is always empty, by its number.
    match make("device", FileType::CharacterDevice, rustix::fs::makedev(1, 3)) {
        Ok(()) => special.push("device"),
        Err(error) => eprintln!("skipped: no device can be made: {error}"),
    }
    let before = place.all();
    for name in special {
        let expected = "io_error: Reading or writing failed.";
        assert_eq!(place.read(name), expected, "{name}");
        assert_eq!(place.write(name, "text"), expected, "{name}");
        let path = WorkspacePath::resolve(name).unwrap();
        assert!(place.workspace.read_into(&path, &mut Vec::new()).is_err());
        assert_eq!(place.workspace.entry(&WorkspacePath::resolve(&format!("{name}/a")).unwrap()), Ok(Entry::BelowFile));
    }
    assert_eq!(place.all(), before);
}

/// Each finds the others' temporaries beside its own, and none takes one for a leftover.
#[test]
fn many_write_beside_one_another() {
    let place = Place::new();
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let directory = place.inside("");
            scope.spawn(move || {
                let mut workspace = DirectoryWorkspace::open(directory).unwrap();
                for number in 0..50 {
                    let told = act(&mut workspace, move |view| {
                        for file in 0..3 {
                            view.write(&format!("{writer}-{file}"), format!("{number}"))?;
                        }
                        Ok(())
                    });
                    assert_eq!(told, "done");
                }
            });
        }
    });
    let all = place.all();
    assert_eq!(all.len(), 12);
    assert!(all.values().all(|text| text == "49"), "{all:?}");
}
