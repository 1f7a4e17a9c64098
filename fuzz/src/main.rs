//! `cargo xtask fuzz-smoke` runs this.

use std::fs::File;
use std::io::{self, Seek, Write, stderr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use fuzz::corpus::Corpus;
use fuzz::hunt::Hunt;

/// Gives random texts to every parser of foreign text.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask fuzz-smoke", bin_name = "cargo xtask fuzz-smoke")]
struct Arguments {
    /// How long, in seconds.
    #[arg(default_value_t = 60)]
    seconds: u64,
    /// What the texts follow from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The place of the first text.
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// How many texts, at most.
    #[arg(long)]
    count: Option<u64>,
    /// A file that names the text that is being tried, for the case that the process does not survive it.
    #[arg(long, hide = true)]
    note: Option<PathBuf>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(text) => tell(&text, ExitCode::SUCCESS),
        Err(text) => tell(&text, ExitCode::FAILURE),
    }
}

fn tell(text: &str, exit: ExitCode) -> ExitCode {
    let _ = writeln!(stderr(), "{text}");
    exit
}

fn run(arguments: &Arguments) -> Result<String, String> {
    let Arguments { seconds, seed, from, count, ref note } = *arguments;
    // Asked at run time: where checkouts share a target folder, a program may have been compiled in another one.
    let package = std::env::var_os("CARGO_MANIFEST_DIR").ok_or("run this as `cargo xtask fuzz-smoke`")?;
    let corpus = Corpus::of_repository(&Path::new(&package).join("..")).map_err(|error| error.to_string())?;
    let mut note = Note::open(note.as_deref()).map_err(|error| format!("the note: {error}"))?;
    // A panic is told with its text, and not twice.
    std::panic::set_hook(Box::new(|_| {}));
    let hunt = Hunt { seed, from, count, time: Duration::from_secs(seconds) };
    match hunt.run(&corpus, |place| note.write(place)) {
        Ok(tried) => Ok(format!("fuzz: seed {seed}: {tried} texts, and all held that must")),
        Err(find) => Err(format!("fuzz: seed {seed}: {find}")),
    }
}

/// Where the place of the text is noted that is being tried.
struct Note(Option<File>);

impl Note {
    fn open(path: Option<&Path>) -> io::Result<Self> {
        path.map(File::create).transpose().map(Self)
    }

    fn write(&mut self, place: u64) {
        if let Some(file) = &mut self.0 {
            // The note is a help; without it the hunt is as good.
            let _ = file.rewind().and_then(|()| writeln!(file, "{place}"));
        }
    }
}
