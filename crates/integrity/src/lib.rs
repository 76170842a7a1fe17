//! References that hold, over a [`store::Store`].
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]
