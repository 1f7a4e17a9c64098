//! A file that is reached through links is one file: in a call, over calls, and for whoever keeps what is changed apart.

use std::fs;

use dispatch_core::tools;
use dispatch_core::workspace::{Overlay, Workspace};

use crate::support::{Place, act, act_explained, call};

const CONFLICT: &str = "conflict: The file was changed by someone else in the meantime.";

/// A workspace with a file in a directory, and every kind of way to it.
fn place() -> Place {
    let place = Place::new();
    place.put("d/e/file", "old");
    place.link("d/e/file", "link");
    place.link("link", "chain");
    place.link("d/e", "short");
    place.link("../short/file", "d/up");
    place.link("../d", "d/self");
    place.link(".", "here");
    place.link("later", "dangling");
    place
}

/// Every path that leads to the file.
const WAYS: &[&str] =
    &["d/e/file", "link", "./chain", "short/file", "d/up", "d/self/self/e/file", "here/here/link", "here/d/e/../up"];

#[test]
fn every_way_to_a_file_leads_to_the_place_where_it_is() {
    let place = place();
    let resolved = |path: &str| place.workspace.resolve(path).map(|place| place.to_string());
    for way in WAYS {
        assert_eq!(resolved(way).as_deref(), Ok("d/e/file"), "{way:?}");
        assert_eq!(resolved(place.inside(way).to_str().unwrap()).as_deref(), Ok("d/e/file"), "{way:?}");
    }
    for (path, expected) in [
        ("here", ""),
        ("short", "d/e"),
        ("short/new/a", "d/e/new/a"),
        ("link/below", "d/e/file/below"),
        ("dangling", "later"),
        ("dangling/a", "later/a"),
        ("nothing/link", "nothing/link"),
        ("d/e/file/up", "d/e/file/up"),
    ] {
        assert_eq!(resolved(path).as_deref(), Ok(expected), "{path:?}");
    }
}

#[test]
fn a_link_goes_back_from_where_a_directory_is_and_by_letters_where_nothing_is() {
    let place = Place::new();
    place.put("a/b/c", "");
    place.put("x", "");
    for (to, from) in [("a/b", "l"), ("l/../../x", "m"), ("no/../x", "n"), ("a/b/c/../../../x", "o"), ("l/..", "p")] {
        place.link(to, from);
    }
    for (path, expected) in [("m", "x"), ("n", "x"), ("o", "x"), ("p", "a"), ("p/b/c", "a/b/c"), ("l/../x", "x")] {
        assert_eq!(place.workspace.resolve(path).unwrap().as_str(), expected, "{path:?}");
    }
}

#[test]
fn as_many_links_are_followed_as_in_the_kernel() {
    let mut place = Place::new();
    place.put("0", "text");
    for link in 1..=41 {
        place.link((link - 1).to_string(), &link.to_string());
    }
    assert_eq!(place.read("40"), "1: text");
    assert_eq!(place.write("40", "new"), "File written: 40");
    assert!(place.read("41").starts_with("path_outside_workspace"));
    assert!(place.write("41", "new").starts_with("path_outside_workspace"));
}

#[test]
fn what_no_path_can_name_is_not_reached_through_a_link_either() {
    use std::os::unix::ffi::OsStrExt as _;
    let mut place = Place::new();
    for (number, name) in [&b"caf\xe9"[..], b"~", b"c:x", b".dispatch-0123456789abcdef.tmp"].into_iter().enumerate() {
        let name = std::ffi::OsStr::from_bytes(name);
        fs::write(place.inside("").join(name), "text").unwrap();
        place.link(name, &number.to_string());
        assert!(place.read(&number.to_string()).starts_with("path_outside_workspace"), "{name:?}");
    }
}

/// Writes to one path, and reads another, within one call.
fn check_in_one_call(written: &'static str, read: &'static str) {
    let mut place = place();
    let told = act(&mut place.workspace, move |view| {
        view.write(written, "new".to_owned())?;
        assert_eq!(view.read_text(read)?, "new", "{written:?}, {read:?}");
        Ok(())
    });
    assert_eq!(told, "done", "{written:?}, {read:?}");
    assert_eq!(place.bytes(read), b"new");
}

#[test]
fn what_a_call_wrote_by_one_path_it_reads_by_another() {
    for written in WAYS {
        for read in WAYS {
            check_in_one_call(written, read);
        }
    }
    check_in_one_call("dangling", "later");
    check_in_one_call("later", "dangling");
    check_in_one_call("short/new/a", "d/e/new/a");
}

