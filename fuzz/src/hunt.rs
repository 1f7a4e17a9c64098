//! One text after the other, until time is up or something does not hold.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use crate::corpus::Corpus;
use crate::mutate::mutate;
use crate::random::Random;
use crate::targets::{TARGETS, Target};

/// The longest that one text may take. All of them take a fraction of it, unless something grows faster than its text.
const LONGEST: Duration = Duration::from_secs(5);

/// Says which texts are tried.
#[derive(Debug, Clone, Copy)]
pub struct Hunt {
    /// What the texts follow from.
    pub seed: u64,
    /// The place of the first text.
    pub from: u64,
    /// How many texts are tried. `None`: as many as there is time for.
    pub count: Option<u64>,
    /// How long.
    pub time: Duration,
}

/// A text for which something does not hold.
#[derive(Debug, Clone)]
pub struct Find {
    /// The target.
    pub target: &'static str,
    /// The seed, and the place of the text among its texts.
    pub seed: u64,
    /// The place of the text.
    pub place: u64,
    /// What does not hold.
    pub fault: String,
    /// The text, made as short as could be.
    pub text: Vec<u8>,
}

impl Hunt {
    /// Tries texts, and returns how many were tried, or the first for which something does not hold.
    ///
    /// `before` hears of each text before it is tried: should the process die of it, that is all that is left.
    ///
    /// # Errors
    ///
    /// A [`Find`].
    pub fn run(&self, corpus: &Corpus, mut before: impl FnMut(u64)) -> Result<u64, Box<Find>> {
        let start = Instant::now();
        let mut tried = 0;
        while self.count.is_none_or(|count| tried < count) && start.elapsed() < self.time {
            let place = self.from + tried;
            before(place);
            let (target, text) = text_at(self.seed, place, corpus);
            if let Some(fault) = fault(target, &text) {
                let text = shortened(target, text);
                return Err(Box::new(Find { target: target.name, seed: self.seed, place, fault, text }));
            }
            tried += 1;
        }
        Ok(tried)
    }
}

/// Returns a text of a seed, and what it is for. The targets take turns.
pub fn text_at(seed: u64, place: u64, corpus: &Corpus) -> (&'static Target, Vec<u8>) {
    let mut random = Random::new(seed, place);
    let [first, ..] = &TARGETS;
    let turn = usize::try_from(place % TARGETS.len() as u64).unwrap_or_default();
    let target = TARGETS.get(turn).unwrap_or(first);
    (target, mutate((target.seeds)(corpus), corpus, &mut random))
}

/// Returns what does not hold for a text: a check, that nothing panics, or that it does not take long.
pub fn fault(target: &Target, text: &[u8]) -> Option<String> {
    let start = Instant::now();
    let checked = catch_unwind(AssertUnwindSafe(|| (target.check)(text)));
    let took = start.elapsed();
    match checked {
        Ok(Ok(())) => (took > LONGEST).then(|| format!("it took {} seconds", took.as_secs())),
        Ok(Err(fault)) => Some(fault),
        Err(panic) => Some(format!("a panic: {}", panic_text(&*panic))),
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a text")
}

/// Takes parts out of a text as long as something still does not hold for it: halves first, single bytes last.
fn shortened(target: &Target, mut text: Vec<u8>) -> Vec<u8> {
    let mut part = text.len().div_ceil(2);
    while part > 0 {
        let mut start = 0;
        while start < text.len() {
            let mut shorter = text.clone();
            drop(shorter.drain(start..(start + part).min(text.len())));
            if fault(target, &shorter).is_some() {
                text = shorter;
            } else {
                start += part;
            }
        }
        part = if part == 1 { 0 } else { part.div_ceil(2) };
    }
    text
}

/// It says what does not hold, for which text, and how to see it again.
impl fmt::Display for Find {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { target, seed, place, fault, text } = self;
        writeln!(f, "{target}: {fault}")?;
        writeln!(f, "  text       b\"{}\"", text.escape_ascii())?;
        write!(f, "  again      cargo xtask fuzz-smoke --seed {seed} --from {place} --count 1")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_B: Target = Target {
        name: "no_b",
        seeds: |corpus| &corpus.requests,
        check: |text| if text.contains(&b'b') { Err("a b".to_owned()) } else { Ok(()) },
    };

    #[test]
    fn a_fault_is_found_and_its_text_made_short() {
        assert_eq!(fault(&NO_B, b"aaca"), None);
        assert_eq!(fault(&NO_B, b"aaba"), Some("a b".to_owned()));
        assert_eq!(shortened(&NO_B, b"aaaaaaaaaabaaaaaa".to_vec()), b"b");
    }

    #[test]
    fn a_panic_is_a_fault() {
        let panics = Target { check: |_| std::panic::resume_unwind(Box::new("oh")), ..NO_B };
        assert_eq!(fault(&panics, b""), Some("a panic: oh".to_owned()));
    }

    #[test]
    fn a_seed_gives_the_same_texts_from_wherever_it_is_entered() {
        let corpus = Corpus { requests: vec![b"{\"a\":[1,2,3]}".to_vec()], ..Corpus::default() };
        let texts =
            |from: u64| (from..2 * TARGETS.len() as u64).map(|place| text_at(7, place, &corpus).1).collect::<Vec<_>>();
        assert_eq!(texts(0)[10..], texts(10)[..]);
        assert!(texts(0).iter().collect::<std::collections::BTreeSet<_>>().len() > 10);
    }

    #[test]
    fn what_is_found_can_be_seen_again() {
        let find = Find { target: "no_b", seed: 7, place: 3, fault: "a b".to_owned(), text: b"\"b\xff".to_vec() };
        let expected =
            "no_b: a b\n  text       b\"\\\"b\\xff\"\n  again      cargo xtask fuzz-smoke --seed 7 --from 3 --count 1";
        assert_eq!(find.to_string(), expected);
    }
}
