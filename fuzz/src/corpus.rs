//! The texts to begin with: what the conformance cases ask, what providers streamed, and how tools are defined for them.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::{fs, io};

use conformance::case::{Case, Request};
use conformance::rules::Rules;
use conformance::suite::Suite;
use conformance::test_tools::{self, Counter};
use dispatch_core::json::{Document, JsonPath, Node};
use dispatch_core::protocol::Stream;
use dispatch_core::session::Recorder;
use dispatch_core::{Gates, Registry, RegistryError, tools};
use dispatch_providers::{Provider, Strictness};

/// The largest text that is begun with. A few cases are large on purpose, and say no more than small ones here.
const LARGEST_BYTES: usize = 4096;

/// The texts, by what they are.
#[derive(Debug, Clone, Default)]
pub struct Corpus {
    /// Single requests. Not all of them are JSON.
    pub requests: Vec<Vec<u8>>,
    /// Streams of requests, a line each.
    pub streams: Vec<Vec<u8>>,
    /// Logs of sessions: those of the streams, and those that the cases replay.
    pub sessions: Vec<Vec<u8>>,
    /// Providers' messages, of whichever provider.
    pub messages: Vec<Vec<u8>>,
    /// Response bodies as they are streamed, of whichever provider, whole and cut off.
    pub bodies: Vec<Vec<u8>>,
    /// Tools as they are defined, for whichever provider.
    pub definitions: Vec<Vec<u8>>,
    /// Arguments of calls.
    pub arguments: Vec<Vec<u8>>,
    /// Values out of all these, to put one in another's place.
    pub values: Vec<Vec<u8>>,
}

/// The cases could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CorpusError {
    /// The page whose headings are the rules could not be read.
    #[error("could not read {0}")]
    Page(PathBuf, #[source] io::Error),
    /// There is no case.
    #[error("there are no cases in {0}")]
    Empty(PathBuf),
    /// The recorded streams could not be read.
    #[error("could not read the streams in {0}")]
    Streams(PathBuf, #[source] io::Error),
    /// The tools whose definitions are begun with could not be had.
    #[error("the tools that only test")]
    Tools(#[from] RegistryError),
}

impl Corpus {
    /// Takes what the cases of a repository ask.
    ///
    /// # Errors
    ///
    /// [`CorpusError`] where there are no cases to be read. What is wrong with single files is not its business.
    pub fn of_repository(root: &Path) -> Result<Self, CorpusError> {
        let page = root.join("docs/protocol.md");
        let rules = fs::read_to_string(&page).map_err(|error| CorpusError::Page(page, error))?;
        let folder = root.join("conformance/cases");
        let suite = Suite::load(&folder, &Rules::of_page(&rules));
        if suite.cases.is_empty() {
            return Err(CorpusError::Empty(folder));
        }
        let mut corpus = Self::default();
        suite.cases.iter().for_each(|case| corpus.take(case));
        let folder = root.join("crates/dispatch-providers/tests/data");
        corpus.take_streams(&folder).map_err(|error| CorpusError::Streams(folder, error))?;
        corpus.take_definitions(&test_tools::registry(Counter::default())?);
        Ok(corpus)
    }

    fn take(&mut self, case: &Case) {
        let text = case.request.bytes();
        if text.len() > LARGEST_BYTES {
            return;
        }
        for line in text.split(|byte| *byte == b'\n') {
            self.take_parts(line);
        }
        match case.request {
            _ if case.options.provider.is_some() => self.messages.push(text),
            _ if case.options.replay => self.sessions.push(text),
            Request::One(_) => self.requests.push(text),
            Request::Stream(_) => {
                self.sessions.push(record(&text));
                self.streams.push(text);
            }
        }
    }

    /// Takes each recorded stream, and what had come of it after each event.
    fn take_streams(&mut self, folder: &Path) -> io::Result<()> {
        for file in sorted(folder)?.into_iter().filter(|path| path.is_dir()) {
            for stream in sorted(&file)? {
                let stream = fs::read(stream)?;
                let ends =
                    stream.windows(2).enumerate().filter(|(_, pair)| *pair == b"\n\n").map(|(start, _)| start + 2);
                self.bodies.extend(ends.filter_map(|end| stream.get(..end)).map(<[u8]>::to_vec));
            }
        }
        Ok(())
    }

    /// Takes each tool, defined for each provider in all its ways.
    fn take_definitions(&mut self, registry: &Registry) {
        let specs: Vec<_> = registry.specs().collect();
        for provider in Provider::ALL {
            for strictness in [Strictness::Advisory, Strictness::Strict] {
                let written = specs.iter().filter_map(|spec| provider.definitions([spec], strictness).ok());
                self.definitions.extend(written.map(|definitions| definitions.value.to_string().into_bytes()));
            }
        }
    }

    fn take_parts(&mut self, request: &[u8]) {
        let Ok(document) = Document::parse_tolerating(request.to_vec(), |_| true) else { return };
        let args = document.root().locate(&JsonPath::root().member("call").member("args"));
        self.arguments.extend(args.map(|args| args.raw().as_bytes().to_vec()));
        self.take_values(document.root());
    }

    fn take_values(&mut self, node: Node<'_>) {
        self.values.push(node.raw().as_bytes().to_vec());
        node.elements().for_each(|element| self.take_values(element));
        node.members().for_each(|member| self.take_values(member.value));
    }
}

/// What is in a folder, by name.
fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// The log of a stream's session.
fn record(stream: &[u8]) -> Vec<u8> {
    let mut log = Vec::new();
    let keep = |line: &[u8]| {
        log.extend_from_slice(line);
        Ok::<_, Infallible>(())
    };
    let mut session = Stream::new(Gates::new(tools::core_registry()));
    let Ok(mut recorder) = Recorder::begin(&session.header(), keep);
    for line in stream.split(|byte| *byte == b'\n') {
        // What breaks the protocol is no call.
        let _ = session.answer_recorded(line, &mut recorder);
    }
    drop(recorder);
    log
}
