//! The man pages, from the command line's own definition.

use anyhow::Result;
use clap::Command;
use clap_mangen::Man;

/// Returns the page of the command and of every subcommand that is not hidden: file name and text.
///
/// # Errors
///
/// A page can't be rendered as UTF-8.
pub(super) fn pages(command: Command) -> Result<Vec<(String, String)>> {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let version = command.get_version().unwrap_or_default();
    let source = format!("{} {version}", command.get_name());
    visible(&command).into_iter().map(|command| page(command.clone(), source.trim_end())).collect()
}

/// Lists a command and all below it, parents first.
fn visible(command: &Command) -> Vec<&Command> {
    let below = command.get_subcommands().filter(|c| !c.is_hide_set());
    std::iter::once(command).chain(below.flat_map(visible)).collect()
}

/// Renders one page. It has no date: the same command gives the same bytes.
fn page(command: Command, source: &str) -> Result<(String, String)> {
    // The blank keeps the date's place: an empty text would let the source slip into it.
    let man = Man::new(command).source(source).date(" ");
    let mut text = Vec::new();
    man.render(&mut text)?;
    Ok((man.get_filename(), String::from_utf8(text)?))
}

#[cfg(test)]
mod tests {
    use clap::Arg;

    use super::*;

    fn example() -> Command {
        let hidden = Command::new("hidden").hide(true);
        let schema = Command::new("schema").about("Prints schemas").arg(Arg::new("tool"));
        Command::new("dispatch").version("1.2.3").subcommands([schema, hidden])
    }

    #[test]
    fn each_visible_command_has_its_page() {
        let pages = pages(example()).unwrap();
        let names: Vec<_> = pages.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["dispatch.1", "dispatch-schema.1"]);
    }

    #[test]
    fn a_page_has_the_version_and_no_date() {
        let pages = pages(example()).unwrap();
        let titles: Vec<_> =
            pages.iter().filter_map(|(_, text)| text.lines().find(|line| line.starts_with(".TH"))).collect();
        let expected = [".TH dispatch 1 \" \" \"dispatch 1.2.3\" ", ".TH dispatch-schema 1 \" \" \"dispatch 1.2.3\" "];
        assert_eq!(titles, expected);
    }

    #[test]
    fn every_subcommand_of_dispatch_has_a_page() {
        let command = dispatch_cli::command();
        let visible = command.get_subcommands().filter(|c| !c.is_hide_set()).count();
        assert!(pages(command).unwrap().len() > visible);
    }
}
