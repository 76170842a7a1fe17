//! Versions of packages as hosts see them.

mod completion;
mod lock;
