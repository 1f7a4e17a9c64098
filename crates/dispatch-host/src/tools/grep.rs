//! `Grep`: lines by their text.

use dispatch_core::workspace::{Entry, View};
use dispatch_core::{Annotations, ErrorCode, Tool, ToolFailure};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::search::{Pattern, Query, Scanned, matcher, scan, scan_file, walk};

/// Finds the lines of text files that match a regular expression of ripgrep's: no look-around, no backreferences; `(?i)` ignores case.
/// They come back as `path:line:text`, those around them as `path-line-text`, sorted by path. Of a line over 500 bytes the beginning is shown.
/// At most 1000 lines that match are shown; the last line then tells how many there are.
/// Lines end at `\n` alone: a `\r` before it belongs to the line, so that `\r?$` finds the end.
/// What the workspace's own .gitignore, .ignore and .rgignore files name is not searched, unless `path` leads into it.
/// Names that begin with `.` are not searched unless `path` leads into them or a part of `glob` begins with that `.`.
/// Links are not followed. Binary files (with a NUL) are not searched, unless `path` names the file.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct GrepArgs {
    /// The regular expression that is looked for in each line. One that begins with `-` is an expression like others.
    pattern: String,
    /// The file or directory to search, relative to the workspace. Left out: the workspace itself.
    path: Option<String>,
    /// The files to search in the directory, as a pattern for their paths below it: `*.rs`, `src/**/*.{ts,tsx}`, `.github/**`.
    #[schemars(length(min = 1, max = 4096))]
    glob: Option<String>,
    /// How many lines around each one that matches are shown, before it and behind it. Left out: none.
    #[schemars(range(min = 0, max = 50))]
    context: Option<u8>,
}

/// The tool `Grep`.
#[derive(Debug, Clone, Copy)]
pub struct Grep;

impl Tool for Grep {
    type Args = GrepArgs;
    type Output = String;

    fn name(&self) -> &'static str {
        "Grep"
    }

    fn annotations(&self) -> Annotations {
        Annotations::read_only()
    }

    fn run(&self, args: GrepArgs, view: &mut View<'_>) -> Result<String, ToolFailure> {
        let matcher = matcher(&args.pattern).map_err(|error| error.into_failure("pattern"))?;
        let glob = args.glob.as_deref().map_or_else(|| Ok(Pattern::everything()), Pattern::new);
        let glob = glob.map_err(|error| error.into_failure("glob"))?;
        let query = Query { matcher, context: usize::from(args.context.unwrap_or_default()) };
        search(view, args.path.as_deref().unwrap_or_default(), &glob, &query).map(shown)
    }
}

fn search(view: &View<'_>, path: &str, glob: &Pattern, query: &Query) -> Result<Scanned, ToolFailure> {
    let (path, snapshot) = (view.resolve(path)?, view.snapshot());
    match snapshot.entry(&path)? {
        Entry::File => Ok(scan_file(snapshot, &path, query)?),
        Entry::Directory => {
            let walked = walk(snapshot, &path, glob)?;
            let mut scanned = scan(snapshot, &walked.files, query);
            scanned.left_out = scanned.left_out.and(walked.left_out);
            Ok(scanned)
        }
        Entry::Absent | Entry::BelowFile => Err(ErrorCode::FileNotFound.into()),
    }
}

fn shown(scanned: Scanned) -> String {
    let Scanned { text, matching, shown, left_out } = scanned;
    if matching == 0 {
        return left_out.nothing("No matches found");
    }
    let total = (shown < matching).then(|| format!("{shown} of {matching} matching lines shown"));
    text + &left_out.last_line(total)
}
