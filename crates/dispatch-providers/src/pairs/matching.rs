//! Finding each party's other one, in a few passes over the text. **No pass looks at a call or a result more than a few times**, so that the work
//! grows with the conversation and no faster.

use std::collections::{HashMap, HashSet, VecDeque};

use super::{CallAt, Pairs, ResultAt};

/// For each result the place of its call, or of something else that is found of it.
type Found = Vec<Option<usize>>;

impl Pairs<'_> {
    pub(super) fn pair(&mut self) {
        self.join(&by_id(&self.calls, &self.results));
        if !self.history_is_elsewhere {
            self.join(&asked_after(&self.calls, &self.results));
        }
        // Only what no id pairs is left to the position.
        self.join(&by_position(self));
        self.mark_ids_taken();
        self.mark_overtaken();
        self.mark_taken();
    }

    fn join(&mut self, found: &[Option<usize>]) {
        for (place, (result, found)) in self.results.iter_mut().zip(found).enumerate() {
            if let Some(call) = found.and_then(|found| self.calls.get_mut(found)) {
                call.answer = Some(place);
                result.call = *found;
            }
        }
    }

    fn mark_ids_taken(&mut self) {
        let taken = ids_taken(self);
        self.calls.iter_mut().zip(taken).for_each(|(call, by)| call.id_taken_by = by);
    }

    fn mark_overtaken(&mut self) {
        let mut latest = None;
        for result in &mut self.results {
            let Some(call) = result.call.and_then(|call| self.calls.get(call)) else { continue };
            let id = result.answered.id.as_deref();
            if id.is_none() || id != call.asked.call.id() {
                result.is_overtaken = result.call < latest;
                latest = latest.max(result.call);
            }
        }
    }

    fn mark_taken(&mut self) {
        let last = last_fitting(&self.calls, &self.results);
        let answer = |call: Option<usize>| self.calls.get(call?)?.answer;
        self.results.iter_mut().zip(last).for_each(|(result, call)| result.taken_by = answer(call));
    }
}

/// The calls with their places, taken up as a reader comes by them.
struct Passing<'p, 'c> {
    calls: &'p [CallAt<'c>],
    passed: usize,
}

impl<'p, 'c> Passing<'p, 'c> {
    fn of(calls: &'p [CallAt<'c>]) -> Self {
        Self { calls, passed: 0 }
    }

    /// Returns the next calls that are asked no later than a result is given.
    fn until(&mut self, result: &ResultAt<'_>) -> impl Iterator<Item = (usize, &'p CallAt<'c>)> {
        std::iter::from_fn(|| {
            let call = self.calls.get(self.passed).filter(|call| call.message <= result.message)?;
            self.passed += 1;
            Some((self.passed - 1, call))
        })
    }
}

/// Finds the call with each result's id: that of the latest turn, and of several there the first.
fn by_id(calls: &[CallAt<'_>], results: &[ResultAt<'_>]) -> Found {
    let (mut passing, mut open) = (Passing::of(calls), HashMap::<&str, Vec<OfTurn>>::new());
    let find = |result: &ResultAt<'_>| {
        for (place, call) in passing.until(result) {
            if let Some(id) = call.asked.call.id() {
                put(open.entry(id).or_default(), call.turn, place);
            }
        }
        take(open.get_mut(result.answered.id.as_deref()?)?)
    };
    results.iter().map(find).collect()
}

/// Calls of one turn that have no result yet.
struct OfTurn {
    turn: usize,
    calls: VecDeque<usize>,
}

fn put(turns: &mut Vec<OfTurn>, turn: usize, call: usize) {
    match turns.last_mut().filter(|last| last.turn == turn) {
        Some(last) => last.calls.push_back(call),
        None => turns.push(OfTurn { turn, calls: VecDeque::from([call]) }),
    }
}

fn take(turns: &mut Vec<OfTurn>) -> Option<usize> {
    let latest = turns.last_mut()?;
    let call = latest.calls.pop_front();
    if latest.calls.is_empty() {
        turns.pop();
    }
    call
}

/// Finds the call that each result is for that no id pairs: in the latest turn the first of its tool that has no result yet, and no id either if
/// there is such a call.
///
/// Clients drop the ids of results, or [make some up](https://github.com/google-gemini/gemini-cli/issues/6974) where calls have none. A result
/// with such an id is not for a call that has another.
fn by_position<'c>(pairs: &Pairs<'c>) -> Found {
    let calls = &pairs.calls;
    let ids: HashSet<&str> = calls.iter().filter_map(|call| call.asked.call.id()).collect();
    let mut open = OpenInTurn { ambiguous: ambiguous_ids(calls), ..OpenInTurn::default() };
    let mut passing = Passing::of(calls);
    let find = |result: &ResultAt<'c>| {
        passing.until(result).for_each(|(place, call)| open.put(place, call));
        let (tool, id) = (result.answered.tool.as_deref()?, result.answered.id.as_deref());
        let is_for_another = id.is_some_and(|id| pairs.history_is_elsewhere || ids.contains(id));
        if is_for_another { None } else { open.take(tool, id.is_none()) }
    };
    pairs.results.iter().map(find).collect()
}

