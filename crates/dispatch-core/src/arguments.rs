//! Judging arguments: every error at once, each with its place.
//!
//! The arguments are judged as they were written, before anything is made of them. What comes out is what will run: numbers normalised,
//! defaults filled in.

mod details;
#[cfg(feature = "json-schema")]
mod external;
mod union;
mod values;
mod walk;

use serde_json::Value;

use crate::failure::Detail;
use crate::json::Node;
use crate::schema::{Schema, UnsupportedSchema};

/// What judges the arguments of one tool.
#[derive(Debug)]
pub(crate) enum Judge {
    /// Our own, for the subset of JSON Schema that argument types give.
    Own(Schema),
    /// A full validator, for all that is beyond it.
    #[cfg(feature = "json-schema")]
    External(Box<external::External>),
}

impl Judge {
    /// Reads a schema.
    ///
    /// # Errors
    ///
    /// [`UnsupportedSchema`] names the place of a keyword that is not judged.
    pub(crate) fn new(schema: &Value) -> Result<Self, UnsupportedSchema> {
        match Schema::compile(schema) {
            Ok(schema) => Ok(Self::Own(schema)),
            #[cfg(feature = "json-schema")]
            Err(_beyond_our_own) => external::External::new(schema).map(|external| Self::External(Box::new(external))),
            #[cfg(not(feature = "json-schema"))]
            Err(unsupported) => Err(unsupported),
        }
    }

    /// Judges arguments, and returns them with their defaults.
    ///
    /// # Errors
    ///
    /// All that is wrong with them.
    pub(crate) fn judge(&self, args: Node<'_>) -> Result<Value, Vec<Detail>> {
        match self {
            Self::Own(schema) => walk::judge(schema, args),
            #[cfg(feature = "json-schema")]
            Self::External(external) => external.judge(args),
        }
    }
}

#[cfg(test)]
mod tests;
