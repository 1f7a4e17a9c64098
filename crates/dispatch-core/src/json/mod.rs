//! The one reader of foreign JSON text.
//!
//! [`Document::parse`] checks a whole text once, strictly, and leaves an index of its values behind. Nothing is decoded until somebody
//! asks, and every value still knows where it stands and how it was written: that is what lets a large workspace pass through unread,
//! a call be recorded as it came, and a diagnostic point at the byte.
//!
//! Stricter than [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259), which leaves these open: a key twice in one object, a lone
//! surrogate escape, a number that rounds to no finite double and nesting of [`MAX_DEPTH`] levels are all [`Malformed`].
//!
//! Deliberately not here: building a tree. What was read is looked at in place, through [`Node`].

mod document;
mod malformed;
mod number;
mod path;
mod scan;
mod write;

pub(crate) use document::is_json;
pub use document::{Document, Fragment, Kind, Member, Members, Node, skip_byte_order_mark};
pub use malformed::{Malformed, Position};
pub use number::Number;
pub use path::{JsonPath, Segment};
pub use write::write_value;
pub(crate) use write::{Object, write_string};

/// The number of levels at which objects and arrays are nested too deep. The outermost counts 1.
///
/// The same limit as serde_json's.
pub const MAX_DEPTH: usize = 128;