/// Returns the ids that several calls of one turn have, with that turn. Such calls are for results with the id alone: one that a repair puts in takes the
/// first of them, and would drive a result that was paired with it by position to another call, or to none.
fn ambiguous_ids<'c>(calls: &[CallAt<'c>]) -> HashSet<(usize, &'c str)> {
    let mut seen = HashSet::new();
    let ids = calls.iter().filter_map(|call| Some((call.turn, call.asked.call.id()?)));
    ids.filter(|id| !seen.insert(*id)).collect()
}

/// The calls of the latest turn that have no result yet, and may have one by its position.
#[derive(Default)]
struct OpenInTurn<'c> {
    ambiguous: HashSet<(usize, &'c str)>,
    turn: Option<usize>,
    /// Those without an id, then those with one.
    by_tool: HashMap<&'c str, [VecDeque<usize>; 2]>,
}

impl<'c> OpenInTurn<'c> {
    fn put(&mut self, place: usize, call: &CallAt<'c>) {
        if self.turn.replace(call.turn) != Some(call.turn) {
            self.by_tool.clear();
        }
        let id = call.asked.call.id();
        if call.is_open() && !id.is_some_and(|id| self.ambiguous.contains(&(call.turn, id))) {
            let [without_id, with_id] = self.by_tool.entry(call.asked.call.tool()).or_default();
            let queue = if id.is_none() { without_id } else { with_id };
            queue.push_back(place);
        }
    }

    fn take(&mut self, tool: &str, may_have_id: bool) -> Option<usize> {
        let [without_id, with_id] = self.by_tool.get_mut(tool)?;
        without_id.pop_front().or_else(|| if may_have_id { with_id.pop_front() } else { None })
    }
}

/// Drops what stands at the front until something will do.
fn take_first(queue: &mut VecDeque<usize>, mut will_do: impl FnMut(usize) -> bool) -> Option<usize> {
    std::iter::from_fn(|| queue.pop_front()).find(|place| will_do(*place))
}

/// Finds the call that each result was given for too early. Only an id can tell.
fn asked_after(calls: &[CallAt<'_>], results: &[ResultAt<'_>]) -> Found {
    let mut open = HashMap::<&str, VecDeque<usize>>::new();
    for (place, call) in calls.iter().enumerate().filter(|(_, call)| call.is_open()) {
        if let Some(id) = call.asked.call.id() {
            open.entry(id).or_default().push_back(place);
        }
    }
    let find = |result: &ResultAt<'_>| {
        let id = result.answered.id.as_deref().filter(|_| result.call.is_none())?;
        let is_later = |place: usize| calls.get(place).is_some_and(|call| call.message > result.message);
        take_first(open.get_mut(id)?, is_later)
    };
    results.iter().map(find).collect()
}

/// Finds for each call one before it with the same id that had no result yet. One that is done stays done.
fn ids_taken<'c>(pairs: &Pairs<'c>) -> Found {
    let mut earlier = HashMap::<&str, VecDeque<usize>>::new();
    let find = |(place, call): (usize, &CallAt<'c>)| {
        let same = earlier.entry(call.asked.call.id()?).or_default();
        while same.front().and_then(|first| pairs.calls.get(*first)).is_some_and(|it| is_done(pairs, it, call)) {
            same.pop_front();
        }
        same.push_back(place);
        same.front().copied().filter(|first| *first != place)
    };
    pairs.calls.iter().enumerate().map(find).collect()
}

fn is_done(pairs: &Pairs<'_>, earlier: &CallAt<'_>, call: &CallAt<'_>) -> bool {
    pairs.answer_of(earlier).is_some_and(|result| (earlier.message..=call.message).contains(&result.message))
}

/// Finds for each result without a call the last that it fits, in the latest turn unless it has an id. All that it fits have results.
fn last_fitting<'c>(calls: &[CallAt<'c>], results: &[ResultAt<'c>]) -> Found {
    let mut passing = Passing::of(calls);
    let (mut by_id, mut by_tool, mut turn) = (HashMap::<&str, usize>::new(), HashMap::new(), None);
    let find = |result: &ResultAt<'c>| {
        for (place, call) in passing.until(result) {
            if turn.replace(call.turn) != Some(call.turn) {
                by_tool.clear();
            }
            by_id.extend(call.asked.call.id().map(|id| (id, place)));
            by_tool.insert(call.asked.call.tool(), place);
        }
        let answered = result.answered;
        let fitting = match &answered.id {
            Some(id) => by_id.get(id.as_str()),
            None => by_tool.get(answered.tool.as_deref()?),
        };
        fitting.copied().filter(|_| result.call.is_none())
    };
    results.iter().map(find).collect()
}
