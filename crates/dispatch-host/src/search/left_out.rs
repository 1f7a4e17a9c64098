//! What a search did not look at.

use dispatch_core::ErrorCode;
use dispatch_core::workspace::WorkspaceError;

/// How many files and directories were not looked at, of those that a pattern means or leads through.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LeftOut {
    /// Their names begin with `.`, and the pattern does not name them.
    pub(super) hidden: u64,
    /// An ignore file of the workspace names them.
    pub(super) ignored: u64,
    /// They hold what is no text.
    pub(super) binary: u64,
    /// They are larger than the workspace's limit.
    pub(super) too_large: u64,
    /// They can't be read.
    pub(super) unreadable: u64,
    /// No path can name them: their names are not UTF-8, say.
    pub(super) unnamed: u64,
}

impl LeftOut {
    /// Counts a file that was not read.
    #[expect(clippy::wildcard_enum_match_arm, reason = "whatever the reason, the file was not read")]
    pub(super) fn count(&mut self, error: &WorkspaceError) {
        match error.code() {
            ErrorCode::FileTooLarge => self.too_large += 1,
            _ => self.unreadable += 1,
        }
    }

    #[must_use]
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            hidden: self.hidden + other.hidden,
            ignored: self.ignored + other.ignored,
            binary: self.binary + other.binary,
            too_large: self.too_large + other.too_large,
            unreadable: self.unreadable + other.unreadable,
            unnamed: self.unnamed + other.unnamed,
        }
    }

    /// Says that a search came to nothing, and all that it did not look at: nobody may take what was left out for what is not there.
    pub(crate) fn nothing(self, what: &str) -> String {
        let by_description = [(self.hidden, "hidden"), (self.ignored, "ignored"), (self.binary, "binary")];
        let left_out = counted(by_description.into_iter().chain(self.in_trouble()));
        left_out.map_or_else(|| what.to_owned(), |left_out| format!("{what} ({left_out})"))
    }

    /// The line behind what a search found: what is missing there but for what a tool says of itself that it leaves out. Empty where nothing is.
    pub(crate) fn last_line(self, total: Option<String>) -> String {
        let told: Vec<String> = total.into_iter().chain(counted(self.in_trouble())).collect();
        if told.is_empty() { String::new() } else { format!("({})\n", told.join("; ")) }
    }

    fn in_trouble(self) -> [(u64, &'static str); 3] {
        [(self.too_large, "too large"), (self.unreadable, "unreadable"), (self.unnamed, "that no path can name")]
    }
}

fn counted(counts: impl IntoIterator<Item = (u64, &'static str)>) -> Option<String> {
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let counted: Vec<String> = counts.map(|(count, what)| format!("{count} {what}")).collect();
    (!counted.is_empty()).then(|| format!("left out: {}", counted.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_out_is_told_where_it_matters() {
        let all = LeftOut { hidden: 1, ignored: 2, binary: 3, too_large: 4, unreadable: 5, unnamed: 6 };
        let of_itself = LeftOut { too_large: 0, unreadable: 0, unnamed: 0, ..all };
        let in_trouble = "4 too large, 5 unreadable, 6 that no path can name";
        let nothing = format!("No files found (left out: 1 hidden, 2 ignored, 3 binary, {in_trouble})");
        assert_eq!(all.nothing("No files found"), nothing);
        assert_eq!(LeftOut::default().nothing("No files found"), "No files found");
        assert_eq!(all.last_line(None), format!("(left out: {in_trouble})\n"));
        assert_eq!(of_itself.last_line(None), "");
        assert_eq!(of_itself.last_line(Some("1 of 2".to_owned())), "(1 of 2)\n");
        assert_eq!(all.last_line(Some("1 of 2".to_owned())), format!("(1 of 2; left out: {in_trouble})\n"));
    }
}
