//! Versions of packages as hosts see them.

mod bundles;
mod completion;
mod lock;
mod sentence;
