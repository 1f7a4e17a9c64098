//! Dispatchers that are wrong in one way each, held to the cases: every one is caught, by the case that is there for it.
//!
//! A suite of cases that lets a wrong dispatcher pass proves nothing about a right one.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

mod flaws;
mod directory_flaws;
mod flawed;
mod flawed_directory;
mod provider_flaws;
mod session_flaws;

use std::path::PathBuf;

use conformance::case::Case;
use conformance::directory::OnDirectory;
use conformance::rules::Rules;
use conformance::suite::Suite;
use conformance::trial;
use flawed::Flawed;
use flawed_directory::FlawedDirectory;

/// Each mutant, and the case that is there to catch it.
const CAUGHT_BY: [(Flawed, &str); 15] = [
    (Flawed::new("drops_unknown_fields", flaws::drop_unknown_fields), "arguments::types::unknown_field"),
    (Flawed::new("permits_after_running", flaws::permit_after_running), "gates::permissions::not_named"),
    (Flawed::new("tells_what_a_policy_s_panic_said", flaws::tell_what_a_panic_said), "gates::policy::panics"),
    (Flawed::new("takes_text_for_numbers", flaws::take_text_for_numbers), "arguments::numbers::string"),
    (Flawed::new("runs_what_was_denied", flaws::run_what_was_denied), "gates::policy::denied"),
    (
        Flawed::misreading("takes_arguments_out_of_a_fence", provider_flaws::take_arguments_out_of_a_fence),
        "providers::arguments_as_text::openai_chat_fenced",
    ),
    (
        Flawed::misreading("unwraps_what_was_encoded_twice", provider_flaws::unwrap_what_was_encoded_twice),
        "providers::arguments_as_text::openai_responses_double_encoded",
    ),
    (
        Flawed::misreading("runs_the_provider_s_own_calls", provider_flaws::run_the_provider_s_own_calls),
        "providers::bedrock::run_by_the_provider",
    ),
    (
        Flawed::replying("answers_in_the_reverse_order", provider_flaws::answer_in_the_reverse_order),
        "providers::openai_chat::content_absent_and_parallel_calls",
    ),
    (
        Flawed::replying("answers_an_empty_id_without_one", provider_flaws::answer_an_empty_id_without_one),
        "providers::ids::openai_chat_id_empty",
    ),
    (
        Flawed::replying("writes_the_conversation_anew", provider_flaws::write_the_conversation_anew),
        "providers::conversation::array",
    ),
    (
        Flawed::misreading_logs("cuts_off_the_last_line", session_flaws::cut_off_the_last_line),
        "sessions::torn::outcome_without_a_line_feed",
    ),
    (
        Flawed::misreading_logs("passes_over_what_is_no_json", session_flaws::pass_over_what_is_no_json),
        "sessions::refused::no_json_in_the_middle",
    ),
    (
        Flawed::misreading_logs("passes_over_later_headers", session_flaws::pass_over_later_headers),
        "sessions::replay::sessions_in_one_log",
    ),
    (
        Flawed::misreading("compares_the_text_alone", session_flaws::pass_over_flags),
        "sessions::conversation::status_differs",
    ),
];

/// Each directory that is wrong, and the case that is there to catch it.
const CAUGHT_ON_A_DIRECTORY: [(FlawedDirectory, &str); 5] = [
    (
        FlawedDirectory { write: directory_flaws::write_with_a_line_feed, ..FlawedDirectory::right("ends_every_file") },
        "tools::patch_file::no_final_newline_comes",
    ),
    (
        FlawedDirectory { write: directory_flaws::write_without_parents, ..FlawedDirectory::right("makes_no_parents") },
        "tools::write_file::nested",
    ),
    (
        FlawedDirectory { write: directory_flaws::write_over, ..FlawedDirectory::right("leaves_the_end_of_the_old") },
        "tools::write_file::replace",
    ),
    (
        FlawedDirectory { see: directory_flaws::make_parents, ..FlawedDirectory::right("makes_parents_to_look_at") },
        "tools::directories::missing_directory",
    ),
    (
        FlawedDirectory { read: directory_flaws::read_line_feeds_alone, ..FlawedDirectory::right("reads_line_feeds") },
        "tools::read_file::carriage_return_stays",
    ),
];

const RIGHT: Flawed = Flawed::new("right", flaws::none);

/// The cases, as the folder has them.
fn cases() -> Vec<Case> {
    // Asked at run time: where checkouts share a target folder, a program may have been compiled in another one.
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from("."), PathBuf::from);
    let page = std::fs::read_to_string(package.join("../docs/protocol.md")).expect("the page of the rules");
    let suite = Suite::load(&package.join("cases"), &Rules::of_page(&page));
    suite.cases
}

/// Tells whether a dispatcher fails a case.
fn fails(dispatcher: &Flawed, case: &Case) -> bool {
    trial::run(case, &[dispatcher]).is_err()
}

/// The cases that are for every dispatcher, or for one that is a library.
fn for_a_library(case: &Case) -> bool {
    conformance::subject::Subject::can_show(&RIGHT, case)
}

#[test]
fn each_is_caught_by_the_case_that_is_there_for_it_and_by_no_other_of_these() {
    let cases = cases();
    for (mutant, meant) in &CAUGHT_BY {
        for (_, name) in &CAUGHT_BY {
            let case = cases.iter().find(|case| case.full_name() == *name).unwrap_or_else(|| panic!("no case {name}"));
            assert_eq!(fails(mutant, case), name == meant, "{mutant:?}, {name}");
        }
    }
}

#[test]
fn each_directory_is_caught_by_the_case_that_is_there_for_it_and_by_no_other_of_these() {
    let cases = cases();
    for (mutant, meant) in &CAUGHT_ON_A_DIRECTORY {
        for (_, name) in &CAUGHT_ON_A_DIRECTORY {
            let case = cases.iter().find(|case| case.full_name() == *name).unwrap_or_else(|| panic!("no case {name}"));
            assert!(trial::run(case, &[mutant]).is_ok(), "{mutant:?} in memory, {name}");
            let fails = trial::run(case, &[mutant, &OnDirectory::new(mutant)]).is_err();
            assert_eq!(fails, name == meant, "{mutant:?}, {name}");
        }
    }
}

/// What catches them is the flaw, and not how these dispatchers are driven.
#[test]
fn the_same_dispatcher_without_a_flaw_passes_every_case() {
    let cases = cases();
    let failed: Vec<_> = cases.iter().filter(|case| for_a_library(case) && fails(&RIGHT, case)).collect();
    assert!(failed.is_empty(), "{failed:?}");
}
