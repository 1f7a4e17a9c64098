//! The letters of a pattern, read one by one, with its braces written out.

use std::iter::Peekable;
use std::str::Chars;

use super::name::Class;
use super::{MOST_ATOMS, PatternError};

/// What a pattern is made of, braces aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Atom {
    /// `/`
    Separator,
    /// `?`
    AnyLetter,
    /// `*`
    AnyText,
    /// `[a-z]`
    Class(Class),
    Letter(char),
}

/// An atom, and the place of its first character in the pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Placed {
    pub(super) atom: Atom,
    pub(super) place: usize,
}

type Alternatives = Vec<Vec<Placed>>;

/// A brace that is open.
struct Open {
    place: usize,
    /// What stands before it.
    before: Alternatives,
    /// What stood in it before the last comma.
    chosen: Alternatives,
}

struct Reader<'t> {
    rest: Peekable<Chars<'t>>,
    /// The place of the next character.
    place: usize,
    /// What was read since the innermost open brace or its last comma.
    current: Alternatives,
    open: Vec<Open>,
}

/// Reads a pattern. Each way through its braces comes out as a pattern of its own.
pub(super) fn read(text: &str) -> Result<Alternatives, PatternError> {
    let mut reader = Reader { rest: text.chars().peekable(), place: 0, current: nothing(), open: Vec::new() };
    while let Some(letter) = reader.next() {
        reader.letter(letter)?;
    }
    match reader.open.last() {
        Some(open) => Err(PatternError::new(open.place, "this `{` is not closed; `\\{` means the letter")),
        None => Ok(reader.current),
    }
}

/// One alternative, empty as yet.
fn nothing() -> Alternatives {
    vec![Vec::new()]
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        self.place += 1;
        self.rest.next()
    }

    fn letter(&mut self, letter: char) -> Result<(), PatternError> {
        let place = self.place - 1;
        let atom = match letter {
            '{' => return self.open(place),
            '}' => return self.close(place),
            ',' if !self.open.is_empty() => return self.choose(place),
            '/' => Atom::Separator,
            '?' => Atom::AnyLetter,
            '*' => Atom::AnyText,
            '[' => Atom::Class(self.class(place)?),
            letter => Atom::Letter(self.unescaped(letter)?),
        };
        self.push(place, &atom)
    }

    fn push(&mut self, place: usize, atom: &Atom) -> Result<(), PatternError> {
        for alternative in &mut self.current {
            alternative.push(Placed { atom: atom.clone(), place });
        }
        bounded(size(&self.current), place)
    }

    #[expect(clippy::unnecessary_wraps, reason = "one of three that answer alike")]
    fn open(&mut self, place: usize) -> Result<(), PatternError> {
        let before = std::mem::replace(&mut self.current, nothing());
        self.open.push(Open { place, before, chosen: Vec::new() });
        Ok(())
    }

    /// Ends one of the texts in the innermost brace.
    fn choose(&mut self, place: usize) -> Result<(), PatternError> {
        let unopened = || PatternError::new(place, "this `}` closes nothing; `\\}` means the letter");
        let open = self.open.last_mut().ok_or_else(unopened)?;
        open.chosen.append(&mut self.current);
        self.current = nothing();
        bounded(size(&open.chosen), place)
    }

    fn close(&mut self, place: usize) -> Result<(), PatternError> {
        self.choose(place)?;
        let Some(Open { before, chosen, .. }) = self.open.pop() else { return Ok(()) };
        bounded(size(&before).saturating_mul(chosen.len()), place)?;
        bounded(size(&chosen).saturating_mul(before.len()), place)?;
        let joined =
            |before: &Vec<Placed>| chosen.iter().map(|chosen| [&before[..], chosen].concat()).collect::<Vec<_>>();
        self.current = before.iter().flat_map(joined).collect();
        Ok(())
    }

    /// What a letter means: one that is escaped itself.
    fn unescaped(&mut self, letter: char) -> Result<char, PatternError> {
        let place = self.place - 1;
        if letter != '\\' {
            return Ok(letter);
        }
        self.next().ok_or_else(|| PatternError::new(place, "nothing is behind this `\\`; `\\\\` means the letter"))
    }

    /// Reads a class from behind its `[`.
    fn class(&mut self, start: usize) -> Result<Class, PatternError> {
        let is_negated = self.rest.next_if(|letter| matches!(letter, '!' | '^')).is_some();
        self.place += usize::from(is_negated);
        let mut ranges = Vec::new();
        loop {
            let place = self.place;
            match self.in_class(start)? {
                ']' if !ranges.is_empty() => return Ok(Class { is_negated, ranges }),
                '[' if self.rest.peek() == Some(&':') => {
                    return Err(PatternError::new(place, "a class lists letters and ranges, and knows no names"));
                }
                letter => ranges.push(self.range(start, place, letter)?),
            }
        }
    }

    /// Reads on from the first letter of what may be a range.
    fn range(&mut self, start: usize, place: usize, letter: char) -> Result<(char, char), PatternError> {
        let first = self.unescaped(letter)?;
        let mut ahead = self.rest.clone();
        if ahead.next() != Some('-') || ahead.next() == Some(']') {
            return Ok((first, first));
        }
        self.next();
        let letter = self.in_class(start)?;
        let last = self.unescaped(letter)?;
        if first <= last {
            Ok((first, last))
        } else {
            Err(PatternError::new(place, "this range ends before it begins"))
        }
    }

    fn in_class(&mut self, start: usize) -> Result<char, PatternError> {
        self.next().ok_or_else(|| PatternError::new(start, "this `[` is not closed; `\\[` means the letter"))
    }
}

/// How many atoms there are, each alternative counting as one more.
fn size(alternatives: &Alternatives) -> usize {
    alternatives.iter().map(|atoms| atoms.len() + 1).sum()
}

fn bounded(atoms: usize, place: usize) -> Result<(), PatternError> {
    if atoms <= MOST_ATOMS {
        return Ok(());
    }
    Err(PatternError::new(place, "up to here the pattern is too long, its braces written out"))
}
