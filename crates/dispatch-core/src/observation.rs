//! What a call that ran gives back.

/// What a call that ran gives back, whole.
///
/// ```
/// use dispatch_core::Observation;
///
/// assert_eq!(Observation::from("File written: a.txt".to_owned()).text(), "File written: a.txt");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation {
    text: String,
}

impl Observation {
    /// Returns the observation's text.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl From<String> for Observation {
    fn from(text: String) -> Self {
        Self { text }
    }
}
