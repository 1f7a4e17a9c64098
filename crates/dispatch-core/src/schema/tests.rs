//! What schemas say, and which can't be judged by.

mod refused;
mod snapshots;
