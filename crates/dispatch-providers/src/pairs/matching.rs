//! Finding each party's other one, in a few passes over the text. **No pass looks at a call or a result more than a few times**, so that the work
//! grows with the conversation and no faster.

use std::collections::{HashMap, HashSet, VecDeque};

use super::{CallAt, Pairs, ResultAt};

/// For each result the place of its call, or of something else that is found of it.
type Found = Vec<Option<usize>>;

impl Pairs<'_> {
    pub(super) fn pair(&mut self) {
        self.join(&by_id(&self.calls, &self.results));
        self.join(&by_position(&self.calls, &self.results));
        if !self.history_is_elsewhere {
            self.join(&asked_after(&self.calls, &self.results));
        }
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
        for result in self.results.iter_mut().filter(|result| result.answered.id.is_none() && result.call.is_some()) {
            result.is_overtaken = result.call < latest;
            latest = latest.max(result.call);
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

/// Finds the call that each result without an id is for: in the latest turn the first that has none yet, and no id either if there is such a call.
fn by_position<'c>(calls: &[CallAt<'c>], results: &[ResultAt<'c>]) -> Found {
    let (mut passing, mut open) = (Passing::of(calls), OpenInTurn::default());
    let find = |result: &ResultAt<'c>| {
        passing.until(result).for_each(|(place, call)| open.put(place, call));
        let answered = result.answered;
        if answered.id.is_some() { None } else { open.take(answered.tool.as_deref()) }
    };
    results.iter().map(find).collect()
}

/// The calls of the latest turn that have no result yet.
#[derive(Default)]
struct OpenInTurn<'c> {
    turn: Option<usize>,
    /// Those without an id, then those with one. Each stands there under both its names.
    by_name: HashMap<Option<&'c str>, [VecDeque<usize>; 2]>,
    taken: HashSet<usize>,
}

impl<'c> OpenInTurn<'c> {
    fn put(&mut self, place: usize, call: &CallAt<'c>) {
        if self.turn.replace(call.turn) != Some(call.turn) {
            self.by_name.clear();
        }
        for name in names(call).into_iter().filter(|_| call.is_open()) {
            let [without_id, with_id] = self.by_name.entry(name).or_default();
            let queue = if call.asked.call.id().is_none() { without_id } else { with_id };
            queue.push_back(place);
        }
    }

    fn take(&mut self, name: Option<&'c str>) -> Option<usize> {
        let queues = self.by_name.get_mut(&name)?;
        queues.iter_mut().find_map(|queue| take_first(queue, |place| self.taken.insert(place)))
    }
}

/// The names by which a result may say that it is for a call: the tool's, or none at all.
fn names<'c>(call: &CallAt<'c>) -> [Option<&'c str>; 2] {
    [None, Some(call.asked.call.tool())]
}

/// Drops what stands at the front until something will do.
fn take_first(queue: &mut VecDeque<usize>, mut will_do: impl FnMut(usize) -> bool) -> Option<usize> {
    std::iter::from_fn(|| queue.pop_front()).find(|place| will_do(*place))
}

/// Finds the call that each result was given for too early. Only an id can tell.
fn asked_after(calls: &[CallAt<'_>], results: &[ResultAt<'_>]) -> Found {
    let mut open = HashMap::<&str, VecDeque<usize>>::new();
    for (place, call) in calls.iter().enumerate().filter(|(_, call)| call.is_open()) {
        open.entry(call.asked.call.id().unwrap_or_default()).or_default().push_back(place);
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
    let (mut by_id, mut by_name, mut turn) = (HashMap::<&str, usize>::new(), HashMap::new(), None);
    let find = |result: &ResultAt<'c>| {
        for (place, call) in passing.until(result) {
            if turn.replace(call.turn) != Some(call.turn) {
                by_name.clear();
            }
            by_id.extend(call.asked.call.id().map(|id| (id, place)));
            by_name.extend(names(call).map(|name| (name, place)));
        }
        let answered = result.answered;
        let fitting = match &answered.id {
            Some(id) => by_id.get(id.as_str()),
            None => by_name.get(&answered.tool.as_deref()),
        };
        fitting.copied().filter(|_| result.call.is_none())
    };
    results.iter().map(find).collect()
}
