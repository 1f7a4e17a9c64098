//! A first few thousand texts, in every run of the tests: the same ones each time.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::PathBuf;
use std::time::Duration;

use fuzz::corpus::Corpus;
use fuzz::hunt::{Hunt, fault};
use fuzz::targets::TARGETS;

fn corpus() -> Corpus {
    // Asked at run time: where checkouts share a target folder, a program may have been compiled in another one.
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from("."), PathBuf::from);
    Corpus::of_repository(&package.join("..")).unwrap()
}

#[test]
fn what_must_hold_holds_for_every_case() {
    let corpus = corpus();
    for target in TARGETS {
        let seeds = (target.seeds)(&corpus);
        assert!(seeds.len() >= 20, "{}: {} seeds", target.name, seeds.len());
        for seed in seeds {
            assert_eq!(fault(&target, seed), None, "{}: {}", target.name, seed.escape_ascii());
        }
    }
}

#[test]
fn what_must_hold_holds_for_texts_like_them() {
    let hunt = Hunt { seed: 0, from: 0, count: Some(8000), time: Duration::MAX };
    let tried = hunt.run(&corpus(), |_| {});
    assert_eq!(tried.map_err(|find| find.to_string()), Ok(8000));
}
