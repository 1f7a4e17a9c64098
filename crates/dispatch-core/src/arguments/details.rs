//! What is wrong with arguments, and where: as much of it as can be told.

use crate::failure::Detail;
use crate::json::{JsonPath, Segment};

/// Where a value stands, as a chain of steps: a path is made of it only for an error.
#[derive(Clone, Copy)]
pub(super) enum Place<'p> {
    Root,
    Member(&'p Place<'p>, &'p str),
    Index(&'p Place<'p>, usize),
}

impl Place<'_> {
    pub(super) fn path(&self) -> JsonPath {
        let mut segments: Vec<_> =
            std::iter::successors(Some(self), |place| place.outer()).filter_map(Place::segment).collect();
        segments.reverse();
        segments.into_iter().collect()
    }

    fn outer(&self) -> Option<&Self> {
        match self {
            Self::Root => None,
            Self::Member(outer, _) | Self::Index(outer, _) => Some(outer),
        }
    }

    fn segment(&self) -> Option<Segment> {
        match self {
            Self::Root => None,
            Self::Member(_, name) => Some(Segment::Member((*name).to_owned())),
            Self::Index(_, index) => Some(Segment::Index(*index)),
        }
    }

    /// The length of the path in bytes: of its names as they are, and one for a position.
    fn len(&self) -> usize {
        let step = |place: &Self| match place {
            Self::Root => 0,
            Self::Member(_, name) => name.len(),
            Self::Index(..) => 1,
        };
        std::iter::successors(Some(self), |place| place.outer()).map(step).sum()
    }
}

/// The most bytes of paths and messages that are told of one call: far more than a model reads, and little enough to send.
///
/// Without a bound, arguments with a long name around many faults would give back a multiple of what was sent.
const MOST_BYTES: usize = 1 << 20;

/// The faults found so far.
#[derive(Debug, Default)]
pub(super) struct Details {
    told: Vec<Detail>,
    told_bytes: usize,
    untold: usize,
}

impl Details {
    pub(super) fn tell(&mut self, place: &Place<'_>, message: String) {
        let bytes = place.len() + message.len();
        if self.told_bytes + bytes > MOST_BYTES {
            self.untold += 1;
            return;
        }
        self.told_bytes += bytes;
        self.told.push(Detail { path: place.path(), message });
    }

    pub(super) fn len(&self) -> usize {
        self.told.len() + self.untold
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Forgets what was told after so many faults.
    pub(super) fn truncate(&mut self, len: usize) {
        let forgotten = self.len().saturating_sub(len);
        self.untold = self.untold.saturating_sub(forgotten);
        self.told.truncate(len);
    }

    /// Returns the faults. Where there were too many to tell, the last entry says how many are missing.
    pub(super) fn told(self) -> Vec<Detail> {
        let Self { mut told, untold, .. } = self;
        if untold > 0 {
            let faults = if untold == 1 { "fault" } else { "faults" };
            told.push(Detail { path: JsonPath::root(), message: format!("and {untold} more {faults}") });
        }
        told
    }
}
