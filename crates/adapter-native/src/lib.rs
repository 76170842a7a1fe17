//! What adapters of one machine share, whatever they run services as.
//!
//! - [`NotAllowed`] says why something cannot be put on the list of what an adapter may use; [`real_path`] and
//!   [`real_folder`] find what a path on it is in the end.
//! - [`probe`] finds out whether something answers.
//!
//! What they read of a spec is in [`adapter::spec`]: that needs no machine.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod probe;

mod not_allowed;
mod path;

pub use not_allowed::NotAllowed;
pub use path::{real_folder, real_path};
