//! The dependency graph is the architecture: what core is built from, and which crate may know which.
//!
//! **Core reaches no crate that opens a file or a socket, reads a clock, starts a thread or process, or is
//! an async runtime.** A crate enters [`LINKED`] with what it is for, after someone has looked at what it does.
//! What core's own code may call is checked by clippy: `clippy.toml` beside this crate's manifest.

#![expect(clippy::disallowed_types, reason = "a test that runs `cargo tree` starts a process; core does not")]

use std::collections::BTreeSet;
use std::error::Error;
use std::process::Command;

/// A crate's name, and why it may be there.
type Row = (&'static str, &'static str);

/// What is linked into a program that uses core. None of these does I/O.
const LINKED: &[Row] = &[
    ("block-buffer", "sha2: gathers bytes until there is a block of them; pure memory"),
    ("cfg-if", "sha2: chooses code by the target"),
    ("cpufeatures", "sha2: asks the processor for its instructions for SHA-256; ARM's are asked for through libc"),
    ("crypto-common", "sha2: traits"),
    ("digest", "sha2: traits"),
    ("dispatch-core", "this crate"),
    ("dyn-clone", "schemars: clones its boxed transforms; pure memory"),
    ("hybrid-array", "sha2: arrays of a length in the type"),
    ("itoa", "serde_json: writes integers as decimal text"),
    ("libc", "cpufeatures: declares the call by which ARM processors are asked; nothing else of it is used"),
    ("memchr", "finds bytes in slices, for patches and lines"),
    ("ref-cast", "schemars: reads a JSON value as a schema, by reference"),
    ("schemars", "makes a tool's JSON Schema from its argument type"),
    ("serde", "the derives' own crate, over serde_core"),
    ("serde_core", "the traits by which arguments are decoded"),
    ("serde_json", "JSON from and to memory; its `io::Read` and `io::Write` sides open nothing themselves"),
    ("serde_path_to_error", "wraps a decoder to say where in the arguments it stopped"),
    ("sha2", "digests of files and workspaces, for session logs; pure computation"),
    ("strsim", "counts in how many letters two texts differ, for hints; pure computation"),
    ("thiserror", "the traits behind derived error types"),
    ("tinyvec", "unicode-normalization: a small vector; pure memory"),
    ("typenum", "hybrid-array: numbers in types"),
    (
        "unicode-normalization",
        "knows two texts that differ only in their form of Unicode, for hints; tables and pure computation",
    ),
    ("zmij", "serde_json: writes floating point numbers as decimal text"),
];

/// What runs inside the compiler only, and is in no program.
const COMPILE_TIME: &[Row] = &[
    ("proc-macro2", "the derives: token streams"),
    ("quote", "the derives: token templates"),
    ("ref-cast-impl", "ref-cast's derive"),
    ("schemars_derive", "schemars' derive"),
    ("serde_derive", "serde's derive"),
    ("serde_derive_internals", "schemars_derive: reads serde's attributes"),
    ("syn", "the derives: parses items"),
    ("thiserror-impl", "thiserror's derive"),
    ("unicode-ident", "proc-macro2: which letters an identifier may have"),
];

/// Which members of the workspace each member may reach, itself left out. A new member needs its row.
const MAY_REACH: &[(&str, &[&str])] = &[
    ("conformance", &["dispatch-core", "dispatch-host", "dispatch-providers"]),
    ("dispatch-cli", &["dispatch-core", "dispatch-host", "dispatch-providers"]),
    ("dispatch-core", &[]),
    ("dispatch-host", &["dispatch-core"]),
    ("dispatch-providers", &["dispatch-core"]),
    ("fuzz", &["conformance", "dispatch-core", "dispatch-host", "dispatch-providers"]),
    ("xtask", &["conformance", "dispatch-cli", "dispatch-core", "dispatch-host", "dispatch-providers"]),
];

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

#[test]
fn core_links_exactly_the_allowed_crates() -> Outcome {
    let linked = core_tree("normal,no-proc-macro")?;
    assert_eq!(linked, names(LINKED));
    Ok(())
}

#[test]
fn core_is_compiled_with_exactly_the_allowed_crates() -> Outcome {
    let all = core_tree("normal")?;
    let compile_time: BTreeSet<String> = all.difference(&names(LINKED)).cloned().collect();
    assert_eq!(compile_time, names(COMPILE_TIME));
    Ok(())
}

#[test]
fn every_member_of_the_workspace_has_its_row() -> Outcome {
    let rows: BTreeSet<String> = MAY_REACH.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(members()?, rows);
    Ok(())
}

#[test]
fn each_member_reaches_only_the_members_it_may() -> Outcome {
    let members = members()?;
    for (member, may_reach) in MAY_REACH {
        let package = format!("--package={member}");
        let tree = tree(&[&package, "--edges=normal,build"])?;
        for reached in tree.intersection(&members) {
            let allowed = reached == member || may_reach.contains(&reached.as_str());
            assert!(allowed, "{member} must not depend on {reached}");
        }
    }
    Ok(())
}

/// Returns the names of core and all below it, whatever the platform.
fn core_tree(edges: &str) -> Outcome<BTreeSet<String>> {
    let edges = format!("--edges={edges}");
    tree(&["--package=dispatch-core", "--target=all", &edges])
}

/// Returns the names in a table.
fn names(rows: &[Row]) -> BTreeSet<String> {
    rows.iter().map(|(name, _)| (*name).to_owned()).collect()
}

/// Returns the names of the workspace's members.
fn members() -> Outcome<BTreeSet<String>> {
    tree(&["--workspace", "--depth=0"])
}

/// Returns the names of the packages that `cargo tree` prints.
fn tree(arguments: &[&str]) -> Outcome<BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--quiet", "--prefix=none", "--format={p}"])
        .args(arguments)
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let lines = String::from_utf8(output.stdout)?;
    let first_words = lines.lines().filter_map(|line| line.split(' ').next());
    Ok(first_words.filter(|word| !word.is_empty()).map(str::to_owned).collect())
}
