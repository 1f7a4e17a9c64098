//! What options need beside them.
//!
//! clap is not told: it lets an option go without what it `requires` where something else that was typed excludes that, and the option is then
//! silently for nothing.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Command, CommandFactory as _, FromArgMatches as _};

use super::Cli;

/// The subcommand, the option, and the options of which it needs one.
pub(super) const NEEDS: &[(&str, &str, &[&str])] = &[
    ("dispatch", "keep_going", &["stream"]),
    ("dispatch", "max_file_bytes", &["root"]),
    ("dispatch", "record_optional", &["record"]),
    ("dispatch", "sync", &["record"]),
    ("dispatch", "conversation", &["provider"]),
    ("dispatch", "strict", &["provider"]),
    ("dispatch", "workspace", &["provider", "tool"]),
    ("dispatch", "workspace_out", &["provider", "tool"]),
    ("dispatch", "skills", &["toolset"]),
    ("schema", "skills", &["toolset"]),
    ("schema", "strict", &["provider"]),
    ("replay", "max_file_bytes", &["root"]),
    ("replay", "call", &["show"]),
    ("replay", "in_place", &["accept"]),
    ("replay", "check", &["provider"]),
    ("replay", "repair", &["provider"]),
    ("replay", "workspace", &["provider"]),
    ("replay", "strict", &["provider"]),
];

impl Cli {
    /// Reads what was typed.
    ///
    /// # Errors
    ///
    /// What clap has against it, and an option without what it needs.
    pub(crate) fn of_words(words: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<Self, clap::Error> {
        let mut command = Self::command();
        let matches = command.try_get_matches_from_mut(words)?;
        if let Some((name, matches)) = matches.subcommand() {
            check(&mut command, name, matches)?;
        }
        Self::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    }
}

fn check(command: &mut Command, subcommand: &str, matches: &ArgMatches) -> Result<(), clap::Error> {
    let is_typed = |id: &&str| matches.value_source(id) == Some(ValueSource::CommandLine);
    let missing = NEEDS
        .iter()
        .find(|(of, option, needed)| *of == subcommand && is_typed(option) && !needed.iter().any(&is_typed));
    let (Some((_, option, needed)), Some(command)) = (missing, command.find_subcommand_mut(subcommand)) else {
        return Ok(());
    };
    let needed: Vec<String> = needed.iter().map(|needed| typed(needed)).collect();
    let message = format!("{} needs {}", typed(option), needed.join(" or "));
    Err(command.error(ErrorKind::MissingRequiredArgument, message))
}

/// An option as it is typed.
fn typed(id: &str) -> String {
    format!("'--{}'", id.replace('_', "-"))
}
