//! Which tools a session may use, whatever tools exist.

use std::collections::BTreeSet;

/// The names that calls may use. Independent of the registry: a name here need not be a tool's, and a tool need not be named here.
///
/// ```
/// use dispatch_core::Permissions;
///
/// let allowed = Permissions::only(["read_file", "write_file"]);
/// let asked = Permissions::only(["write_file", "patch_file"]);
/// let both = allowed.and(&asked);
/// assert!(both.permit("write_file"));
/// assert!(!both.permit("read_file"));
/// assert!(Permissions::all().permit("anything"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Permissions {
    only: Option<BTreeSet<String>>,
}

impl Permissions {
    /// Returns permissions that name every tool.
    pub fn all() -> Self {
        Self { only: None }
    }

    /// Returns permissions that name these tools and no others.
    pub fn only<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        Self { only: Some(names.into_iter().map(Into::into).collect()) }
    }

    /// Returns permissions that name what both of these name.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let only = match (&self.only, &other.only) {
            (Some(a), Some(b)) => Some(a & b),
            (Some(names), None) | (None, Some(names)) => Some(names.clone()),
            (None, None) => None,
        };
        Self { only }
    }

    /// Returns the names, sorted by code point; none where they name every tool.
    ///
    /// ```
    /// use dispatch_core::Permissions;
    ///
    /// let named = Permissions::only(["write_file", "read_file"]);
    /// assert!(named.names().unwrap().eq(["read_file", "write_file"]));
    /// assert!(Permissions::all().names().is_none());
    /// ```
    pub fn names(&self) -> Option<impl Iterator<Item = &str>> {
        Some(self.only.as_ref()?.iter().map(String::as_str))
    }

    /// Returns whether they name this tool.
    pub fn permit(&self, tool: &str) -> bool {
        self.only.as_ref().is_none_or(|names| names.contains(tool))
    }
}

impl Default for Permissions {
    fn default() -> Self {
        Self::all()
    }
}
