//! Service specifications: which resources a service has, how they are named, and which methods it serves.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]
