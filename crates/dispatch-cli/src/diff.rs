//! How two texts differ.

use similar::TextDiff;

/// Of longer texts it is told where they part: to find a shortest difference takes too long.
pub(crate) const DIFFED_BYTES: usize = 1 << 22;

/// Returns how two texts differ, as a unified diff. Each comes with its name; the names are one line.
pub(crate) fn unified((old_name, old): (&str, &str), (new_name, new): (&str, &str)) -> String {
    if old.len() + new.len() > DIFFED_BYTES {
        let line = 1 + old.lines().zip(new.lines()).take_while(|(old, new)| old == new).count();
        return format!("--- {old_name}\n+++ {new_name}\n@@ too long to compare: they part in line {line} @@\n");
    }
    let diff = TextDiff::from_lines(old, new);
    let text = diff.unified_diff().context_radius(3).header(old_name, new_name).to_string();
    if text.ends_with('\n') { text } else { text + "\n" }
}
