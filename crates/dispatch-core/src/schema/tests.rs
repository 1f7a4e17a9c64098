//! What schemas say, and which can't be judged by.

// With the feature, another validator judges what ours does not know.
#[cfg(not(feature = "json-schema"))]
mod refused;
mod snapshots;
