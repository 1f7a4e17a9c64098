//! The native tools, and what they do as functions, for toolsets that offer the same under other names.

mod explain;
mod patch_file;
mod read_file;
mod replace;
mod text;
mod write_file;

pub use patch_file::{PatchFile, PatchFileArgs};
pub use read_file::{ReadFile, ReadFileArgs};
pub use replace::{Passage, Replacement, replace_text};
pub use text::{list_directory, number_lines, read_lines, write_text};
pub use write_file::{WriteFile, WriteFileArgs};

use crate::registry::Registry;

/// Returns the registry of the three native tools: `patch_file`, `read_file`, `write_file`.
///
/// ```
/// let registry = dispatch_core::tools::core_registry();
/// let names: Vec<_> = registry.names().map(|name| name.as_str()).collect();
/// assert_eq!(names, ["patch_file", "read_file", "write_file"]);
/// ```
///
/// # Panics
///
/// Never: a test builds the same registry.
#[expect(clippy::expect_used, reason = "a test builds the same registry")]
pub fn core_registry() -> Registry {
    let builder = Registry::builder().tool(ReadFile).tool(WriteFile).tool(PatchFile);
    builder.build_deferred().expect("three names that differ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_schema_of_the_core_registry_can_be_judged_by() {
        let builder = Registry::builder().tool(ReadFile).tool(WriteFile).tool(PatchFile);
        assert!(builder.build().unwrap().names().eq(core_registry().names()));
    }
}
