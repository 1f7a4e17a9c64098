//! Patterns for a name: one part of a path.

use super::atoms::Atom;

/// A pattern for a name.
#[derive(Debug)]
pub(super) struct Name(Vec<Atom>);

/// Letters, or all letters but these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Class {
    pub(super) is_negated: bool,
    pub(super) ranges: Vec<(char, char)>,
}

impl Name {
    pub(super) fn new(mut atoms: Vec<Atom>) -> Self {
        atoms.dedup_by(|a, b| matches!((a, b), (Atom::AnyText, Atom::AnyText)));
        Self(atoms)
    }

    /// Whether the pattern names a hidden name as such: by its `.`. The directory of Git is named by its whole name alone.
    pub(super) fn names_hidden(&self, name: &str) -> bool {
        if name == ".git" {
            return self.0.iter().all(|atom| matches!(atom, Atom::Letter(_)));
        }
        self.0.first() == Some(&Atom::Letter('.'))
    }

    /// Whether the pattern fits the whole of a name.
    ///
    /// Where it does not, the last `*` takes a letter more: those before it need not, since what is behind them fits already.
    pub(super) fn fits(&self, name: &str) -> bool {
        let (mut atoms, mut rest) = (self.0.as_slice(), name.chars());
        let mut last_star = None;
        loop {
            let letter = rest.clone().next();
            match (atoms.split_first(), letter) {
                (Some((Atom::AnyText, behind)), _) => {
                    last_star = Some((behind, rest.clone()));
                    atoms = behind;
                }
                (Some((atom, behind)), Some(letter)) if atom.fits(letter) => {
                    rest.next();
                    atoms = behind;
                }
                (None, None) => return true,
                _ => {
                    let Some((behind, taken)) = &mut last_star else { return false };
                    if taken.next().is_none() {
                        return false;
                    }
                    (atoms, rest) = (*behind, taken.clone());
                }
            }
        }
    }
}

impl Atom {
    fn fits(&self, letter: char) -> bool {
        match self {
            Self::Letter(own) => *own == letter,
            Self::AnyLetter => true,
            Self::Class(class) => class.has(letter),
            Self::Separator | Self::AnyText => false,
        }
    }
}

impl Class {
    fn has(&self, letter: char) -> bool {
        self.ranges.iter().any(|(first, last)| (*first..=*last).contains(&letter)) != self.is_negated
    }
}
