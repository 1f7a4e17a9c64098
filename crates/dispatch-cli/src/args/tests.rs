//! What the options ask of each other.

use std::collections::BTreeSet;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, Command, CommandFactory as _};

use super::*;

/// The words that set an option.
fn words(option: &Arg) -> Vec<String> {
    let name = format!("--{}", option.get_long().unwrap_or_default());
    let value = match option.get_possible_values().first() {
        Some(value) => value.get_name().to_owned(),
        None => "1".to_owned(),
    };
    if matches!(option.get_action(), ArgAction::SetTrue) { vec![name] } else { vec![name, value] }
}

/// What is wrong with these options of a subcommand.
fn fault(subcommand: &Command, options: &[&Arg]) -> Option<clap::Error> {
    // The file stands first: behind `--tool` it would be one more word of the call.
    let file = subcommand.get_positionals().next().filter(|file| file.is_required_set()).map(|_| "file".to_owned());
    let command = ["dispatch".to_owned(), subcommand.get_name().to_owned()].into_iter().chain(file);
    Cli::of_words(command.chain(options.iter().flat_map(|option| words(option)))).err()
}

#[test]
fn an_option_without_what_it_needs_is_refused_whatever_stands_beside_it() {
    let (mut refused, mut excused) = (0, BTreeSet::new());
    for subcommand in Cli::command().get_subcommands() {
        let options: Vec<&Arg> = subcommand.get_arguments().filter(|option| option.get_long().is_some()).collect();
        for option in &options {
            let alone = fault(subcommand, &[option]).filter(|error| error.kind() == ErrorKind::MissingRequiredArgument);
            let Some(alone) = alone.map(|error| error.to_string()) else { continue };
            refused += 1;
            for other in options.iter().filter(|other| other.get_id() != option.get_id()) {
                let is_needed = alone.contains(&format!("'--{}'", other.get_long().unwrap_or_default()));
                if !is_needed && fault(subcommand, &[option, other]).is_none() {
                    excused.insert([subcommand.get_name(), &words(option).concat(), &words(other).concat()].join(" "));
                }
            }
        }
    }
    assert_eq!(excused, BTreeSet::new());
    assert_eq!(refused, needs::NEEDS.len());
}

#[test]
fn what_is_needed_is_named() {
    let line =
        |words: &[&str]| Cli::of_words(words).unwrap_err().to_string().lines().next().map(str::to_owned).unwrap();
    assert_eq!(line(&["dispatch", "dispatch", "--keep-going"]), "error: '--keep-going' needs '--stream'");
    let workspace = ["dispatch", "dispatch", "--workspace", "file"];
    assert_eq!(line(&workspace), "error: '--workspace' needs '--provider' or '--tool'");
}
