//! JSON Schemas: made from argument types, and read for judging.
//!
//! What is printed and what is enforced are one text: the schema made by [`of`] is the one that [`Schema::compile`] reads. A keyword
//! that is not judged here makes reading fail, so that nothing in a schema is silently unenforced.

mod compile;
mod defaults;
mod generate;
mod references;

pub use compile::UnsupportedSchema;
pub(crate) use compile::{Additional, Form, Schema, Shape, Types};
pub(crate) use defaults::check_told;
pub(crate) use generate::{of, refuse_unknown_fields_throughout};

#[cfg(test)]
mod tests;
