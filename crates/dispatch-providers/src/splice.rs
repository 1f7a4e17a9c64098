//! Putting values into a text: all else in it stays to the letter.

use std::ops::Range;

use dispatch_core::json::Node;

/// Changes to one text, which do not overlap.
#[derive(Debug, Default)]
pub(crate) struct Splices {
    changes: Vec<(Range<usize>, String)>,
}

impl Splices {
    /// Puts elements into an array, before the one at a place, or after the last. They are to be at least one.
    pub(crate) fn insert(&mut self, array: Node<'_>, before: usize, elements: &[String]) {
        let elements = elements.join(",");
        let (at, inserted) = match (array.elements().nth(before), array.elements().last()) {
            (Some(next), _) => (next.span().start, format!("{elements},")),
            (None, Some(last)) => (last.span().end, format!(",{elements}")),
            (None, None) => (array.span().start + 1, elements),
        };
        self.changes.push((at..at, inserted));
    }

    /// Puts a text where a value stands.
    pub(crate) fn replace(&mut self, value: Node<'_>, by: String) {
        self.changes.push((value.span(), by));
    }

    /// Returns the text with all changes made, and a newline at its end.
    pub(crate) fn applied_to(mut self, text: &str) -> String {
        self.changes.sort_by_key(|(range, _)| range.start);
        let (mut changed, mut done) = (String::with_capacity(text.len()), 0);
        for (range, by) in self.changes {
            changed.push_str(text.get(done..range.start).unwrap_or_default());
            changed.push_str(&by);
            done = range.end;
        }
        changed.push_str(text.get(done..).unwrap_or_default());
        if !changed.ends_with('\n') {
            changed.push('\n');
        }
        changed
    }
}
