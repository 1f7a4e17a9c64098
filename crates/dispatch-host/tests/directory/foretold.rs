//! What a write comes to is told beforehand, by looking alone.

use std::fs;

use dispatch_host::directory::DirectoryOptions;
use proptest::prelude::*;
use proptest::sample::select;

use crate::rights::{as_nobody, give_to_nobody, set_mode};
use crate::support::{Place, act, act_without_effect};

#[test]
fn to_look_leaves_all_as_it_was() {
    let mut place = Place::new();
    place.put("d/a", "old");
    place.put("d/.dispatch-0123456789abcdef.tmp", "a leftover");
    let all = place.all();
    for path in ["d/a", "d/b", "new/deep/a", "d/a/b", "d"] {
        act_without_effect(&place.workspace, move |view| view.write(path, "new".to_owned()));
        assert_eq!(place.all(), all, "{path:?}");
    }
    assert_eq!(act(&mut place.workspace, |view| view.write("d/a", "new".to_owned())), "done");
    assert_eq!(place.all().keys().collect::<Vec<_>>(), ["d/", "d/a"]);
}

#[test]
fn of_several_files_the_first_that_can_t_be_written_is_told() {
    let long = "n".repeat(256);
    let mut place = Place::with(DirectoryOptions::default().durable(false).max_file_bytes(4));
    place.put("a", "");
    let _socket = std::os::unix::net::UnixListener::bind(place.inside("socket")).unwrap();
    for (paths, code) in [
        (vec!["a", "b/c", "b/d"], "done"),
        (vec!["a", &long], "io_error"),
        (vec!["a", "long", &long], "file_too_large"),
        // That a directory can't be made shows before any file is looked at.
        (vec!["a", "long", "new/nnn/a"], "io_error"),
        (vec!["a", "long", "new/deep/nnn"], "file_too_large"),
        (vec!["a", "new/deep/nnn"], "io_error"),
    ] {
        let paths: Vec<String> = paths.iter().map(|path| path.replace("nnn", &long)).collect();
        let write = move |view: &mut dispatch_core::workspace::View<'_>| {
            let text = |path: &str| if path == "long" { "longer" } else { "text" };
            paths.iter().try_for_each(|path| view.write(path, text(path).to_owned()))
        };
        let foretold = act_without_effect(&place.workspace, write.clone());
        assert_eq!(foretold, act(&mut place.workspace, write));
        assert!(foretold.starts_with(code), "{code}: {foretold}");
    }
}

/// Whoever watches a directory is not told of a call that changed nothing.
#[test]
fn what_is_foretold_to_fail_leaves_no_trace() {
    let long = "n".repeat(256);
    for paths in [vec!["a".to_owned(), long.clone()], vec![format!("new/{long}")], vec![format!("new/{long}/a")]] {
        let mut place = Place::new();
        place.put("a", "old");
        let old = std::time::SystemTime::UNIX_EPOCH;
        fs::File::open(place.inside("")).unwrap().set_modified(old).unwrap();
        let told =
            act(&mut place.workspace, move |view| paths.iter().try_for_each(|path| view.write(path, "new".to_owned())));
        assert!(told.starts_with("io_error"), "{told}");
        assert_eq!(fs::metadata(place.inside("")).unwrap().modified().unwrap(), old);
    }
}

const DIRECTORIES: &[&str] = &["a", "a/b", "c"];
const FILES: &[&str] = &["x", "a/x", "a/b/x", "c/x"];
const PATHS: &[&str] =
    &["x", "new", "a/x", "a/new", "a/b/x", "a/b/new", "a/new/new", "a/b/new/new", "c/x", "c/x/new", "a"];
const MODES: &[u32] = &[0o755, 0o555, 0o333, 0o111, 0o666, 0o444, 0];

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_the_rights_a_call_comes_to_what_was_foretold(
        modes in prop::collection::vec((select([DIRECTORIES, FILES].concat()), select(MODES)), 0..4),
        paths in prop::collection::vec(select(PATHS), 1..6),
    ) {
        let mut place = Place::new();
        for file in FILES {
            place.put(file, "old");
        }
        give_to_nobody(&place);
        for (path, mode) in &modes {
            // One that lies in a directory which was closed before keeps what it has, where this is not done by root.
            if fs::symlink_metadata(place.inside(path)).is_ok() {
                set_mode(&place.inside(path), *mode);
            }
        }
        as_nobody(&mut place, |place| {
            for path in paths {
                place.write(path, "new");
                place.patch(path, "new", "newer");
            }
        });
        for directory in DIRECTORIES {
            set_mode(&place.inside(directory), 0o755);
        }
    }
}
