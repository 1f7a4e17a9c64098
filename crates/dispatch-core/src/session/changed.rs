//! The files that a call changed.

use std::collections::BTreeMap;

use super::digest::Digest;
use crate::workspace::Content;

/// The files that a call changed, sorted by path. A call changes few.
#[derive(Debug, Default)]
pub(super) struct Changed(Vec<Change>);

/// A file that a call changed.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) path: String,
    /// Of what it holds now.
    pub(super) digest: Digest,
    /// What it held before, for who wants to show what was changed; none where there was no file.
    pub(super) before: Option<Content>,
}

impl Changed {
    pub(super) fn iter(&self) -> impl Iterator<Item = &Change> {
        self.0.iter()
    }

    pub(super) fn holds(&self, path: &str) -> bool {
        self.0.iter().any(|change| change.path == path)
    }

    /// Takes what was changed. Of a file that is changed again, what it held before the call stays.
    pub(super) fn add(&mut self, change: Change) {
        let place = self.0.binary_search_by(|known| known.path.cmp(&change.path));
        match place.map(|place| self.0.get_mut(place)) {
            Ok(Some(known)) => known.digest = change.digest,
            Ok(None) => {}
            Err(place) => self.0.insert(place, change),
        }
    }

    /// Returns what the files held before.
    pub(super) fn into_texts(self) -> BTreeMap<String, Option<String>> {
        self.0.into_iter().map(|change| (change.path, change.before.map(Content::into_text))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_file_that_is_changed_again_the_first_text_stays() {
        let mut changed = Changed::default();
        for (path, before, now) in [("b", None, "1"), ("a", Some("x"), "2"), ("b", Some("1"), "3")] {
            let before = before.map(|text| Content::Text(text.to_owned()));
            changed.add(Change { path: path.to_owned(), digest: Digest::of(now), before });
        }
        let digests: Vec<_> = changed.iter().map(|change| (change.path.as_str(), change.digest)).collect();
        assert_eq!(digests, [("a", Digest::of("2")), ("b", Digest::of("3"))]);
        assert!(changed.holds("b") && !changed.holds("c"));
        let texts: Vec<_> = changed.into_texts().into_iter().collect();
        assert_eq!(texts, [("a".to_owned(), Some("x".to_owned())), ("b".to_owned(), None)]);
    }
}
