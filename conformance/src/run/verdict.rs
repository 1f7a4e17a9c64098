//! What became of each case, and what that says of the levels.

use std::collections::BTreeMap;
use std::io;

use crate::case::{Case, Expectation};
use crate::judge::expects_silence;
use crate::level::Level;
use crate::run::asked::{Asked, Asker};
use crate::run::fault::Fault;
use crate::run::known::Known;
use crate::run::selection::{NotApplicable, Selection, Waived};
use crate::subject::Input;
use crate::yaml::Options;

/// Says what became of a case.
#[derive(Debug)]
pub enum Verdict {
    /// What came out is what the case expects.
    Passed,
    /// It is not, for these reasons.
    Failed(Vec<Fault>),
    /// It is not, and that is listed, for this reason.
    KnownFailure(String),
    /// It was not run.
    NotApplicable(NotApplicable),
}

/// Holds one case and what became of it.
#[derive(Debug)]
pub struct Outcome<'c> {
    /// The case.
    pub case: &'c Case,
    /// Its level.
    pub level: Level,
    /// What became of it.
    pub verdict: Verdict,
}

/// Holds what became of all cases that were selected.
#[derive(Debug)]
pub struct Outcomes<'c> {
    /// What became of each, in their order.
    pub each: Vec<Outcome<'c>>,
    /// How many were [asked again](crate::run::asked::Asked::again), each alone.
    pub asked_again: usize,
}

/// Counts what became of the cases of a level, or of all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many passed.
    pub passed: usize,
    /// How many failed, the known ones left out.
    pub failed: usize,
    /// How many failed and are listed.
    pub known_failures: usize,
    /// How many were not run.
    pub not_applicable: usize,
}

/// Puts the cases to a program that are selected and apply, and returns what became of all that are selected, in their order.
///
/// # Errors
///
/// The program could not be started.
pub fn run<'c>(
    asker: &Asker,
    cases: &'c [(Level, &'c Case)],
    selection: &Selection,
    waived: &Waived,
    known: &Known,
) -> io::Result<Outcomes<'c>> {
    let selected: Vec<_> = cases.iter().filter(|(level, case)| selection.holds(case, *level)).collect();
    let applies = |level, case: &Case| waived.excuse(case, level).is_none();
    let applicable: Vec<&Case> =
        selected.iter().filter(|(level, case)| applies(*level, case)).map(|(_, case)| *case).collect();
    let Asked { mut faults, again } = asker.ask(&applicable)?;
    let all: Vec<&Case> = cases.iter().filter(|(level, case)| applies(*level, case)).map(|(_, case)| *case).collect();
    unproven(asker, &all, &applicable, &mut faults)?;
    let mut faults = faults.into_iter();
    let outcomes = selected.into_iter().map(|(level, case)| {
        let name = case.full_name();
        let known = known.reason(&name);
        let verdict = match waived.excuse(case, *level) {
            Some(excuse) => excused(excuse, known),
            None => judged(faults.next().ok_or_else(|| io::Error::other(format!("`{name}` was not judged")))?, known),
        };
        Ok(Outcome { case, level: *level, verdict })
    });
    Ok(Outcomes { each: outcomes.collect::<io::Result<_>>()?, asked_again: again })
}

/// Finds those that passed by saying nothing where the program says nothing to what is right either, and tells of each.
fn unproven(asker: &Asker, all: &[&Case], applicable: &[&Case], faults: &mut [Vec<Fault>]) -> io::Result<()> {
    let mut answered = BTreeMap::new();
    for (case, faults) in
        applicable.iter().zip(faults).filter(|(case, faults)| faults.is_empty() && expects_silence(case))
    {
        let Some(right) = all.iter().find(|right| is_proof(right, case)) else { continue };
        let name = right.full_name();
        let is_answered = match answered.get(&name) {
            Some(is_answered) => *is_answered,
            None => asker.is_answered(right)?,
        };
        if !is_answered {
            faults.push(Fault::NothingIsAnswered(name.clone()));
        }
        answered.insert(name, is_answered);
    }
    Ok(())
}

/// Tells whether a case asks in the same form as another, and is to be answered. Words that are refused add to what has no option.
fn is_proof(right: &Case, case: &Case) -> bool {
    let form = |case: &Case| (case.options.replay, case.options.provider.clone(), Input::of_case(case).is_stream);
    let is_plain = case.options.words.is_empty() || right.options == Options::default();
    right.exit == 0 && form(right) == form(case) && is_plain && has_stdout(right)
}

fn has_stdout(case: &Case) -> bool {
    match &case.expectation {
        Expectation::Response(..) => true,
        Expectation::Messages(messages, _) => !messages.is_empty(),
        Expectation::Stdout(text) => !text.trim().is_empty(),
        Expectation::Answers(answers, _) => !answers.is_empty(),
        Expectation::Report(report, ..) => !report.is_empty(),
        Expectation::Failure(_) => false,
    }
}

fn excused(excuse: NotApplicable, known: Option<&str>) -> Verdict {
    match known {
        Some(why) => Verdict::Failed(vec![Fault::ListedAndNotApplicable(why.to_owned())]),
        None => Verdict::NotApplicable(excuse),
    }
}

fn judged(faults: Vec<Fault>, known: Option<&str>) -> Verdict {
    // That it fails as listed nobody has seen.
    let known = known.filter(|_| !faults.iter().any(|fault| matches!(fault, Fault::NotAsked(_))));
    match known.map(str::to_owned) {
        Some(why) if faults.is_empty() => Verdict::Failed(vec![Fault::ListedAndPasses(why)]),
        Some(why) => Verdict::KnownFailure(why),
        None if faults.is_empty() => Verdict::Passed,
        None => Verdict::Failed(faults),
    }
}

impl Tally {
    /// Counts outcomes.
    pub fn of<'o, 'c: 'o>(outcomes: impl IntoIterator<Item = &'o Outcome<'c>>) -> Self {
        let mut tally = Self::default();
        for outcome in outcomes {
            *match outcome.verdict {
                Verdict::Passed => &mut tally.passed,
                Verdict::Failed(_) => &mut tally.failed,
                Verdict::KnownFailure(_) => &mut tally.known_failures,
                Verdict::NotApplicable(_) => &mut tally.not_applicable,
            } += 1;
        }
        tally
    }

    /// Counts the outcomes of a level.
    pub fn of_level(outcomes: &[Outcome<'_>], level: Level) -> Self {
        Self::of(outcomes.iter().filter(|outcome| outcome.level == level))
    }

    /// Returns how many cases were run.
    pub fn asked(self) -> usize {
        self.passed + self.failed + self.known_failures
    }

    /// Tells whether nothing failed, known or not.
    pub fn is_clean(self) -> bool {
        self.failed + self.known_failures == 0
    }
}

/// Returns the highest level that is reached: some of its cases were run, and of them and of all levels before none failed. A level
/// of which nothing applies is passed over.
pub fn reached(outcomes: &[Outcome<'_>]) -> Option<Level> {
    let tallies = Level::ALL.map(|level| (level, Tally::of_level(outcomes, level)));
    let clean = tallies.into_iter().take_while(|(_, tally)| tally.is_clean());
    clean.filter(|(_, tally)| tally.asked() > 0).last().map(|(level, _)| level)
}

#[cfg(test)]
mod tests;
