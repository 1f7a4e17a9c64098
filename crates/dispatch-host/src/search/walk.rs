//! The files below a directory that a pattern means.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use dispatch_core::workspace::{ListedKind, Snapshot, WorkspacePath};
use dispatch_core::{Code, ToolFailure};

use super::crew;
use super::ignored::{Rules, Verdict};
use super::left_out::LeftOut;
use super::pattern::{Pattern, Reached};

/// How many files are found at the most. Their paths are held in memory.
const MOST_FILES: usize = 2_000_000;

/// What was found below a directory.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    /// The files that are meant, sorted by the code points of their paths.
    pub(crate) files: Vec<WorkspacePath>,
    pub(crate) left_out: LeftOut,
}

/// A directory to look into.
struct Job {
    number: usize,
    path: WorkspacePath,
    /// The rules in force in the directory above.
    rules: Rules,
    reached: Reached,
}

enum Item {
    File(WorkspacePath),
    /// The directory of this number, for what was found in it.
    Directory(usize),
}

struct Walk<'s> {
    snapshot: Snapshot<'s>,
    pattern: &'s Pattern,
    most_files: usize,
    directories: AtomicUsize,
    files: AtomicUsize,
    /// As in [`LeftOut`]: no order of adding changes a sum.
    hidden: AtomicU64,
    ignored: AtomicU64,
    unreadable: AtomicU64,
    unnamed: AtomicU64,
}

/// Finds the files below a directory that a pattern means, and that the workspace's ignore files don't name. Links are not followed, and are not files.
pub(crate) fn walk(
    snapshot: Snapshot<'_>,
    directory: &WorkspacePath,
    pattern: &Pattern,
) -> Result<Walked, ToolFailure> {
    walk_within(snapshot, directory, pattern, MOST_FILES)
}

fn walk_within(
    snapshot: Snapshot<'_>,
    directory: &WorkspacePath,
    pattern: &Pattern,
    most_files: usize,
) -> Result<Walked, ToolFailure> {
    let walk = Walk::new(snapshot, pattern, most_files);
    let rules = walk.rules_above(directory);
    // That the directory itself can't be read is no news of the last line.
    snapshot.list(directory)?;
    let first = Job { number: 0, path: directory.clone(), rules, reached: pattern.start() };
    let found = crew::work_off(first, |job, new| walk.look_into(&job, new));
    if walk.is_full() {
        return Err(too_many_files(most_files));
    }
    Ok(Walked { files: in_order(found), left_out: walk.left_out() })
}

impl<'s> Walk<'s> {
    fn new(snapshot: Snapshot<'s>, pattern: &'s Pattern, most_files: usize) -> Self {
        let (directories, files) = (AtomicUsize::new(1), AtomicUsize::new(0));
        let [hidden, ignored, unreadable, unnamed] = [const { AtomicU64::new(0) }; 4];
        Self { snapshot, pattern, most_files, directories, files, hidden, ignored, unreadable, unnamed }
    }

    /// The rules in force above a directory. They hold below it even where they name the directory itself, which was asked for.
    fn rules_above(&self, directory: &WorkspacePath) -> Rules {
        let above = ancestors(directory).filter_map(|path| WorkspacePath::resolve(path).ok());
        above.fold(Rules::default(), |rules, above| self.rules_within(&rules, &above, &self.list(&above)))
    }

    fn rules_within(&self, rules: &Rules, directory: &WorkspacePath, listed: &[(WorkspacePath, ListedKind)]) -> Rules {
        let (rules, unread) = rules.within(self.snapshot, directory, listed);
        self.unreadable.fetch_add(unread, Ordering::Relaxed);
        rules
    }

    /// Lists a directory, and gives those in it as new jobs.
    fn look_into(&self, job: &Job, new: &mut Vec<Job>) -> (usize, Vec<Item>) {
        let listed = if self.is_full() { Vec::new() } else { self.list(&job.path) };
        let rules = self.rules_within(&job.rules, &job.path, &listed);
        let items = listed.into_iter().filter_map(|(path, kind)| match kind {
            ListedKind::File => self.file(path, &rules, &job.reached),
            ListedKind::Directory => self.directory(path, &rules, &job.reached, new),
            ListedKind::Link | ListedKind::Special => None,
            ListedKind::Unnamed => self.unnamed(&path, &rules, &job.reached),
        });
        (job.number, items.collect())
    }

    fn file(&self, path: WorkspacePath, rules: &Rules, reached: &Reached) -> Option<Item> {
        let has_file = |is_hidden| self.pattern.has_file(reached, path.name(), is_hidden).then_some(());
        self.judge(&path, false, rules, has_file)?;
        self.files.fetch_add(1, Ordering::Relaxed);
        Some(Item::File(path))
    }

    fn directory(&self, path: WorkspacePath, rules: &Rules, reached: &Reached, new: &mut Vec<Job>) -> Option<Item> {
        let enter = |is_hidden| self.pattern.enter(reached, path.name(), is_hidden);
        let reached = self.judge(&path, true, rules, enter)?;
        let number = self.directories.fetch_add(1, Ordering::Relaxed);
        new.push(Job { number, path, rules: rules.clone(), reached });
        Some(Item::Directory(number))
    }

