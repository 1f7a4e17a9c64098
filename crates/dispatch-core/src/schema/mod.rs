//! JSON Schemas: made from argument types, and read for judging.
//!
//! What is printed and what is enforced are one text: the schema made by [`of`] is the one that [`Schema::compile`] reads. A keyword
//! that is not judged here makes reading fail, so that nothing in a schema is silently unenforced.

mod close;
mod compile;
mod defaults;
mod drafts;
mod generate;
pub(crate) mod places;
mod references;

pub(crate) use close::refuse_unknown_fields_throughout;
pub use compile::UnsupportedSchema;
#[cfg(feature = "json-schema")]
pub(crate) use compile::normalised;
pub(crate) use compile::{Additional, Form, Schema, Shape, Types};
pub(crate) use defaults::check_told;
#[cfg(feature = "json-schema")]
pub(crate) use drafts::check_draft;
pub(crate) use drafts::modernise;
pub(crate) use generate::of;
pub(crate) use references::is_too_deep;

#[cfg(test)]
mod tests;
