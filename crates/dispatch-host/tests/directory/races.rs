//! Somebody swaps files, directories and links while calls run: nothing outside is read, written, created or named.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use dispatch_core::workspace::{Workspace, WorkspacePath};
use rustix::fs::{CWD, RenameFlags, renameat_with};

use crate::support::{Place, SECRET, call};

#[test]
fn a_second_of_swaps_leads_nowhere_outside() {
    swaps_lead_nowhere_outside(Duration::from_secs(1));
}

#[test]
#[ignore = "takes long: `cargo xtask soak` runs it"]
fn half_a_minute_of_swaps_leads_nowhere_outside() {
    swaps_lead_nowhere_outside(Duration::from_secs(30));
}

/// Ends the swapping, also when an assertion fails.
struct Ends<'a>(&'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Puts each of two in the other's place, again and again, each time in one step.
fn swap(one: &Path, other: &Path, is_over: &AtomicBool) {
    while !is_over.load(Ordering::Relaxed) {
        // It fails while a directory on the way is swapped itself.
        let _ = renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE);
    }
}

/// A workspace, and what is swapped in it: what lies inside for a link that leads outside.
fn place_to_swap_in() -> (Place, [(PathBuf, PathBuf); 3]) {
    let place = Place::new();
    for file in ["file", "directory/a", "directory/deep/a", "directory/deep/deeper/a"] {
        place.put(file, "inside\n");
    }
    place.link("../secret", "link-to-file");
    place.link("../ws-secret", "link-to-directory");
    place.link("../..", "directory/link-up");
    let swapped =
        [("file", "link-to-file"), ("directory", "link-to-directory"), ("directory/deep", "directory/link-up")];
    let swapped = swapped.map(|(one, other)| (place.inside(one), place.inside(other)));
    (place, swapped)
}

fn swaps_lead_nowhere_outside(time: Duration) {
    let (mut place, swapped) = place_to_swap_in();
    let is_over = AtomicBool::new(false);
    let (mut refused, mut done) = (0, 0);
    thread::scope(|scope| {
        let _ends = Ends(&is_over);
        for (one, other) in &swapped {
            scope.spawn(|| swap(one, other, &is_over));
        }
        let end = Instant::now() + time;
        for round in 0.. {
            for told in calls(&mut place, round) {
                assert!(!told.contains("secret"), "{told}");
                *if told.starts_with("path_outside_workspace") { &mut refused } else { &mut done } += 1;
            }
            if Instant::now() > end {
                break;
            }
        }
    });
    assert!(refused > 10 && done > 10, "{refused} refused, {done} done");
    place.assert_outside_is_as_it_was();
}

/// Every way to look, read and write, and what was told.
fn calls(place: &mut Place, round: usize) -> Vec<String> {
    let mut told = Vec::new();
    for path in ["file", "directory/a", "directory/deep/a", "directory/deep/deeper/a", "link-to-directory/a"] {
        told.push(place.read(path));
        let patched = [("path", path), ("old_str", "i"), ("new_str", "i ")];
        told.push(call(&mut place.workspace, "patch_file", &patched));
        told.push(call(&mut place.workspace, "write_file", &[("path", path), ("content", "inside\n")]));
        let mut buffer = Vec::new();
        let read = place.workspace.read_into(&WorkspacePath::resolve(path).unwrap(), &mut buffer);
        assert!(read.is_err() || buffer != SECRET.as_bytes());
    }
    for directory in ["directory", "directory/deep", "link-to-directory"] {
        let new = format!("{directory}/{}/new", round % 1000);
        told.push(call(&mut place.workspace, "write_file", &[("path", &new), ("content", "inside\n")]));
        let listed = place.workspace.list(&WorkspacePath::resolve(directory).unwrap()).unwrap_or_default();
        assert!(listed.iter().all(|listed| !listed.name.contains("secret")), "{listed:?}");
    }
    told
}