    /// Counts what no path can name. What can be said of its name is all that there is to judge by, and it may be a file or a directory.
    fn unnamed(&self, path: &WorkspacePath, rules: &Rules, reached: &Reached) -> Option<Item> {
        let is_meant = |is_hidden| {
            let is_file = self.pattern.has_file(reached, path.name(), is_hidden);
            (is_file || self.pattern.enter(reached, path.name(), is_hidden).is_some()).then_some(())
        };
        self.judge(path, false, rules, is_meant)?;
        self.unnamed.fetch_add(1, Ordering::Relaxed);
        None
    }

    /// What the pattern makes of a path that is not to be left out.
    fn judge<T>(
        &self,
        path: &WorkspacePath,
        is_directory: bool,
        rules: &Rules,
        fits: impl Fn(bool) -> Option<T>,
    ) -> Option<T> {
        // What would not fit even if it could be seen is not left out.
        let if_seen = fits(false)?;
        let verdict = rules.judge(path.as_str(), is_directory);
        if verdict == Verdict::Ignored {
            self.ignored.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        let is_git = path.name() == ".git";
        if !path.name().starts_with('.') || (verdict == Verdict::Shown && !is_git) {
            return Some(if_seen);
        }
        let fitting = fits(true);
        if fitting.is_none() && !is_git {
            self.hidden.fetch_add(1, Ordering::Relaxed);
        }
        fitting
    }

    /// What lies in a directory: nothing that is known of, where it can't be read.
    fn list(&self, directory: &WorkspacePath) -> Vec<(WorkspacePath, ListedKind)> {
        let listed = self.snapshot.list(directory);
        self.unreadable.fetch_add(u64::from(listed.is_err()), Ordering::Relaxed);
        listed.unwrap_or_default()
    }

    fn is_full(&self) -> bool {
        self.files.load(Ordering::Relaxed) > self.most_files
    }

    fn left_out(self) -> LeftOut {
        let counts = [self.hidden, self.ignored, self.unreadable, self.unnamed];
        let [hidden, ignored, unreadable, unnamed] = counts.map(AtomicU64::into_inner);
        LeftOut { hidden, ignored, unreadable, unnamed, ..LeftOut::default() }
    }
}

/// The directories that a path leads through, outermost first, the workspace itself among them.
fn ancestors(path: &WorkspacePath) -> impl Iterator<Item = &str> {
    let path = path.as_str();
    let root = (!path.is_empty()).then_some("");
    root.into_iter().chain(path.match_indices('/').filter_map(|(end, _)| path.get(..end)))
}

/// The files of all directories, each directory's where it stands in the one above.
fn in_order(mut found: Vec<(usize, Vec<Item>)>) -> Vec<WorkspacePath> {
    found.sort_unstable_by_key(|(number, _)| *number);
    let mut directories: Vec<_> = found.into_iter().map(|(_, items)| items.into_iter()).collect();
    let mut files = Vec::new();
    let mut open = vec![0];
    while let Some(innermost) = open.last() {
        match directories.get_mut(*innermost).and_then(Iterator::next) {
            None => drop(open.pop()),
            Some(Item::File(path)) => files.push(path),
            Some(Item::Directory(number)) => open.push(number),
        }
    }
    files
}

fn too_many_files(most_files: usize) -> ToolFailure {
    const CODE: Code = Code::constant("too_many_files");
    let text =
        format!("more than {most_files} files are meant: ask for fewer at a time, by `path` or a narrower pattern");
    ToolFailure::new(CODE, text)
}

#[cfg(test)]
mod tests {
    use dispatch_core::json::Document;
    use dispatch_core::workspace::{MemoryWorkspace, View};
    use dispatch_core::{Gates, Registry, ToolCall, tool_fn};

    use super::*;

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct NoArgs {}

    fn walk_of_three(_: NoArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
        let (snapshot, root, pattern) = (view.snapshot(), WorkspacePath::root(), Pattern::everything());
        let walked = walk_within(snapshot, &root, &pattern, 3)?;
        assert_eq!(walked.files, [view.resolve("a/b")?, view.resolve("a/c")?, view.resolve("d")?]);
        let refused = walk_within(snapshot, &root, &pattern, 2).unwrap_err();
        assert_eq!(refused.code().as_str(), "too_many_files");
        Ok(String::new())
    }

    #[test]
    fn more_files_than_can_be_held_are_an_error() {
        let gates = Gates::new(Registry::builder().tool(tool_fn("walk", walk_of_three)).build().unwrap());
        let call = ToolCall::new("walk", Document::parse(b"{}".to_vec()).unwrap());
        let mut workspace = MemoryWorkspace::from_iter([("a/b", ""), ("a/c", ""), ("d", "")]);
        let result = gates.admit(call).unwrap().run(&mut workspace);
        assert_eq!(result.error(), None);
    }
}
