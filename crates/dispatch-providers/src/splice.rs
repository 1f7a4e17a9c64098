//! Putting values into a text: all else in it stays to the letter.

use std::ops::Range;

use dispatch_core::json::Node;

/// Changes to one text, which do not overlap.
#[derive(Debug, Default)]
pub(crate) struct Splices {
    changes: Vec<(Range<usize>, String)>,
}

/// An array that elements are put into: the bytes at which its own stand, found once for all of them.
#[derive(Debug)]
pub(crate) struct Slots {
    start: usize,
    elements: Vec<Range<usize>>,
}

impl Slots {
    pub(crate) fn of(array: Node<'_>) -> Self {
        Self { start: array.span().start + 1, elements: array.elements().map(Node::span).collect() }
    }
}

impl Splices {
    /// Puts elements into an array, before the one at a place, or after the last. They are to be at least one.
    pub(crate) fn insert(&mut self, array: &Slots, before: usize, elements: &[String]) {
        let elements = elements.join(",");
        let (at, inserted) = match (array.elements.get(before), array.elements.last()) {
            (Some(next), _) => (next.start, format!("{elements},")),
            (None, Some(last)) => (last.end, format!(",{elements}")),
            (None, None) => (array.start, elements),
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
