//! What a directory can do wrong where a workspace in memory can't.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use crate::flawed_directory::write_whole;

/// Ends the last line of whatever it writes, as editors do.
pub(crate) fn write_with_a_line_feed(place: &Path, text: &str) -> io::Result<()> {
    let end = if text.ends_with('\n') { "" } else { "\n" };
    write_whole(place, &format!("{text}{end}"))
}

/// Takes for granted that the directory is there.
pub(crate) fn write_without_parents(place: &Path, text: &str) -> io::Result<()> {
    fs::write(place, text)
}

/// Writes over what was there, and forgets to cut it off.
pub(crate) fn write_over(place: &Path, text: &str) -> io::Result<()> {
    place.parent().map_or(Ok(()), fs::create_dir_all)?;
    let mut file = OpenOptions::new().write(true).create(true).truncate(false).open(place)?;
    file.write_all(text.as_bytes())
}

/// Makes the directories of a file that somebody only asks about.
pub(crate) fn make_parents(place: &Path) -> io::Result<()> {
    place.parent().map_or(Ok(()), fs::create_dir_all)
}

/// Reads as text mode does where lines end otherwise.
pub(crate) fn read_line_feeds_alone(text: &str) -> String {
    text.replace("\r\n", "\n")
}
