//! Random texts for every parser of foreign text: what comes in may be anything, and what must hold all the same is checked.
//!
//! The texts are made of the requests in the conformance cases, by small changes. **The same seed gives the same texts**, one by one and
//! whatever the machine's speed: text 1000 of seed 7 can be had without those before it.
//!
//! - [`random`]: numbers from a seed
//! - [`corpus`]: the texts to begin with
//! - [`mutate`](mod@mutate): small changes
//! - [`targets`]: what a text is given to, and what must hold
//! - [`hunt`]: one text after the other, and what to do when something does not hold

pub mod random;
pub mod corpus;
pub mod mutate;
pub mod targets;
pub mod hunt;
