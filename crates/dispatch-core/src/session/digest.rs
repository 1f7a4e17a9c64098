//! Digests of files and of whole workspaces.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::ops::Bound;

use sha2::{Digest as _, Sha256};

use crate::workspace::{Entry, MemoryWorkspace, WorkspacePath};

/// A SHA-256. As text it is `sha256:` and 64 small hexadecimal digits.
///
/// ```
/// use dispatch_core::session::Digest;
///
/// let empty = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
/// assert_eq!(Digest::of("").to_string(), empty);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digest([u8; 32]);

impl Digest {
    /// Returns the digest of a file's text.
    pub fn of(text: &str) -> Self {
        Self(Sha256::digest(text).into())
    }

    /// What a file adds to its workspace's digest. The length keeps a path apart from what follows it.
    fn of_file(path: &str, content: Self) -> Self {
        let length = u64::try_from(path.len()).unwrap_or(u64::MAX).to_le_bytes();
        let parts = [length.as_slice(), path.as_bytes(), &content.0];
        // Most paths are short: what is gathered first is hashed at one go.
        let mut gathered = [0; 128];
        let mut rest = gathered.as_mut_slice();
        for part in parts {
            let Some((place, behind)) = rest.split_at_mut_checked(part.len()) else {
                return Self(parts.into_iter().fold(Sha256::new(), Sha256::chain_update).finalize().into());
            };
            place.copy_from_slice(part);
            rest = behind;
        }
        let free = rest.len();
        Self(Sha256::digest(gathered.get(..gathered.len() - free).unwrap_or_default()).into())
    }

    fn words(self) -> [u64; 4] {
        let (words, _) = self.0.as_chunks::<8>();
        let mut words = words.iter().rev().map(|word| u64::from_be_bytes(*word));
        std::array::from_fn(|_| words.next().unwrap_or_default())
    }
}

impl Digest {
    /// Writes it as a JSON string, without a detour through formatting: every outcome has one or more.
    pub(super) fn write(self, out: &mut impl io::Write) -> io::Result<()> {
        out.write_all(&self.quoted())
    }

    /// Whether a text is one.
    pub(super) fn is_text(text: &str) -> bool {
        let digits = text.as_bytes().strip_prefix(PREFIX);
        digits.is_some_and(|digits| {
            digits.len() == 64 && digits.iter().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
        })
    }

    fn quoted(self) -> [u8; 73] {
        let mut quoted = [b'"'; 73];
        let [_, text @ .., _] = &mut quoted;
        let (name, digits) = text.split_at_mut(PREFIX.len());
        name.copy_from_slice(PREFIX);
        for (pair, byte) in digits.as_chunks_mut().0.iter_mut().zip(self.0) {
            *pair = [hex_digit(byte >> 4), hex_digit(byte & 15)];
        }
        quoted
    }
}

const PREFIX: &[u8] = b"sha256:";

/// Without a table, so that the compiler can do many at a time.
fn hex_digit(half: u8) -> u8 {
    half + if half < 10 { b'0' } else { b'a' - 10 }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [_, text @ .., _] = &self.quoted();
        f.write_str(std::str::from_utf8(text).map_err(|_not_utf8| fmt::Error)?)
    }
}

/// The digest of a workspace, kept up file by file: to change one costs as much as that file's text.
///
/// It is the sum, modulo 2^256, of one number for each file: the SHA-256, read big-endian, of the length of the file's path in bytes (64 bits,
/// little-endian), the path, and the SHA-256 of its text. So it does not depend on the order in which files came. That of an empty workspace is zero.
///
/// ```
/// use dispatch_core::session::{Digest, WorkspaceDigest};
/// use dispatch_core::workspace::MemoryWorkspace;
///
/// let mut kept_up = WorkspaceDigest::of(&MemoryWorkspace::from_iter([("a", "1"), ("b", "2")]));
/// kept_up.set("a", Digest::of("3"));
/// let afresh = WorkspaceDigest::of(&MemoryWorkspace::from_iter([("b", "2"), ("a", "3")]));
/// assert_eq!(kept_up.value(), afresh.value());
/// ```
#[derive(Debug, Clone, Default)]
pub struct WorkspaceDigest {
    files: BTreeMap<String, Digest>,
    /// The least significant word first.
    sum: [u64; 4],
}

