//! Tools that are not what they were, and tools that are not run again.

use dispatch_core::protocol::Asked;
use dispatch_core::session::{DifferingTool, How, Item, Replayer};
use dispatch_core::workspace::MemoryWorkspace;
use dispatch_core::{Annotations, Registry, tools};

use crate::support::{call, gates, header, how, read, record, registry, replay, replay_with};

fn log(calls: &[(&str, &str)]) -> Vec<u8> {
    let asked = calls.iter().map(|(tool, args)| Asked::from(call(tool, args))).collect();
    record(&gates(), &mut MemoryWorkspace::default(), asked)
}

#[test]
fn tools_that_differ_are_named() {
    assert_eq!(header(&log(&[])).differing_tools(&registry()), []);
    let today =
        Registry::builder().tool(tools::ReadFile).host_run::<crate::support::NoArgs>("shout", Annotations::default());
    let differing = header(&log(&[])).differing_tools(&today.build().unwrap());
    let told: Vec<_> = differing.iter().map(ToString::to_string).collect();
    assert!(
        told.contains(&"the tool `write_file` was there when the session was recorded, and is not today".to_owned())
    );
    let shout =
        "the tool `shout` is not what it was when the session was recorded: another `annotations`, `input_schema`";
    assert!(told.contains(&shout.to_owned()), "{told:?}");
    assert!(!differing.iter().any(|tool: &DifferingTool| tool.name == "read_file"));
}

#[test]
fn a_tool_that_is_gone_is_a_difference() {
    let log = log(&[("shout", r#"{"text":"hi"}"#)]);
    let (comparisons, _) = replay_with(&tools::core_registry(), &log);
    let paths: Vec<_> = comparisons[0].differences.iter().map(|difference| difference.path.to_string()).collect();
    let expected = [
        "$.files.shouted",
        "$.files['shouted too']",
        "$.result.error",
        "$.result.message",
        "$.result.observation",
        "$.result.status",
        "$.stage",
        "$.workspace",
    ];
    assert_eq!(paths, expected);
}

/// It reached beyond the workspace, and nobody wants that to happen again.
#[test]
fn what_reaches_further_is_judged_and_not_run() {
    let log = log(&[("reach", "{}"), ("reach", "[]"), ("elsewhere", "{}"), ("read_file", r#"{"path":"reached"}"#)]);
    assert_eq!(how(&log), [How::StoodIn, How::Ran, How::StoodIn, How::Ran]);
    // What it wrote is not there, and that is told where it begins.
    let (comparisons, replayer) = replay(&log);
    let paths: Vec<Vec<_>> = comparisons
        .iter()
        .map(|comparison| comparison.differences.iter().map(|difference| difference.path.to_string()).collect())
        .collect();
    assert_eq!(paths[0], ["$.workspace"]);
    assert_eq!(replayer.workspace().files().count(), 0);
}

#[test]
fn what_reaches_further_runs_when_it_is_asked_for() {
    let log = log(&[("reach", "{}"), ("read_file", r#"{"path":"reached"}"#)]);
    let mut replayer = Replayer::new(registry(), &header(&log)).running_all();
    for item in read(&log).unwrap().0 {
        if let Item::Entry(entry) = item {
            let comparison = replayer.replay(&entry);
            assert_eq!((comparison.how, comparison.differences.len()), (How::Ran, 0));
        }
    }
    assert_eq!(replayer.workspace().files().count(), 1);
}