#[test]
fn of_two_writes_to_one_file_the_later_stays() {
    let mut place = place();
    let told = act(&mut place.workspace, |view| {
        view.write("link", "one".to_owned())?;
        view.write("d/e/file", "other".to_owned())
    });
    assert_eq!((&*told, place.bytes("link")), ("done", b"other".to_vec()));
    assert_eq!(place.all()["link"], "-> d/e/file");
}

#[test]
fn what_was_read_by_one_path_is_not_overwritten_unseen_by_another() {
    for (read, written) in [("link", "d/e/file"), ("short/file", "chain"), ("d/e/file", "d/up")] {
        let mut place = place();
        let file = place.inside("d/e/file");
        let told = act(&mut place.workspace, move |view| {
            view.read_text(read)?;
            fs::write(&file, "somebody else's").unwrap();
            view.write(written, "new".to_owned())
        });
        assert_eq!((&*told, place.bytes("d/e/file")), (CONFLICT, b"somebody else's".to_vec()), "{read:?}, {written:?}");
    }
}

#[test]
fn a_path_of_a_call_leads_to_one_place_whatever_becomes_of_its_links() {
    for swapped_to in ["other", "../secret", "nowhere"] {
        let mut place = place();
        place.put("other", "old");
        let link = place.inside("link");
        let told = act(&mut place.workspace, move |view| {
            view.read_text("link")?;
            fs::remove_file(&link).unwrap();
            std::os::unix::fs::symlink(swapped_to, &link).unwrap();
            view.write("link", "new".to_owned())
        });
        assert_eq!((&*told, place.bytes("d/e/file"), place.bytes("other")), ("done", b"new".to_vec(), b"old".to_vec()));
        place.assert_outside_is_as_it_was();
    }
}

#[test]
fn what_becomes_a_link_before_it_is_written_is_a_conflict() {
    for target in ["d/e/file", "../secret", "new"] {
        let mut place = Place::new();
        place.put("d/e/file", "old");
        let link = place.inside("new");
        let told = act(&mut place.workspace, move |view| {
            view.write("new", "text".to_owned())?;
            std::os::unix::fs::symlink(target, &link).unwrap();
            Ok(())
        });
        assert_eq!((&*told, place.bytes("d/e/file")), (CONFLICT, b"old".to_vec()), "{target:?}");
        place.assert_outside_is_as_it_was();
    }
}

#[test]
fn what_is_kept_apart_is_seen_by_every_path_of_the_file() {
    for written in WAYS {
        for read in WAYS {
            let place = place();
            let all = place.all();
            let below = dispatch_host::DirectoryWorkspace::open(place.inside("")).unwrap();
            let mut overlay = Overlay::new(Box::new(below));
            call(&mut overlay, "write_file", &[("path", written), ("content", "new")]);
            assert_eq!(call(&mut overlay, "read_file", &[("path", read)]), "1: new", "{written:?}, {read:?}");
            assert_eq!(place.all(), all);
        }
    }
}

#[test]
fn a_link_to_what_is_not_there_yet_is_written_through() {
    let mut place = Place::new();
    place.link("later", "link");
    place.link("no/where", "far");
    place.link("d/x", "deep");
    assert!(place.read("link").starts_with("file_not_found"));
    assert_eq!(place.write("link", "text"), "File written: link");
    assert_eq!(place.bytes("later"), b"text");
    assert!(place.read("far").starts_with("file_not_found"));
    assert_eq!(place.write("far", "text"), "File written: far");
    assert_eq!(place.read("no/where"), "1: text");
    assert_eq!(place.write("deep/below/a", "text"), "File written: deep/below/a");
    assert_eq!(place.bytes("d/x/below/a"), b"text");
}

#[test]
fn a_failure_tells_of_the_path_that_was_given() {
    let mut place = place();
    let told = act_explained(&mut place.workspace, |view| tools::read_lines(view, "link/below", None, None).map(drop));
    assert!(told.contains(r#""link" is a file: nothing lies below it"#), "{told}");
}

#[test]
fn a_directory_that_a_link_leads_to_is_listed_with_what_the_call_wrote() {
    let mut place = place();
    let told = act(&mut place.workspace, |view| {
        view.write("short/new", String::new())?;
        for directory in ["short", "d/e", "d/self/e"] {
            let listed = view.snapshot().list(&view.resolve(directory)?)?;
            let names: Vec<_> = listed.iter().map(|(path, _)| path.name()).collect();
            assert_eq!(names, ["file", "new"], "{directory:?}");
        }
        Ok(())
    });
    assert_eq!(told, "done");
}