impl WorkspaceDigest {
    /// Returns the digest of a workspace. Every file is read.
    pub fn of(workspace: &MemoryWorkspace) -> Self {
        let mut digest = Self::default();
        for (path, text) in workspace.files() {
            digest.set(path, Digest::of(&text));
        }
        digest
    }

    /// Takes a file in, or what it now holds.
    pub fn set(&mut self, path: &str, content: Digest) {
        let file = Digest::of_file(path, content);
        let before = match self.files.get_mut(path) {
            Some(known) => Some(std::mem::replace(known, file)),
            None => self.files.insert(path.to_owned(), file),
        };
        if let Some(before) = before {
            self.add(before.words().map(|word| !word), true);
        }
        self.add(file.words(), false);
    }

    /// Takes a file out.
    pub(super) fn remove(&mut self, path: &str) {
        if let Some(before) = self.files.remove(path) {
            self.add(before.words().map(|word| !word), true);
        }
    }

    /// Whether there is such a file.
    pub(super) fn holds(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// Whether there is such a file, and it holds this text.
    pub(super) fn holds_text(&self, path: &str, content: Digest) -> bool {
        self.files.get(path) == Some(&Digest::of_file(path, content))
    }

    /// What stands at a place in a workspace that holds these files alone.
    pub(super) fn entry(&self, path: &WorkspacePath) -> Entry {
        let below = format!("{path}/");
        let mut from = self.files.range::<str, _>((Bound::Included(below.as_str()), Bound::Unbounded));
        if path.is_root() {
            Entry::Directory
        } else if self.holds(path.as_str()) {
            Entry::File
        } else if from.next().is_some_and(|(key, _)| key.starts_with(&below)) {
            Entry::Directory
        } else if path.ancestors().any(|above| self.holds(above)) {
            Entry::BelowFile
        } else {
            Entry::Absent
        }
    }

    /// Returns the digest as it now is.
    pub fn value(&self) -> Digest {
        let mut bytes = [0; 32];
        for (place, word) in bytes.as_chunks_mut().0.iter_mut().zip(self.sum.iter().rev()) {
            *place = word.to_be_bytes();
        }
        Digest(bytes)
    }

    /// Adds a number. To take one away is to add its complement, and one more.
    fn add(&mut self, number: [u64; 4], mut carry: bool) {
        for (word, added) in self.sum.iter_mut().zip(number) {
            (*word, carry) = word.carrying_add(added, carry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(files: &[(&str, &str)]) -> String {
        WorkspaceDigest::of(&files.iter().copied().collect()).value().to_string()
    }

    #[test]
    fn an_empty_workspace_is_zero() {
        assert_eq!(digest(&[]), format!("sha256:{}", "0".repeat(64)));
    }

    #[test]
    fn a_workspace_of_one_file_is_what_the_rule_says() {
        // python3: sha256(len("a").to_bytes(8, "little") + b"a" + sha256(b"x").digest())
        assert_eq!(digest(&[("a", "x")]), "sha256:a2b2c28986959b0be43dafcb5fec709c5df9f168010356928694235d3aad0de0");
        // The sum of that and of the one for ("b", "y"), modulo 2**256.
        assert_eq!(
            digest(&[("a", "x"), ("b", "y")]),
            "sha256:0711ea0adfe023dfe84d6cf93c1061717ce78416814afd297c3598ee561d8826"
        );
    }

    #[test]
    fn what_goes_and_comes_back_leaves_no_trace() {
        let mut digest = WorkspaceDigest::of(&MemoryWorkspace::from_iter([("a", "x"), ("b", "y")]));
        let before = digest.value();
        for text in ["1", "2", "x"] {
            digest.set("a", Digest::of(text));
            assert_eq!(digest.value() == before, text == "x", "{text}");
        }
    }
}
